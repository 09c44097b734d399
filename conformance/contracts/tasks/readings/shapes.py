"""Which fields the reads of a server show at all: no clause says what an entry, a node or an edge holds."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.lists import entries, listed
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

Shapes = Mapping[tuple[str, str], frozenset[str]]
"""By tool, and note, node or edge: the fields that it shows of them, as far as any of its answers did."""
PARTS = {"nodes": "node", "cards": "node", "edges": "edge"}
"""Lists of what a graph holds."""
WITHIN = "to"
"""A difference shows under it what there is now."""


@once
def shapes(history: History, contract: Contract) -> Shapes:
    """A field that a tool never shows, of whatever it lists, is none that it was to show."""
    found = defaultdict[tuple[str, str], set[str]](set)
    for read in history.accepted(*contract.reads()):
        for kind, shown in _of(read):
            found[read.tool or "", kind] |= shown.keys()
    return {place: frozenset(names) for place, names in found.items()}


def _of(read: Exchange) -> Iterator[tuple[str, Mapping[str, Json]]]:
    yield from (("note", entry) for entry in entries(read.given))
    for name, kind in PARTS.items():
        yield from ((kind, part) for part in listed(read.given, name) if isinstance(part, dict))
    for change in listed(read.given, "changes"):
        if isinstance(change, dict) and isinstance(now := change.get(WITHIN), dict):
            yield "node" if isinstance(change.get("id"), str) else "edge", now

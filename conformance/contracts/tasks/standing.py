"""What an answer shows of an entity beside its revision: what a write changes, and nothing that a server works out."""

from typing import NamedTuple

from conformance.contracts.tasks.documents import OF_ITEM
from conformance.contracts.tasks.entities import Key, Seen
from conformance.contracts.tasks.lists import Object, cut, listed, present, whole
from conformance.judge.kinds import alike, spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange

FIELDS = {
    "task": ("title", "description", "contract", "contract_data"),
    "step": ("title", "success_criteria", "tests", "blockers", "criteria_confirmed", "tests_confirmed"),
    "node": ("type", "title", "text", "status", "meta"),
    "edge": ("meta",),
    "conflict": ("status",),
    "focus": ("focus",),
}
"""By kind of entity. Tags are left out: servers order them, and write them in one case."""
EMPTY: tuple[Json, ...] = (None, "", [], {})
PART = ("type", "title", "text", "status")
"""Of a node of a graph, as its document is held against itself."""


class Standing(NamedTuple):
    """An entity's content in one answer."""

    fields: Object
    tool: str
    """Answers of one tool are compared: another one may show an entity in its own way."""

    def differs(self, other: "Standing") -> str | None:
        """A field that both show, and surely otherwise; None where there is none."""
        both = (name for name in self.fields if name in other.fields and self.tool == other.tool)
        return next((name for name in both if _unlike(self.fields[name], other.fields[name])), None)


def _unlike(one: Json, other: Json) -> bool:
    return not (one in EMPTY and other in EMPTY) and alike(one, other) is False


def standing(call: Exchange, seen: Seen) -> Standing | None:
    """What an answer shows of one of its entities; None where it shows nothing that could be compared."""
    if cut(call):
        return None
    kind = seen.key[0]
    fields = _of_document(call, seen.key) if kind == "document" else _own(seen, FIELDS.get(kind, ()))
    return Standing(fields, call.tool or "") if fields else None


def _own(seen: Seen, names: tuple[str, ...]) -> Object:
    return {name: seen.shown[name] for name in names if name in seen.shown} if seen.whole else {}


def _of_document(call: Exchange, key: Key) -> Object:
    """The contents of a whole document; of a plan's or task's none: a server may keep them as it likes."""
    if not whole(call) or any(OF_ITEM.search(name) for name in key[1:]) or call.argument("target") is not None:
        return {}
    if call.tool == "branchmind_show":
        return {"entries": sorted(str(each.get("content")) for each in present(call.given, "entries"))}
    if call.tool != "branchmind_graph_query" or call.argument("edges_limit") is not None:
        return {}
    nodes = (spelled([each.get("id"), *(each.get(name) for name in PART)]) for each in present(call.given, "nodes"))
    edges = (spelled([each.get(end) for end in ("from", "rel", "to")]) for each in present(call.given, "edges"))
    return {"nodes": sorted(nodes), "edges": sorted(edges)} if listed(call.given, "nodes") else {}

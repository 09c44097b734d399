"""Lists that were read on by the cursor that each page names."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.listing import lists
from conformance.contracts.tasks.lists import LISTS, paged
from conformance.judge.epochs import epochs
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

CURSOR = "cursor"
OTHERS = (CURSOR, "limit")


class Leaf(NamedTuple):
    """A page, and the cursor of the one behind it; None where there is none."""

    call: Exchange
    onward: Json


class Walk(NamedTuple):
    """Pages of one list in one state, each asked for by the cursor of the one before it; two of them at least."""

    tool: str
    pages: Sequence[Leaf]
    ended: bool
    """Whether the last of them says that it is the last."""
    known: Sequence[str]
    """Every entry that a page of the list shows."""


def walks(history: History, contract: Contract) -> Iterator[Walk]:
    """Those of a history, by tools that list a cursor."""
    when = epochs(history, contract)
    trails: dict[Hashable, list[Exchange]] = defaultdict(list)
    for call in history.accepted(*LISTS):
        epoch = when.met(call)
        if epoch is None or not isinstance(call.arguments, dict) or not lists(history, contract, call, CURSOR):
            continue
        if call.argument("max_chars") is None:
            rest = {name: value for name, value in call.arguments.items() if name not in OTHERS}
            trails[call.tool, when.scope(call), epoch, spelled(rest)].append(call)
    for calls in trails.values():
        known = [spelled(entry) for call in calls for entry in paged(call.tool or "", call.given)]
        for first in (call for call in calls if call.argument(CURSOR) is None):
            pages = list(_pages(first, calls))
            if len(pages) > 1:
                yield Walk(first.tool or "", pages, pages[-1].onward is None, list(dict.fromkeys(known)))


def _pages(first: Exchange, calls: Sequence[Exchange]) -> Iterator[Leaf]:
    page: Exchange | None = first
    met: set[str] = set()
    while page is not None:
        onward = _onward(page)
        yield Leaf(page, onward)
        if onward is None or spelled(onward) in met:
            return
        met.add(spelled(onward))
        here = page
        page = next((call for call in calls if here.before(call) and call.argument(CURSOR) == onward), None)


def _onward(page: Exchange) -> Json:
    said = page.given.get("pagination")
    told = {**page.given, **(said if isinstance(said, dict) else {})}
    return told.get("next_cursor")

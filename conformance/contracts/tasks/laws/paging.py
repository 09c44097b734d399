"""Budgets: limit and offset page, a cursor as well, and what an answer says of the next page is so."""

from collections.abc import Hashable, Iterator, Sequence
from sys import maxsize

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.likes import Group, Like, groups
from conformance.contracts.tasks.listing import listed_by_none
from conformance.contracts.tasks.lists import EXPORTED, LISTS, goes_on, listed, paged
from conformance.contracts.tasks.walks import Walk, walks
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import integer, spelled
from conformance.judge.law import law
from conformance.judge.paging import Entry, Page, read_on
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

LIMIT = "limit"
EXPORT = "branchmind_export"


@law("TK-BUD-04", absent=listed_by_none("offset", "cursor"))
def pages_are_the_whole(history: History, contract: Contract) -> Iterator[Judgement]:
    """Pages that are read on by offset, or by a listed cursor, show each entry of the whole list once.

    No page before the end of the list is empty, except with a limit of 0. What an answer says of its entries and of a
    next page is true.
    """
    for number, group in enumerate(groups(history, contract)):
        if group.tool in LISTS:
            pages = [like for like in group.likes if like.knobs.keys() <= {LIMIT}]
            known = _known(pages)
            yield from _read_on(group, pages, known, number)
            for like in pages:
                yield from _told(like, known)
        if group.tool == EXPORT:
            for name in EXPORTED:
                yield from _exported(group, name)
    for walk in walks(history, contract):
        yield from _walked(walk)


def _known(pages: Sequence[Like]) -> dict[int, Entry]:
    """Every entry that a page shows, by its place in the whole list, from 1."""
    found: dict[int, Entry] = {}
    for like in sorted(pages, key=lambda like: like.offset):
        for entry in _entries(like):
            found.setdefault(entry.position, entry)
    return found


def _read_on(group: Group, pages: Sequence[Like], known: dict[int, Entry], number: int) -> Iterator[Judgement]:
    for like in pages:
        asked = like.knobs.get(LIMIT, 1) > 0
        if asked and not paged(group.tool, like.call.given) and like.offset < len(known):
            saw = f"the page at offset {like.offset} is empty, the list has {len(known)} entries"
            yield breach(saw, like.call, pointer="/result", got=0)
    yield from read_on((_page(like, number) for like in pages), lambda _: known.values())


def _page(like: Like, stream: Hashable) -> Page:
    entries = _entries(like)
    # what ends before its limit, and says of no more behind it, is the last: all that is known lies before its end
    more = like.truncated or goes_on(like.call.given)
    last = bool(entries) and len(entries) < like.knobs.get(LIMIT, 0) and not more
    return Page(like.call, stream, like.offset, maxsize if last else like.offset + len(entries), entries)


def _entries(like: Like) -> list[Entry]:
    """The entries of a page, each with its place in the whole list, from 1."""
    names = (spelled(entry) for entry in paged(like.call.tool or "", like.call.given))
    return [Entry(like.offset + place, name, like.call) for place, name in enumerate(names, 1)]


def _told(like: Like, known: dict[int, Entry]) -> Iterator[Judgement]:
    """What a page says of itself: how many entries it has, and whether and where more are to be had."""
    said = like.call.given.get("pagination")
    if not isinstance(said, dict) or like.call.argument("cursor") is not None:
        return
    tool, entries = like.call.tool, len(_entries(like))
    count = integer(said.get("count"))
    if count is not None:
        saw = f"{tool} lists {entries} entries and says that it lists {count}"
        yield holds(count == entries, saw, like.call, pointer="/result/pagination/count", expected=entries, got=count)
    end = like.offset + entries
    later = next((entry for place, entry in known.items() if place > end), None)
    if later is not None and said.get("has_more") is False:
        saw = f"{tool} says that nothing follows the entry at {end}, another page shows what does"
        yield breach(saw, later.call, like.call, pointer="/result/pagination/has_more", expected=True, got=False)
    onward = integer(said.get("next_offset"))
    if onward is not None:
        saw = f"the page that ends with the entry at {end} is to be read on from {onward}"
        yield holds(onward == end, saw, like.call, pointer="/result/pagination/next_offset", expected=end, got=onward)


def _exported(group: Group, name: str) -> Iterator[Judgement]:
    """What a list of an export says of itself: how many entries it has, and whether there are more."""
    most = max((len(listed(like.call.given, name)) for like in group.likes), default=0)
    for like in group.likes:
        holder = like.call.given.get(name)
        own = holder.get("pagination", holder) if isinstance(holder, dict) else None
        said, entries = own if isinstance(own, dict) else {}, len(listed(like.call.given, name))
        count, more, pointer = integer(said.get("count")), said.get("has_more"), f"/result/{name}"
        if count is not None:
            saw = f"{group.tool} shows {entries} entries of {name} and says that it shows {count}"
            yield holds(count == entries, saw, like.call, pointer=pointer, expected=entries, got=count)
        if more is False:
            saw = f"{group.tool} says that {entries} are all entries of {name}, and shows {most} of them elsewhere"
            yield holds(entries >= most, saw, like.call, pointer=pointer, expected=True, got=False)
        elif more is True and not like.truncated and entries < like.knobs.get(f"{name}_limit", 0):
            saw = f"{group.tool} shows {entries} entries of {name}, has room for more, and says that more follow"
            yield breach(saw, like.call, pointer=pointer, expected=False, got=True)


def _walked(walk: Walk) -> Iterator[Judgement]:
    """Pages that were read on by a cursor: none comes twice, and at the end none is missing."""
    seen: dict[str, Json] = {}
    calls = [page.call for page in walk.pages]
    for page in walk.pages:
        for entry in paged(walk.tool, page.call.given):
            if spelled(entry) in seen:
                yield breach("an entry came twice while reading on by the cursor", *calls, got=entry)
                return
            seen[spelled(entry)] = entry
    missing = next((entry for entry in walk.known if entry not in seen), None) if walk.ended else None
    if missing is not None:
        yield breach("reading on by the cursor left out an entry", *calls, expected=missing)
    else:
        yield HELD

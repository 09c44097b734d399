"""Budgets: limit and offset page."""

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.likes import Group, Like, groups
from conformance.contracts.tasks.lists import LISTS, paged
from conformance.judge.judgements import breach
from conformance.judge.law import law
from conformance.judge.paging import Entry, Page, read_on
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

LIMIT = "limit"


@law("TK-BUD-04")
def pages_are_the_whole(history: History, contract: Contract) -> Iterator[Judgement]:
    """Pages read on by offset show each entry of the whole list once, and none is empty before the list's end."""
    pages: list[Page] = []
    wholes: dict[Hashable, Sequence[Entry]] = {}
    for number, group in enumerate(groups(history, contract)):
        whole = _whole(group)
        if whole is None:
            continue
        wholes[number] = _entries(whole.call, 0)
        for like in group.likes:
            if like.knobs.keys() <= {LIMIT} and like.call is not whole.call:
                page = _page(like, number)
                pages.append(page)
                if not page.entries and like.offset < len(wholes[number]):
                    saw = f"the page at offset {like.offset} is empty, the list has {len(wholes[number])} entries"
                    yield breach(saw, whole.call, like.call, pointer="/result", got=0)
    yield from read_on(pages, lambda stream: _of(wholes, stream))


def _of(wholes: Mapping[Hashable, Sequence[Entry]], stream: Hashable) -> Sequence[Entry]:
    return wholes.get(stream, ())


def _whole(group: Group) -> Like | None:
    """A like that shows the whole list: it was allowed more entries than it gave, and nothing else held it back."""
    found = [
        like
        for like in group.first
        if group.tool in LISTS
        and like.knobs.keys() == {LIMIT}
        and len(paged(group.tool, like.call.given)) < like.knobs[LIMIT]
    ]
    return max(found, key=lambda like: len(paged(group.tool, like.call.given)), default=None)


def _page(like: Like, stream: int) -> Page:
    entries = _entries(like.call, like.offset)
    return Page(like.call, stream, like.offset, like.offset + len(entries), entries)


def _entries(call: Exchange, offset: int) -> list[Entry]:
    """The entries of a page, each with its place in the whole list, from 1."""
    listed = paged(call.tool or "", call.given)
    names = (json.dumps(entry, sort_keys=True) for entry in listed)
    return [Entry(offset + place, name, call) for place, name in enumerate(names, 1)]

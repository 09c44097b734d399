"""Promises of lists that are read page by page: each entry once, none left out, and a flag that tells what is cut."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.making import Make
from conformance.contract.paging import is_first, onward, size_of
from conformance.contract.saying import place
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import spelled
from conformance.judge.promised.calls import value, without, writes
from conformance.judge.promised.entities import Entities, end, entities
from conformance.judge.promised.scopes import Scope, nameless
from conformance.judge.promised.sightings import listed
from conformance.judge.refused import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, entries
from conformance.model.verdict import HELD, Judgement


class Walk(NamedTuple):
    """Pages that follow one another, from the first."""

    pages: Sequence[Exchange]
    over: bool
    """Whether the last one says that there are no more."""


def paged(history: History, contract: Contract, promise: p.Paged) -> Iterator[Judgement]:
    """Reading on shows each entry once and leaves none out. A walk during which something was written is no subject.

    One page alone, or one and an empty one, shows no reading on; one that says that it is the last is a breach where
    it leaves something out.
    """
    make, seen = contract.makes[promise.entity], entities(history, contract)
    calls = sorted(history.accepted(promise.tool), key=lambda one: one.sent)
    for first in [call for call in calls if is_first(call.arguments, promise)]:
        walk = _walk(first, calls, promise, make)
        if not _quiet(history, contract, walk.pages):
            continue
        judged = _judged(walk, make, seen, promise)
        if sum(size_of(page.payload, make) > 0 for page in walk.pages) > 1 or not judged.ok:
            yield judged


def _walk(first: Exchange, calls: Sequence[Exchange], promise: p.Paged, make: Make) -> Walk:
    """From a first page on: the next call that asks for what the last page names, by the same caller."""
    pages, used = [first], set[str]()
    rest = calls[bisect_right(calls, first.sent, key=lambda one: one.sent) :]
    while onto := onward(pages[-1].arguments, pages[-1].payload, promise, make):
        wanted = {spelled(each) for each in onto} - used
        following = next((call for call in rest if _follows(call, pages[-1], wanted, promise)), None)
        if following is None:
            return Walk(pages, over=False)
        used.add(spelled(value(following, promise.cursor)))
        pages.append(following)
    return Walk(pages, over=True)


def _follows(call: Exchange, last: Exchange, wanted: set[str], promise: p.Paged) -> bool:
    asked = value(call, promise.cursor)
    return (
        last.before(call)
        and asked is not ABSENT
        and spelled(asked) in wanted
        and (call.instance, call.credential.name) == (last.instance, last.credential.name)
        and spelled(_filters(call, promise)) == spelled(_filters(last, promise))
        # which page is the second depends on how large the first was to be
        and (promise.counts != "pages" or not promise.size or _size_asked(call, promise) == _size_asked(last, promise))
    )


def _size_asked(call: Exchange, promise: p.Paged) -> str | None:
    found = value(call, promise.size)
    return None if found is ABSENT else spelled(found)


def _filters(call: Exchange, promise: p.Paged) -> Json:
    """What is listed: the arguments but for the page's own."""
    return without(call, filter(None, (promise.cursor, promise.size))) or {}


def _quiet(history: History, contract: Contract, pages: Sequence[Exchange]) -> bool:
    """Whether nothing was written from the first page to the last."""
    start, until = min(page.sent for page in pages), max(end(page) for page in pages)
    return not any(
        write.instance == pages[0].instance
        and write.sent < until
        and end(write) > start
        and not surely_refused(write, contract)
        for write in writes(history, contract)
    )


def _judged(walk: Walk, make: Make, seen: Entities, promise: p.Paged) -> Judgement:
    """Something is left out where the list is asked for as the contract writes it, so that nothing is filtered out."""
    shown: dict[Json, Exchange] = {}
    for page in walk.pages:
        for one in listed(page, make):
            twice = shown.setdefault(one.name, page)
            if one.name in shown and twice is not page:
                saw = f"{page.tool}, read on from page to page, shows the {make.entity} {one.name.id} twice"
                return breach(saw, twice, page, pointer=one.pointer, got=one.entity)
    first, last = walk.pages[0], walk.pages[-1]
    scope = Scope(make, first, _filters(first, promise))
    whole = walk.over and scope.whole and first.tool == (make.list.tool if make.list is not None else "")
    whole = whole and not any(nameless(page, make) for page in walk.pages)
    if (stray := scope.stray(walk.pages, seen)) is not None:
        return stray
    for name, made in seen.made.items() if whole else ():
        mine = (name.instance, name.kind) == (first.instance, make.entity) and scope.holds(name, made, seen)
        own = mine and made.credential.name == first.credential.name and made.before(first)
        if own and name not in shown and seen.lives(name, last) and not seen.altered(name, last):
            saw = f"{first.tool}, read on to its last page, leaves out the {make.entity} {name.id}"
            return breach(saw, made, *walk.pages, expected=name.value)
    return HELD


def capped(history: History, contract: Contract, promise: p.Capped) -> Iterator[Judgement]:
    """A page has no more entries than asked for, nor than there may be, and says rightly whether some are left out."""
    for call in history.accepted(promise.tool):
        yield from within(call, promise)
    yield from _flagged(history, contract, promise)


def within(call: Exchange, promise: p.Capped) -> Iterator[Judgement]:
    """A page has no more entries than asked for, nor than there may be."""
    asked = value(call, promise.size) if promise.size else ABSENT
    caps = [promise.most] if promise.most is not None else []
    # what a server makes of a size of nought or less, no clause says
    caps += [asked] if isinstance(asked, int) and not isinstance(asked, bool) and asked > 0 else []
    for pointer, found in entries(call.payload, promise.entries) if caps and call.accepted else ():
        if isinstance(found, list | dict):
            saw = f"{call.tool} gives {len(found)} {place(promise.entries)}, {min(caps)} at most are promised"
            yield holds(len(found) <= min(caps), saw, call, pointer=pointer, expected=min(caps), got=len(found))


def _flagged(history: History, contract: Contract, promise: p.Capped) -> Iterator[Judgement]:
    """The flag of a page says whether something was left out, beside another read of the same that shows more."""
    if not promise.truncated:
        return
    alike: dict[tuple[str, str, str], list[Exchange]] = defaultdict(list)
    for call in sorted(history.accepted(promise.tool), key=lambda one: one.sent):
        rest = spelled(without(call, [promise.size] if promise.size else []))
        alike[call.instance, call.credential.name, rest].append(call)
    for calls in alike.values():
        for one, other in pairwise(calls):
            if one.before(other) and _quiet(history, contract, (one, other)):
                yield from _flags(one, other, promise)


def _flags(one: Exchange, other: Exchange, promise: p.Capped) -> Iterator[Judgement]:
    few, many = sorted((one, other), key=lambda call: _size(call, promise))
    flag = value(few, promise.truncated)
    if _size(few, promise) < 0 or _size(few, promise) == _size(many, promise) or not isinstance(flag, bool):
        return
    if flag:
        yield HELD
        return
    saw = f"{few.tool} says {place(promise.truncated)} false, and another read of the same shows more"
    yield breach(saw, many, few, pointer=promise.truncated, expected=True, got=False)


def _size(call: Exchange, promise: p.Capped) -> int:
    found = value(call, promise.entries)
    return len(found) if isinstance(found, list | dict) else -1

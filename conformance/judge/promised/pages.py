"""Promises of lists that are read page by page: each entry once, none left out, and a flag that tells what is cut."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import NamedTuple

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.promises import Make
from conformance.contract.saying import place
from conformance.contract.templates import filled, slots
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import spelled
from conformance.judge.promised.calls import value, without, writes
from conformance.judge.promised.entities import Entities, end, entities, listed
from conformance.judge.unchanged import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, ASKED, drop, entries
from conformance.model.verdict import HELD, Judgement

NOTHING = (None, "", ABSENT, False)
"""What stands for: there is no next page."""


class Walk(NamedTuple):
    """Pages that follow one another, from the first."""

    pages: Sequence[Exchange]
    over: bool
    """Whether the last one says that there are no more."""


def paged(history: History, contract: Contract, promise: p.Paged) -> Iterator[Judgement]:
    """Reading on shows each entry once and leaves none out. A walk during which something was written is no subject.

    One page alone shows no reading on; one that says that it is the last is a breach where it leaves something out.
    """
    make, seen = contract.makes[promise.entity], entities(history, contract)
    calls = sorted(history.accepted(promise.tool), key=lambda one: one.sent)
    for first in [call for call in calls if value(call, promise.cursor) in NOTHING]:
        walk = _walk(first, calls, promise)
        if not _quiet(history, contract, walk.pages):
            continue
        judged = _judged(walk, make, seen, whole=_whole(first, make, promise))
        if len(walk.pages) > 1 or not judged.ok:
            yield judged


def _walk(first: Exchange, calls: Sequence[Exchange], promise: p.Paged) -> Walk:
    """From a first page on: the next call that asks for what the last page names, by the same caller."""
    pages, used = [first], set[str]()
    rest = calls[bisect_right(calls, first.sent, key=lambda one: one.sent) :]
    while (onward := value(pages[-1], promise.next)) not in NOTHING:
        wanted = spelled(onward)
        following = next((call for call in rest if _follows(call, pages[-1], wanted, promise)), None)
        if following is None or wanted in used:
            return Walk(pages, over=False)
        used.add(wanted)
        pages.append(following)
    return Walk(pages, over=True)


def _whole(first: Exchange, make: Make, promise: p.Paged) -> bool:
    """Whether a list is asked for as its [[make]] writes it: then nothing of its caller's is filtered out."""
    if make.list is None or make.list.tool != promise.tool:
        return False
    written, claims = make.list.arguments, first.credential.claims
    if any(slot.kind != "claims" for slot in slots(written)):
        return False
    asked = filled(written, lambda _, name: claims.get(name))
    return _filters(first.arguments, promise) == _filters(asked, promise)


def _follows(call: Exchange, last: Exchange, wanted: str, promise: p.Paged) -> bool:
    asked = value(call, promise.cursor)
    return (
        last.before(call)
        and asked is not ABSENT
        and spelled(asked) == wanted
        and (call.instance, call.credential.name) == (last.instance, last.credential.name)
        and _filters(call.arguments, promise) == _filters(last.arguments, promise)
    )


def _filters(arguments: Json, promise: p.Paged) -> str:
    """What is listed: the arguments but for the page's own."""
    rest = deepcopy(arguments)
    for each in filter(None, (promise.cursor, promise.size)):
        drop(rest, each.removeprefix(ASKED))
    return spelled(rest or {})


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


def _judged(walk: Walk, make: Make, seen: Entities, *, whole: bool) -> Judgement:
    """`whole`: the list is asked for as the contract says that entities are listed, so that nothing is filtered out."""
    shown: dict[Json, Exchange] = {}
    for page in walk.pages:
        for one in listed(page, make):
            twice = shown.setdefault(one.name, page)
            if one.name in shown and twice is not page:
                return breach(
                    f"{one.name.id} came twice while reading on", twice, page, pointer=one.pointer, got=one.entity
                )
    first, last = walk.pages[0], walk.pages[-1]
    for name, made in seen.made.items() if walk.over and whole else ():
        mine = (name.instance, name.kind) == (first.instance, make.entity)
        own = mine and made.credential.name == first.credential.name and made.before(first)
        if own and name not in shown and seen.lives(name, last) and not seen.altered(name, last):
            return breach(f"reading on left out {name.id}", made, *walk.pages, expected=name.value)
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
        if isinstance(found, list):
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
    return len(found) if isinstance(found, list) else -1

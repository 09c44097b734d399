"""Reading a stream on, page by page, while others write to it: every entry once, and none left out."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from conformance.judge.judgements import breach
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement


class Entry(NamedTuple):
    """An entry of a stream, and the answer that told of it."""

    position: int
    name: Hashable
    call: Exchange


class Page(NamedTuple):
    """One accepted read of a stream."""

    read: Exchange
    stream: Hashable
    """What was read and by whom: pages of one stream may follow one another."""
    since: int | None
    """The position after which it begins; None where the reader left that to the server."""
    onward: int | None
    """The position from which the server says to read on; None where it says none."""
    entries: Sequence[Entry]


def journeys(pages: Iterable[Page]) -> Iterator[list[Page]]:
    """Pages that follow one another, each begun where the one before it said, two of them at least."""
    ends: dict[Hashable, list[int]] = defaultdict(list)
    trail = sorted(pages, key=lambda page: page.read.sent)
    parents: list[int | None] = []
    leaves: set[int] = set()
    for number, page in enumerate(trail):
        nearest = (before for before in reversed(ends[page.stream, page.since]) if trail[before].read.before(page.read))
        parent = next(nearest, None) if page.since is not None else None
        parents.append(parent)
        if parent is not None:
            leaves.discard(parent)
            leaves.add(number)
        if page.onward is not None:
            ends[page.stream, page.onward].append(number)
    for leaf in sorted(leaves):
        path: list[Page] = []
        at: int | None = leaf
        while at is not None:
            path.append(trail[at])
            at = parents[at]
        yield path[::-1]


def read_on(pages: Iterable[Page], known: Callable[[Hashable], Iterable[Entry]]) -> Iterator[Judgement]:
    """Judges each journey: no entry comes twice, and none that is known to lie within it is missing."""
    for path in journeys(pages):
        yield _judged(path, known(path[0].stream))


def _judged(path: Sequence[Page], known: Iterable[Entry]) -> Judgement:
    shown: dict[Hashable, Entry] = {}
    for page in path:
        for entry in page.entries:
            twice = shown.setdefault(entry.name, entry)
            if twice is not entry:
                return breach(f"{entry.name} came twice while reading on", twice.call, entry.call, got=str(entry.name))
    first, last = path[0], path[-1]
    begin = first.since if first.since is not None else min((e.position for e in first.entries), default=0) - 1
    end = last.onward if last.onward is not None else max((e.position for e in last.entries), default=begin)
    for entry in known:
        if begin < entry.position <= end and entry.name not in shown:
            reads = [page.read for page in path if (page.since or 0) < entry.position]
            return breach(
                f"reading on from {begin} to {end} left out the entry at {entry.position}",
                *((entry.call,) if entry.call.sent <= last.read.sent else ()),
                *reads,
                expected=str(entry.name),
            )
    return HELD

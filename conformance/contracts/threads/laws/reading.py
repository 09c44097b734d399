"""Section 3.3: pages of a thread."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterator
from itertools import islice

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.acknowledging import cursor
from conformance.contracts.threads.laws.acks import standings
from conformance.contracts.threads.laws.posted import Place, answered_before, pages, place_of, posted
from conformance.judge import paging
from conformance.judge.calendar import calendar_of
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import integer, text
from conformance.judge.law import exchange_law, law
from conformance.judge.unchanged import sights, steady
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

WRITES = ("post_message", "update_thread_status")
"""What may change what reads show of a thread."""


@exchange_law("TH-READ-01", "read_messages")
def messages_come_in_order(read: Exchange, _: Contract) -> Iterator[Judgement]:
    """An accepted read gives a list of messages, each above since_seq, in ascending order of seq."""
    if not read.accepted:
        return
    entries = read.given.get("messages", MISSING)
    if not isinstance(entries, list):
        yield breach("a read gives no list of messages", read, pointer="/messages", got=entries)
        return
    seqs = [integer(entry.get("seq")) for entry in entries if isinstance(entry, dict)]
    known = [seq for seq in seqs if seq is not None]
    since = integer(read.argument("since_seq"))
    low = next((seq for seq in known if since is not None and seq <= since), None)
    if low is not None:
        yield breach(f"a read since {since} gives the message at {low}", read, pointer="/messages", got=seqs)
    elif known:
        yield holds(known == sorted(known), "messages are not in ascending order", read, pointer="/messages", got=seqs)


@law("TH-READ-02", compares="entity")
def limit_and_has_more_are_true(history: History, contract: Contract) -> Iterator[Judgement]:
    """A page holds no more messages than its limit, if that is positive; has_more tells whether a message follows."""
    when = calendar_of(history)
    ends: dict[tuple[Place, int], list[Exchange]] = defaultdict(list)
    for page in pages(history, contract):
        if page.since is not None and not page.entries:
            ends[page.place, page.since].append(page.read)
    for page, row in answered_before(history, contract):
        count, more = len(page.entries), page.read.given.get("has_more", MISSING)
        # a limit below 1 is none that the contract has: some servers take it for no limit
        if page.limit is not None and count > page.limit >= 1:
            yield breach(f"{count} messages where {page.limit} were asked for", page.read, pointer="/messages")
            continue
        last = max((message["seq"] for message in page.messages), default=None)
        if last is None:
            continue
        above = islice(row, bisect_right(row, last, key=lambda one: one.seq), None)
        follows = next((one.post for one in above if when.same(one.post, page.read)), None)
        nothing = next((r for r in ends[page.place, last] if page.read.before(r) and when.same(page.read, r)), None)
        if follows is not None:
            saw = f"has_more is {more!r} where a message follows"
            yield holds(more is True, saw, follows, page.read, pointer="/has_more", expected=True, got=more)
        elif nothing is not None:
            saw = f"has_more is {more!r} where nothing follows"
            yield holds(more is False, saw, nothing, page.read, pointer="/has_more", expected=False, got=more)
        elif page.limit is not None:
            yield HELD


@law("TH-READ-03", compares="entity")
def reading_on_misses_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """Reads that follow next_seq give every message between the first since_seq and the last next_seq, none twice."""
    when = calendar_of(history)
    known: dict[Hashable, dict[str, paging.Entry]] = defaultdict(dict)
    for one in posted(history, contract):
        entry = paging.Entry(one.seq, one.message_id, one.post)
        known[one.place, when.ahead(one.post)].setdefault(one.message_id, entry)
    trail: list[paging.Page] = []
    for page in pages(history, contract):
        named = [message for message in page.messages if text(message.get("message_id")) is not None]
        entries = [paging.Entry(message["seq"], message["message_id"], page.read) for message in named]
        for entry in entries:
            known[page.place, when.ahead(page.read)].setdefault(str(entry.name), entry)
        # where an empty page says to go is another requirement's matter
        onward = integer(page.read.given.get("next_seq")) if page.entries else page.since
        if page.entries and onward is None and page.read.given.get("has_more") is True:
            yield breach("a page with more to come has no next_seq", page.read, pointer="/next_seq")
        stream = (page.place, when.ahead(page.read), page.read.credential.name)
        trail.append(paging.Page(page.read, stream, page.since, onward, entries))
    yield from paging.read_on(trail, lambda stream: _known(known, stream))


def _known(known: dict[Hashable, dict[str, paging.Entry]], stream: Hashable) -> Iterator[paging.Entry]:
    if isinstance(stream, tuple):
        yield from known[stream[:2]].values()


@law("TH-READ-04", compares="entity")
def an_empty_page_stays(history: History, contract: Contract) -> Iterator[Judgement]:
    """A page without messages gives next_seq equal to since_seq, and has_more false."""
    for page in pages(history, contract):
        if page.entries or page.since is None:
            continue
        onward, more = page.read.given.get("next_seq", MISSING), page.read.given.get("has_more", MISSING)
        if onward != page.since or isinstance(onward, bool):
            saw = f"next_seq of an empty page since {page.since} is {onward!r}"
            yield breach(saw, page.read, pointer="/next_seq", expected=page.since, got=onward)
        else:
            saw = f"has_more of an empty page is {more!r}"
            yield holds(more is False, saw, page.read, pointer="/has_more", expected=False, got=more)


@law("TH-READ-05")
def reading_moves_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """Two equal reads with only reads between them show the same; an ack below what its agent has read is accepted.

    The ack is judged where any ack is accepted.
    """
    yield from steady(history, contract)
    yield from _around_reads(history, contract)
    read = [s for s in standings(history, contract) if s.forward and s.read_above and not s.acked_above_by_others]
    yield from cursor(history, contract, read, lambda _: "below what was merely read", lambda standing: standing.read)


def _around_reads(history: History, contract: Contract) -> Iterator[Judgement]:
    """Equal reads around another one show the same, where nothing was refused between: that has laws of its own."""
    refused: dict[Place | None, list[int]] = defaultdict(list)
    for call in history.calls(*WRITES):
        if call.refused:
            refused[place_of(call)].append(call.sent)
    for row in refused.values():
        row.sort()
    for read in history.accepted("read_messages"):
        tried = refused.get(place_of(read), [])
        for (before, after), found in sights(history, contract, read):
            if bisect_right(tried, before.sent) < bisect_right(tried, after.sent):
                continue
            saw = f"{after.tool} shows a change after read_messages"
            parts = {} if found is None else {"pointer": found.pointer, "expected": found.expected, "got": found.got}
            yield HELD if found is None else breach(saw, before, read, after, **parts)

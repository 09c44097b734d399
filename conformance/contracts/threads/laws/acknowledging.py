"""Section 3.4: how far an agent has read."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.acks import accepted_ack, standings
from conformance.contracts.threads.laws.posted import Place, pages, place_of
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import integer, text
from conformance.judge.law import exchange_law, law
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@exchange_law("TH-ACK-01", "ack_read")
def an_ack_says_ok_and_when(ack: Exchange, _: Contract) -> Iterator[Judgement]:
    """An accepted ack gives ok true and updated_at."""
    if ack.accepted:
        ok, updated = ack.given.get("ok", MISSING), ack.given.get("updated_at")
        if ok is not True:
            yield breach(f"ok is {ok!r}", ack, pointer="/ok", expected=True, got=ok)
        else:
            saw = f"updated_at is {updated!r}"
            yield holds(text(updated), saw, ack, pointer="/updated_at", got=updated)


@law("TH-ACK-02")
def a_cursor_never_goes_back(history: History, contract: Contract) -> Iterator[Judgement]:
    """An ack below one that was accepted of the same agent in the thread is refused, whatever was refused between."""
    for standing in standings(history, contract):
        if standing.own is not None and standing.seq < standing.own.number:
            saw = f"an ack at {standing.seq} was accepted after one at {standing.own.number}"
            yield holds(standing.ack.refused, saw, standing.own.call, standing.ack, got=standing.seq)


@law("TH-ACK-03")
def an_ack_stays_within_the_thread(history: History, contract: Contract) -> Iterator[Judgement]:
    """An ack is refused where a later read of the thread has no message at its last_read_seq or above."""
    ends: dict[Place, _Ends] = defaultdict(_Ends)
    for page in sorted(pages(history, contract), key=lambda page: page.read.sent, reverse=True):
        if page.since is not None and not page.entries:
            ends[page.place].add(page.since, page.read)
    for ack in history.calls("ack_read"):
        seq, place = integer(ack.argument("last_read_seq")), place_of(ack)
        if seq is None or place not in ends or ack.received is None or ack.credential.defect is not None:
            continue
        end = ends[place].after(ack)
        if end is not None and end[0] < seq:
            saw = f"an ack at {seq} was accepted, where the thread ends before"
            yield holds(ack.refused, saw, end[1], ack, got=seq)


class _Ends:
    """Empty pages of a thread, the last first: beyond the since_seq of one there was no message yet."""

    def __init__(self) -> None:
        self._sent: list[int] = []
        self._lowest: list[tuple[int, Exchange]] = []

    def add(self, since: int, read: Exchange) -> None:
        """Takes the next earlier page."""
        self._sent.append(-read.sent)
        lowest = self._lowest[-1] if self._lowest else (since, read)
        self._lowest.append(min(lowest, (since, read), key=lambda one: one[0]))

    def after(self, call: Exchange) -> tuple[int, Exchange] | None:
        """The lowest since_seq of the pages asked for after the answer to a call, and that page's read."""
        place = bisect_right(self._sent, -(call.received or 0))
        return self._lowest[place - 1] if place else None


@law("TH-ACK-04")
def a_cursor_is_its_agents_and_its_threads(history: History, contract: Contract) -> Iterator[Judgement]:
    """An ack that is forward for its agent in its thread is accepted, however far any other cursor stands."""
    for standing in standings(history, contract):
        if standing.forward and standing.acked_above_by_others and not standing.read_above:
            yield from accepted_ack(standing, "another cursor counts for this one", standing.others)


@law("TH-ACK-05")
def the_same_ack_again_is_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """An ack at the seq that the agent acknowledged last is accepted."""
    for standing in standings(history, contract):
        if standing.again and not standing.acked_above_by_others and not standing.read_above:
            yield from accepted_ack(standing, "the seq was acknowledged before", standing.own)

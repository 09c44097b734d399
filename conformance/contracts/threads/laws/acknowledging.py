"""Section 3.4: how far an agent has read."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.acks import Standing, standings
from conformance.contracts.threads.laws.allowed import allowed, controls, likes
from conformance.contracts.threads.laws.posted import Place, pages, place_of
from conformance.judge.controls import but_for, refusals
from conformance.judge.faults import declined, stumbled
from conformance.judge.judgements import HELD, breach, told
from conformance.judge.kinds import integer
from conformance.judge.law import law
from conformance.judge.peaks import Mark
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

WHOLE = {"thread_id", "agent_id", "last_read_seq"}
SEQ = but_for("last_read_seq")
ANY_ACK = but_for(caller=True, shape=lambda _: None)
"""Somebody's ack of something: the method does not refuse everything."""


@law("TH-ACK-02", compares="entity")
def a_cursor_never_goes_back(history: History, contract: Contract) -> Iterator[Judgement]:
    """An ack below an earlier accepted one of the same agent in the thread is refused, whatever was refused between."""
    for standing in standings(history, contract):
        if standing.own is not None and standing.seq < standing.own.number:
            if standing.ack.accepted:
                saw = f"an ack at {standing.seq} was accepted after one at {standing.own.number}"
                yield breach(saw, standing.own.call, standing.ack, got=standing.seq)
            elif declined(standing.ack):
                yield HELD


@law("TH-ACK-03", compares="entity")
def an_ack_stays_within_the_thread(history: History, contract: Contract) -> Iterator[Judgement]:
    """An ack is refused where a later read shows no message of the thread at its last_read_seq or above.

    It is judged where an ack of the same agent at a message that exists was accepted.
    """
    ends: dict[Place, _Ends] = defaultdict(_Ends)
    for page in sorted(pages(history, contract), key=lambda page: page.read.sent, reverse=True):
        if page.since is not None and not page.entries:
            ends[page.place].add(page.since, page.read)
    beyond: list[Exchange] = []
    for ack in history.calls("ack_read"):
        seq, place = integer(ack.argument("last_read_seq")), place_of(ack)
        if seq is None or place not in ends or ack.received is None or ack.credential.defect is not None:
            continue
        end = ends[place].after(ack)
        if end is None or end[0] >= seq:
            continue
        if ack.accepted:
            saw = f"an ack at {seq} was accepted, where the thread ends before"
            yield breach(saw, end[1], ack, got=seq)
        else:
            beyond.append(ack)
    yield from refusals(controls(history, contract), beyond, SEQ, lambda _: "beyond the end of the thread")


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
    """A good ack that moves its agent's cursor forward is accepted, however far the cursors of others stand.

    It is judged where any ack is accepted.
    """
    found = [s for s in standings(history, contract) if s.forward and s.acked_above_by_others and not s.read_above]
    yield from cursor(history, contract, found, lambda _: "below another cursor", lambda standing: standing.others)


@law("TH-ACK-05")
def the_same_ack_again_is_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good ack at the seq that the agent acknowledged last is accepted."""
    found = [s for s in standings(history, contract) if s.again and not s.acked_above_by_others and not s.read_above]
    yield from cursor(history, contract, found, lambda _: "at the seq that was acknowledged last", lambda s: s.own)


def cursor(
    history: History,
    contract: Contract,
    found: Iterable[Standing],
    where: Callable[[Standing], str],
    shown: Callable[[Standing], Mark | None],
) -> Iterator[Judgement]:
    """Each of these acks, if nothing speaks against it, is accepted; `shown` tells the mark that is not to count."""
    good, accepted = allowed(history, contract), likes(history, contract)
    tried = list(found)
    for standing in tried:
        ack, mark = standing.ack, shown(standing)
        # identity left out, and fields that nobody knows, have requirements of their own
        if ack.call not in good or (ack.refused and ack.arguments.keys() != WHOLE):
            continue
        if ack.accepted:
            yield HELD
        elif stumbled(ack, (each.ack for each in tried)):
            continue
        elif ack.refused and (like := accepted.beside(ack, ANY_ACK)) is not None:
            saw = f"an ack {where(standing)}, {standing.seq}, ended as {told(ack)}"
            yield breach(saw, *([mark.call] if mark is not None else []), ack, beside=like)

"""Where a cursor stood, as far as a history tells, when its agent acknowledged: no method shows a cursor."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.moves import Course, courses
from conformance.contracts.threads.laws.posted import Place, agent_of, pages, place_of, posted
from conformance.judge.kinds import integer
from conformance.judge.memo import once
from conformance.judge.peaks import Mark, Peaks
from conformance.model.exchange import Exchange
from conformance.model.history import History

UNENDING = 1 << 62
NOBODY = Peaks(())


class Standing(NamedTuple):
    """An answered ack of an agent for itself, with the highest marks that were made before it was sent."""

    ack: Exchange
    seq: int
    own: Mark | None
    """The highest that the agent had acknowledged in the thread."""
    others: Mark | None
    """The highest that another agent had acknowledged there, or the agent itself in another thread."""
    read: Mark | None
    """The highest that the agent had read there."""
    exists: bool
    """Whether a message at this seq or above was posted before."""
    doubtful: bool
    """Whether another ack of the agent, whose order or end is not known, may have moved its cursor.

    Or whether the ack was refused where the thread may be closed: nobody says whether that takes acks.
    """

    @property
    def forward(self) -> bool:
        """Above all that the agent had acknowledged, and not beyond the latest message."""
        return self.exists and not self.doubtful and (self.own is None or self.own.number < self.seq)

    @property
    def in_order(self) -> bool:
        """Neither below what the agent had acknowledged, nor beyond the latest message."""
        within = self.exists or self.seq == 0
        return within and not self.doubtful and (self.own is None or self.own.number <= self.seq)

    @property
    def again(self) -> bool:
        """What the agent had acknowledged last."""
        return self.exists and not self.doubtful and self.own is not None and self.own.number == self.seq

    @property
    def read_above(self) -> bool:
        """The agent had read further than it acknowledges."""
        return self.read is not None and self.read.number > self.seq

    @property
    def acked_above_by_others(self) -> bool:
        """Another cursor stood further than this ack."""
        return self.others is not None and self.others.number > self.seq


@once
def standings(history: History, contract: Contract) -> Sequence[Standing]:
    """Every answered, well-formed ack that an agent made for itself, in the order sent."""
    acks = [(ack, place, agent, seq) for ack in history.calls("ack_read") for place, agent, seq in _itself(ack)]
    accepted = [one for one in acks if one[0].accepted]
    own = _peaks(((place, agent), Mark(None, seq, ack)) for ack, place, agent, seq in accepted)
    by_place = _peaks((place, Mark(agent, seq, ack)) for ack, place, agent, seq in accepted)
    by_agent = _peaks(((place[0], agent), Mark(place, seq, ack)) for ack, place, agent, seq in accepted)
    posts = _peaks((one.place, Mark(None, one.seq, one.post)) for one in posted(history, contract))
    reads = _peaks(
        ((page.place, agent_of(page.read)), Mark(None, max(message["seq"] for message in page.messages), page.read))
        for page in pages(history, contract)
        if page.messages
    )
    doubtful = _doubtful(acks) | _after_odd_ones(history, acks) | _of_closed(acks, courses(history, contract))
    found: list[Standing] = []
    for ack, place, agent, seq in acks:
        if ack.received is None:
            continue
        elsewhere = by_agent.get((place[0], agent), NOBODY).before(ack, besides=place)
        there = by_place.get(place, NOBODY).before(ack, besides=agent)
        others = max(filter(None, (there, elsewhere)), key=lambda mark: mark.number, default=None)
        latest = posts.get(place, NOBODY).before(ack)
        found.append(
            Standing(
                ack,
                seq,
                own.get((place, agent), NOBODY).before(ack),
                others,
                reads.get((place, agent), NOBODY).before(ack),
                latest is not None and latest.number >= seq,
                ack.call in doubtful,
            )
        )
    return found


def _of_closed(acks: Sequence[tuple[Exchange, Place, str, int]], known: Mapping[Place, Course]) -> set[int]:
    """Refused acks in threads that may be closed."""
    refused = ((ack, known.get(place)) for ack, place, *_ in acks if ack.refused)
    return {ack.call for ack, course in refused if course is not None and course.may_be_closed(ack)}


def _itself(ack: Exchange) -> Iterator[tuple[Place, str, int]]:
    """Thread, agent and seq of an ack that names nobody but its caller."""
    place, agent, seq = place_of(ack), agent_of(ack), integer(ack.argument("last_read_seq"))
    if place is not None and agent is not None and seq is not None and ack.arguments.get("agent_id", agent) == agent:
        yield place, agent, seq


def _peaks(marks: Iterator[tuple[Hashable, Mark]]) -> Mapping[Hashable, Peaks]:
    rows: dict[Hashable, list[Mark]] = defaultdict(list)
    for owner, mark in marks:
        rows[owner].append(mark)
    return {owner: Peaks(row) for owner, row in rows.items()}


def _after_odd_ones(history: History, acks: Sequence[tuple[Exchange, Place, str, int]]) -> set[int]:
    """Acks of an agent that may have moved its cursor before by a seq that is none, or in another's name."""
    plain = {ack.call for ack, *_ in acks}
    odd: dict[Hashable, list[Exchange]] = defaultdict(list)
    for ack in history.calls("ack_read"):
        if ack.call not in plain and not ack.refused:
            odd[place_of(ack), agent_of(ack)].append(ack)
    return {ack.call for ack, place, agent, _ in acks for other in odd.get((place, agent), ()) if not ack.before(other)}


def _doubtful(acks: Sequence[tuple[Exchange, Place, str, int]]) -> set[int]:
    """Acks that overlap another of the same cursor, which was not refused, or came after one without an answer."""
    found: set[int] = set()
    rows: dict[Hashable, list[Exchange]] = defaultdict(list)
    for ack, place, agent, _ in acks:
        rows[place, agent].append(ack)
    for row in rows.values():
        ends = -1
        row.sort(key=lambda ack: ack.sent)
        for number, ack in enumerate(row):
            end = UNENDING if ack.received is None else ack.received
            following = row[number + 1].sent if number + 1 < len(row) else UNENDING
            if ends > ack.sent or following < end:
                found.add(ack.call)
            if not ack.refused:
                ends = max(ends, end)
    return found

"""A thread's status as a history tells it: where it stood when a move was asked for, and which moves there are."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.posted import Place, place_of
from conformance.contracts.threads.payloads import STATUSES
from conformance.judge.kinds import text
from conformance.judge.linear import Apply
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.judge.settings import choice, chosen
from conformance.model.exchange import Exchange
from conformance.model.history import History

Moves = Mapping[str, frozenset[str]]
"""Where a thread may go from each status."""

TERM = "transitions"
UNSTATED: Moves = {
    status: frozenset({status, "blocked", "resolved"} if status == "active" else {status}) for status in STATUSES
}
"""A thread begins as active, and blocked or resolved is what it can be otherwise while it lives."""
MOVING = ("thread_escalated", "thread_resolved")
"""Events at which a server may move the thread by itself."""
UNENDING = 1 << 62


@once
def machine(history: History, contract: Contract) -> Moves:
    """Where a thread may go at the most. The same status again changes nothing; closed is final.

    The target states which transitions it has; what it leaves out has none but that. Where it states nothing any
    may be there: the document has no state machine.
    """
    if not chosen(history, TERM):
        return {status: frozenset(STATUSES if status != "closed" else (status,)) for status in STATUSES}
    return _stated(history, contract)


@once
def promised(history: History, contract: Contract) -> Moves:
    """Where a thread surely may go: what the target states, else from active to where the document's threads stand."""
    return _stated(history, contract) if chosen(history, TERM) else UNSTATED


def _stated(history: History, contract: Contract) -> Moves:
    stated = choice(history, contract, TERM)
    table = stated if isinstance(stated, dict) else {}
    found = {status: table.get(status) for status in STATUSES if status != "closed"}
    ways = {status: to if isinstance(to, list) else [] for status, to in found.items()}
    return {
        status: frozenset(to for to in STATUSES if to == status or to in ways.get(status, ())) for status in STATUSES
    }


class Known(NamedTuple):
    """A status that an answer told."""

    status: str
    source: Exchange


@dataclass(slots=True)
class Course:
    """What was asked and told of one thread's status, in the order sent."""

    updates: list[Exchange] = field(default_factory=list)
    effective: list[Exchange] = field(default_factory=list)
    """Updates that may have taken effect, and posts that may have moved the thread."""
    told: list[Known] = field(default_factory=list)

    def at(self, *calls: Exchange) -> Known | None:
        """The status when calls were served; None where none was told, or another update may have come between."""
        known = max(
            (known for known in self.told if all(known.source.before(call) for call in calls)),
            key=lambda known: known.source.sent,
            default=None,
        )
        last = max(calls, key=ended)
        return known if known is not None and self.quiet(known.source, last, *calls) else None

    def after(self, calls: Sequence[Exchange]) -> Known | None:
        """The status that a get_thread told after all of these calls, before any other update."""
        for known in self.told:
            if known.source.tool == "get_thread" and all(call.before(known.source) for call in calls):
                first = min(calls, key=lambda call: call.sent)
                return known if self.quiet(first, known.source, *calls) else None
        return None

    def quiet(self, start: Exchange, end: Exchange, *besides: Exchange) -> bool:
        """Whether no other update may have taken effect from the sending of one call to the answer to another."""
        return not any(
            write.sent < ended(end) and ended(write) > start.sent
            for write in self.effective
            if write is not start and write is not end and write not in besides
        )

    def may_be_closed(self, call: Exchange) -> bool:
        """Whether something before the end of a call may have closed the thread."""
        return any(write is not call and write.sent < ended(call) and _closing(write) for write in self.effective)


def _closing(write: Exchange) -> bool:
    metadata = write.argument("metadata")
    settles = isinstance(metadata, dict) and metadata.get("event_type") == "thread_resolved"
    return write.argument("status") == "closed" if write.tool == "update_thread_status" else settles


def ended(call: Exchange) -> int:
    """When a call was answered; a call without an answer may take effect at any time."""
    return call.received if call.received is not None else UNENDING


@once
def courses(history: History, contract: Contract) -> Mapping[Place, Course]:
    """The course of each thread's status."""
    found: dict[Place, Course] = defaultdict(Course)
    for call in history.calls("create_thread", "get_thread", "update_thread_status", "post_message"):
        place = place_of(call)
        named = text(call.given.get("thread_id"))
        if place is None and call.tool == "create_thread" and named is not None:
            place = (call.instance, named)
        if place is None:
            continue
        if call.tool == "update_thread_status":
            found[place].updates.append(call)
        if effective(call, contract):
            found[place].effective.append(call)
        status = call.given.get("status")
        if call.accepted and isinstance(status, str) and status in STATUSES:
            found[place].told.append(Known(status, call))
    return found


def effective(call: Exchange, contract: Contract) -> bool:
    """Whether a call may have changed a thread's status."""
    if call.tool == "post_message":
        metadata = call.argument("metadata")
        moving = isinstance(metadata, dict) and metadata.get("event_type") in MOVING
    else:
        moving = call.tool == "update_thread_status"
    return moving and not surely_refused(call, contract)


class Asked(NamedTuple):
    """An answered update that gives a reason, from a status that is known."""

    update: Exchange
    known: Known
    wanted: str

    @property
    def role(self) -> str:
        """The role of who asks; empty where the proof of it is bad."""
        return self.update.credential.role if self.update.credential.defect is None else ""


def asked(history: History, contract: Contract) -> Iterator[Asked]:
    """Every update of which it is known from where to where it was to move a thread."""
    for course in courses(history, contract).values():
        for update in course.updates:
            wanted, reason = text(update.argument("status")), text(update.argument("reason"))
            known = course.at(update) if update.received is not None and reason and reason.strip() else None
            if known is not None and wanted in STATUSES:
                yield Asked(update, known, str(wanted))


def meanwhile(course: Course, group: Sequence[Exchange]) -> list[Known]:
    """What gets told of the status while these updates were under way, and nothing else may have changed it."""
    first, last = min(group, key=lambda call: call.sent), max(group, key=ended)
    return [
        known
        for known in course.told
        if known.source.tool == "get_thread"
        and first.sent < ended(known.source)
        and known.source.sent < ended(last)
        and course.quiet(first, known.source, *group)
    ]


def taking(moves: Moves) -> Apply[str, Exchange]:
    """How a thread takes a move, and what a get of it answers."""

    def apply(status: str, call: Exchange) -> Iterator[str]:
        if call.tool != "update_thread_status":
            if call.given.get("status") == status:
                yield status
        elif isinstance(wanted := call.argument("status"), str) and wanted in moves[status]:
            yield wanted

    return apply

"""Which calls the contract's own rules allow: nothing in arguments, caller or state speaks against them.

What is in doubt is not among them: a role that the server never accepted, a thread of another run, a status that is not
known for sure, a quota that the target does not state.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.fitting import fits
from conformance.contracts.threads.known import Place, known
from conformance.contracts.threads.laws.acks import standings
from conformance.contracts.threads.laws.moves import courses, promised
from conformance.contracts.threads.laws.posted import key_of, payload_of, place_of
from conformance.contracts.threads.laws.wakes import Attempt, attempts
from conformance.contracts.threads.payloads import FIELDS, LEADS, RIGHTS, takes_thread
from conformance.judge.calendar import MICROSECONDS, calendar_of
from conformance.judge.controls import Controls
from conformance.judge.kinds import alike, spelled, text
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.judge.serving import Unsupported
from conformance.judge.settings import setting
from conformance.model.exchange import TOO_MANY_STATUS, Exchange
from conformance.model.history import History

FAR_AHEAD_S = 600.0
"""Where the calendar was moved so far, a token may have expired."""
MINUTE_S = 60.0
NO_RIGHT = ("FORBIDDEN", "INSUFFICIENT_AUTHORITY")
"""Codes that say of a caller that it may not."""


class _Allowed:
    def __init__(self, history: History, contract: Contract) -> None:
        self._history, self._contract = history, contract
        self._threads = known(history, contract)
        self._promised = promised(history, contract)
        self._courses = courses(history, contract)
        self._calendar = calendar_of(history)
        self._unsupported = Unsupported(history)
        self._standings = {standing.ack.call: standing for standing in standings(history, contract)}
        self._attempts: dict[int, Attempt] = {one.call.call: one for one in attempts(history, contract)}
        self._accepted = {_role(call) for call in history.accepted(*FIELDS) if call.credential.defect is None}
        good = [call for call in history.accepted(*FIELDS) if call.credential.defect is None]
        self._granted = {(call.tool, who) for call in good if (who := self._uncertain(call))}
        self._ids: dict[tuple[Place, str], Exchange] = {}
        self._uses: dict[object, list[Exchange]] = defaultdict(list)
        self._sent: dict[object, list[float]] = defaultdict(list)
        """When each agent's posts were sent that may have used up some of its quota, in seconds of the calendar."""
        for post in history.calls("post_message"):
            place, named, key = place_of(post), text(post.given.get("message_id")), key_of(post)
            if post.accepted and place is not None and named is not None:
                self._ids.setdefault((place, named), post)
            if not surely_refused(post, contract):
                self._sent[_agent(post)].append(self._at(post))
                if key is not None:
                    self._uses[post.instance, key].append(post)

    def __call__(self, call: Exchange) -> bool:
        return (
            call.credential.defect is None
            and call.credential.role in RIGHTS[call.tool or ""]
            and _role(call) in self._accepted
            and not self._unwelcome(call)
            and not self._threads.faults(call).codes
            and not self._unsupported.concerns(call)
            and self._calendar.ahead(call) < FAR_AHEAD_S
            and (not throttled(call) or self._under_quota(call))
            and fits(call, self._history, self._contract)
            and self._reaches(call)
            and self._permitted(call)
        )

    def _unwelcome(self, call: Exchange) -> bool:
        """Whether the server lets nobody of the caller's kind do this, and no clause says that they may."""
        who = self._uncertain(call) if call.code in NO_RIGHT and call.credential.defect is None else ""
        return bool(who) and (call.tool, who) not in self._granted

    def _uncertain(self, call: Exchange) -> str:
        """Who calls, of those of whom no clause says that they may; empty for others.

        An auditor, a worker who moves a thread, and a lead who takes no part in one: its creator, or another.
        """
        role, agent = call.credential.role, call.credential.claims.get("agent_id")
        if call.tool == "update_thread_status" and role == "worker":
            return f"{role}, to {spelled(call.argument('status'))}"
        made = self._threads.made(call) if role in LEADS and takes_thread(call.tool) else None
        if made is None:
            return role if role == "auditor" else ""
        if agent in made.participants:
            return ""
        return "creator" if agent == made.creator else role

    def _reaches(self, call: Exchange) -> bool:
        """Whether the thread was made in this run, and a worker takes part in it."""
        if not takes_thread(call.tool):
            return True
        made = self._threads.made(call)
        if made is None or made.workspace is None or made.created.credential.defect is not None:
            return False
        return call.credential.role != "worker" or call.credential.claims.get("agent_id") in made.participants

    def _permitted(self, call: Exchange) -> bool:
        """Whether the state permits it."""
        match call.tool:
            case "post_message":
                return self._open(call) and self._replies(call) and self._keyed(call) and self._in_quota(call)
            case "ack_read":
                standing = self._standings.get(call.call)
                return standing is not None and standing.in_order
            case "update_thread_status":
                return self._moves(call)
            case "trigger_participant":
                attempt = self._attempts.get(call.call)
                return attempt is not None and self._open(call) and _can_succeed(attempt)
            case _:
                return True

    def _open(self, call: Exchange) -> bool:
        """Whether the thread is surely not closed."""
        place = place_of(call)
        course = self._courses.get(place) if place is not None else None
        return course is None or not course.may_be_closed(call)

    def _replies(self, post: Exchange) -> bool:
        """Whether what it answers is a message of the thread; and it is no event with a version, of whatever type."""
        metadata = post.argument("metadata")
        if isinstance(metadata, dict) and "event_version" in metadata:
            return False
        named, place = post.argument("in_reply_to"), place_of(post)
        if named is None or place is None:
            return True
        source = self._ids.get((place, named))
        return source is not None and source.before(post)

    def _keyed(self, post: Exchange) -> bool:
        """Whether nothing else was, or may have been, posted under its key before it, while no clock was moved."""
        key = key_of(post)
        others = self._uses.get((post.instance, key), ()) if key is not None else ()
        return all(
            alike(payload_of(other), payload_of(post)) is True and self._calendar.same(other, post)
            for other in others
            if other is not post and not post.before(other)
        )

    def _at(self, call: Exchange) -> float:
        return call.sent / MICROSECONDS + self._calendar.ahead(call)

    def _in_quota(self, post: Exchange) -> bool:
        """Whether the agent's quota, if the target states one, is surely not used up."""
        quota = setting(self._history, post, "quota_per_minute")
        return not isinstance(quota, int) or self._recent(post) < quota

    def _under_quota(self, call: Exchange) -> bool:
        """Whether the target states a quota, and the agent is surely below it."""
        stated = isinstance(setting(self._history, call, "quota_per_minute"), int)
        return stated and call.tool == "post_message" and self._in_quota(call)

    def _recent(self, post: Exchange) -> int:
        """How many other messages the agent may have posted in the minute before, and while the post was served."""
        sent, at = self._sent.get(_agent(post), []), self._at(post)
        took = ((post.received or post.sent) - post.sent) / MICROSECONDS
        return bisect_right(sent, at + took) - bisect_left(sent, at - MINUTE_S) - (at in sent)

    def _moves(self, update: Exchange) -> bool:
        """Whether a thread surely has the move, and the role may make it. Overrides have their own requirement.

        To be moved to where it stands already is no transition: a server may refuse that as well.
        """
        place = place_of(update)
        course = self._courses.get(place) if place is not None else None
        known_status = course.at(update) if course is not None else None
        wanted = update.argument("status")
        if known_status is None or wanted == known_status.status:
            return False
        if wanted not in self._promised[known_status.status]:
            return False
        overrides = wanted == "closed" and known_status.status == "blocked"
        return not overrides and (wanted != "closed" or update.credential.role in LEADS)


def _agent(post: Exchange) -> tuple[str, str]:
    return post.instance, spelled(post.credential.claims.get("agent_id"))


def _role(call: Exchange) -> tuple[str, str]:
    """Whose token it is, as far as a server may not know such people."""
    return call.credential.role, spelled(call.credential.claims.get("workspace_id"))


def throttled(call: Exchange) -> bool:
    """Whether too many calls are what it was refused for: how many are too many is the target's own."""
    return call.code == "RATE_LIMITED" or call.status == TOO_MANY_STATUS


def _can_succeed(attempt: Attempt) -> bool:
    """Whether the target can be woken in one way, or may wait for that, and whoever forces it may."""
    if attempt.forced:
        return attempt.live and attempt.call.credential.role == "human_operator" and attempt.audited
    if attempt.live and (attempt.typing or not attempt.calm):
        return attempt.may_wait
    return attempt.live or (attempt.fallback and (attempt.resumable or not attempt.spawn_gone))


@once
def allowed(history: History, contract: Contract) -> frozenset[int]:
    """The numbers of the calls that are allowed for sure."""
    may = _Allowed(history, contract)
    return frozenset(call.call for call in history.calls(*FIELDS) if may(call))


@once
def controls(history: History, contract: Contract) -> Controls:
    """The accepted calls beside which refusals are judged."""
    good = allowed(history, contract)
    return Controls(history, lambda call: call.call in good)


@once
def likes(history: History, _: Contract) -> Controls:
    """The accepted calls beside which refusals of good calls are judged."""
    return Controls(history)


def allowed_of(history: History, contract: Contract, *tools: str) -> Sequence[Exchange]:
    """The allowed calls of these tools, in the order sent.

    Those that were refused for a quota are left out: that says nothing of what else a law looks at.
    """
    good = allowed(history, contract)
    return [call for call in history.calls(*tools) if call.call in good and not throttled(call)]

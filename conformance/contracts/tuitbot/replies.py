"""Proposed replies, each with what was known when it was proposed: whom it answers, what was replied before."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.clock import server_clock
from conformance.contracts.tuitbot.known import Known, known
from conformance.contracts.tuitbot.tweets import posted
from conformance.judge.kinds import integer, text
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

DAY_S = 86_400
MARGIN_S = 120
"""How closely the time that the server's calendar shows is known."""
TOOL = "propose_and_queue_replies"
BLOCKED, QUEUED, EXECUTED = "blocked", "queued", "executed"
RECENT = 20
"""Replies that a server compares a new one with, at least."""


@dataclass
class Proposal:
    """One proposed reply with its answer; what came before it is in the order sent."""

    call: Exchange
    candidate: str
    text: str
    status: str
    author: str | None
    """Handle of whom it answers, as the search for candidates showed it; None where it did not."""
    own: bool
    """Whether it answers a tweet that was posted through the server."""
    answered: bool
    """Whether the tweet has a reply already, as far as anything tells."""
    sent: list["Proposal"] = field(default_factory=list)
    waiting: list["Proposal"] = field(default_factory=list)

    @property
    def blocked(self) -> bool:
        """Whether it was held back."""
        return self.status == BLOCKED


@dataclass
class _Seen:
    """What an instance has shown so far."""

    authors: dict[str, str] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    proposals: list[Proposal] = field(default_factory=list)
    foreign: bool = False
    """Whether replies came about in another way, so that it is not known what was replied."""


@once
def proposals(history: History, _: Contract) -> list[Proposal]:
    """Replies to known candidates, one a call, each with a text of its own, under no condition but a moved clock."""
    seen: dict[str, _Seen] = defaultdict(_Seen)
    found: list[Proposal] = []
    for call in history.calls():
        here = seen[call.instance]
        here.own.update(posted(call))
        if call.tool == "find_reply_opportunities" and call.accepted:
            _learn(here, call.given.get("candidates"))
        elif call.tool == "x_reply_to_tweet" and not call.refused:
            here.foreign = True
        elif call.tool == TOOL and not call.refused:
            proposal = _proposal(call, here)
            if proposal is None:
                here.foreign = True
                continue
            here.proposals.append(proposal)
            here.answered.add(proposal.candidate) if not proposal.blocked else None
            if not here.foreign and proposal.author is not None:
                found.append(proposal)
    return found


def _learn(here: _Seen, candidates: Json) -> None:
    for each in candidates if isinstance(candidates, list) else ():
        name = each.get("tweet_id") if isinstance(each, dict) else None
        author = each.get("author_username") if isinstance(each, dict) else None
        if isinstance(name, str) and isinstance(author, str):
            here.authors[name] = author.lower()
            if each.get("already_replied") is not False:
                here.answered.add(name)


def _proposal(call: Exchange, here: _Seen) -> Proposal | None:
    """The one reply of a call that is answered in order; None where it is not known what was done."""
    items, answers = call.argument("items"), call.payload
    if not (isinstance(items, list) and isinstance(answers, list) and len(items) == len(answers) == 1):
        return None
    item, answer = items[0], answers[0]
    if not (isinstance(item, dict) and isinstance(answer, dict) and set(call.conditions) <= {"clock"}):
        return None
    candidate, words, status = item.get("candidate_id"), text(item.get("pre_drafted_text")), answer.get("status")
    if not isinstance(candidate, str) or words is None or status not in (BLOCKED, QUEUED, EXECUTED):
        return None
    if any(not earlier.call.before(call) for earlier in here.proposals):
        return None
    return Proposal(
        call,
        candidate,
        words,
        str(status),
        here.authors.get(candidate),
        candidate in here.own,
        candidate in here.answered,
        [earlier for earlier in here.proposals if earlier.status == EXECUTED],
        [earlier for earlier in here.proposals if earlier.status == QUEUED],
    )


class Limits:
    """The safety limits of each instance, as it was set to or as get_config shows them."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._run: Known = known(history, contract)
        self._shown: dict[str, Json] = {}
        for call in history.accepted("get_config"):
            self._shown.setdefault(call.instance, call.payload)

    def phrases(self, call: Exchange) -> list[str] | None:
        """The banned phrases; None where nothing tells them."""
        found = self._of(call, "banned_phrases")
        return [each for each in found if isinstance(each, str) and each] if isinstance(found, list | tuple) else None

    def a_day(self, call: Exchange) -> int | None:
        """Replies a day to one author; None where nothing tells."""
        return integer(self._of(call, "max_replies_per_author_per_day"))

    def _of(self, call: Exchange, name: str) -> Json:
        shown = next(_under(self._shown.get(call.instance), name), None)
        claimed = self._run.setting(call, "limits")
        return shown if shown is not None else claimed.get(name) if isinstance(claimed, dict) else None


def _under(value: Json, name: str) -> Iterator[Json]:
    """Values under a key, at any depth of a configuration."""
    if isinstance(value, dict):
        if name in value:
            yield value[name]
        for each in value.values():
            yield from _under(each, name)


class Days:
    """On which UTC days calls were made, by the server's calendar."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._clock = server_clock(history, contract)

    def same(self, one: Exchange, other: Exchange) -> bool | None:
        """Whether two calls were made on the same day; None where nothing tells, or midnight is too near."""
        times = self._clock.now(one), self._clock.now(other)
        if times[0] is None or times[1] is None:
            return None
        days = [{(t - MARGIN_S) // DAY_S, (t + MARGIN_S) // DAY_S} for t in times if t is not None]
        return True if days[0] == days[1] and len(days[0]) == 1 else False if days[0].isdisjoint(days[1]) else None


limits = once(Limits)
days = once(Days)

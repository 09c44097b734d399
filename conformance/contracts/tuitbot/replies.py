"""Proposed replies, each with what was known when it was proposed: whom it answers, what was replied before."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.candidates import candidates
from conformance.contracts.tuitbot.clock import server_clock
from conformance.contracts.tuitbot.known import Known, known
from conformance.contracts.tuitbot.settings_shown import phrases, replies_a_day, under
from conformance.contracts.tuitbot.tweets import BLOCKED, EXECUTED, QUEUED, paired, posted
from conformance.judge.kinds import text
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

T = TypeVar("T")
DAY_S = 86_400
MARGIN_S = 120
"""How closely the time that the server's calendar shows is known."""
TOOL = "propose_and_queue_replies"
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
    """Handle of whom it answers, as the search for candidates showed it; None where it did not, as of an own tweet."""
    own: bool
    """Whether it answers a tweet that was posted through the server."""
    answered: bool
    """Whether the tweet has a reply already, as far as anything tells."""
    sent: list["Proposal"] = field(default_factory=list)
    waiting: list["Proposal"] = field(default_factory=list)
    number: int = 0
    """The place of its answer in the list."""
    alone: bool = True
    """Whether no other was proposed by the same call: which of several comes first is the server's to say."""

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
    """Replies to known candidates, each with a text of its own, under no condition but a moved clock."""
    seen: dict[str, _Seen] = defaultdict(_Seen)
    found: list[Proposal] = []
    for call in history.calls():
        here = seen[call.instance]
        here.own.update(posted(call))
        if call.tool == "find_reply_opportunities" and call.accepted:
            _learn(here, call)
        elif call.tool == "x_reply_to_tweet" and not call.refused:
            here.foreign = True
        elif call.tool == TOOL and not call.refused:
            together = _proposed(call, here)
            here.foreign = here.foreign or together is None
            for proposal in together or ():
                here.proposals.append(proposal)
                here.answered.add(proposal.candidate) if not proposal.blocked else None
                if not here.foreign and (proposal.author is not None or proposal.own):
                    found.append(proposal)
    return found


def _learn(here: _Seen, search: Exchange) -> None:
    for each in candidates(search):
        if each.author is not None:
            here.authors[each.tweet_id] = each.author.lower()
        if each.answered:
            here.answered.add(each.tweet_id)


def _proposed(call: Exchange, here: _Seen) -> list[Proposal] | None:
    """The replies of a call, each with its answer; None where it is not known what was done."""
    items, pairs = call.argument("items"), paired(call)
    if not (isinstance(items, list) and len(items) == len(pairs) > 0):
        return None
    if not set(call.conditions) <= {"clock"} or any(not earlier.call.before(call) for earlier in here.proposals):
        return None
    found: list[Proposal] = []
    for asked, told, number in pairs:
        candidate, words, status = asked.get("candidate_id"), text(asked.get("pre_drafted_text")), told.get("status")
        if not isinstance(candidate, str) or words is None or status not in (BLOCKED, QUEUED, EXECUTED):
            return None
        if len(items) > 1 and told.get("candidate_id") != candidate:
            return None
        earlier = [*here.proposals, *found]
        answered = candidate in here.answered or any(e.candidate == candidate and not e.blocked for e in found)
        found.append(
            Proposal(
                call,
                candidate,
                words,
                str(status),
                here.authors.get(candidate),
                candidate in here.own,
                answered,
                [each for each in earlier if each.status == EXECUTED],
                [each for each in earlier if each.status == QUEUED],
                number,
                alone=len(items) == 1,
            )
        )
    return found


class Limits:
    """The safety limits of each instance, as get_config shows them or as it was set to."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._run: Known = known(history, contract)
        self._shown: dict[str, Json] = {}
        for call in history.accepted("get_config"):
            self._shown.setdefault(call.instance, call.payload)

    def phrases(self, call: Exchange) -> list[str] | None:
        """The banned phrases; None where nothing tells them."""
        return self._told(call, phrases)

    def a_day(self, call: Exchange) -> int | None:
        """Replies a day to one author; None where nothing tells."""
        return self._told(call, replies_a_day)

    def _told(self, call: Exchange, read: Callable[[Json], T | None]) -> T | None:
        shown = read(self._shown.get(call.instance))
        return shown if shown is not None else read(self._run.setting(call, "limits"))


def limits_shown(history: History, contract: Contract, config: Exchange) -> Iterator[tuple[str, Json, Json]]:
    """The limits that an instance was set to, each with what get_config shows of it in one place."""
    del contract
    instance = history.instances.get(config.instance)
    wanted = instance.settings.get("limits") if instance is not None else None
    for name, value in wanted.items() if isinstance(wanted, dict) else ():
        found = list(under(config.payload, name))
        if len(found) == 1:
            yield name, found[0], value


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

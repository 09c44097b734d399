"""Which laws look at an exchange by itself: found once for each kind of answer, as they are asked of every one."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contract.promises import Answer
from conformance.judge.law import ExchangeLaw
from conformance.judge.promised.together import Together, joins
from conformance.judge.tally import Tally
from conformance.model.exchange import Exchange
from conformance.model.requirement import Requirement

Whose = Callable[[Requirement], Contract]
"""The contract of a requirement, in the edition that is judged."""


class _Asked(NamedTuple):
    """A law, and what it counts for."""

    tally: Tally
    place: int
    """Among the laws of the tally."""
    name: str
    law: ExchangeLaw
    contract: Contract


PLANS = 1_000
"""Kinds of answer for which that is kept: a hostile history may name a new tool in every call."""


FEWEST = 4
"""Promises from which on they are checked together: each by itself does not go through the whole answer."""


class _Plan(NamedTuple):
    """What is asked of an answer."""

    together: Together | None
    joined: tuple[_Asked, ...]
    """The laws of the promises that are checked together first."""
    alone: tuple[_Asked, ...]


class Dispatch:
    """The laws over exchanges, each with its tally: those for every exchange, and those for a tool's answers alone."""

    def __init__(self, tallies: Iterable[Tally], whose: Whose) -> None:
        self._everywhere: list[_Asked] = []
        self._by_tool: dict[str, list[_Asked]] = {}
        self._plans: dict[tuple[str | None, bool, str | None], _Plan] = {}
        self._together: dict[tuple[str, ...], Together] = {}
        self._promises: dict[str, Answer] = {}
        """By its name, each promise on an answer."""
        self._joining: dict[str, Answer] = {}
        """By its name, each that can be checked together with others."""
        for tally in tallies:
            for place, law in enumerate(tally.laws):
                if law.over_exchange is not None:
                    contract = whose(tally.requirement)
                    self._add(_Asked(tally, place, law.requirement, law.over_exchange, contract), law.tools)

    def _add(self, asked: _Asked, tools: tuple[str, ...] | None) -> None:
        promise = asked.contract.promises.get(asked.name)
        if isinstance(promise, Answer):
            self._promises[asked.name] = promise
            if joins(promise):
                self._joining[asked.name] = promise
        if tools is None:
            self._everywhere.append(asked)
        for tool in tools or ():
            self._by_tool.setdefault(tool, []).append(asked)

    def look(self, exchange: Exchange) -> bool:
        """Asks them all; whether one of them finds a breach. What a limit says over MCP is not looked at."""
        if exchange.limited and exchange.connection.binding == "mcp":
            return False
        kind = exchange.tool, exchange.accepted, exchange.profile
        plan = self._plans.get(kind)
        if plan is None:
            plan = self._planned(exchange)
            if len(self._plans) < PLANS:
                self._plans[kind] = plan
        broken = not self._counted(exchange, plan) and _broken(exchange, plan.joined)
        return _broken(exchange, plan.alone) or broken

    def _planned(self, exchange: Exchange) -> _Plan:
        everything = (*self._everywhere, *self._by_tool.get(exchange.tool or "", ()))
        concerned = [asked for asked in everything if _concerns(self._promises.get(asked.name), exchange)]
        alone = tuple(asked for asked in concerned if asked.name not in self._joining)
        joined = tuple(asked for asked in concerned if asked.name in self._joining)
        names = tuple(asked.name for asked in joined)
        if len(names) >= FEWEST and names not in self._together:
            self._together[names] = Together([self._joining[name] for name in names])
        return _Plan(self._together.get(names), joined, alone)

    @staticmethod
    def _counted(exchange: Exchange, plan: _Plan) -> bool:
        """Whether the answer keeps all the promises that are checked together; their subjects are counted then."""
        subjects = plan.together.subjects(exchange) if plan.together is not None else None
        if subjects is None:
            return False
        for asked, found in zip(plan.joined, subjects, strict=True):
            asked.tally.count(found, asked.place)
        return True


def _concerns(promise: Answer | None, exchange: Exchange) -> bool:
    """Whether a law is to look at answers of this kind: that of a promise may say nothing of them."""
    if promise is None:
        return True
    ended = promise.outcome in ("any", "success" if exchange.accepted else "refusal")
    return ended and (not promise.profiles or exchange.profile in promise.profiles)


def _broken(exchange: Exchange, laws: Iterable[_Asked]) -> bool:
    """Asks laws one by one; whether one of them finds a breach."""
    broken = False
    for tally, place, _, law, contract in laws:
        if tally.take_all(law, exchange, contract, place):
            broken = True
    return broken

"""The promise that a tool takes what the contract's schema says of its arguments, and nothing else."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.misfits import misfit
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.judge.faults import declined
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import spelled
from conformance.judge.promised.coercing import coercible
from conformance.judge.promised.numbers import BOUNDS, measure
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.measure import quoted
from conformance.model.pointer import ABSENT, pointer_of
from conformance.model.verdict import HELD, Judgement


class _Argument(NamedTuple):
    """What the contract says of an argument of a tool."""

    name: str
    schema: dict[str, Json]
    required: bool

    def fault(self, call: Exchange) -> str:
        """What is wrong with it in a call, in words; empty where nothing is."""
        if self.name not in call.arguments:
            return f"without {self.name}" if self.required else ""
        asked = call.arguments[self.name]
        return self._told(asked) if satisfied(self.schema, asked) is False else ""

    def _told(self, asked: Json) -> str:
        """What is wrong with it, at its place within a list or an object."""
        found = misfit(self.schema, asked) if isinstance(asked, list | dict) else None
        where = place(f"{pointer_of([self.name])}{found.pointer if found is not None else ''}")
        if found is not None and found.got is ABSENT:
            return f"without {where}"
        return f"with {where} {quoted(asked if found is None else found.got)}"

    def spelled_otherwise(self, call: Exchange) -> bool:
        """Whether it says in another type what may be said: who reads it so is not lax."""
        return self.name in call.arguments and coercible(call.arguments[self.name], self.schema)

    def at_bound(self, call: Exchange) -> str:
        """The bound at which it is in a call, in words; empty where it is at none."""
        asked = call.arguments.get(self.name)
        for keyword, unit in BOUNDS.items():
            if keyword in self.schema and measure(asked, unit) == self.schema[keyword]:
                return f"with {self.name} at its {keyword} of {self.schema[keyword]}"
        return ""


def enforced(history: History, contract: Contract, promise: p.Enforced) -> Iterator[Judgement]:
    """A call with one argument against its schema is refused; one at its bound is not, with a code for the former."""
    for tool in promise.tools or contract.tools:
        arguments = _arguments(contract, tool)
        wrong: dict[str, list[Fault]] = {}
        likes: dict[str, Likes] = {}
        at_bound: dict[str, list[Judgement]] = {}
        for call in history.calls(tool):
            if not isinstance(call.arguments, dict) or not _known(call, contract):
                continue
            found = [(each, what) for each in arguments if (what := each.fault(call))]
            if not found and promise.codes:
                for bound, judgement in _at_bounds(call, arguments, promise, likes, history, contract):
                    at_bound.setdefault(bound, []).append(judgement)
            elif len(found) == 1 and not found[0][0].spelled_otherwise(call):
                wrong.setdefault(found[0][0].name, []).append(Fault(call, found[0][1]))
        for judged in at_bound.values():
            yield from [each for each in judged if each.ok] or judged
        for name, faults in wrong.items():
            yield from refused(history, faults, promise.codes, _likes(likes, name, history, contract, tool))


def _arguments(contract: Contract, tool: str) -> list[_Argument]:
    schema = contract.tools[tool].inputSchema
    named = ((name, asked_as(contract, tool, _place(name))) for name in properties(schema))
    needed = required(schema)
    return [_Argument(name, about, name in needed) for name, about in named if about is not None]


def _place(name: str) -> p.Place:
    return f"@{pointer_of([name])}"


def _known(call: Exchange, contract: Contract) -> bool:
    """Whether the contract names all arguments of a call: what a server makes of others is open."""
    return bool(call.arguments.keys() <= properties(contract.tools[call.tool or ""].inputSchema).keys())


def _at_bounds(  # noqa: PLR0913, PLR0917 -- what a call is judged by
    call: Exchange,
    arguments: list[_Argument],
    promise: p.Enforced,
    likes: dict[str, Likes],
    history: History,
    contract: Contract,
) -> Iterator[tuple[str, Judgement]]:
    """By the value at its bound. Where another call with it was accepted, one may be refused for what stands beside."""
    bounds = [(each.name, what) for each in arguments if (what := each.at_bound(call))]
    if bounds and call.accepted:
        yield from ((_valued(call, name), HELD) for name, _ in bounds)
    elif bounds and declined(call) and call.code in promise.codes:
        for name, what in bounds:
            alike = _likes(likes, name, history, contract, call.tool or "")
            if alike.new(call) and (beside := alike.of(call)) is not None:
                saw = f"{call.tool} {what} ended as {told(call)}"
                yield _valued(call, name), breach(saw, call, beside=beside, expected="success")
                return


def _valued(call: Exchange, name: str) -> str:
    return f"{name} {spelled(call.arguments[name])}"


def _likes(known: dict[str, Likes], name: str, history: History, contract: Contract, tool: str) -> Likes:
    """The controls of calls with a fault in one argument."""
    if name not in known:
        known[name] = Likes(history, contract, tool, (_place(name),))
    return known[name]

"""Good calls of a target's tools: from its statement, and from what a run of a contract has seen accepted."""

import json
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field

from conformance.contracts.mcp.reach.known import answered
from conformance.contracts.mcp.reach.labels import AS_NUMBER
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.prose import WHOLE_NUMBER

PLACEHOLDER = re.compile(r"\{\{([^{}]+)\}\}")
CANDIDATES = 3
"""Calls of a tool that are kept in mind: one that was accepted once may be refused when it is made again."""
Arguments = dict[str, Json]
OURS = ("fresh", "files", "claims")
"""Placeholders that stand for what the suite has of its own; the others begin with a tool's name."""


@dataclass(frozen=True)
class GoodCall:
    """A call that works, or that worked."""

    tool: str
    arguments: Arguments
    credential: str | None = None
    """In whose name; None: in that of whoever calls where nobody is named."""
    seen: bool = False
    """Whether it was seen in this run; else the statement gives it, with placeholders."""


class Files(dict[str, Json]):
    """What `{{files.KIND}}` stands for: the path of a file or folder that the run makes when it is asked for."""

    def __init__(self, path: Callable[[str], str]) -> None:
        super().__init__()
        self._path = path

    def __missing__(self, kind: str) -> str:
        self[kind] = made = self._path(kind)
        return made


class Fresh(dict[str, Json]):
    """What `{{fresh.NAME}}` stands for: a name that nothing else has, the same one throughout one set of samples."""

    def __init__(self, unique: Callable[[str], str]) -> None:
        super().__init__()
        self._unique = unique

    def __missing__(self, name: str) -> str:
        made = self._unique(name)
        self[name] = made
        return made


@dataclass
class Samples:
    """What the good calls of a target came to: arguments and caller by tool, and what was answered."""

    given: dict[str, dict[str, Json]]
    """By tool what its accepted answer holds; `claims` are the caller's, `fresh` new names, `files` paths."""
    arguments: dict[str, Arguments] = field(default_factory=dict)
    """By tool: those of the first call that was accepted, else of the first that could be made."""
    callers: dict[str, str | None] = field(default_factory=dict)
    calls: dict[str, GoodCall] = field(default_factory=dict)
    """By tool the call that those are of."""

    def works(self, tool: str) -> bool:
        """Whether one of its calls was accepted."""
        return tool in self.given

    def take(self, good: GoodCall, arguments: Arguments, exchange: Exchange | None) -> None:
        """Keeps what a call came to."""
        accepted = exchange is not None and exchange.accepted
        if good.tool not in self.arguments or (accepted and not self.works(good.tool)):
            self.arguments[good.tool] = arguments
            self.callers[good.tool] = good.credential
            self.calls[good.tool] = good
        if accepted and exchange is not None:
            self.given.setdefault(good.tool, answered(exchange))

    def filled(self, value: Json) -> Json:
        """A value whose placeholders are filled in; LookupError where nothing was given for one."""
        if isinstance(value, dict):
            return {key: self.filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if not isinstance(value, str):
            return value
        whole = PLACEHOLDER.fullmatch(value)
        if whole:
            return self._value(whole[1])
        return PLACEHOLDER.sub(lambda found: str(self._value(found[1])), value)

    def _value(self, name: str) -> Json:
        """What a placeholder names: a tool, or a word of ours, then the way to a value in what it gave."""
        if name.endswith(AS_NUMBER):
            spelled = self._value(name.removesuffix(AS_NUMBER))
            if not isinstance(spelled, str) or not WHOLE_NUMBER.fullmatch(spelled):
                raise LookupError(name)
            return int(spelled)
        for source in sorted((each for each in self.given if name.startswith(f"{each}.")), key=len, reverse=True):
            return _inner(self.given[source], name[len(source) + 1 :])
        raise LookupError(name)


def _inner(value: Json, way: str) -> Json:
    """What lies in a value under a key, or along the keys and numbers that dots separate; LookupError otherwise."""
    if isinstance(value, Files | Fresh) or (isinstance(value, dict) and way in value):
        return value[way]
    step, dot, rest = way.partition(".")
    if isinstance(value, list) and step.isdecimal():
        found = value[int(step)]
    elif isinstance(value, dict):
        found = value[step]
    else:
        raise LookupError(way)
    return _inner(found, rest) if dot else found


def leads_to(wanted: GoodCall, known: Sequence[GoodCall]) -> list[GoodCall]:
    """The calls whose answers another one takes its values from, in the order in which they can be made."""
    if next(_placeholders(wanted.arguments), None) is None:
        return []
    by_tool: dict[str, GoodCall] = {}
    for good in known:
        by_tool.setdefault(good.tool, good)
    found: dict[str, GoodCall] = {}
    waiting = [wanted]
    while waiting:
        for source in _sources(waiting.pop().arguments, by_tool):
            if source not in found and source != wanted.tool:
                found[source] = by_tool[source]
                waiting.append(by_tool[source])
    return [good for good in by_tool.values() if good.tool in found]


def _sources(value: Json, tools: Container[str]) -> Iterator[str]:
    """The tools that the placeholders in a value name. The longer of two that could be meant, as names hold dots."""
    for name in _placeholders(value):
        tool = name
        while tool := tool.rpartition(".")[0]:
            if tool in tools:
                yield tool
                break


def _placeholders(value: Json) -> Iterator[str]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _placeholders(each)
    elif isinstance(value, str):
        yield from PLACEHOLDER.findall(value)


def renewable(good: GoodCall) -> bool:
    """Whether a call can be made again on something else: what others give, or a name that is new each time."""
    names = [] if good.seen else list(_placeholders(good.arguments))
    return any(name.partition(".")[0] not in ("claims", "files") for name in names)


def given_by_others(good: GoodCall) -> list[str]:
    """The arguments of a call that hold what another call answered."""
    return [
        name
        for name, value in good.arguments.items()
        if any(each.partition(".")[0] not in OURS for each in _placeholders(value))
    ]


def moved(value: Arguments, base: Arguments, other: Arguments) -> Arguments:
    """Arguments that differ from another base as these differ from theirs, argument by argument."""
    same = (name for name in value if name in base and base[name] == value[name] and name in other)
    return {**value, **{name: other[name] for name in same}}


def accepted_calls(calls: Sequence[Exchange], counts: Callable[[Exchange], bool]) -> Iterator[GoodCall]:
    """The last calls of a tool that were accepted, each with other arguments, the one with most of them first."""
    found: dict[str, GoodCall] = {}
    for call in reversed(calls):
        if call.accepted and isinstance(call.arguments, dict) and counts(call):
            name = call.credential.name if call.credential.defect is None else None
            found.setdefault(
                json.dumps(call.arguments, sort_keys=True), GoodCall(str(call.tool), call.arguments, name, seen=True)
            )
        if len(found) == CANDIDATES:
            break
    yield from sorted(found.values(), key=lambda good: -len(good.arguments))

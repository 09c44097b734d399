"""Good calls of tools that belong to no entity: what they name is made anew, as far as it can be."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from conformance.contract.making import Call
from conformance.contract.templates import slots
from conformance.contract.wording import shown
from conformance.contracts.mcp.reach.search import done
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.samples import PLACEHOLDER
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import scalars
from conformance.propose.contract.entities import OURS, Found, came_of, repeatable
from conformance.propose.looking import Seen


class Example(NamedTuple):
    """A good call, and why it may be none another time."""

    call: Call
    doubt: str


def example(
    seen: Seen, found: Sequence[Found], tools: Sequence[Seen], refused: Mapping[str, Exchange] = MappingProxyType({})
) -> Example:
    """The call that was accepted, with the ids in it made anew. `refused` are calls that were, when they were tried.

    It is doubtful where it has something else of an answer, or of a file, of the run that it was seen in, or where it
    changes or removes what was there then.
    """
    accepted = seen.good
    assert accepted is not None, "no call of it was accepted"
    made = {spelled(name): f"{{{{made.{each.make.entity}}}}}" for each in found for name in each.ids}
    anew = _Anew(made, seen.tool.name, _first(tools), doubts=[])
    arguments = accepted.arguments if isinstance(accepted.arguments, dict) else {}
    alive: dict[str, Json] = {}
    for name, value in arguments.items():
        if repeatable(seen, name) and isinstance(value, str):
            alive[name] = "{{key}}"
        else:
            alive[name] = anew.value(value, (seen.arguments or {}).get(name))
    named = any(slot.kind == "made" for slot in slots(alive))
    if deed(seen.tool) in ("change", "remove") and not named:
        anew.doubts.append(f"{seen.tool.name} {deed(seen.tool)}s what was there in the run that was looked at")
    if not done(accepted):
        anew.doubts.append(f"it {came_of(accepted)}")
    if seen.tool.name in refused:
        anew.doubts.append(f"it {came_of(refused[seen.tool.name])} when it was tried")
    return Example(Call(seen.tool.name, alive), next(iter(anew.doubts), ""))


def _first(tools: Sequence[Seen]) -> dict[str, str]:
    """By the JSON of a value, the tool that was called with it first."""
    calls = [(seen.tool.name, call) for seen in tools for call in seen.calls]
    first: dict[str, str] = {}
    for tool, call in sorted(calls, key=lambda each: each[1].sent):
        for _, value in scalars(call.arguments):
            first.setdefault(spelled(value), tool)
    return first


class _Anew(NamedTuple):
    """What stands for values of a run in the next."""

    made: Mapping[str, str]
    """By the JSON of an id, the placeholder for one of its kind."""
    tool: str
    first: Mapping[str, str]
    """By the JSON of a value, the tool that was called with it first: there a new one serves as well."""
    doubts: list[str]

    def value(self, value: Json, written: Json) -> Json:
        """A value as another run can say it. `written` is what the search wrote in its place."""
        if isinstance(value, dict):
            inner = written if isinstance(written, dict) else {}
            return {key: self.value(each, inner.get(key)) for key, each in value.items()}
        if isinstance(value, list):
            parallel = isinstance(written, list) and len(written) == len(value)
            of_each: list[Json] = written if parallel else [None] * len(value)
            return [self.value(each, other) for each, other in zip(value, of_each, strict=True)]
        if (stands := self.made.get(spelled(value))) is not None:
            return stands
        taken = PLACEHOLDER.search(written) if isinstance(written, str) else None
        if taken is not None and taken[1].startswith("fresh."):
            if self.first.get(spelled(value)) == self.tool:
                return written
            self.doubts.append(f"{shown(value)} was made up for another call of the run that was looked at")
        elif taken is not None and taken[1].partition(".")[0] not in OURS:
            self.doubts.append(
                f"{shown(value)} is {taken[1]} of the run that was looked at, and may be gone in the next"
            )
        return value

"""Good calls of tools that belong to no entity: what they name is made anew, as far as it can be."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from conformance.contract.promises import Call
from conformance.contract.wording import shown
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.samples import PLACEHOLDER
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.propose.contract.entities import MAKING, OURS, Found
from conformance.propose.looking import Seen

FRESH = re.compile(r"\{\{fresh\.[^{}]+\}\}")


class Example(NamedTuple):
    """A good call, and why it may be none another time."""

    call: Call
    doubt: str


def example(seen: Seen, found: Sequence[Found]) -> Example:
    """The call that was accepted, with the ids in it made anew.

    What else was taken from an answer, or from a file, of the run that it was seen in makes it doubtful.
    """
    accepted = next(call for call in seen.calls if call.accepted)
    made = {spelled(name): f"{{{{made.{each.make.entity}}}}}" for each in found for name in each.ids}
    doubts = list[str]()
    arguments = accepted.arguments if isinstance(accepted.arguments, dict) else {}
    written = seen.arguments or {}
    alive = {name: _alive(value, written.get(name), made, doubts) for name, value in arguments.items()}
    own = {name: str(each) for name, each in written.items() if isinstance(each, str) and FRESH.fullmatch(each)}
    if deed(seen.tool) in MAKING:
        alive |= own
    elif own:
        name = next(iter(own))
        doubts.append(f"{shown(arguments.get(name))} was made up for another call of the run that was looked at")
    return Example(Call(seen.tool.name, alive), next(iter(doubts), ""))


def _alive(value: Json, written: Json, made: Mapping[str, str], doubts: list[str]) -> Json:
    """A value as another run can say it. `written` is what the search wrote in its place."""
    if isinstance(value, dict):
        inner = written if isinstance(written, dict) else {}
        return {key: _alive(each, inner.get(key), made, doubts) for key, each in value.items()}
    if isinstance(value, list):
        parallel = isinstance(written, list) and len(written) == len(value)
        of_each: list[Json] = written if parallel else [None] * len(value)
        return [_alive(each, other, made, doubts) for each, other in zip(value, of_each, strict=True)]
    if (stands := made.get(spelled(value))) is not None:
        return stands
    taken = PLACEHOLDER.search(written) if isinstance(written, str) else None
    if taken is not None and taken[1].partition(".")[0] not in OURS:
        doubts.append(f"{shown(value)} is {taken[1]} of the run that was looked at, and may be gone in the next")
    return value

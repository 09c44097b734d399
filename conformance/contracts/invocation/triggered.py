"""The invocations that a relay triggers, as its caller sees them: tool, input and Result."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.contracts.invocation.calls import Invocation
from conformance.contracts.invocation.kit import KitTool, kit
from conformance.contracts.invocation.planned import RELAY
from conformance.model.events import Json


class Triggered(NamedTuple):
    """One of them."""

    tool: KitTool
    input: Json
    result: dict[str, Json]
    """The inner Result, empty where the relay shows none."""
    pointer: str
    """Where in the Result of the relay it stands."""

    @property
    def served(self) -> bool:
        """Whether it ended Ok."""
        return self.result.get("status") == "Ok"


def triggered(one: Invocation) -> Iterator[Triggered]:
    """What a call of a relay triggers, and what a relay in it triggers in turn, as far as it is of the kit."""
    name, given, shown, pointer = one.name, one.input, one.output, ""
    while name == RELAY:
        named, inner, result = given.get("tool"), given.get("input"), _object(shown.get("result"))
        tool = kit().get(named) if isinstance(named, str) else None
        if tool is None:
            return
        pointer += "/output/result"
        yield Triggered(tool, inner, result, pointer)
        name, given, shown = tool.name, _object(inner), _object(result.get("output"))


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}

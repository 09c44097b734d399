"""An accepted call of a run as a pattern: its arguments, with holes for what another history has otherwise."""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from conformance.model.events import Json

KNOWN, NAME, WHO = "$known", "$name", "$who"
Story = tuple[str, ...]
"""What belongs together: a stimulus, its instance, and what is named as the scope of its calls."""
_TAKEN = re.compile(r'("\$known": \["[^"]*", )(?:"(?:[^"\\]|\\.)*"|-?\d+), \d+, "(?:[^"\\]|\\.)*"')


class Hole(NamedTuple):
    """Where a value stands that an earlier answer gave."""

    kind: str
    """The tool that answered it, and a pointer, with * for any place in a list."""
    was: Json
    """What stood there in the run."""
    call: int
    """The call that was answered so in the run."""
    at: str
    """Where in its answer."""


class Pattern(Struct, frozen=True, dict=True):
    """A call, with holes in its arguments: `$known` a value of earlier answers, `$name` a name, `$who` a claim."""

    tool: str
    arguments: dict[str, Json]
    by: tuple[str, int] | None
    """The role of who calls, and which of that role: different numbers are different agents."""
    settings: dict[str, Json]
    """Of the instance on which it was accepted."""
    call: int = 0
    """Its number in the run."""
    story: Story = ()

    @cached_property
    def holes(self) -> tuple[Hole, ...]:
        """Those for values of earlier answers."""
        return tuple(_holes_in(self.arguments))

    @cached_property
    def spelled(self) -> str:
        """Its text, equal for patterns that differ in nothing but the values that they took from answers."""
        known = json.dumps([self.tool, self.arguments, self.by, self.settings], sort_keys=True, default=str)
        return _TAKEN.sub(r"\1null", known)


def _holes_in(value: Json) -> Iterator[Hole]:
    if isinstance(value, dict):
        if value.keys() == {KNOWN}:
            yield Hole(*value[KNOWN])
            return
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _holes_in(each)

"""A share of a run's time, for stimuli that could always look further: those after them need time as well."""

import asyncio
from typing import TYPE_CHECKING

from conformance.contract.wording import listed

if TYPE_CHECKING:
    from conformance.contracts.mcp.bench import McpBench

NAMED = 5
"""Tools that are named where a stimulus did less with them; the others are counted."""


class Share:
    """From when it is made: a part, from 0 to 1, of the time that the whole run may take."""

    def __init__(self, bench: "McpBench", part: float) -> None:
        self._clock = asyncio.get_running_loop().time
        self._allowed_s = part * bench.session.statement.limits.run_timeout_s
        self._end = self._clock() + self._allowed_s

    @property
    def over(self) -> bool:
        """Whether the time has passed."""
        return self._clock() >= self._end

    def ended_before(self, what: str) -> str:
        """Says that the time passed before something was done."""
        return (
            f"its share of the run's time, {self._allowed_s:g} s, was over before {what}; --run-timeout gives it more"
        )


class Sweep:
    """What a stimulus does with one tool after another in its share of the time, and with which it did less."""

    def __init__(self, bench: "McpBench", part: float, does: str) -> None:
        self.share = Share(bench, part)
        self._does = does
        """What is done with a tool: 'called with bad arguments'."""
        self._left: list[str] = []
        self._few: list[str] = []

    def reaches(self, tool: str) -> bool:
        """Whether there is time for a tool."""
        if self.share.over:
            self._left.append(tool)
        return not self.share.over

    def did_few(self, tool: str) -> None:
        """A tool takes so long that it was not called in all ways that there are."""
        self._few.append(tool)

    def told(self) -> str:
        """What was not done; empty where all was."""
        left = self.share.ended_before(f"{_named(self._left)} {_were(self._left)} {self._does}")
        few = f"{_named(self._few)} {_were(self._few)} {self._does} only in a few ways, as a call takes long"
        return "; ".join([*([left] if self._left else []), *([few] if self._few else [])])


def _named(tools: list[str]) -> str:
    more = [f"{len(tools) - NAMED} more"] if len(tools) > NAMED else []
    return listed([*tools[:NAMED], *more])


def _were(tools: list[str]) -> str:
    return "were" if len(tools) > 1 else "was"

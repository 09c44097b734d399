"""A share of a run's time, for stimuli that could always look further: those after them need time as well."""

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conformance.contracts.mcp.bench import McpBench


class Share:
    """From when it is made: a part, from 0 to 1, of the time that the whole run may take."""

    def __init__(self, bench: "McpBench", part: float) -> None:
        self._clock = asyncio.get_running_loop().time
        self._end = self._clock() + part * bench.session.statement.limits.run_timeout_s

    @property
    def over(self) -> bool:
        """Whether the time has passed."""
        return self._clock() >= self._end

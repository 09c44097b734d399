"""The protocol between the runtime and whoever executes its tools."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class Execution:
    """One attempt, as a provider sees it: validated, authorised and admitted."""

    tool: str
    version: str
    input: dict[str, Json]
    tenant: str
    correlation_id: str
    emit: Callable[[Json], Awaitable[None]]
    """Sends a partial result."""
    invoke: Callable[[str, dict[str, Json]], Awaitable[dict[str, Json]]]
    """Invokes another tool of the registry, by its name and input; gives the Result."""


class Provider(Protocol):
    """Serves the tools of one origin."""

    async def execute(self, execution: Execution) -> object:
        """What the tool gives. Raises `Failure` for what it foresees; being cancelled, it stops."""

    async def close(self) -> None:
        """Ends what it started."""

"""What every wire does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from conformance.drive.frames import Frame
from conformance.model.events import Http, Json

Hear = Callable[[Frame, int | None, Http | None], None]
"""Called for every frame that comes in: the frame, the call that it belongs to, its HTTP side."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a wire was closed."""

    by: str = "suite"
    why: str = ""
    exit: int | None = None
    lingered_ms: int | None = None


class Wire(Protocol):
    """One connection to a server."""

    transport: str
    binding: str

    @property
    def alive(self) -> bool:
        """Whether a frame can still be sent."""

    async def open(self) -> None:
        """Connects; UsageError where there is nothing to connect to."""

    async def ask(self, call: int, payload: Json, http: Http, limit_s: float) -> None:
        """Sends a request and waits until its first answer has been heard; SilenceError where none comes."""

    async def tell(self, payload: Json, http: Http) -> None:
        """Sends a notification."""

    async def close(self) -> Ending:
        """Ends the connection, and what was started for it."""

"""What every wire does, and what it tells of."""

from dataclasses import dataclass
from typing import Protocol

from conformance.drive.frames import Frame
from conformance.drive.patience import Patience
from conformance.drive.wire.pace import Pace
from conformance.model.events import Http, Json

LINGER_S = 10.0
"""What a server is given to end after its stdin closed: Python servers need up to 3.7 s of it on a busy machine."""

KILLED = "its server was killed"


class Hear(Protocol):
    """Called for every frame that comes in: the call or the aside that it belongs to, and its HTTP side."""

    def __call__(
        self, heard: Frame, call: int | None = None, http: Http | None = None, aside: int | None = None
    ) -> None:
        """Takes the frame."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a wire was closed."""

    by: str = "suite"
    why: str = ""
    exit: int | None = None
    lingered_ms: int | None = None
    allowed_ms: int | None = None
    forced: str = ""
    tail: str = ""
    left: tuple[str, ...] = ()


class Wire(Protocol):
    """One connection to a server."""

    transport: str
    binding: str
    pace: Pace

    @property
    def alive(self) -> bool:
        """Whether a frame can still be sent."""

    @property
    def fate(self) -> str:
        """What is known of a server that cannot be reached any more, in words; empty where nothing is."""

    async def open(self) -> None:
        """Connects; StartError where there is nothing to connect to."""

    async def ask(self, call: int, payload: Json, http: Http, patience: Patience) -> None:
        """Sends a request and waits until its first answer has been heard; SilenceError where none can come.

        It says by `patience` when the request leaves.
        """

    def forget(self, call: int) -> None:
        """Reads no further for a call that was given up, where that tells the server so."""

    async def tell(self, aside: int, payload: Json, http: Http) -> None:
        """Sends what makes no call; what is answered to it is heard. SilenceError where it cannot be sent."""

    async def listen(self, aside: int, http: Http) -> None:
        """Opens the stream on which a server speaks unasked, and hears it until the wire is closed."""

    def linger(self, seconds: float | None) -> None:
        """From here on reads a stream so long beyond its answer, and hears where it does not end; None: as before.

        Only HTTP has a stream for each answer.
        """

    async def kill(self) -> None:
        """Ends the process that was started for it alone, as a crash would, and hears what it had said by then.

        From here on calls end unanswered, as killed.
        """

    async def close(self, grace_s: float = LINGER_S) -> Ending:
        """Ends the connection, and what was started for it. Made twice it ends nothing more."""

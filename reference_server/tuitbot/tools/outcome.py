"""What a call comes to, before it is put into the envelope."""

from dataclasses import dataclass
from typing import Literal

from reference_server.application import Json
from reference_server.tuitbot.errors import ErrorCode


@dataclass(frozen=True, slots=True)
class Success:
    """`data` as it goes out; `held_back` where the gate answered in the tool's place."""

    data: Json
    held_back: Literal["routed_to_approval", "dry_run"] | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """An error; `data` only where part of the work was done."""

    code: ErrorCode
    message: str
    data: Json = None
    reset_at: float | None = None
    """Seconds since the epoch at which a limit's window ends."""
    denied: bool = False
    """Whether the gate decided so."""
    repeated: bool = False
    """Whether the same mutation was made a moment ago."""


Outcome = Success | Failure

"""One invocation on its way through the pipeline: what came in, and what is known of it so far."""

from dataclasses import dataclass, field
from typing import Final

from reference_server.application import Frames, Json
from reference_server.invocation.definition import Definition, origin_of

UNRESOLVED: Final = "unresolved"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who invokes, and over what: the credentials, the frames of a stream, and the invocation that triggered this."""

    authorization: str | None = None
    stream: Frames | None = None
    """Takes the frames, where the caller asked for them."""
    parent_span: str | None = None


@dataclass(slots=True)
class Course:
    """Filled in stage by stage."""

    id: str
    """Of the invocation."""
    given: dict[str, Json]
    """The Invocation as it came."""
    caller: Caller
    tool_name: str
    correlation_id: str
    causation_id: str | None
    span_id: str
    started: float
    """By the stopwatch."""
    at: float
    """By the calendar."""
    definition: Definition | None = None
    version: str = UNRESOLVED
    deadline: float | None = None
    """By the calendar."""
    timeout_ms: float | None = None
    """What a nearer deadline leaves of the policy's timeout; None: all of it."""
    circuit_state: str = "closed"
    attempts: int = 0
    """How often the tool's own code began."""
    redactions: list[str] = field(default_factory=list)
    cached: bool = False
    frames: int = 0

    @property
    def tool(self) -> Definition:
        """The tool. LookupError before it is resolved."""
        if self.definition is None:
            raise LookupError(self.tool_name)
        return self.definition

    @property
    def input(self) -> dict[str, Json]:
        """The input, validated to be an object."""
        found: dict[str, Json] = self.given["input"]
        return found

    @property
    def key(self) -> str | None:
        """The idempotency key; None: there is none, or an empty one."""
        return self.given.get("idempotencyKey") or None

    @property
    def tenant(self) -> str:
        """Whose limits count; the empty tenant where no header names one."""
        headers = self.given.get("headers")
        found = headers.get("tenant", "") if isinstance(headers, dict) else ""
        return found if isinstance(found, str) else ""

    @property
    def origin(self) -> str:
        """Who serves the tool, as its name says."""
        return origin_of(self.given.get("toolName"))

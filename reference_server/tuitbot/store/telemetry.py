"""How the tools were called, and which calls of X that took."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

MOST_ROWS: Final = 10_000
"""Rows kept of each kind, so that a server left running does not fill the memory."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool."""

    tool: str
    category: str
    at: float
    latency_ms: float
    error_code: str | None
    policy_decision: str | None


@dataclass(frozen=True, slots=True)
class EndpointCall:
    """One request to X."""

    endpoint: str
    mutation: bool
    failed: bool
    at: float


@dataclass(slots=True)
class Telemetry:
    """Both, oldest first."""

    tools: deque[ToolCall] = field(default_factory=lambda: deque(maxlen=MOST_ROWS))
    endpoints: deque[EndpointCall] = field(default_factory=lambda: deque(maxlen=MOST_ROWS))

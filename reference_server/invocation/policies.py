"""The policies of a tool: what bounds an invocation of it, and how it is told."""

from dataclasses import dataclass, field
from typing import Final

from reference_server.application import Json

CLOSED: Final = "closed"
HALF_OPEN: Final = "half-open"
OPEN: Final = "open"


@dataclass(frozen=True, slots=True)
class Retry:
    """How often the runtime tries, and how long it waits before the second attempt."""

    max_attempts: int = 1
    delay_ms: float = 10
    factor: float = 1
    """How many times longer each further wait is."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """So many invocations within any span of this length."""

    id: str
    calls: int
    window_ms: int


@dataclass(frozen=True, slots=True)
class CircuitBreaker:
    """So many failures in a row open it; after the reset time one probe may pass, whose success closes it."""

    failures: int
    reset_ms: int


@dataclass(frozen=True, slots=True)
class Budget:
    """Units that are spent and never refilled."""

    id: str
    units: int
    argument: str
    """The field of the input that says what an invocation costs."""


@dataclass(frozen=True, slots=True)
class Policies:
    """What bounds the invocations of one tool, for each tenant on its own."""

    timeout_ms: int = 5000
    retry: Retry = field(default_factory=Retry)
    rate_limit: RateLimit | None = None
    circuit: CircuitBreaker | None = None
    concurrency_limit: int | None = None
    budget: Budget | None = None

    def snapshot(self, circuit_state: str = CLOSED, timeout_ms: float | None = None) -> dict[str, Json]:
        """The values in effect, as policySnapshot and describe_tools show them."""
        return {
            "timeoutMs": self.timeout_ms if timeout_ms is None else timeout_ms,
            "retry": {"maxAttempts": self.retry.max_attempts},
            "rateLimitIds": [] if self.rate_limit is None else [self.rate_limit.id],
            "circuitState": circuit_state,
            "concurrencyLimit": self.concurrency_limit,
            "budgetId": None if self.budget is None else self.budget.id,
        }


DEFAULTS: Final = Policies()
"""The environment's, where no tool was resolved."""

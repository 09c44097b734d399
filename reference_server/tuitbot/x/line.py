"""The line to X during one request: where failures happen, and where it is noted what X saw."""

from dataclasses import dataclass, field
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.x.failure import Failure, XFailureError

DETAILS: Final = {
    Failure.RATE_LIMITED: "X answered 429: too many requests",
    Failure.AUTH_EXPIRED: "X answered 401: the access token has expired",
    Failure.FORBIDDEN: "X answered 403: the app may not do this",
    Failure.ACCOUNT_RESTRICTED: "X answered 403: the account is suspended or restricted",
    Failure.NETWORK_ERROR: "the connection to X timed out",
    Failure.NOT_CONFIGURED: "no X client is configured",
    Failure.API_ERROR: "X answered 503",
    Failure.READ_ONLY: "the scraper reads X's pages and may change nothing",
}
UNSENT: Final = (Failure.NOT_CONFIGURED, Failure.READ_ONLY)
"""Where nothing is sent to X at all."""
RESET_AFTER_S: Final = 900
"""Length of a rate limit window of X."""


@dataclass(frozen=True, slots=True)
class XCall:
    """One request to X."""

    operation: str
    arguments: dict[str, Json]
    mutation: bool
    failure: Failure | None = None
    """None: X performed it."""


@dataclass(slots=True)
class Line:
    """`spare` calls get through, the ones after them fail with `failure`; `on` limits that to one operation."""

    now: float
    failure: Failure | None = None
    spare: int = 0
    on: str | None = None
    read_only: bool = False
    """Whether X is reached by a scraper, which may change nothing."""
    calls: list[XCall] = field(default_factory=list)

    def request(
        self, operation: str, *, mutation: bool = False, refusal: XFailureError | None = None, **arguments: Json
    ) -> None:
        """Notes a request and lets it through, or raises the failure that this line is told to have.

        `refusal` is what X says where the request gets through to it.
        """
        failure = Failure.READ_ONLY if self.read_only and mutation else self._failure(operation)
        if failure not in UNSENT:
            refused = refusal.kind if failure is None and refusal is not None else failure
            self.calls.append(XCall(operation, arguments, mutation, refused))
        if failure is not None:
            reset = self.now + RESET_AFTER_S if failure is Failure.RATE_LIMITED else None
            raise XFailureError(failure, DETAILS[failure], reset_at=reset)
        if refusal is not None:
            raise refusal

    def _failure(self, operation: str) -> Failure | None:
        if self.failure is None or self.on not in (None, operation):
            return None
        return self.failure if len(self.calls) >= self.spare else None

    def effects(self) -> tuple[dict[str, Json], ...]:
        """The mutations that reached X, with what it answered; a timed-out one reached nobody."""
        return tuple(
            {
                "kind": "x_call",
                "operation": call.operation,
                "arguments": call.arguments,
                "outcome": call.failure.value if call.failure else "ok",
            }
            for call in self.calls
            if call.mutation and call.failure is not Failure.NETWORK_ERROR
        )

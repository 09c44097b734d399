"""What X may answer instead of a result."""

from enum import StrEnum


class Failure(StrEnum):
    """Kinds of refusal that a client of X tells apart."""

    RATE_LIMITED = "rate_limited"
    AUTH_EXPIRED = "auth_expired"
    FORBIDDEN = "forbidden"
    ACCOUNT_RESTRICTED = "account_restricted"
    NETWORK_ERROR = "network_error"
    NOT_CONFIGURED = "not_configured"
    API_ERROR = "api_error"
    NOT_FOUND = "not_found"
    INVALID_REQUEST = "invalid_request"
    READ_ONLY = "read_only"
    """X is reached by reading its pages, with which nothing can be changed."""


class XFailureError(Exception):
    """A call of X that failed."""

    def __init__(self, kind: Failure, detail: str, *, reset_at: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.reset_at = reset_at
        """Seconds since the epoch at which the window of a rate limit ends; None where X does not say."""

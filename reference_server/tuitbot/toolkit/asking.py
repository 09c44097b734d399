"""Turns what X answers into the errors of this layer, in one place."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from reference_server.tuitbot.toolkit import errors
from reference_server.tuitbot.x.failure import Failure, XFailureError

ERROR_OF: Final[dict[Failure, type[errors.ToolkitError]]] = {
    Failure.RATE_LIMITED: errors.XRateLimitedError,
    Failure.AUTH_EXPIRED: errors.XAuthExpiredError,
    Failure.FORBIDDEN: errors.XForbiddenError,
    Failure.ACCOUNT_RESTRICTED: errors.XAccountRestrictedError,
    Failure.NETWORK_ERROR: errors.XNetworkError,
    Failure.NOT_CONFIGURED: errors.XNotConfiguredError,
    Failure.API_ERROR: errors.XApiError,
    Failure.NOT_FOUND: errors.NotFoundError,
    Failure.INVALID_REQUEST: errors.InvalidInputError,
    Failure.READ_ONLY: errors.ScraperMutationBlockedError,
}


@contextmanager
def asking_x() -> Iterator[None]:
    """Around calls of the client: an `XFailureError` becomes the toolkit's error of its kind."""
    try:
        yield
    except XFailureError as failure:
        if failure.kind is Failure.RATE_LIMITED:
            raise errors.XRateLimitedError(str(failure), failure.reset_at) from failure
        raise ERROR_OF[failure.kind](str(failure)) from failure

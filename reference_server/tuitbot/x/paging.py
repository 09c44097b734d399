"""Pages of a list: a token names the last entry of the page before, so that entries added meanwhile shift nothing."""

from collections.abc import Sequence
from typing import Final

from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.protocol import Window

PREFIX: Final = "after."


def cut(ids: Sequence[str], window: Window) -> tuple[list[str], str | None]:
    """One page of ids and the token of the next one, None after the last. XFailureError: a token not of this list."""
    start = 0
    if window.token is not None:
        after = window.token.removeprefix(PREFIX)
        if not window.token.startswith(PREFIX) or after not in ids:
            raise XFailureError(Failure.INVALID_REQUEST, f"pagination_token {window.token!r} is not of this list")
        start = ids.index(after) + 1
    page = list(ids[start : start + window.max_results])
    more = start + len(page) < len(ids)
    return page, f"{PREFIX}{page[-1]}" if more and page else None

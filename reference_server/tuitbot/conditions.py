"""The circumstances that a request for testing brings about, for itself alone but for the clock."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from reference_server.application import Json
from reference_server.tuitbot.config import Backend
from reference_server.tuitbot.x.failure import Failure

XCondition = Literal["rate_limited", "auth_expired", "forbidden", "account_restricted", "network_error", "api_error"]

MOST_AHEAD_S: Final = 3.2e9
"""A century: well within what the calendar can write."""


class XAfter(Struct, frozen=True):
    """The first `calls` calls of X succeed, the others fail."""

    calls: int
    failure: XCondition


class Conditions(Struct, frozen=True):
    """What holds for one request."""

    clock: Annotated[float, Meta(ge=0, le=MOST_AHEAD_S)] = 0.0
    """Seconds that the calendar is ahead."""
    x: XCondition | None = None
    x_after: XAfter | None = None
    x_client: bool = True
    """False: no X client is configured."""
    backend: Backend | None = None
    """How X is reached; None: as it is configured."""
    llm: bool | Literal["failing"] = True
    """False: no provider is configured."""
    database: Literal["ok", "failing"] = "ok"
    policy: Literal["ok", "failing"] = "ok"
    """Failing: the rules cannot be evaluated."""
    topic_analysis: Literal["ok", "failing"] = "ok"
    serialization: Literal["ok", "failing"] = "ok"
    media_upload: Literal["ok", "failing"] = "ok"

    @classmethod
    def of(cls, given: Mapping[str, Json]) -> "Conditions":
        """Those given; a word of another contract is passed over. ValueError: a value that means nothing here."""
        try:
            return msgspec.convert(given, cls)
        except msgspec.ValidationError as error:
            raise ValueError(f"conditions: {error}") from error

    @property
    def x_failure(self) -> tuple[Failure | None, int, str | None]:
        """How X fails, after how many calls, and at which operation alone (None: at any)."""
        if not self.x_client:
            return Failure.NOT_CONFIGURED, 0, None
        if self.x is not None:
            return Failure(self.x), 0, None
        if self.x_after is not None:
            return Failure(self.x_after.failure), self.x_after.calls, None
        if self.media_upload == "failing":
            return Failure.API_ERROR, 0, "upload"
        return None, 0, None

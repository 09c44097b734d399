"""The envelope of every answer (Session 05 contract, Envelope Schema and Profile Metadata Boundaries)."""

from datetime import UTC, datetime
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.config import Config
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.outcome import Failure, Outcome, Success

TOOL_VERSION: Final = "1.0"


class Envelopes:
    """Wraps outcomes for one profile: mode and approval_mode are told where the profile remembers."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def wrap(self, outcome: Outcome, elapsed_ms: int) -> dict[str, Json]:
        """`{success, data, error?, meta}`."""
        if isinstance(outcome, Success):
            return {"success": True, "data": outcome.data, "meta": self.meta(elapsed_ms)}
        error = self.error(outcome)
        return {"success": False, "data": outcome.data, "error": error, "meta": self.meta(elapsed_ms)}

    def error(self, failure: Failure) -> dict[str, Json]:
        """The error object; what is absent is left out."""
        error: dict[str, Json] = {
            "code": failure.code.value,
            "message": failure.message,
            "retryable": self.retryable(failure.code),
        }
        if failure.reset_at is not None:
            error["rate_limit_reset"] = instant(failure.reset_at)
        if failure.denied:
            error["policy_decision"] = "denied"
        return error

    def retryable(self, code: ErrorCode) -> bool:
        """Follows from the code alone."""
        return code.retryable

    def meta(self, elapsed_ms: int) -> dict[str, Json]:
        """Metadata of an answer, on success and failure alike."""
        meta: dict[str, Json] = {"tool_version": TOOL_VERSION, "elapsed_ms": elapsed_ms}
        if self.config.remembers:
            meta["mode"] = self.config.mode
            meta["approval_mode"] = self.config.approval
        return meta


def instant(at: float) -> str:
    """ISO 8601 in whole seconds, never before `at`: 2026-07-28T12:00:00Z."""
    return datetime.fromtimestamp(-(-at // 1), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

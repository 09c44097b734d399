"""UTC days, and moments as callers write them."""

from datetime import UTC, datetime
from typing import Final

from reference_server.tuitbot.toolkit.errors import InvalidInputError

HOUR_S: Final = 3600
DAY_S: Final = 86_400
LATEST: Final = 253_370_764_800.0
"""The year 9999, which no offset takes beyond what can be written."""


def day_start(at: float) -> float:
    """When the UTC day of a moment began; both in seconds since the epoch."""
    return at - at % DAY_S


def day(at: float) -> str:
    """The UTC day of a moment: 2026-07-28."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def moment(text: str, name: str) -> float:
    """Seconds since the epoch; without an offset, UTC. InvalidInputError: no ISO 8601 instant."""
    try:
        parsed = datetime.fromisoformat(text)
        at = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"{name} {text!r} is no ISO 8601 instant") from error
    if at >= LATEST:
        raise InvalidInputError(f"{name} {text!r} is beyond the calendar")
    return at

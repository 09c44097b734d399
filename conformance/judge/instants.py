"""RFC 3339 instants: those written in UTC, compared as precisely as they are written, and those of any offset."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from conformance.judge.sought import REMEMBERED, SHORT
from conformance.model.events import Json

FORM = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|\+00:00|-00:00)")
_ANY_OFFSET = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})")
LEAP = 60
DIGITS = 6


class Instant(NamedTuple):
    """A moment in UTC. `unit`: microseconds of the last place that was written."""

    at: int
    """Microseconds since 1970."""
    unit: int

    def before(self, other: "Instant") -> bool:
        """Whether it is earlier, as far as the coarser of the two tells."""
        unit = max(self.unit, other.unit)
        return self.at // unit < other.at // unit


def in_utc(value: Json) -> Instant | None:
    """The instant that a text writes in UTC, None where it writes none."""
    if not isinstance(value, str):
        return None
    return _remembered(value) if len(value) <= SHORT else _read(value)


def _read(value: str) -> Instant | None:
    found = FORM.fullmatch(value) if value.isascii() else None
    if found is None:
        return None
    date, clock, seconds, fraction = found.groups()
    try:
        minute = datetime.fromisoformat(f"{date}T{clock}:00+00:00")
    except ValueError:
        return None
    if int(seconds) > LEAP:
        return None
    digits = (fraction or "")[:DIGITS]
    since = (minute - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    at = since + int(seconds) * 1_000_000 + int(digits.ljust(DIGITS, "0"))
    return Instant(at, 10 ** (DIGITS - len(digits)))


_remembered = lru_cache(REMEMBERED)(_read)
"""The same text is read by several laws, and stands in several answers."""


def instant(value: Json) -> float | None:
    """An RFC 3339 instant as seconds since the epoch, of any precision and offset; None where the value is none."""
    found = _ANY_OFFSET.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    day, time, fraction, offset = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{time}{'+00:00' if offset in 'Zz' else offset}")
        return moment.astimezone(UTC).timestamp() + float(fraction or 0)
    except (ValueError, OverflowError):
        return None

"""Kinds of JSON values that contracts name, and equality of JSON values."""

import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from conformance.model.events import Json

_INSTANT = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})")


def is_integer(value: Json) -> bool:
    """A whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def integer(value: Json) -> int | None:
    """The value where it is a whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def text(value: Json) -> str | None:
    """The value where it is a string that is not empty."""
    return value if isinstance(value, str) and value else None


def instant(value: Json) -> float | None:
    """An RFC 3339 instant as seconds since the epoch, of any precision and offset; None where the value is none."""
    found = _INSTANT.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    day, time, fraction, offset = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{time}{'+00:00' if offset in 'Zz' else offset}")
        return moment.astimezone(UTC).timestamp() + float(fraction or 0)
    except (ValueError, OverflowError):
        return None


def spelled(value: Json) -> str:
    """A value's JSON text, the same for equal values: keys in order; text that is no Unicode is escaped."""
    try:
        return msgspec.json.encode(value, order="deterministic").decode()
    except UnicodeEncodeError:
        return json.dumps(value, sort_keys=True)


def alike(one: Json, other: Json) -> bool | None:
    """Equality by value: order of keys is nothing, true is not 1. None where it is in doubt: 1 beside 1.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return False
        return _all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and _all(map(alike, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if one != other:
        return False
    return True if type(one) is type(other) else None


def _all(parts: Iterable[bool | None]) -> bool | None:
    """False where one part is, else None where one is in doubt."""
    found = list(parts)
    return False if False in found else None if None in found else True

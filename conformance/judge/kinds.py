"""Kinds of JSON values that contracts name, and equality of JSON values."""

import json
from collections.abc import Iterable
from functools import lru_cache
from math import inf
from typing import TypeGuard

import msgspec

from conformance.model.events import Json
from conformance.model.exchange import Exchange

SHORT = 100
"""Characters of a text that is remembered."""
REMEMBERED = 10_000
_encode = msgspec.json.Encoder(order="deterministic").encode


def is_integer(value: Json) -> TypeGuard[int]:
    """A whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def integer(value: Json) -> int | None:
    """The value where it is a whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def fraction(value: Json) -> float | None:
    """The value where it is a number, as a fraction: infinite where it is too large for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def text(value: Json) -> str | None:
    """The value where it is a string that is not empty."""
    return value if isinstance(value, str) and value else None


def spelled(value: Json) -> str:
    """A value's JSON text, the same for equal values: keys in order; text that is no Unicode is escaped."""
    # names of entities come again and again
    if type(value) is str and len(value) <= SHORT:
        return _short(value)
    try:
        return _encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(value, sort_keys=True)


@lru_cache(REMEMBERED)
def _short(value: str) -> str:
    try:
        return _encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(value)


def arguments(call: Exchange) -> str:
    """The JSON text of a call's arguments, the same for equal ones: several laws look for a call's likes by it."""
    if call.spelled is None:
        call.spelled = spelled(call.arguments)
    return call.spelled


def alike(one: Json, other: Json) -> bool | None:
    """Equality by value: order of keys is nothing, true is not 1.

    None where it is in doubt: 1 beside 1.0, and a large fraction beside the whole number that writes it out.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return False
        return _all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and _all(map(alike, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if type(one) is not type(other):
        return None if _one_number(one, other) else False
    return bool(one == other)


def _one_number(one: Json, other: Json) -> bool:
    """Whether a whole number and a fraction are the same, as precisely as a fraction can tell."""
    if not (isinstance(one, int | float) and isinstance(other, int | float)):
        return False
    try:
        return float(one) == float(other)
    except OverflowError:
        return False


def _all(parts: Iterable[bool | None]) -> bool | None:
    """False where one part is, else None where one is in doubt."""
    found = list(parts)
    return False if False in found else None if None in found else True

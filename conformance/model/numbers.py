"""JSON has one kind of number: 1.0 and 1e0 are the whole number 1, as they are for JSON Schema.

Some servers write whole numbers so. They are read as what they are, wherever an answer is read.
"""

from math import isinf

import msgspec

from conformance.model.depth import deeper
from conformance.model.events import Json

EXACT = 2**53
"""Beyond this a fraction may stand for several whole numbers."""


def decode(text: str | bytes) -> Json:
    """The value of a JSON text; raises what msgspec raises."""
    return _decode(text)


def whole(value: Json) -> Json:
    """A value that was no text, with its whole numbers as such; one nested deeper than is read stays as it is."""
    return value if deeper(value) else _within(value)


def _within(value: Json) -> Json:
    if type(value) is float:
        return _whole(value)
    if type(value) is dict:
        return {name: _within(each) for name, each in value.items()}
    if type(value) is list:
        return [_within(each) for each in value]
    return value


def _number(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise msgspec.DecodeError("Number out of range")
    return _whole(value)


def _whole(value: float) -> float:
    return int(value) if value.is_integer() and abs(value) < EXACT else value


_decode = msgspec.json.Decoder(float_hook=_number).decode

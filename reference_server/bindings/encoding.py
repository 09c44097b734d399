"""JSON text, strict both ways: Python's own reader and writer let NaN and lone surrogates through."""

import json
from typing import NoReturn

from reference_server.application import Json


class NotJsonError(ValueError):
    """A value or text that is no JSON."""


_encoder = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def encode(value: Json) -> bytes:
    """Compact JSON, UTF-8. NotJsonError: NaN, an infinity, a lone surrogate, nesting without end."""
    try:
        return _encoder.encode(value).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def decode(text: bytes) -> Json:
    """A JSON text. NotJsonError as for `encode`, and what is malformed."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error
    encode(value)
    return value


def _refuse(constant: str) -> NoReturn:
    message = f"{constant} is no JSON"
    raise ValueError(message)

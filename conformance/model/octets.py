"""Sizes of JSON values as they are sent."""

import json

import msgspec

from conformance.model.events import Json


def octets(value: Json) -> int:
    """Bytes of a value's compact JSON: UTF-8, no white space, no escapes but those that JSON asks for."""
    try:
        return len(msgspec.json.encode(value))
    except UnicodeEncodeError:  # half a surrogate pair: no UTF-8, and yet it has come
        return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))

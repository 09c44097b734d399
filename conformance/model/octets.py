"""Sizes of JSON values as they are sent."""

import json

from conformance.model.events import Json


def octets(value: Json) -> int:
    """Bytes of a value's compact JSON: UTF-8, no white space, no escapes but those that JSON asks for."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))

"""One text for all spellings of the same JSON value: sorted keys, and 5.0 written as 5."""

import json

from reference_server.application import Json


def canonical(value: Json) -> str:
    """The text of a value; equal for values that JSON takes for equal."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _plain(below) for name, below in value.items()}
    if isinstance(value, list):
        return [_plain(below) for below in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value

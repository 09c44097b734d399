"""Texts of tool results, and the JSON in them."""

from functools import lru_cache

import msgspec

from conformance.model.depth import too_deep
from conformance.model.events import Json
from conformance.model.numbers import decode


def texts_of(result: Json) -> list[str]:
    """The texts of a tool result's content blocks."""
    blocks = result.get("content") if isinstance(result, dict) else None
    found = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    return [text for text in found if isinstance(text, str)]


@lru_cache(4)
def decoded(text: str) -> Json:
    """The JSON value of a text, or the text itself where it is none, or one nested deeper than is read.

    Several laws ask it of the texts of one answer, one after another. Nobody changes the value.
    """
    try:
        value = decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return text
    return text if too_deep(text, value) else value

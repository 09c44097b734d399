"""Planted secrets: the driver writes a marker in their place, wherever they come up."""

import re
from collections.abc import Iterator

from conformance.judge.texts import texts
from conformance.model.events import Json

MARKER = re.compile(r"«(?:secret:|private:planted )[^«»]*»")
_TAKEN_OUT = frozenset({
    "redacted", "redaction", "masked", "hidden", "removed", "omitted", "filtered", "concealed", "confidential",
    "stripped", "sensitive",
})  # fmt: skip
"""Words of which one stands in a text that says that something was taken out. Such a text has no digits."""
_NOTHING = frozenset({"secret", "private", "mask", "null", "none"})
"""Words that alone are such a text."""


def markers(value: Json) -> frozenset[str]:
    """The markers in a value, in its texts and in the names of its parts."""
    return frozenset(found for text in texts(value, keys=True) for found in MARKER.findall(text))


def masked(value: Json) -> bool:
    """Whether a value tells nothing: it is null or empty, or a text that stands for what was taken out."""
    if value is None or value in ("", [], {}):
        return True
    if not isinstance(value, str) or MARKER.search(value):
        return False
    words = re.findall(r"[^\W_]+", value.lower())
    if any(map(str.isdigit, value)):
        return False
    return not _TAKEN_OUT.isdisjoint(words) or all(word in _NOTHING or set(word) == {"x"} for word in words)


def found_at(value: Json, wanted: frozenset[str], pointer: str = "") -> Iterator[tuple[str, str]]:
    """Each place of a value at which one of these markers stands, with the marker."""
    waiting: list[tuple[str, Json]] = [(pointer, value)]
    while waiting:
        place, here = waiting.pop()
        if isinstance(here, str):
            for marker in wanted.intersection(MARKER.findall(here)):
                yield place, marker
        elif isinstance(here, dict):
            for name, inner in here.items():
                for marker in wanted.intersection(MARKER.findall(name)):
                    yield place, marker
                waiting.append((f"{place}/{name}", inner))
        elif isinstance(here, list):
            waiting += [(f"{place}/{number}", inner) for number, inner in enumerate(here)]

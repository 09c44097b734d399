"""Texts and values that servers spoil: other scripts, control characters, what looks like code, long or deep ones."""

from conformance.drive.sweeps.texts import CONTROLLED, WRITTEN
from conformance.model.events import Json

BODIES = (*WRITTEN, *CONTROLLED, "lines to the end\r\n", "  kept with the white space around it  ", "x" * 4_097)
"""Bodies of messages. U+0000 is left out: that a text holds it is refused."""

METADATA: tuple[dict[str, Json], ...] = (
    {"": "an empty key", " ": 1, "a.b": 2, "$set": 3, "a/b~c": 4, "0": "zero"},
    {"__proto__": {"x": 1}, "constructor": "c", "toString": True, "hasOwnProperty": None},
    {"large": 9007199254740991, "negative": -9007199254740991, "zero": 0, "minus": -1},
    {"ratio": 0.1, "tiny": 1e-7, "huge": 1.5e300, "negative": -2.5, "sum": 0.30000000000000004},
    {"true": True, "false": False, "null": None, "empty": {}, "none": [], "mixed": [1, "1", True, None, [], {}]},
    {"clef 𝄞": "key and value 😀", "line": "a\u2028b", "json": '{"a": 1}', "number": "42", "instant": "2026-02-30"},
    {"order": {"z": 1, "a": 2, "m": 3}, "list": ["c", "a", "b", "a"]},
    {"long": "y" * 2_000, "k" * 200: "a long key"},
    {"deep": {}},
)
"""Values of metadata, whole numbers within what every JSON reader keeps."""

DEPTH = 30
_inner = METADATA[-1]["deep"]
for _level in range(DEPTH):
    _inner["in"] = [_level] if _level == DEPTH - 1 else {}
    _inner = _inner["in"]

TITLES = ("Обзор 😀 e\u0301 \u202eabc\u202c", "a 'quoted' \"title\" <b>&amp;</b> %s", "  spaces  ", "t" * 200)


def long_metadata(limit: int) -> dict[str, Json]:
    """Metadata of just so many bytes of compact JSON."""
    return {"longest": "m" * (limit - len('{"longest":""}'))}

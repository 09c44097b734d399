"""Strings for the generator: of a format, of a pattern, of a length."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.drive.vectors.patterns import derived
from conformance.model.events import Json

LONGEST = 100_000
"""Longer strings are not made: they would test the transport."""

FORMATS: Mapping[str, str] = {
    "date-time": "2026-11-21T12:00:00Z",
    "date": "2026-11-21",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "a@example.com",
    "idn-email": "a@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "iri": "https://example.com/a",
    "iri-reference": "/a",
    "uuid": "5f0c6c5e-3b1e-4d3a-9a52-0d5c1f2b7a10",
    "json-pointer": "/a/b",
    "relative-json-pointer": "1/a",
    "regex": "a+",
    "uri-template": "/a/{b}",
    "byte": "YWJj",
}
PLAIN = (
    "a",
    "example",
    "A1",
    "1",
    "a-1",
    "2026-11-21",
    "2026-11-21T12:00:00Z",
    "a@example.com",
    "https://example.com/a",
    "/a",
    "#a",
    "",
    "Abcdef12",
    "Abcdef1!",
)
"""Tried where a pattern is asked for, before one is derived from it."""


def texts(schema: Mapping[str, Any]) -> Iterator[str]:
    """Strings that may satisfy a schema; whoever asks has them judged."""
    least, most = _bound(schema.get("minLength"), 0), _bound(schema.get("maxLength"), LONGEST)
    pattern, kind = schema.get("pattern"), schema.get("format")
    made = [FORMATS[kind]] if isinstance(kind, str) and kind in FORMATS else []
    if isinstance(pattern, str):
        made += [*PLAIN, *derived(pattern, least)]
    else:
        made.append("example")
    for text in made:
        stretched = text + "a" * (least - len(text)) if text or least else text
        yield stretched[:most] if len(stretched) > most else stretched
    yield "a" * least


def at_the_edges(schema: Mapping[str, Any], value: str) -> Iterator[str]:
    """Strings just within and just beyond the lengths allowed, and some that break the pattern or format."""
    filler = value[-1:] if value and "pattern" in schema else "a"
    # lengths are counted in characters: who counts octets finds the longest text too long
    longest = filler if "pattern" in schema or "format" in schema else "\u00e9"
    for key in ("maxLength", "minLength"):
        bound = schema.get(key)
        if isinstance(bound, int) and not isinstance(bound, bool) and bound < LONGEST:
            for length in (bound, bound - 1 if key == "minLength" else bound + 1):
                if length >= 0:
                    more = longest if (key, length) == ("maxLength", bound) else filler
                    yield (value + more * (length - len(value)))[:length]
    if "pattern" in schema:
        yield from ("", "!", f"{value}!", f"!{value}", " ", "\u00e9", f"{value}\n")
    if "format" in schema:
        yield from ("not-of-the-format", "2026-13-45T99:99:99Z", "@", "%zz", "")


def _bound(value: Json, default: int) -> int:
    return min(value, LONGEST) if isinstance(value, int) and not isinstance(value, bool) else default

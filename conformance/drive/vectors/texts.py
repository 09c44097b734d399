"""Strings for the generator: of a format, of a pattern, of a length."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

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
)
"""Tried where a pattern is asked for, before one is derived from it."""


def texts(schema: Mapping[str, Any]) -> Iterator[str]:
    """Strings that may satisfy a schema; whoever asks has them judged."""
    least, most = _bound(schema.get("minLength"), 0), _bound(schema.get("maxLength"), LONGEST)
    pattern, kind = schema.get("pattern"), schema.get("format")
    made = [FORMATS[kind]] if isinstance(kind, str) and kind in FORMATS else []
    if isinstance(pattern, str):
        made += [*PLAIN, *derived(pattern)]
    else:
        made.append("example")
    for text in made:
        stretched = text + "a" * (least - len(text)) if text or least else text
        yield stretched[:most] if len(stretched) > most else stretched
    yield "a" * least


def at_the_edges(schema: Mapping[str, Any], value: str) -> Iterator[str]:
    """Strings just within and just beyond the lengths allowed, and some that break the pattern or format."""
    filler = value[-1:] if value and "pattern" in schema else "a"
    for key in ("minLength", "maxLength"):
        bound = schema.get(key)
        if isinstance(bound, int) and not isinstance(bound, bool) and bound < LONGEST:
            for length in (bound, bound - 1 if key == "minLength" else bound + 1):
                if length >= 0:
                    yield (value + filler * (length - len(value)))[:length]
    if "pattern" in schema:
        yield from ("", "!", f"{value}!", f"!{value}", " ", "\u00e9", f"{value}\n")
    if "format" in schema:
        yield from ("not-of-the-format", "2026-13-45T99:99:99Z", "@", "%zz", "")


def derived(pattern: str) -> Iterator[str]:
    """A string made from a simple pattern: literals, classes, escapes, groups' first branch, counts."""
    try:
        re.compile(pattern)
        # the standard library's own reader of patterns: it has no public name, and no stub that says so
        reader: Any = import_module("re._parser")
        yield "".join(_walk(reader.parse(pattern)))
    except (re.error, RecursionError, ValueError, OverflowError):
        return


def _walk(parsed: Any) -> Iterator[str]:
    for operation, argument in parsed:
        match str(operation):
            case "LITERAL":
                yield chr(argument)
            case "NOT_LITERAL":
                yield "a" if argument != ord("a") else "b"
            case "ANY":
                yield "a"
            case "IN":
                yield _of_class(argument)
            case "BRANCH":
                yield from _walk(argument[1][0])
            case "SUBPATTERN":
                yield from _walk(argument[-1])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = argument
                for _ in range(min(max(least, 1 if most else 0), 1_000)):
                    yield from _walk(inner)
            case _:
                continue


def _of_class(members: Json) -> str:
    kinds = {
        "CATEGORY_DIGIT": "1",
        "CATEGORY_WORD": "a",
        "CATEGORY_SPACE": " ",
        "CATEGORY_NOT_DIGIT": "a",
        "CATEGORY_NOT_SPACE": "a",
    }
    if members and str(members[0][0]) == "NEGATE":
        named = {argument for operation, argument in members[1:] if str(operation) == "LITERAL"}
        return next(letter for letter in "ab1-_.x" if ord(letter) not in named)
    operation, argument = members[0]
    match str(operation):
        case "LITERAL":
            return chr(argument)
        case "RANGE":
            return chr(argument[0])
        case _:
            return kinds.get(str(argument), "!")


def _bound(value: Json, default: int) -> int:
    return min(value, LONGEST) if isinstance(value, int) and not isinstance(value, bool) else default

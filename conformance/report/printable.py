"""Makes text of a server safe to show anywhere: what cannot be seen is spelled out, what is long is cut with a mark."""

import json
import re
from collections.abc import Iterator

from conformance.model.events import Json

LONGEST = 4_000
"""Characters of one text that are ever shown; the transcript holds the rest."""
DEEPEST = 40
"""Values inside one another that a line tells of."""
BASIC_PLANE = 0xFFFF
_COMMAND = re.compile(
    r"(##(?:\w+(?=\[))?|(?<!\w):)(\[|:(?=(?:error|warning|notice|debug|group|endgroup|set-|save-|add-|remove-|stop-|echo)))",
    re.IGNORECASE,
)
"""`##[error]`, `##vso[…]` anywhere in a line and `::error` at its beginning: a line may be folded before any word."""


def plain(text: str, limit: int = LONGEST) -> str:
    r"""One line of printable characters; beyond `limit` characters it is cut, and says by how many.

    Control and format characters, bidi overrides, surrogates and line separators appear as `\uXXXX`, and so does what
    would make a line a command of a CI.
    """
    limit = max(limit, 1)
    if len(text) > limit:
        return f"{plain(text[:limit], limit)}… (+{len(text) - limit:,} characters)"
    if not text.isprintable():
        text = "".join(character if character.isprintable() else _spelled(character) for character in text)
    return _COMMAND.sub(lambda found: found[1] + _spelled(found[2]), text) if "##" in text or "::" in text else text


def _spelled(character: str) -> str:
    number = ord(character)
    return f"\\u{{{number:x}}}" if number > BASIC_PLANE else f"\\u{number:04x}"


def scalar(value: Json, limit: int = 160) -> str:
    """A JSON value that holds no others, as JSON writes it; a long string is cut inside its quotes."""
    limit = max(limit, 1)
    if isinstance(value, str):
        kept = plain(json.dumps(value[:limit], ensure_ascii=False), 8 * limit)
        return kept if len(value) <= limit else f'{kept[:-1]}…" (+{len(value) - limit:,} characters)'
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return plain(str(value), limit)


def compact(value: Json, limit: int = 100) -> str:
    """A JSON value on one line, cut where it passes `limit` characters."""
    limit = max(limit, 1)
    taken, size = [], 0
    for piece in _pieces(value, limit):
        taken.append(piece)
        size += len(piece)
        if size > limit:
            return f"{''.join(taken)[:limit]}…"
    return "".join(taken)


def called(tool: str, arguments: Json, limit: int = 100) -> str:
    """A call in one line: `tool(name: value, …)`."""
    if isinstance(arguments, dict):
        inner = compact(arguments, limit + 2)
        inner = inner[1:-1] if inner.endswith("}") else inner[1:]
    else:
        inner = "" if arguments is None else compact(arguments, limit)
    return f"{plain(tool, limit)}({inner})"


def _pieces(value: Json, limit: int, depth: int = 0) -> Iterator[str]:
    if depth > DEEPEST:
        yield "…"
    elif isinstance(value, dict):
        yield "{"
        for place, (key, inner) in enumerate(value.items()):
            yield f"{', ' if place else ''}{plain(str(key), limit)}: "
            yield from _pieces(inner, limit, depth + 1)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for place, inner in enumerate(value):
            yield ", " if place else ""
            yield from _pieces(inner, limit, depth + 1)
        yield "]"
    else:
        yield scalar(value, limit)

"""A JSON value laid out in lines with the pointed place marked, and what is long folded away with a visible mark."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import WRAPPED
from conformance.model.pointer import steps
from conformance.report.printable import plain, scalar

Kind = Literal["key", "string", "number", "word", "sign", "cut"]
Path = tuple[str, ...]
ABSENT = "(absent)"
ENVELOPES = ("result", "error")
"""What a pointer into a whole message begins with, where the report holds only that part of it."""
CARRIES = "structuredContent"
OWN = ("content", CARRIES, "isError", "_meta", "resultType")
"""Keys of a result of MCP itself."""
IN_TEXT: Path = ("content", "0", "text")
MOST_LIST, MOST_OBJECT, DEEPEST = 8, 30, 8
LONGEST_ROUTE = 60
"""Steps of a pointer that are followed; what lies deeper is marked as a whole."""


class Piece(NamedTuple):
    """A run of characters of one kind, printable and not escaped for any format."""

    text: str
    kind: Kind


class Line(NamedTuple):
    """One line: how deep, what it says, and whether it is the pointed place, of which only the ends are marked."""

    depth: int
    pieces: tuple[Piece, ...]
    marked: bool

    @property
    def text(self) -> str:
        """The line without its kinds."""
        return "  " * self.depth + "".join(piece.text for piece in self.pieces)


def excerpt(value: Json, pointer: str = "", *, width: int = 88, lines: int = 60, longest: int = 160) -> list[Line]:
    """The lines of a value, about `lines` at most, with the place that the JSON Pointer names always among them.

    Where that place is missing, its absence is a marked line in the nearest thing that is there. No pointer, no mark.
    Values stand on one line where `width` characters hold them; strings are cut after `longest`.
    """
    return list(_Layout(width, lines, longest).value(value, route(value, pointer), 0, (), ""))


def route(value: Json, pointer: str) -> Path | None:
    """A pointer's steps from this value on; None where there is no pointer."""
    if not pointer.startswith("/"):
        return None
    path: Path = steps(pointer)
    if path[0] in ENVELOPES and _child(value, path[0]) is None and (len(path) > 1 or _is_whole(value, path[0])):
        path = path[1:]
    elif isinstance(value, dict) and path[0] not in {*value, *OWN}:
        path = IN_TEXT if _in_text(value) else _wrapped(value) or (*_carrying(value), *path)
    return path[:LONGEST_ROUTE]


def _is_whole(value: Json, step: str) -> bool:
    """Whether a value is itself what a pointer of this one step names: a result of MCP that carries no such key."""
    carried = value.get(CARRIES) if isinstance(value, dict) else None
    return isinstance(value, dict) and "content" in value and _child(carried, step) is None


def _carrying(result: dict[str, Json]) -> Path:
    """Where a result of MCP carries what a pointer leads into, where the answer has no envelope."""
    return (CARRIES,) if isinstance(result.get(CARRIES), dict | list) else ()


def _wrapped(result: dict[str, Json]) -> Path:
    """Where it carries that in a text that an SDK wrapped."""
    carried = result.get(CARRIES)
    alone = isinstance(carried, dict) and carried.keys() == {WRAPPED} and isinstance(carried[WRAPPED], str)
    return (CARRIES, WRAPPED) if alone else ()


def _in_text(result: dict[str, Json]) -> bool:
    """Whether it carries that in its one text alone."""
    blocks = result.get("content") if CARRIES not in result else None
    return isinstance(blocks, list) and len(blocks) == 1 and isinstance(blocks[0], dict) and "text" in blocks[0]


def _child(value: Json, step: str) -> int | None:
    """The place of an entry among its siblings; None where there is none."""
    if isinstance(value, dict) and step in value:
        return list(value).index(step)
    if isinstance(value, list | tuple) and step.isdecimal() and len(step) < len(str(len(value))) + 1:
        return int(step) if int(step) < len(value) else None
    return None


def _entries(value: Json) -> tuple[str, str, Sequence[tuple[str | None, Json]]]:
    if isinstance(value, dict):
        return "{", "}", [(str(key), inner) for key, inner in value.items()]
    return "[", "]", [(None, inner) for inner in value]


def _kind(value: Json) -> Kind:
    if isinstance(value, str):
        return "string"
    return "word" if value is None or isinstance(value, bool) else "number"


class _Layout:
    def __init__(self, width: int, lines: int, longest: int) -> None:
        self._longest = longest
        self._width = width
        self._left = lines

    def value(
        self, value: Json, path: Path | None, depth: int, before: tuple[Piece, ...], comma: str
    ) -> Iterator[Line]:
        """The lines of one value; an empty `path` is the pointed place, None is off the way to it."""
        self._left -= 1
        marked = path == ()
        room = self._width - 2 * depth - sum(len(piece.text) for piece in before) - len(comma)
        if not isinstance(value, dict | list | tuple):
            text = scalar(value, self._longest)
            yield Line(depth, (*before, Piece(text, _kind(value)), Piece(comma, "sign")), path is not None)
            return
        opening, closing, entries = _entries(value)
        if not path:
            short = _inline(value, room)
            if short is None and depth > DEEPEST:
                short = [Piece(f"{opening}… {len(entries):,} inside{closing}", "cut")]
            if short is not None:
                yield Line(depth, (*before, *short, Piece(comma, "sign")), marked)
                return
        yield Line(depth, (*before, Piece(opening, "sign")), marked)
        yield from self._within(value, entries, path, depth + 1)
        yield Line(depth, (Piece(closing + comma, "sign"),), marked)

    def _within(
        self, value: Json, entries: Sequence[tuple[str | None, Json]], path: Path | None, depth: int
    ) -> Iterator[Line]:
        pointed = _child(value, path[0]) if path else None
        most = MOST_OBJECT if isinstance(value, dict) else MOST_LIST
        skipped = 0
        for place, (key, inner) in enumerate(entries):
            if place != pointed and (place >= most or self._left <= 0):
                skipped += 1
                continue
            if skipped:
                yield _gap(depth, skipped)
                skipped = 0
            before = (Piece(scalar(key, 80), "key"), Piece(": ", "sign")) if key is not None else ()
            comma = "," if place + 1 < len(entries) else ""
            yield from self.value(inner, path[1:] if path and place == pointed else None, depth, before, comma)
        if skipped:
            yield _gap(depth, skipped)
        if path and pointed is None:
            name = (Piece(scalar(path[0], 80), "key"), Piece(": ", "sign")) if isinstance(value, dict) else ()
            yield Line(depth, (*name, Piece(ABSENT, "cut")), marked=True)


def _inline(value: Json, room: int) -> list[Piece] | None:
    """A value on one line; None as soon as it does not fit."""
    if room < 1 or (isinstance(value, str) and len(value) > room):
        return None
    if not isinstance(value, dict | list | tuple):
        text = scalar(value, room)
        return [Piece(text, _kind(value))] if len(text) <= room else None
    opening, closing, entries = _entries(value)
    pieces, left = [Piece(opening, "sign")], room - 2
    for place, (key, inner) in enumerate(entries):
        before = [Piece(", ", "sign")] if place else []
        before += [Piece(scalar(key, 80), "key"), Piece(": ", "sign")] if key is not None else []
        left -= sum(len(piece.text) for piece in before)
        within = _inline(inner, left)
        if within is None:
            return None
        left -= sum(len(piece.text) for piece in within)
        pieces += [*before, *within]
    return [*pieces, Piece(closing, "sign")] if left >= 0 else None


def _gap(depth: int, number: int) -> Line:
    return Line(depth, (Piece(plain(f"… {number:,} more"), "cut"),), marked=False)

"""Takes secrets out of what is written, whoever sent them and in whichever form."""

import re
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from conformance.drive.ordinary import ordinary
from conformance.drive.spellings import encodings, spellings
from conformance.model.events import Event, Json

PREFIX = 5
"""Octets by which secrets are looked for."""
LEAST = 5
"""Characters of base64 that are too few to be looked for."""
ANYWHERE = 8
"""From so many characters on a secret is also found within a longer word."""
_UNSAFE = re.compile(r"[\x00-\x1f\"\\«»]")
"""What a name in a marker cannot have: the marker is put into JSON, and into JSON within JSON, as it is."""
_STRUCTURE = re.compile(rb"[\s0-9eE+.,:\[\]{}\"truefalsn-]*")
"""What JSON itself may consist of, outside of texts."""
_FREE = frozenset({
    "payload", "raw", "fault", "http", "detail", "server", "capabilities", "tail", "left", "why", "claims",
    "conditions", "label", "tools", "content", "value", "means", "kind", "data", "reason", "settings", "target",
    "statement", "command", "revision",
})  # fmt: skip
"""Fields of events that hold what others wrote. The rest is the suite's own: names, numbers and times."""


def _vocabulary() -> str:
    """Every name in an event that is the suite's own."""
    schema = msgspec.json.schema_components([Event])[1]
    return " ".join(_names(schema))


def _names(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)
    elif isinstance(value, str) and " " not in value:
        yield value


class _Family:
    """Forms of secrets that begin alike, as tokens do: one search of a line for all of them."""

    __slots__ = ("_halves", "_shortest", "_shortest_half", "_wholes")

    def __init__(self) -> None:
        self._shortest = self._shortest_half = 0
        self._wholes: dict[bytes, list[tuple[bytes, bytes]]] = {}
        self._halves: dict[bytes, list[tuple[bytes, bytes]]] = {}

    def add(self, form: bytes, marker: bytes) -> None:
        self._shortest = _filed(self._wholes, self._shortest, len(form), (form, marker))
        if len(form) >= 2 * ANYWHERE:
            self._shortest_half = _filed(self._halves, self._shortest_half, (len(form) + 1) // 2, (form, marker))

    def at(self, line: bytes, place: int) -> tuple[int, bytes]:
        """How much of a line from a place on is one of them, or the greater part of one that was cut off."""
        for form, marker in self._wholes.get(line[place : place + self._shortest], ()):
            if line.startswith(form, place):
                return len(form), marker
        for form, marker in self._halves.get(line[place : place + self._shortest_half], ()):
            shared = _shared(form, line[place : place + len(form)])
            if 2 * shared >= len(form):
                return shared, marker
        return 0, b""


def _shared(one: Sequence[object], other: Sequence[object]) -> int:
    """How much of both is alike from the beginning on."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _apart(found: Iterable[tuple[int, int, bytes]]) -> Iterator[tuple[int, int, bytes]]:
    """Places that overlap are one: it has the marker of the longest of them."""
    start = end = longest = 0
    marker = b""
    for place, until, name in sorted(found):
        if place >= end:
            if marker:
                yield start, end, marker
            start = end = place
            longest = 0
        end = max(end, until)
        if until - place > longest:
            longest, marker = until - place, name
    if marker:
        yield start, end, marker


def _filed(index: dict[bytes, list[tuple[bytes, bytes]]], shortest: int, size: int, pair: tuple[bytes, bytes]) -> int:
    """Files a form under its beginning; gives the length of the beginnings, which is that of the shortest form."""
    pairs = [pair]
    if not index or size < shortest:
        pairs += [known for group in index.values() for known in group]
        shortest = size
        index.clear()
    for each in pairs:
        # the longest first: where one secret begins with another, the whole of it is meant
        insort(index.setdefault(each[0][:shortest], []), each, key=lambda known: -len(known[0]))
    return shortest


class Masking:
    """The secrets that are known so far. Its cost does not grow with their number where they begin alike."""

    def __init__(self) -> None:
        self._families: dict[bytes, _Family] = {}
        self._known: set[tuple[str, str]] = set()
        self._delicate: dict[str, str] = {}
        """Forms that are looked for in decoded values only, as words of their own: they may also be a number, or part
        of what the suite itself writes."""
        self._needles: list[bytes] = []
        self._pattern: re.Pattern[str] | None = None

    def add(self, value: str, name: str, *, named: bool = True) -> bool:
        """From now on this value is shown as «secret:NAME», in each of its forms; whether it is.

        One whose name does not say that it is a secret is shown as «private:NAME», and its coming up is no leak. One
        that is too ordinary is not looked for.
        """
        value = value.strip()
        if ordinary(value, named=named):
            return False
        marker = f"«{'secret' if named else 'private'}:{_UNSAFE.sub('_', name)}»"
        if (value, marker) in self._known:
            return True
        self._known.add((value, marker))
        before = len(self._delicate)
        for form in spellings(value):
            self._file(form, marker, anywhere=len(form) >= ANYWHERE)
        for form in dict.fromkeys(encodings(value)):
            if len(form) > LEAST:
                self._file(form, marker, anywhere=True)
        if len(self._delicate) > before:
            self._needles = [msgspec.json.encode(form)[1:-1] for form in self._delicate]
            self._pattern = _words(self._delicate)
        return True

    def _file(self, form: str, marker: str, *, anywhere: bool) -> None:
        octets = msgspec.json.encode(form.encode("utf-8", "replace").decode())[1:-1]
        if not anywhere or _STRUCTURE.fullmatch(octets) or form in VOCABULARY:
            self._delicate.setdefault(form, marker)
        else:
            self._families.setdefault(octets[:PREFIX], _Family()).add(octets, marker.encode())

    def masked(self, line: bytes) -> bytes:
        """A line of the transcript without them. It stays a line of JSON."""
        line = self._replaced(line)
        if any(needle in line for needle in self._needles):
            event = msgspec.json.decode(line)
            line = msgspec.json.encode({k: self._value(v) if k in _FREE else v for k, v in event.items()})
        return line

    def text(self, text: str) -> str:
        """A text without them."""
        octets = self._replaced(msgspec.json.encode(text.encode("utf-8", "replace").decode()))
        return self._careful(msgspec.json.decode(octets, type=str))

    def beginning(self, text: str, limit: int) -> str:
        """The first characters of a text, masked before they are cut: of a secret across the cut nothing stays.

        What is given has to go on beyond the limit by as much as a secret is long.
        """
        cut = self.text(text[:limit])
        if len(text) <= limit:
            return cut
        whole = self.text(text)
        alike = _shared(cut, whole)
        return cut if alike == len(cut) else cut[:alike] + _marker_at(whole, alike)

    def end(self, text: str, limit: int) -> str:
        """The last characters of a text, likewise."""
        cut = self.text(text[-limit:])
        if len(text) <= limit:
            return cut
        whole = self.text(text)
        alike = _shared(cut[::-1], whole[::-1])
        return cut if alike == len(cut) else _marker_before(whole, len(whole) - alike) + cut[len(cut) - alike :]

    def _replaced(self, line: bytes) -> bytes:
        parts, done = [], 0
        for start, end, marker in _apart(self._found(line)):
            parts += [line[done:start], marker]
            done = end
        return b"".join((*parts, line[done:])) if parts else line

    def _found(self, line: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Where in a line secrets begin and end; one may lie within another, as an issuer does within a token."""
        for prefix, family in self._families.items():
            at = line.find(prefix)
            while at >= 0:
                size, marker = family.at(line, at)
                if size:
                    yield at, at + size, marker
                at = line.find(prefix, at + (size or 1))

    def _careful(self, text: str) -> str:
        return self._pattern.sub(lambda found: self._delicate[found.group()], text) if self._pattern else text

    def _value(self, value: Json) -> Json:
        """A value with its texts, keys and numbers masked."""
        if isinstance(value, str):
            return self._careful(value)
        if isinstance(value, dict):
            return {self._careful(key): self._value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._value(inner) for inner in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            spelled = str(value)
            shown = self._careful(spelled)
            return value if shown == spelled else shown
        return value


VOCABULARY = _vocabulary()


def _words(forms: dict[str, str]) -> re.Pattern[str] | None:
    """Finds any of these that is no part of a longer word."""
    if not forms:
        return None
    longest = sorted(forms, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, longest))})(?![A-Za-z0-9])")


def _marker_at(text: str, place: int) -> str:
    """The marker within which, or before which, a place is: its rest."""
    opening = text.rfind("«", 0, place + 1)
    closing = text.find("»", place)
    inside = text.startswith("«", place) or (opening >= 0 and text.find("»", opening, place) < 0)
    return text[place : closing + 1] if inside and closing >= 0 else ""


def _marker_before(text: str, place: int) -> str:
    """The same from behind: what of a marker lies before a place."""
    opening = text.rfind("«", 0, place)
    closing = text.find("»", max(opening, 0))
    return text[opening:place] if opening >= 0 and closing >= place - 1 else ""

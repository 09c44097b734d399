"""What of a transcript belongs together: connections and the instances that they lead to, and where each part ends.

Instances share no state, and what a connection is asked concerns the instances behind it. So a part, with all the
connections that lead to its instances, is a history of its own. It is found by going through the file once before.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from conformance.model.chain import unlinked
from conformance.model.events import (
    Agreed,
    Closed,
    Condition,
    Document,
    Effect,
    Event,
    Flight,
    Footer,
    Instance,
    Killed,
    Listing,
    Message,
    Modelled,
    Opened,
    Step,
    Unanswered,
)

NAMES = 500_000
"""Connections, instances and credentials that are told apart: 200 octets of memory each."""
RECENT = 100_000
"""Calls of which the part is still known: what tells of a call comes soon after it."""


class _Line(Struct):
    """Of an event no more than what it is about; the rest of the line is passed over."""

    event: str
    connection: str | None = None
    instance: str | None = None
    again: str | None = None
    id: str | None = None
    call: int | None = None
    calls: tuple[int, ...] | int = ()


class Parts:
    """Which part each event belongs to. Parts are numbers."""

    def __init__(self) -> None:
        self.footer: Footer | None = None
        self._numbers: dict[str, int] = {}
        self._above: list[int] = []
        self._last: list[int] = []
        self._octets: list[int] = []
        self._recent: dict[int, int] = {}

    @classmethod
    def of(cls, lines: Iterable[bytes], beyond: int = 0) -> "Parts | None":
        """Those of a transcript; None where it cannot be told, or there are too many names.

        Nor are there any of one that has no more octets than `beyond`, its links aside: it is judged as a whole.

        What is no event ends it: whoever reads the file for good says what is wrong with it.
        """
        found, credentials, octets = cls(), 0, 0
        decode = msgspec.json.Decoder(_Line).decode
        for number, line in enumerate(lines, 1):
            size = unlinked(line)
            octets += size
            try:
                about = decode(line)
                if about.event == "footer":
                    found.footer = msgspec.json.decode(line, type=Footer)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                break
            credentials += about.event == "credential"
            if not found._take(about, number, size) or len(found._above) + credentials > NAMES:
                return None
        if octets <= beyond:
            return None
        found._recent = {}
        for name in range(len(found._above)):
            root = found._root(name)
            found._last[root] = max(found._last[root], found._last[name])
            if root != name:
                found._octets[root] += found._octets[name]
        return found

    def part(self, event: Event) -> int | None:  # noqa: PLR0911 -- one arm for each kind of event
        """The part of an event; None where it belongs to the run as a whole. To be asked of each in turn."""
        match event:
            case Message() | Unanswered() | Agreed() | Closed() | Opened():
                return self._named(f"c{event.connection}")
            case Step():
                part = self._named(f"i{event.instance}")
                self._remember(event.call, part)
                return part
            case Instance():
                return self._named(f"i{event.id}")
            case Killed() | Listing() | Effect() | Condition():
                return self._named(f"i{event.instance}")
            case Flight():
                return self._recent.get(event.calls[0]) if event.calls else None
            case Modelled():
                return self._recent.get(event.call)
            case Document():
                return self._recent.get(event.call, self._first) if event.call is not None else self._first
            case _:
                return None

    def ends(self, part: int, line: int) -> bool:
        """Whether the line, counted from 1, is the last that belongs to a part."""
        return self._last[part] <= line

    def octets(self, part: int) -> int:
        """The octets of a part's lines, without their links."""
        return self._octets[part]

    @property
    def _first(self) -> int | None:
        return self._root(0) if self._above else None

    def _take(self, about: _Line, line: int, octets: int) -> bool:
        """Takes a line; whether it can be told what it is about."""
        names = [f"c{about.connection}"] if about.connection is not None else []
        names += [f"i{name}" for name in (about.instance, about.again) if name is not None]
        if about.event == "instance" and about.id is not None:
            names.append(f"i{about.id}")
        those = [self._number(name) for name in names]
        calls = about.calls if about.event == "flight" and isinstance(about.calls, tuple) else ()
        told = [about.call] if about.event in ("modelled", "document") and about.call is not None else []
        for call in (*calls, *told):
            if call not in self._recent:
                return False
            those.append(self._recent[call])
        for other in those[1:]:
            self._join(those[0], other)
        if those:
            self._last[those[0]] = line
            self._octets[those[0]] += octets
        if about.event == "step" and about.call is not None and those:
            self._remember(about.call, those[0])
        return True

    def _number(self, name: str) -> int:
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self._above)
            self._above.append(found)
            self._last.append(0)
            self._octets.append(0)
        return found

    def _named(self, name: str) -> int | None:
        found = self._numbers.get(name)
        return self._root(found) if found is not None else None

    def _root(self, name: int) -> int:
        above = self._above
        while above[name] != name:
            above[name] = above[above[name]]
            name = above[name]
        return name

    def _join(self, one: int, other: int) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        self._above[second] = first

    def _remember(self, call: int, part: int | None) -> None:
        if part is not None:
            self._recent[call] = part
        if len(self._recent) > 2 * RECENT:
            self._recent = dict(list(self._recent.items())[RECENT:])

"""Event streams as the WHATWG standard defines them (HTML, section 9.2), from bytes as they come.

httpx2 and httpx-sse decode text line by line; here what a server sent stays bytes until it is known to be JSON or not.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

_ENDS = re.compile(rb"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"
_LONGEST_RETRY = 9
"""Digits of a `retry` that are taken for a number."""


class Event(Struct, frozen=True):
    """An event that the stream dispatches."""

    data: bytes
    name: str = "message"


class EventParser:
    """Cuts one response body into events."""

    def __init__(self) -> None:
        self.last_id = b""
        """The last event id that was dispatched, which a stream is resumed from."""
        self.retry_ms: int | None = None
        """What the server asks to wait before a stream is resumed."""
        self._line = bytearray()
        self._first = True
        self._after_cr = False
        self._data: list[bytes] = []
        self._name = b""
        self._id = b""

    @property
    def unfinished(self) -> bytes:
        """What came after the last event's end: the standard has a reader drop it."""
        return b"\n".join((*(b"data: " + line for line in self._data), bytes(self._line)))

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that these bytes end."""
        if self._after_cr and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        self._after_cr = self._after_cr or chunk.endswith(b"\r")
        *lines, rest = _ENDS.split(chunk)
        for line in lines:
            whole = bytes(self._line) + line if self._line else line
            self._line.clear()
            if whole:
                self._field(whole)
            elif (event := self._dispatch()) is not None:
                yield event
        self._line += rest

    def _field(self, line: bytes) -> None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
            case b"event":
                self._name = value
            case b"id" if b"\0" not in value:
                self._id = value
            case b"retry" if value.isdigit() and len(value) <= _LONGEST_RETRY:
                self.retry_ms = int(value)
            case _:
                pass  # a comment, or a field that the standard does not know

    def _dispatch(self) -> Event | None:
        self._first = False
        self.last_id = self._id
        name, self._name = self._name, b""
        if not self._data:
            return None
        data, self._data = b"\n".join(self._data), []
        return Event(data, name.decode("utf-8", "replace") or "message")

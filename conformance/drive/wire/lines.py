"""Cuts a stream of bytes into lines within bounds."""

from collections.abc import Iterator
from typing import NamedTuple

BEGINNING = 65_536
"""Bytes that are kept of a line that is too long."""


class Line(NamedTuple):
    """A line without its end, or the beginning of one that is too long."""

    data: bytes
    size: int = 0
    """Bytes that had come of one that is too long; 0 where it is whole."""


class LineCutter:
    """Takes what comes of a stream. A line beyond the limit is told of once, and passed over to its end."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._line = bytearray()
        self._passing = False

    @property
    def rest(self) -> bytes:
        """What came of a line that is not over."""
        return bytes(self._line)

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """The lines that these bytes end, and the beginning of one that has become too long."""
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            if self._passing:
                self._passing = False
            else:
                self._line += part
                yield Line(bytes(self._line))
            self._line.clear()
        if not self._passing:
            self._line += rest
            if len(self._line) > self._most:
                self._passing = True
                yield Line(bytes(self._line[:BEGINNING]), len(self._line))
                self._line.clear()

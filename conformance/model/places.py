"""Where lines of a transcript stand, so that they can be read once more without being kept."""

from array import array
from collections.abc import Iterator

Place = tuple[int, int]
"""Lines that follow one another: where the first begins, and how far they reach."""


class Places:
    """Many of them: 16 octets of memory for each row of lines that follow one another."""

    __slots__ = ("_lengths", "_starts", "octets")

    def __init__(self) -> None:
        self.octets = 0
        """Of all the lines together."""
        self._starts, self._lengths = array("Q"), array("Q")

    def add(self, place: Place, octets: int) -> None:
        """Takes the next line."""
        start, length = place
        self.octets += octets
        if self._starts and self._starts[-1] + self._lengths[-1] == start:
            self._lengths[-1] += length
        else:
            self._starts.append(start)
            self._lengths.append(length)

    def join(self, others: "Places") -> None:
        """Takes all of those."""
        for place in others:
            self.add(place, 0)
        self.octets += others.octets

    def __iter__(self) -> Iterator[Place]:
        """In the order of the transcript."""
        yield from sorted(zip(self._starts, self._lengths, strict=True))

"""A chain of digests over the lines of a transcript: each line is numbered, and its digest covers the one before it."""

import re
from collections import deque
from hashlib import blake2b

OCTETS = 12
"""Of a digest. Who changes a line has to forge all that follow, and the last one stands in the report as well."""
_LINK = re.compile(rb',"n":(\d{1,15}),"link":"([0-9a-f]{24})"\}$')
LONGEST_LINK = 60
MOST = 20
"""Differences that are told one by one."""
RECENT = 64
"""Links that are kept to check a line by the one that it was written after."""


class Chain:
    """Links lines as they are written."""

    def __init__(self) -> None:
        self.lines = 0
        self.digest = ""
        """The last link, in hexadecimal."""

    def linked(self, line: bytes) -> bytes:
        """A JSON object with its number and its link as its last members."""
        self.lines += 1
        self.digest = _digest(self.digest, self.lines, line)
        return b'%s,"n":%d,"link":"%s"}' % (line[:-1], self.lines, self.digest.encode())


def unlinked(line: bytes) -> int:
    """The octets of a line without its end and its link."""
    line = line.rstrip(b"\r\n")
    found = _LINK.search(line, max(0, len(line) - LONGEST_LINK))
    return len(line) if found is None else found.start() + 1


class Check:
    """Follows the chain of a file, and notes where it is broken."""

    def __init__(self) -> None:
        self.lines = 0
        self.digest = ""
        self.chained = True
        """Whether the lines are linked at all; older versions wrote none."""
        self._notes: list[str] = []
        self._missing: list[range] = []
        """Numbers that were passed over and did not come yet."""
        self._highest = 0
        self._links: deque[tuple[int, str]] = deque([(0, "")], maxlen=RECENT)

    @property
    def broken(self) -> tuple[str, ...]:
        """What differs from what was recorded, in words."""
        missing = [_missing(gap) for gap in self._missing[:MOST]]
        more = ["and more"] if len(self._notes) > MOST or len(self._missing) > MOST else []
        return (*missing, *self._notes[:MOST], *more)

    def take(self, line: bytes) -> int:
        """The next line, without its end; gives its octets but for the link."""
        self.lines += 1
        found = _LINK.search(line)
        if found is None:
            if self.lines == 1:
                self.chained = False
            elif self.chained:
                self._note("has no link: it was added or changed")
            return len(line)
        if not self.chained:
            self._note("has a link, and the first line has none")
            self.chained = True
        number, link = int(found[1]), found[2].decode()
        before = next((digest for at, digest in self._links if at == number - 1), None)
        if number > self._highest:
            if number > self._highest + 1:
                self._missing.append(range(self._highest + 1, number))
            self._highest = number
        elif self._comes_late(number):
            self._note(f"is line {number} of the record, in another place than its own")
        else:
            self._note(f"is line {number} of the record once more")
        if before is not None and link != _digest(before, number, line[: found.start()] + b"}"):
            self._note("was changed")
        self.digest = link
        self._links.append((number, link))
        return found.start() + 1

    def _comes_late(self, number: int) -> bool:
        """Whether a number was missed before: then it is missed no longer."""
        for place, gap in enumerate(self._missing):
            if number in gap:
                parts = (range(gap.start, number), range(number + 1, gap.stop))
                self._missing[place : place + 1] = [part for part in parts if part]
                return True
        return False

    def _note(self, what: str) -> None:
        if len(self._notes) <= MOST:
            self._notes.append(f"line {self.lines} {what}")


def _missing(gap: range) -> str:
    """Lines that are not there: one that lost its link was told of already, as a line that has none."""
    if len(gap) == 1:
        return f"line {gap.start} of the record is missing"
    return f"lines {gap.start} to {gap.stop - 1} of the record are missing"


def _digest(before: str, number: int, line: bytes) -> str:
    return blake2b(b"%s%d%s" % (before.encode(), number, line), digest_size=OCTETS).hexdigest()

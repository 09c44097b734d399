"""Reads a transcript: JSON Lines, a header first, a footer last."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from conformance.model.chain import Check, unlinked
from conformance.model.events import FORMAT, Event, Footer, Header, Step
from conformance.model.parts import Parts
from conformance.model.places import Place

LONGEST = 200_000_000
"""Octets of a line: more than any limit on a run lets the suite write, unless it was raised."""


class TranscriptError(ValueError):
    """A file that is no transcript, or was damaged: which line, and what is wrong with it."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path}, line {line}: {what}")
        self.path, self.line, self.what = path, line, what


class Record(Struct, frozen=True, kw_only=True):
    """What is known of a transcript as a file."""

    lines: int = 0
    digest: str = ""
    """The end of its chain of digests; empty where it has none."""
    cut: str = ""
    """How it ends, where it has no last line."""
    broken: tuple[str, ...] = ()
    """Where it differs from what was recorded."""


class Lines:
    """The events of lines that this suite wrote, one at a time."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.octets = 0
        """Of the last event that was given."""
        self.place: Place = (0, 0)
        """Where it stands."""
        self._lines = lines

    def __iter__(self) -> Iterator[Event]:
        decode = msgspec.json.Decoder(Event).decode
        for number, line in enumerate(self._lines):
            self.octets, self.place = len(line), (number, 1)
            yield decode(line)

    def again(self, places: Iterable[Place]) -> Iterator[tuple[Event, int]]:
        """The events that stand at these places once more, each with its octets."""
        decode = msgspec.json.Decoder(Event).decode
        for first, count in places:
            for line in self._lines[first : first + count]:
                yield decode(line), len(line)


class Reading:
    """The events of a file, one at a time, once. TranscriptError at the first line that is none.

    A file that was cut gives what it has: its run counts as incomplete.
    """

    def __init__(self, path: Path, head: Header | None = None) -> None:
        self.octets = 0
        """Of the last event that was given, without its link."""
        self.place: Place = (0, 0)
        """Where in the file it stands, and the octets of its line."""
        self._head = head
        """What is given in the place of the first line; None: that line."""
        self._path = path
        self._check = Check()
        self._cut = ""
        self._calls = 0
        self._counted: list[str] = []

    @property
    def record(self) -> Record:
        """What was found, once all was read."""
        check = self._check
        broken = (*check.broken, *self._counted)
        digest = check.digest if check.chained else ""
        return Record(lines=check.lines, digest=digest, cut=self._cut, broken=broken)

    def __iter__(self) -> Iterator[Event]:
        decode = msgspec.json.Decoder(Event).decode
        over, lines, start = False, 0, 0
        with self._path.open("rb") as file:
            while line := file.readline(LONGEST):
                number = lines + 1
                if over:
                    raise self._error(number, "something follows the footer, which is the last line")
                if not line.endswith(b"\n"):
                    if number == 1:
                        raise self._error(1, "the file ends within its header: nothing in it can be judged")
                    if len(line) == LONGEST:
                        raise self._error(number, f"the line is longer than {LONGEST:,} bytes")
                    if not _whole(line):
                        self._cut = f"the transcript ends within line {number}"
                        return
                event = self._event(decode, line, number)
                lines = number
                self.octets, self.place = self._check.take(line.rstrip(b"\r\n")), (start, len(line))
                start += len(line)
                self._count(event)
                over = isinstance(event, Footer)
                yield self._head if self._head is not None and isinstance(event, Header) else event
        if not lines:
            raise self._error(1, "the file is empty; a header is expected")
        if not over:
            self._cut = f"the transcript ends after line {lines}, without its last line"

    def again(self, places: Iterable[Place]) -> Iterator[tuple[Event, int]]:
        """The events that stand at these places once more, each with its octets."""
        decode = msgspec.json.Decoder(Event).decode
        with self._path.open("rb") as file:
            for start, size in places:
                file.seek(start)
                left = size
                while left > 0 and (line := file.readline(LONGEST)):
                    left -= len(line)
                    try:
                        yield decode(line), unlinked(line)
                    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                        raise self._error(0, f"the file was changed while it was judged: {error}") from error

    def _event(self, decode: object, line: bytes, number: int) -> Event:
        try:
            event: Event = decode(line)  # type: ignore[operator] # msgspec's decoder of events
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            kind = "no event of a transcript" if isinstance(error, msgspec.ValidationError) else "no JSON"
            raise self._error(number, f"{kind}: {error}") from error
        if (number == 1) is not isinstance(event, Header):
            what = "the header belongs in the first line only" if number > 1 else "the first line is no header"
            raise self._error(number, what)
        if isinstance(event, Header) and event.format > FORMAT:
            raise self._error(number, f"format {event.format} is newer than this version of the suite reads ({FORMAT})")
        return event

    def _count(self, event: Event) -> None:
        """Compares what the footer counts with what the file has."""
        self._calls += isinstance(event, Step)
        if isinstance(event, Footer) and not self._check.broken:
            for what, counted, found in (
                ("lines", event.events, self._check.lines),
                ("calls", event.calls, self._calls),
            ):
                if counted != found:
                    self._counted.append(f"its last line counts {counted} {what}, and it has {found}")

    def _error(self, number: int, what: str) -> TranscriptError:
        return TranscriptError(self._path, number, what)


def read(path: Path) -> Iterator[Event]:
    """The events of a file, one at a time; TranscriptError at the first line that is none."""
    return iter(Reading(path))


def parts(path: Path, beyond: int) -> Parts | None:
    """What belongs together in a file; None where that cannot be told, or it has no more octets than `beyond`."""
    if path.stat().st_size <= beyond:
        return None
    with path.open("rb") as file:
        return Parts.of(iter(lambda: file.readline(LONGEST), b""), beyond)


def header(path: Path) -> Header:
    """The first line alone."""
    event = next(read(path))
    assert isinstance(event, Header)
    return event


def _whole(line: bytes) -> bool:
    """Whether a line without an end is whole all the same."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True

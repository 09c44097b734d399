"""Reads a transcript: JSON Lines, a header first, a footer last."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from conformance.model.events import FORMAT, Event, Footer, Header


class TranscriptError(ValueError):
    """A file that is no transcript, or was damaged: which line, and what is wrong with it."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path}, line {line}: {what}")
        self.path, self.line, self.what = path, line, what


def read(path: Path) -> Iterator[Event]:
    """The events of a file, one at a time; TranscriptError at the first line that is none.

    A file without a last line gives what it has: its run counts as incomplete.
    """
    decode = msgspec.json.Decoder(Event).decode
    number, over = 0, False
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if over:
                raise TranscriptError(path, number, "something follows the footer, which is the last line")
            try:
                event: Event = decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise TranscriptError(path, number, _said(error, line)) from error
            if (number == 1) is not isinstance(event, Header):
                what = "the header belongs in the first line only" if number > 1 else "the first line is no header"
                raise TranscriptError(path, number, what)
            if isinstance(event, Header) and event.format > FORMAT:
                what = f"format {event.format} is newer than this version of the suite reads ({FORMAT})"
                raise TranscriptError(path, number, what)
            over = isinstance(event, Footer)
            yield event
    if number == 0:
        raise TranscriptError(path, 1, "the file is empty; a header is expected")


def header(path: Path) -> Header:
    """The first line alone."""
    event = next(read(path))
    assert isinstance(event, Header)
    return event


def _said(error: Exception, line: bytes) -> str:
    if not line.endswith(b"\n") and isinstance(error, msgspec.DecodeError) and "truncated" in str(error):
        return "the line is cut short"
    kind = "no event of a transcript" if isinstance(error, msgspec.ValidationError) else "no JSON"
    return f"{kind}: {error}"

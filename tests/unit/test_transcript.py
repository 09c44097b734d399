"""A transcript is read line by line; what is wrong with it is said with its line."""

from pathlib import Path

import msgspec
import pytest

from conformance.model.events import Event
from conformance.model.transcript import TranscriptError, read

from .events import called, footer, header, opening

EVENTS: list[Event] = [header(), *opening(), *called(1, "get_thread", {}, {"a": 1}, 5), footer()]


def written(tmp_path: Path, lines: list[bytes]) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


LINES = [msgspec.json.encode(event) for event in EVENTS]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert list(read(written(tmp_path, LINES))) == EVENTS


def test_a_file_without_a_footer_gives_what_it_has(tmp_path: Path) -> None:
    assert list(read(written(tmp_path, LINES[:-1]))) == EVENTS[:-1]


@pytest.mark.parametrize(
    ("lines", "number", "said"),
    [
        ([], 1, "empty"),
        ([*LINES[:2], b"{not json"], 3, "no JSON"),
        ([*LINES[:2], b'{"event": "surprise"}'], 3, "no event"),
        ([*LINES[:2], b'{"event": "step", "call": "x"}'], 3, "no event"),
        (LINES[1:], 1, "no header"),
        ([LINES[0], LINES[0]], 2, "first line only"),
        ([*LINES, LINES[1]], len(LINES) + 1, "follows the footer"),
        ([LINES[0].replace(b'{"event":"header"', b'{"event":"header","format":99')], 1, "newer"),
    ],
)
def test_damage_is_named_with_its_line(tmp_path: Path, lines: list[bytes], number: int, said: str) -> None:
    with pytest.raises(TranscriptError, match=said) as caught:
        list(read(written(tmp_path, lines)))
    assert caught.value.line == number

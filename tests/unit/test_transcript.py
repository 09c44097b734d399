"""A transcript is read line by line; what is wrong with it is said with its line."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.model.chain import Chain
from conformance.model.events import Event, Footer
from conformance.model.transcript import Reading, Record, TranscriptError, read

from .events import called, footer, header, opening

EVENTS: list[Event] = [header(), *opening(), *called(1, "get_thread", {}, {"a": 1}, 5), footer()]


def written(tmp_path: Path, lines: list[bytes]) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


LINES = [msgspec.json.encode(event) for event in EVENTS]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    assert list(read(written(tmp_path, LINES))) == EVENTS


def linked(lines: list[bytes]) -> list[bytes]:
    chain = Chain()
    return [chain.linked(line) for line in lines]


def broken(tmp_path: Path, lines: list[bytes]) -> tuple[str, ...]:
    reading = Reading(written(tmp_path, lines))
    list(reading)
    return reading.record.broken


WHOLE = linked([*LINES[:-1], msgspec.json.encode(Footer(complete=True, events=len(LINES), calls=1, t=100))])


def test_a_chain_that_holds_is_as_recorded(tmp_path: Path) -> None:
    reading = Reading(written(tmp_path, WHOLE))
    assert len(list(reading)) == len(WHOLE)
    assert reading.record == Record(lines=len(WHOLE), digest=reading.record.digest)
    assert len(reading.record.digest) == 24


@pytest.mark.parametrize(
    ("tampered", "said"),
    [
        ([*WHOLE[:3], *WHOLE[4:]], ("line 4 of the record is missing",)),
        ([*WHOLE[:2], *WHOLE[5:]], ("lines 3 to 5 of the record are missing",)),
        ([*WHOLE[:3], WHOLE[2], *WHOLE[3:]], ("line 4 is line 3 of the record once more",)),
        (
            [*WHOLE[:2], WHOLE[3], WHOLE[2], *WHOLE[4:]],
            ("line 4 is line 3 of the record, in another place than its own",),
        ),
        ([*WHOLE[:3], LINES[3], *WHOLE[3:]], ("line 4 has no link: it was added or changed",)),
        ([*WHOLE[:5], WHOLE[5].replace(b'"t":5', b'"t":6'), *WHOLE[6:]], ("line 6 was changed",)),
        ([WHOLE[0].replace(b'"target":"t"', b'"target":"u"'), *WHOLE[1:]], ("line 1 was changed",)),
        ([*LINES[:3], *WHOLE[3:]], ("line 4 has a link, and the first line has none",)),
    ],
)
def test_tampering_is_named_with_its_line(tmp_path: Path, tampered: list[bytes], said: tuple[str, ...]) -> None:
    found = broken(tmp_path, tampered)
    assert set(said) <= set(found), found
    assert len(found) <= len(said) + 1


def test_a_line_that_was_forged_with_its_link_shows_at_the_next(tmp_path: Path) -> None:
    """Who makes a link anew has to make all that follow: then the end is another than the report has."""
    chain = Chain()
    forged = [chain.linked(line) for line in (*LINES[:5], LINES[5].replace(b'"t":5', b'"t":6'))]
    assert broken(tmp_path, [*forged, *WHOLE[6:]]) == ("line 7 was changed",)


@given(data=st.data())
def test_every_change_of_an_octet_is_seen(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = b"".join(line + b"\n" for line in WHOLE)
    place = data.draw(st.integers(0, len(text) - 2))
    other = data.draw(st.integers(32, 126).filter(lambda octet: octet != text[place]))
    path = tmp_path_factory.mktemp("octet") / "run.jsonl"
    path.write_bytes(text[:place] + bytes([other]) + text[place + 1 :])
    reading = Reading(path)
    try:
        list(reading)
    except TranscriptError:
        return
    assert reading.record.broken or not reading.record.digest


@pytest.mark.parametrize("cut", range(1, sum(map(len, WHOLE)) + len(WHOLE), 37))
def test_a_file_that_was_cut_gives_what_it_has(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in WHOLE)[:cut])
    reading = Reading(path)
    if cut < len(WHOLE[0]) + 1:
        with pytest.raises(TranscriptError, match="ends within its header"):
            list(reading)
        return
    found = list(reading)
    assert found == EVENTS[: len(found)]
    assert not reading.record.broken
    assert "the transcript ends" in reading.record.cut


def test_a_transcript_without_a_chain_has_its_lines_counted(tmp_path: Path) -> None:
    footer = msgspec.json.encode(Footer(complete=True, events=len(LINES), calls=1, t=100))
    assert broken(tmp_path, [*LINES[:-1], footer]) == ()
    counted = (f"its last line counts {len(LINES)} lines, and it has {len(LINES) - 1}",)
    assert broken(tmp_path, [*LINES[:1], *LINES[2:-1], footer]) == counted


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

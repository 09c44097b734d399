"""Frames: what is JSON, what is none, what is nested too deep, and which call a frame that cannot be read answers."""

import json

import pytest

from conformance.drive.frames import CUT, HALF, encoded, frame, id_of
from conformance.model.depth import DEEPEST
from conformance.model.texts import decoded


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@pytest.mark.parametrize("levels", [1, DEEPEST, DEEPEST + 1, 980, 5_000, 500_000])
def test_depth_is_bounded(levels: int) -> None:
    found = frame(nested(levels))
    if levels <= DEEPEST:
        assert (found.payload, found.fault) == (json.loads(nested(levels)), None)
    else:
        assert found.fault == f"nested too deep: more than {DEEPEST} levels"
        assert found.size == 2 * levels
        text = nested(levels).decode()
        assert decoded(text) is text


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"text": "cut', CUT),
        (b'{"text": "cut"', CUT),
        (b'{"text": "\\ud8', CUT),
        (b'{"text": "\\ud83d"}', HALF),
        (b'{"text": "\\ud83dy"}', HALF),
    ],
)
def test_what_is_cut_is_no_half_of_a_pair(data: bytes, fault: str) -> None:
    assert frame(data).fault == fault


def test_many_brackets_are_no_depth() -> None:
    wide = b"[" + b",".join([b"[]"] * 10_000) + b"]"
    assert frame(wide).fault is None
    assert frame(b'"' + b"[" * 10_000 + b'"').payload == "[" * 10_000


@pytest.mark.parametrize(
    ("data", "number"),
    [
        (b'{"jsonrpc": "2.0", "id": 7, "result": ', 7),
        (b'{"id":7,"jsonrpc":"2.0","result": NaN}', 7),
        (b'{"jsonrpc": "2.0", "result": NaN, "id": 7}', 7),
        (b'{"result": NaN, "id": 7, "jsonrpc": "2.0"}', 7),
        (b'{"jsonrpc": "2.0", "result": {"id": 7, "x": NaN}}', None),
        (b'{"jsonrpc": "2.0", "id": "7", "result": NaN}', None),
        (b'[{"id": 7}, NaN]', None),
        (b"loading model 7", None),
    ],
)
def test_whom_an_unreadable_frame_answers(data: bytes, number: int | None) -> None:
    assert id_of(data) == number


def test_what_utf_8_cannot_hold_is_sent_as_its_escape() -> None:
    assert json.loads(encoded({"cursor": "\ud800"})) == {"cursor": "\ud800"}
    assert encoded({"a": "é"}) == '{"a":"é"}'.encode()

"""Whole numbers that are written with a fraction of nothing are whole numbers."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.drive.frames import frame
from conformance.model.events import Json
from conformance.model.numbers import decode, whole
from conformance.model.texts import decoded


def nested(levels: int) -> Json:
    value: Json = 1.0
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0", "1"),
        ("[1e2, -0.0, 2.50]", "[100, 0, 2.5]"),
        ('{"revision": 3.0}', "{'revision': 3}"),
        # beyond what a fraction tells exactly it stays one
        ("1e16", "1e+16"),
        ("10000000000000001", "10000000000000001"),
    ],
)
def test_a_whole_number_is_read_as_one_wherever_it_is_read(text: str, value: str) -> None:
    read = decode(text), decoded(text), frame(text.encode()).payload
    assert [repr(each) for each in read] == [value] * 3


@given(st.recursive(st.none() | st.booleans() | st.integers(0, 9) | st.floats(0, 9) | st.text("1.0e"), st.lists))
def test_a_value_that_was_no_text_is_read_as_its_text_is(value: Json) -> None:
    assert repr(whole(value)) == repr(decode(msgspec.json.encode(value)))


def test_what_is_nested_deeper_than_is_read_stays_as_it_is() -> None:
    value = nested(20_000)
    assert whole(value) is value
    assert repr(whole(nested(3))) == "[[[1]]]"


def test_a_number_that_is_out_of_range_makes_no_json() -> None:
    assert frame(b'{"n": 1e400}').fault == "Number out of range"

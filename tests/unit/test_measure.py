"""How large a value is, counted without walking further than asked."""

import time

import pytest

from conformance.model.depth import DEEPEST
from conformance.model.events import Json
from conformance.model.measure import Measure, brief, measured, quoted
from conformance.model.texts import decoded


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (None, Measure(1, 1, 0, 0, 0)),
        ("four", Measure(1, 1, 4, 4, 0)),
        ([], Measure(1, 1, 0, 0, 0)),
        ({"ab": [1, "xyz"]}, Measure(5, 3, 5, 3, 0)),
        ([2**63, -(2**63), 2**63 - 1, 1.5, float("inf"), float("nan"), True], Measure(8, 2, 0, 0, 3)),
    ],
)
def test_values_are_counted(value: Json, size: Measure) -> None:
    assert measured(value) == size


def test_counting_ends_at_the_limit() -> None:
    began = time.monotonic()
    assert measured([[0] * 10_000] * 10_000, 500).values == 501
    assert time.monotonic() - began < 1


def test_depth_is_no_danger() -> None:
    deep: Json = 1
    for _ in range(50_000):
        deep = [deep]
    assert measured(deep).depth == 50_001
    assert brief(deep) == "[[[[[...]]]]]"


def test_values_are_told_in_short() -> None:
    assert brief("x" * 200) == "x" * 80
    assert brief(None) == "None"
    assert quoted("abc") == "'abc'"
    assert len(quoted(list(range(100_000)))) <= 80


def test_a_text_is_no_json_where_nobody_could_walk_through_it() -> None:
    assert isinstance(decoded("[" * 450 + "]" * 450), list)
    for levels in (DEEPEST + 1, 900, 100_000):
        text = "[" * levels + "]" * levels
        assert decoded(text) == text
    assert decoded("[" + "[]," * 1_000 + "[]]") == [[]] * 1_001

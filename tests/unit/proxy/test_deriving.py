"""Each promise has breakages of its own."""

from typing import get_args

from conformance.contract import promises as p
from conformance.prove.proxy.deriving import _KINDS, breakages
from tests.unit.proxy.notes import CONTRACT


def test_each_promise_can_be_broken() -> None:
    """Of every kind of promise in the example there are breakages, each with words of its own."""
    for name, promise in CONTRACT.promises.items():
        found = breakages(CONTRACT, promise)
        assert found, name
        assert len({each.what for each in found}) == len(found), name


def test_no_kind_of_promise_is_without() -> None:
    assert set(get_args(p.Promise)) == set(_KINDS)


def test_a_promise_that_nobody_can_break_between_has_none() -> None:
    assert breakages(CONTRACT, p.Guarded(entity="note", tool="get_note", expected="@/x")) == []

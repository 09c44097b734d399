"""A place that is written and shown behaves as a register, also where calls overlap."""

import pytest

from conformance.contract.catalogue import load
from conformance.judge.registers import Assignment, Showing, kept
from conformance.model.events import Event, Json
from conformance.model.history import History

from .events import answered, asked, header, opening, refusal, worker


class Story:
    """Writes to one place and reads of it, each from its sending to its answer."""

    def __init__(self) -> None:
        self.events: list[Event] = [header(), *opening(), worker()]
        self.calls: list[tuple[str, Json, bool]] = []

    def call(
        self, kind: str, value: Json, sent: int, received: int | None, *, ok: bool = True, sure: bool = True
    ) -> None:
        self.calls.append((kind, value, sure))
        number = len(self.calls)
        self.events += asked(number, kind, {}, sent)
        if received is not None:
            self.events.append(answered(number, {} if ok else refusal("X"), received))

    def judged(self) -> list[bool]:
        ordered = sorted(self.events, key=lambda event: getattr(event, "t", 0))
        history = History.of(ordered, load("threads").envelope)
        assignments, showings = [], []
        for number, (kind, value, sure) in enumerate(self.calls, 1):
            call = history.find(number)
            assert call is not None
            if kind == "write":
                assignments.append(Assignment("place", value, call, doubtful=not sure))
            else:
                showings.append(Showing("place", value, call, "/value", "value"))
        return [each.ok for each in kept(assignments, showings)]


@pytest.mark.parametrize(("shown", "held"), [("new", True), ("old", False), (None, False)])
def test_a_read_shows_the_last_write_before_it(shown: Json, held: bool) -> None:
    story = Story()
    story.call("write", "old", 10, 20)
    story.call("write", "new", 30, 40)
    story.call("read", shown, 50, 60)
    assert story.judged() == [held]


@pytest.mark.parametrize(("shown", "held"), [("one", True), ("two", True), ("none", False)])
def test_of_overlapping_writes_any_may_be_shown(shown: str, held: bool) -> None:
    story = Story()
    story.call("write", "one", 10, 30)
    story.call("write", "two", 20, 40)
    story.call("read", shown, 50, 60)
    assert story.judged() == [held]


@pytest.mark.parametrize("shown", ["old", "new"])
def test_a_read_that_overlaps_a_write_shows_either(shown: str) -> None:
    story = Story()
    story.call("write", "old", 10, 20)
    story.call("write", "new", 30, 60)
    story.call("read", shown, 40, 50)
    assert story.judged() == [True]


@pytest.mark.parametrize("shown", ["old", "new"])
def test_a_write_without_an_answer_may_have_happened(shown: str) -> None:
    story = Story()
    story.call("write", "old", 10, 20)
    story.call("write", "new", 30, None)
    story.call("read", shown, 50, 60)
    assert story.judged() == [True]


def test_what_was_never_surely_written_is_no_subject() -> None:
    story = Story()
    story.call("read", "x", 5, 8)
    story.call("write", "y", 10, None)
    story.call("read", "z", 20, 30)
    assert story.judged() == []


def test_what_a_write_wrote_in_doubt_is_no_subject_until_it_is_written_again() -> None:
    story = Story()
    story.call("write", None, 10, 20, sure=False)
    story.call("read", "x", 30, 40)
    story.call("write", "y", 50, 60)
    story.call("read", "x", 70, 80)
    assert story.judged() == [False]


def test_values_are_compared_as_json() -> None:
    story = Story()
    story.call("write", {"a": 1, "b": [True]}, 10, 20)
    story.call("read", {"b": [True], "a": 1}, 30, 40)
    story.call("read", {"b": [1], "a": 1}, 50, 60)
    story.call("read", {"b": [True], "a": 1.0}, 70, 80)
    assert story.judged() == [True, False], "1 beside 1.0 is in doubt"

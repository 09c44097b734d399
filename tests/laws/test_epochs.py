"""Times between writes: which calls met the same state, and which nobody can tell of."""

from conformance.contract.catalogue import load
from conformance.judge.epochs import Epochs
from conformance.model.history import History
from tests.laws.histories import Story

W = {"workspace": "w"}


def numbered(story: Story, *, refused: bool = False) -> list[tuple[int | None, int | None]]:
    """For each call the epoch that it met, and the one of which it tells."""
    contract = load("tasks")
    history = History.of(story.events, contract.envelope)
    epochs = Epochs(history, contract, refused=refused)
    return [(epochs.met(call), epochs.shown(call)) for call in history.calls()]


def told() -> Story:
    """A read, a write, a read, a write that is refused, a read."""
    story = Story("tasks")
    story.accepted("tasks_focus_get", W, {})
    story.accepted("tasks_focus_clear", W, {})
    story.accepted("tasks_focus_get", W, {})
    story.refused("tasks_focus_clear", W, "REVISION_MISMATCH")
    story.accepted("tasks_focus_get", W, {})
    return story


def test_a_write_begins_an_epoch() -> None:
    assert numbered(told()) == [(0, 0), (0, 1), (1, 1), (1, 1), (1, 1)]


def test_a_refusal_may_count_as_well() -> None:
    assert numbered(told(), refused=True) == [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]


def test_writes_elsewhere_do_not_count() -> None:
    story = Story("tasks")
    story.accepted("tasks_focus_clear", {"workspace": "v"}, {})
    story.accepted("tasks_focus_get", W, {})
    assert numbered(story)[1] == (0, 0)


def test_what_overlaps_a_write_is_not_known() -> None:
    story = Story("tasks").together()
    story.accepted("tasks_focus_clear", W, {})
    story.accepted("tasks_focus_get", W, {})
    story.settle()
    story.accepted("tasks_focus_get", W, {})
    assert numbered(story) == [(0, 1), (None, None), (1, 1)]


def test_nothing_is_known_after_a_lost_write() -> None:
    story = Story("tasks")
    story.lost("tasks_focus_clear", W)
    story.accepted("tasks_focus_get", W, {})
    assert numbered(story)[1] == (None, None)

"""The shared law on equal reads: which calls it judges, and by which two reads."""

from collections.abc import Callable

import pytest

from conformance.contract.catalogue import load
from conformance.judge.refused import surely_refused
from conformance.judge.unchanged import steady, unchanged
from conformance.model.history import History
from conformance.model.verdict import Judgement
from tests.laws.histories import Story

THREAD = {"thread_id": "th_1"}
SHOWN = {"thread_id": "th_1", "title": "t", "status": "active", "updated_at": "2026-11-21T12:00:00Z"}
CHANGED = {**SHOWN, "updated_at": "2026-11-21T12:00:01Z"}


def judged(story: Story) -> list[Judgement]:
    """What the law says of the calls that were refused as malformed."""
    contract = load("threads")
    history = History.of(story.events, contract.envelope)
    return list(unchanged(history, contract, [call for call in history.calls() if call.code == "VALIDATION_ERROR"]))


def told(*between: Callable[[Story], object], after: dict[str, str] = CHANGED, **how: object) -> Story:
    """A read, a refused post with something else around it, the read again."""
    story = Story()
    story.accepted("get_thread", THREAD, SHOWN)
    for other in between:
        other(story)
    story.refused("post_message", {**THREAD, "kind": "shout"}, "VALIDATION_ERROR")
    story.accepted("get_thread", THREAD, after, **how)
    return story


def test_a_refusal_that_changes_nothing() -> None:
    assert [judgement.ok for judgement in judged(told(after=SHOWN))] == [True]


def test_a_refusal_that_changes_what_is_read() -> None:
    (judgement,) = judged(told())
    assert not judgement.ok
    assert judgement.pointer == "/updated_at"
    assert judgement.calls == (1, 2, 3)


@pytest.mark.parametrize(
    "other",
    [
        lambda story: story.accepted("post_message", THREAD, {"message_id": "m"}),
        lambda story: story.lost("post_message", THREAD),
        lambda story: story.refused("post_message", THREAD, "INTERNAL"),
        lambda story: story.call("post_message", {}, {"message_id": "m"}),
        lambda story: story.accepted("heartbeat_session", {}, {"ok": True}, conditions={"clock": 9}),
    ],
    ids=["a write", "a lost write", "a fault", "a write somewhere", "a moved clock"],
)
def test_what_else_may_have_changed_it(other: Callable[[Story], object]) -> None:
    assert judged(told(other)) == []


@pytest.mark.parametrize(
    "other",
    [
        lambda story: story.accepted("post_message", {"thread_id": "th_2"}, {"message_id": "m"}),
        lambda story: story.accepted("create_thread", {}, {"thread_id": "th_2"}),
        lambda story: story.accepted("heartbeat_session", {}, {"ok": True}),
    ],
    ids=["another thread", "a new thread", "a session"],
)
def test_what_cannot_have_changed_it(other: Callable[[Story], object]) -> None:
    assert [judgement.ok for judgement in judged(told(other))] == [False]


def test_a_write_that_began_before_the_first_read_and_ended_within() -> None:
    story = Story()
    story.together()
    story.accepted("post_message", THREAD, {"message_id": "m"})
    early, story._late = story._late or [], None
    story.accepted("get_thread", THREAD, SHOWN)
    story.events += [
        type(event)(**{**{n: getattr(event, n) for n in event.__struct_fields__}, "t": story.now()}) for event in early
    ]
    story.refused("post_message", THREAD, "VALIDATION_ERROR")
    story.accepted("get_thread", THREAD, CHANGED)
    assert judged(story) == []


def test_reads_by_others_under_other_conditions_or_refused_are_no_like() -> None:
    assert judged(told(conditions={"x": 1})) == []
    story = Story()
    story.credential("a")
    story.accepted("get_thread", THREAD, SHOWN, by="a")
    story.refused("post_message", THREAD, "VALIDATION_ERROR")
    story.accepted("get_thread", THREAD, CHANGED)
    story.refused("get_thread", THREAD, "FORBIDDEN", by="a")
    assert judged(story) == []


def test_a_summary_may_be_worded_anew() -> None:
    story = Story()
    story.accepted("summarize_thread", THREAD, {"summary": "one", "open_items": []})
    story.refused("post_message", THREAD, "VALIDATION_ERROR")
    story.accepted("summarize_thread", THREAD, {"summary": "two", "open_items": []})
    assert [judgement.ok for judgement in judged(story)] == [True]


def read_twice(*between: Callable[[Story], object], after: dict[str, str] = CHANGED) -> list[bool]:
    """What the law on reads in a row says of two reads with something between."""
    story = Story()
    story.accepted("get_thread", THREAD, SHOWN)
    for other in between:
        other(story)
    story.accepted("get_thread", THREAD, after)
    contract = load("threads")
    history = History.of(story.events, contract.envelope)
    return [judgement.ok for judgement in steady(history, contract) if judgement.ok or judgement.calls[0] == 1]


def another_read(story: Story) -> None:
    story.accepted("read_messages", THREAD, {"messages": []})


@pytest.mark.parametrize("between", [(), (another_read,)])
def test_reads_in_a_row(between: tuple[Callable[[Story], object], ...]) -> None:
    assert read_twice(*between, after=SHOWN) == [True]
    assert read_twice(*between) == [False]


@pytest.mark.parametrize(
    "between",
    [
        lambda story: story.accepted("post_message", THREAD, {"message_id": "m"}),
        lambda story: story.refused("post_message", THREAD, "VALIDATION_ERROR"),
        lambda story: story.accepted("read_messages", THREAD, {}, conditions={"clock": 9}),
    ],
    ids=["a write", "a write that was refused", "a moved clock"],
)
def test_reads_that_are_not_in_a_row(between: Callable[[Story], object]) -> None:
    assert read_twice(between) == []


def test_a_code_that_leaves_it_open_whether_something_was_done() -> None:
    contract = load("tuitbot")
    story = Story("tuitbot")
    for code in ("x_rate_limited", "thread_partial_failure"):
        story.refused("x_post_thread", {}, code)
    history = History.of(story.events, contract.envelope)
    assert [surely_refused(call, contract) for call in history.calls()] == [True, False]

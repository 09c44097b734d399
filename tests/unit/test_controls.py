"""A control is an accepted call, the like of a refused one but for the one fault."""

from collections.abc import Iterable

import pytest

from conformance.contract.catalogue import load
from conformance.judge.controls import ARGUMENTS, ButFor, Controls, but_for, refusals
from conformance.model.events import Event, Json, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History

from .events import asked, called, header, opening, refusal, worker

RULE = load("threads").envelope
OK: dict[str, Json] = {"ok": True}
NO = refusal("NOT_FOUND")


def history(*calls: Iterable[Event]) -> History:
    events: list[Event] = [header(), *opening(), worker(), worker("x"), worker("bad", defect="expired")]
    for each in calls:
        events += each
    return History.of(events, RULE)


def get(call: int, thread: str, answer: Json, t: int, **more: object) -> list[Event]:
    return called(call, "get_thread", {"thread_id": thread}, answer, t, **more)


def on_trial(run: History, number: int) -> Exchange:
    found = run.find(number)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("like", "found"),
    [
        (get(1, "there", OK, 10), True),
        (get(1, "there", NO, 10), False),
        (get(1, "there", OK, 10, credential="x"), False),
        (get(1, "there", OK, 10, conditions={"clock": 5}), False),
        (called(1, "read_messages", {"thread_id": "there"}, OK, 10), False),
        (called(1, "get_thread", {"thread_id": "there", "more": 1}, OK, 10), False),
    ],
)
def test_a_control_differs_in_nothing_but_the_fault(like: list[Event], found: bool) -> None:
    run = history(like, get(2, "nowhere", NO, 20))
    assert (Controls(run).beside(on_trial(run, 2), but_for("thread_id")) is not None) is found


def test_the_like_may_come_later() -> None:
    run = history(get(1, "nowhere", NO, 10), get(2, "there", OK, 20))
    assert Controls(run).beside(on_trial(run, 1), but_for("thread_id")) is on_trial(run, 2)


def test_a_token_may_differ_where_that_is_the_fault_and_the_caller_may_not() -> None:
    other = Message(connection="c1", direction="in", t=0)
    assert other.call is None
    good = worker("w")
    bad = worker("w", defect="expired")
    run = History.of(
        [
            header(), *opening(), good,
            *get(1, "t", OK, 10, credential="w"),
            type(bad)(name="w/expired", role="worker", claims=bad.claims, defect="expired"),
            *get(2, "t", NO, 20, credential="w/expired"),
            worker("x", defect="expired"),
            *get(3, "t", NO, 30, credential="x"),
        ],
        RULE,
    )  # fmt: skip
    controls = Controls(run)
    assert controls.beside(on_trial(run, 2), but_for(token=True)) is on_trial(run, 1)
    assert controls.beside(on_trial(run, 3), but_for(token=True)) is None
    assert controls.beside(on_trial(run, 3), but_for(caller=True)) is on_trial(run, 1)


def test_a_good_call_that_is_refused_nearer_by_is_no_control() -> None:
    """The server has stopped serving: what it refuses from then on shows nothing."""
    run = history(get(1, "a", OK, 10), get(2, "b", NO, 20), get(3, "nowhere", NO, 30), get(4, "nowhere", NO, 5))
    good = Controls(run, lambda call: call.argument("thread_id") in ("a", "b"))
    assert good.beside(on_trial(run, 3), but_for("thread_id")) is None
    assert good.beside(on_trial(run, 4), but_for("thread_id")) is on_trial(run, 1)


def test_what_is_compared_can_lie_deeper() -> None:
    def shape(call: Exchange) -> Json:
        return [op.get("kind") for op in call.argument("ops")]

    run = history(
        called(1, "apply", {"ops": [{"kind": "node", "id": "good"}]}, OK, 10),
        called(2, "apply", {"ops": [{"kind": "node", "id": "b|d"}]}, NO, 20),
        called(3, "apply", {"ops": [{"kind": "edge", "id": "b|d"}]}, NO, 30),
    )
    differing = but_for(shape=shape)
    assert Controls(run).beside(on_trial(run, 2), differing) is on_trial(run, 1)
    assert Controls(run).beside(on_trial(run, 3), differing) is None


def test_arguments_that_are_no_object_have_any_call_of_the_tool_as_control() -> None:
    run = history(get(1, "t", OK, 10), called(2, "get_thread", ["t"], NO, 20))
    assert Controls(run).beside(on_trial(run, 2), ARGUMENTS) is on_trial(run, 1)


def judged(run: History, number: int, differing: ButFor) -> list[bool]:
    calls = [on_trial(run, number)]
    return [each.ok for each in refusals(Controls(run), calls, differing, lambda _: "on nothing")]


def test_refusals_are_judged_beside_a_control_only() -> None:
    differing = but_for("thread_id")
    assert judged(history(get(2, "nowhere", NO, 20)), 2, differing) == []
    assert judged(history(get(1, "t", OK, 10), get(2, "nowhere", NO, 20)), 2, differing) == [True]
    assert judged(history(get(2, "nowhere", OK, 20)), 2, differing) == [False]


@pytest.mark.parametrize(
    "answer",
    [
        {"jsonrpc": "2.0", "id": 2, "error": {"code": -32603, "message": "oops"}},
        None,
    ],
)
def test_an_internal_error_and_a_silence_are_no_refusal(answer: Json) -> None:
    failing = asked(2, "get_thread", {"thread_id": "nowhere"}, 20)
    if answer is not None:
        failing.append(Message(connection="c1", direction="in", call=2, payload=answer, t=25))
    assert judged(history(get(1, "t", OK, 10), failing), 2, but_for("thread_id")) == []

"""TH-TRIG-05: how long a trigger waits."""

import pytest

from conformance.model.events import Condition
from tests.laws.threads.desk import TARGET, THREAD, Desk, noon


def waiting() -> Desk:
    """Deferred at noon, with an instant in order: a subject of its own. The last key falls 10 s later."""
    desk = Desk("i1")
    desk.beat()
    busy = {"human_input": [TARGET]}
    desk.trigger(result="deferred", conditions=busy, defer_reason="typing", deferred_until=noon(60))
    desk.later(10, TARGET)
    return desk


@pytest.mark.parametrize(
    ("after", "verdict"), [(15, "fail"), (28, "fail"), (30, "pass"), (33, "pass"), (35, "pass"), (39, "fail")]
)
def test_delivered_after_quiet(after: int, verdict: str) -> None:
    desk = waiting()
    desk.wake(desk.later(45), "trigger_runtime", after)
    assert (desk.judged("TH-TRIG-05").verdict, desk.judged("TH-TRIG-05").subjects) == (verdict, 2)


def test_never_delivered() -> None:
    desk = waiting()
    desk.wake(desk.later(45), "trigger_runtime", 30, prompt="Another prompt.")
    assert desk.judged("TH-TRIG-05").verdict == "fail"


def test_a_target_that_reports_no_deliveries() -> None:
    desk = waiting()
    desk.later(45)
    assert desk.judged("TH-TRIG-05").subjects == 1


def test_a_session_that_ends_is_not_waited_for() -> None:
    desk = waiting()
    desk.beat(status="offline")
    desk.wake(desk.later(45), "resume_session", 15)
    assert desk.judged("TH-TRIG-05").verdict == "pass"


@pytest.mark.parametrize(("after", "verdict"), [(60, "pass"), (65, "fail")])
def test_never_beyond_a_minute(after: int, verdict: str) -> None:
    desk = waiting()
    for clock in range(20, 61, 10):
        desk.later(clock, TARGET)
    desk.wake(desk.later(70), "resume_session", after)
    assert desk.judged("TH-TRIG-05").verdict == verdict


@pytest.mark.parametrize(("clock", "result", "verdict"), [
    (20, "deferred", "pass"), (20, "triggered", "fail"), (45, "triggered", "pass"), (45, "deferred", "fail"),
    (32, "triggered", "pass"), (32, "deferred", "pass"),
])  # fmt: skip
def test_asking_for_the_same_again(clock: int, result: str, verdict: str) -> None:
    """The last key fell after 10 s. Between quiet and the next look either answer is right."""
    desk = waiting()
    desk.beat()
    desk.trigger(result=result, conditions={"clock": clock})
    assert desk.judged("TH-TRIG-05").verdict == verdict


@pytest.mark.parametrize(("clock", "result", "at", "verdict"), [
    (50, "deferred", 0, "pass"), (80, "deferred", 0, "fail"), (80, "deferred", 80, "pass"), (80, "resumed", 0, "pass"),
])  # fmt: skip
def test_asking_for_the_same_of_a_person_who_types_on(clock: int, result: str, at: int, verdict: str) -> None:
    """After a minute the trigger waits no more, and its fallback may be the answer; another may wait anew."""
    desk = waiting()
    for second in range(20, clock, 10):
        desk.later(second, TARGET)
    desk.beat()
    more = {"defer_reason": "typing", "deferred_until": noon(at + 60)} if result == "deferred" else {}
    busy = {"clock": clock, "human_input": [TARGET]}
    desk.trigger(result=result, conditions=busy, triggered_at=noon(at), **more)
    assert desk.judged("TH-TRIG-05").verdict == verdict
    assert desk.judged("TH-TRIG-04").verdict == "pass"


@pytest.mark.parametrize(("result", "verdict"), [("triggered", "pass"), ("deferred", "fail")])
def test_asking_for_the_same_after_a_minute_when_it_is_quiet(result: str, verdict: str) -> None:
    """Whether it is the trigger that waits, or another, there is nobody to wait for."""
    desk = waiting()
    desk.later(90)
    desk.beat()
    more = {"defer_reason": "typing", "deferred_until": noon(160)} if result == "deferred" else {}
    desk.trigger(result=result, conditions={"clock": 100}, triggered_at=noon(100), **more)
    assert desk.judged("TH-TRIG-05").verdict == verdict


@pytest.mark.parametrize(("clock", "verdict"), [(50, "fail"), (80, "pass")])
def test_a_busy_target_is_resumed_only_after_a_minute(clock: int, verdict: str) -> None:
    desk = waiting()
    desk.beat()
    desk.trigger("resume_session", "resumed", conditions={"clock": clock, "human_input": [TARGET]})
    assert desk.judged("TH-TRIG-04").verdict == verdict


def test_nothing_is_delivered_within_a_minute_of_typing() -> None:
    desk = waiting()
    for clock in range(20, 81, 10):
        desk.later(clock, TARGET)
    desk.wake(desk.later(90), "trigger_runtime", 85, prompt="Another prompt.")
    assert desk.judged("TH-TRIG-05").verdict == "fail"


def test_delivered_before_it_was_asked_for() -> None:
    desk = waiting()
    desk.wake(desk.later(45), "trigger_runtime", 0)
    assert desk.judged("TH-TRIG-05").verdict == "fail"


@pytest.mark.parametrize(("after", "verdict"), [(0, "fail"), (5, "pass"), (10, "fail")])
def test_deferred_after_the_last_key(after: int, verdict: str) -> None:
    """It fell 18 s before the trigger: 2 s are wanting, and the first look comes after 5 s."""
    desk = Desk("i1")
    desk.beat()
    desk.later(0, TARGET)
    desk.trigger(
        result="deferred",
        conditions={"clock": 18},
        triggered_at=noon(18),
        defer_reason="of late",
        deferred_until=noon(78),
    )
    desk.wake(desk.later(45), "trigger_runtime", 18 + after)
    assert (desk.judged("TH-TRIG-05").verdict, desk.judged("TH-TRIG-05").subjects) == (verdict, 2)


def by_command(*, off_after: int) -> Desk:
    """A command brings about that a person types; the trigger waits; the command ends it so many seconds later."""
    desk = Desk("i1")
    desk.beat()
    held = {"name": "human_input", "value": [TARGET], "instance": "i1"}
    desk.trigger()
    desk.events.append(Condition(**held, state="on", t=desk.now()))
    desk.trigger(result="deferred", defer_reason="typing", deferred_until=noon(60), ask={"trigger_prompt": "Later."})
    desk.t += off_after * 1_000_000
    desk.events.append(Condition(**held, state="off", t=desk.now()))
    return desk


def test_before_a_command_nobody_typed() -> None:
    desk = by_command(off_after=1)
    assert (desk.judged("TH-TRIG-02").verdict, desk.judged("TH-TRIG-04").verdict) == ("pass", "pass")


@pytest.mark.parametrize(("quiet", "subjects"), [(5, 1), (30, 2)])
def test_some_time_after_a_command_it_is_quiet(quiet: int, subjects: int) -> None:
    desk = by_command(off_after=1)
    desk.t += quiet * 1_000_000
    desk.trigger(ask={"trigger_prompt": "Now."})
    assert desk.judged("TH-TRIG-02").subjects == subjects


def test_a_server_that_began_with_a_person_who_types() -> None:
    desk = Desk("i1", human_input=[TARGET])
    desk.beat()
    desk.trigger()
    assert (desk.judged("TH-TRIG-04").verdict, desk.judged("TH-TRIG-02").subjects) == ("fail", 0)


@pytest.mark.parametrize(("until", "verdict"), [(5, "pass"), (60, "pass"), (120, "fail"), (-60, "fail")])
def test_the_instant_that_is_named(until: int, verdict: str) -> None:
    desk = Desk()
    desk.beat()
    busy = {"human_input": [TARGET]}
    desk.trigger(result="deferred", conditions=busy, defer_reason="typing", deferred_until=noon(until))
    assert (desk.judged("TH-TRIG-05").verdict, desk.judged("TH-TRIG-05").subjects) == (verdict, 1)


TH = {"thread_id": THREAD}


def left(clocks: tuple[int, ...] = (10, 40), **conditions: list[str]) -> tuple[Desk, int]:
    """Deferred at noon; then nobody types, and these conditions hold."""
    desk = Desk("i1")
    desk.beat()
    desk.trigger(result="deferred", conditions={"human_input": [TARGET]}, defer_reason="typing")
    for clock in clocks:
        held = {"clock": clock, **conditions}
        call = desk.accepted("get_thread", TH, {"status": "active"}, by="olga", instance="i1", conditions=held)
    return desk, call


@pytest.mark.parametrize(("means", "after", "verdict", "subjects"), [
    ("resume_session", 15, "pass", 1), ("trigger_runtime", 20, "fail", 1), ("spawn_session", 15, "fail", 1),
    ("trigger_runtime", 5, "not_observed", 0),
])  # fmt: skip
def test_a_runtime_that_goes_away_meanwhile(means: str, after: int, verdict: str, subjects: int) -> None:
    desk, last = left(runtime_down=[TARGET])
    desk.wake(last, means, after)
    outcome = desk.judged("TH-TRIG-12")
    assert (outcome.verdict, outcome.subjects) == (verdict, subjects)


def test_a_runtime_within_reach_is_typed_into() -> None:
    desk, last = left()
    desk.wake(last, "trigger_runtime", 20)
    assert not desk.judged("TH-TRIG-12").subjects


def test_a_session_that_may_not_be_resumed_any_more() -> None:
    for desk, last in (
        left(runtime_down=[TARGET], resume_unavailable=[TARGET]),
        left((10, 90), runtime_down=[TARGET]),
    ):
        desk.wake(last, "spawn_session", 60)
        assert not desk.judged("TH-TRIG-12").subjects


@pytest.mark.parametrize(("after", "verdict"), [(20, "fail"), (12, "not_observed")])
def test_a_runtime_that_goes_away_after_some_looks(after: int, verdict: str) -> None:
    desk, _ = left((10,))
    for clock in (16, 40):
        held = {"clock": clock, "runtime_down": [TARGET]}
        call = desk.accepted("get_thread", TH, {"status": "active"}, by="olga", instance="i1", conditions=held)
    desk.wake(call, "trigger_runtime", after)
    assert desk.judged("TH-TRIG-12").verdict == verdict

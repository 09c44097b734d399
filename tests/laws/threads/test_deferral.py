"""TH-TRIG-05: how long a trigger waits."""

import pytest

from tests.laws.threads.desk import TARGET, Desk, noon


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


@pytest.mark.parametrize(("until", "verdict"), [(5, "pass"), (60, "pass"), (120, "fail")])
def test_the_instant_that_is_named(until: int, verdict: str) -> None:
    desk = Desk()
    desk.beat()
    busy = {"human_input": [TARGET]}
    desk.trigger(result="deferred", conditions=busy, defer_reason="typing", deferred_until=noon(until))
    assert (desk.judged("TH-TRIG-05").verdict, desk.judged("TH-TRIG-05").subjects) == (verdict, 1)

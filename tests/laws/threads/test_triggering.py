"""TH-TRIG-*, and the codes of a wake that fails."""

from collections.abc import Callable, Mapping

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.threads.desk import TARGET, Desk, noon

BUSY = {"human_input": [TARGET]}
DOWN = {"runtime_down": [TARGET]}
LISTED = [{"name": "trigger_participant", "inputSchema": {"properties": {"thread_id": {}}}}]


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [
        ({}, "pass"),
        ({"triggered_at": 7}, "fail"),
        ({"target_agent_id": "eve"}, "fail"),
        ({"result": ""}, "fail"),
        ({"action": ["trigger_runtime"]}, "fail"),
    ],
)
def test_what_a_trigger_gives(wrong: Mapping[str, Json], verdict: str) -> None:
    desk = Desk()
    given = {"target_agent_id": TARGET, "action": "a", "result": "r", "triggered_at": noon(), **wrong}
    desk.accepted("trigger_participant", desk.asked(), given, by="olga")
    assert (desk.judged("TH-TRIG-01").verdict, desk.judged("TH-TRIG-01").subjects) == (verdict, 1)


def live(desk: Desk) -> None:
    desk.beat(status="idle")
    desk.wake(desk.trigger(result="queued"), "trigger_runtime")


def live_is_resumed(desk: Desk) -> None:
    desk.beat()
    desk.trigger("resume_session", "resumed")


def live_is_resumed_unsaid(desk: Desk) -> None:
    desk.beat()
    desk.wake(desk.trigger(), "resume_session")


def live_is_refused(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("INTERNAL")


def live_waits_for_nobody(desk: Desk) -> None:
    desk.beat()
    desk.trigger(result="deferred")


def unmanaged(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged")
    desk.trigger("resume_session", "resumed")


def unmanaged_is_triggered(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged")
    desk.trigger()


def unmanaged_is_refused(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged")
    desk.turned_down("UNMANAGED_RUNTIME")


def busy(desk: Desk) -> None:
    desk.beat()
    desk.trigger(result="deferred", conditions=BUSY, defer_reason="typing", deferred_until=noon(5))


def busy_is_triggered(desk: Desk) -> None:
    desk.beat()
    desk.trigger(conditions=BUSY)


def busy_without_a_reason(desk: Desk) -> None:
    desk.beat()
    desk.trigger(result="deferred", conditions=BUSY, deferred_until=noon(5))


def busy_is_refused(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("HUMAN_INPUT_COLLISION", conditions=BUSY)


def forced_by_an_agent(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("INSUFFICIENT_AUTHORITY", ask={"force": True, "audit": {"why": "x"}}, conditions=BUSY)


def force_is_unknown_and_it_waits(desk: Desk) -> None:
    desk.beat()
    desk.trigger(result="deferred", by="ann", ask={"force": True}, conditions=BUSY)


def forced_by_the_orchestrator(desk: Desk) -> None:
    desk.beat()
    desk.trigger(ask={"force": True, "audit": {"why": "x"}}, conditions=BUSY)


def forced_without_audit(desk: Desk) -> None:
    desk.beat()
    desk.trigger(by="ann", ask={"force": True, "audit": {}}, conditions=BUSY)


def summarised(desk: Desk, prompt: str, *summaries: str) -> None:
    desk.beat(status="offline", resumable=False)
    asked = {"thread_id": "th_1"}
    desk.accepted("summarize_thread", asked, {"summary": summaries[0]}, by="olga")
    desk.wake(desk.trigger("spawn_session", "spawned"), "spawn_session", prompt=prompt)
    desk.accepted("summarize_thread", asked, {"summary": summaries[-1]}, by="olga")


def spawned_with_summary(desk: Desk) -> None:
    summarised(desk, "Read on.\nSo far: all\n  is well.", "all is well.")


def spawned_with_words_of_its_own(desk: Desk) -> None:
    summarised(desk, "Read on. Some of it was told.", "one telling", "another telling")


def spawned_without_summary(desk: Desk) -> None:
    summarised(desk, "Read on. Good luck.", "all is well.")


def spawned_with_the_prompt_alone(desk: Desk) -> None:
    summarised(desk, "Read on.", "one telling", "another telling")


def beyond_resuming_is_resumed(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged", resumable=False)
    desk.trigger("resume_session", "resumed")


def out_of_reach(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("WAKE_FAILED", ask={"allow_fallback": False}, conditions=DOWN)


def out_of_reach_is_spawned(desk: Desk) -> None:
    desk.beat()
    desk.trigger("spawn_session", "spawned", ask={"allow_fallback": False}, conditions=DOWN)


def out_of_reach_is_woken_all_the_same(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("WAKE_FAILED", ask={"allow_fallback": False}, conditions=DOWN)
    desk.wake(desk.later(30), "spawn_session", 30, "Read on. So far: nothing.")


def out_of_reach_by_another_name(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("INTERNAL", ask={"allow_fallback": False}, conditions=DOWN)


def unmanaged_without_fallback(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged")
    desk.turned_down("UNMANAGED_RUNTIME", ask={"allow_fallback": False})


def unmanaged_falls_back(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged")
    desk.trigger("resume_session", "resumed", ask={"allow_fallback": False})


def unmanaged_by_another_name(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged")
    desk.turned_down("WAKE_FAILED", ask={"allow_fallback": False})


def may_not_wait(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("HUMAN_INPUT_COLLISION", ask={"allow_defer": False}, conditions=BUSY)


def may_not_wait_and_waits(desk: Desk) -> None:
    desk.beat()
    desk.trigger(result="deferred", ask={"allow_defer": False}, conditions=BUSY)


def may_not_wait_and_is_woken_later(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("HUMAN_INPUT_COLLISION", ask={"allow_defer": False}, conditions=BUSY)
    desk.wake(desk.later(30), "trigger_runtime", 25)


def may_not_wait_by_another_name(desk: Desk) -> None:
    desk.beat()
    desk.turned_down("CONFLICT", ask={"allow_defer": False}, conditions=BUSY)


def resumed(desk: Desk) -> None:
    desk.beat()
    call = desk.trigger("trigger_runtime", "queued", conditions=DOWN, fallback_action="resume_session")
    desk.wake(call, "resume_session", session_id="session-bob")


def spawned_before_resumed(desk: Desk) -> None:
    desk.beat()
    desk.trigger("spawn_session", "spawned", conditions=DOWN)


def another_session_is_resumed(desk: Desk) -> None:
    desk.beat()
    desk.wake(desk.trigger("resume_session", "resumed", conditions=DOWN), "resume_session", session_id="session-eve")


def resumed_without_the_prompt(desk: Desk) -> None:
    desk.beat()
    desk.wake(desk.trigger("resume_session", "resumed", conditions=DOWN), "resume_session", prompt="Wake up.")


@pytest.mark.parametrize(
    ("requirement", "story", "verdict"),
    [
        ("TH-TRIG-02", live, "pass"),
        ("TH-TRIG-02", live_is_resumed, "fail"),
        ("TH-TRIG-02", live_is_resumed_unsaid, "fail"),
        ("TH-TRIG-02", live_is_refused, "fail"),
        ("TH-TRIG-02", live_waits_for_nobody, "fail"),
        ("TH-TRIG-03", unmanaged, "pass"),
        ("TH-TRIG-03", unmanaged_is_triggered, "fail"),
        ("TH-TRIG-03", unmanaged_is_refused, "fail"),
        ("TH-TRIG-04", busy, "pass"),
        ("TH-TRIG-04", busy_is_triggered, "fail"),
        ("TH-TRIG-04", busy_without_a_reason, "fail"),
        ("TH-TRIG-04", busy_is_refused, "fail"),
        ("TH-TRIG-06", forced_by_an_agent, "pass"),
        ("TH-TRIG-06", force_is_unknown_and_it_waits, "pass"),
        ("TH-TRIG-06", forced_by_the_orchestrator, "fail"),
        ("TH-TRIG-06", forced_without_audit, "fail"),
        ("TH-TRIG-07", spawned_with_summary, "pass"),
        ("TH-TRIG-07", spawned_with_words_of_its_own, "pass"),
        ("TH-TRIG-07", spawned_without_summary, "fail"),
        ("TH-TRIG-07", spawned_with_the_prompt_alone, "fail"),
        ("TH-TRIG-07", beyond_resuming_is_resumed, "fail"),
        ("TH-TRIG-08", out_of_reach, "pass"),
        ("TH-TRIG-08", out_of_reach_is_spawned, "fail"),
        ("TH-TRIG-08", out_of_reach_is_woken_all_the_same, "fail"),
        ("TH-TRIG-09", unmanaged_without_fallback, "pass"),
        ("TH-TRIG-09", unmanaged_falls_back, "fail"),
        ("TH-TRIG-10", may_not_wait, "pass"),
        ("TH-TRIG-10", may_not_wait_and_waits, "fail"),
        ("TH-TRIG-10", may_not_wait_and_is_woken_later, "fail"),
        ("TH-TRIG-12", resumed, "pass"),
        ("TH-TRIG-12", spawned_before_resumed, "fail"),
        ("TH-TRIG-12", another_session_is_resumed, "fail"),
        ("TH-TRIG-12", resumed_without_the_prompt, "fail"),
        ("TH-ERR-WAKE_FAILED", out_of_reach, "pass"),
        ("TH-ERR-WAKE_FAILED", out_of_reach_by_another_name, "fail"),
        ("TH-ERR-UNMANAGED_RUNTIME", unmanaged_without_fallback, "pass"),
        ("TH-ERR-UNMANAGED_RUNTIME", unmanaged_by_another_name, "fail"),
        ("TH-ERR-HUMAN_INPUT_COLLISION", may_not_wait, "pass"),
        ("TH-ERR-HUMAN_INPUT_COLLISION", may_not_wait_by_another_name, "fail"),
    ],
)
def test_wakes(requirement: str, story: Callable[[Desk], None], verdict: str) -> None:
    desk = Desk()
    story(desk)
    outcome = desk.judged(requirement)
    assert outcome.subjects
    assert outcome.verdict == verdict, outcome.findings


def test_an_option_that_the_server_does_not_list_is_no_order() -> None:
    desk = Desk()
    desk.list(LISTED)
    unmanaged_falls_back(desk)
    may_not_wait_and_waits(desk)
    assert [desk.judged(f"TH-TRIG-{row}").subjects for row in ("03", "09", "10")] == [0, 0, 0]


def test_a_target_whose_heartbeat_is_lost_is_not_known() -> None:
    desk = Desk()
    desk.beat()
    desk.lost("heartbeat_session", {"status": "offline"}, by=TARGET)
    desk.trigger("resume_session", "resumed")
    assert desk.judged("TH-TRIG-02").subjects == 0


def test_a_quota_is_no_failed_wake() -> None:
    desk = Desk()
    desk.beat()
    desk.turned_down("RATE_LIMITED")
    assert desk.judged("TH-TRIG-02").subjects == 0


def test_no_session_is_known_of_an_instance_that_began_empty() -> None:
    here, anywhere = Desk("i1", fallback=False), Desk()
    for desk in (here, anywhere):
        desk.trigger("spawn_session", "spawned")
    assert (here.judged("TH-TRIG-08").verdict, anywhere.judged("TH-TRIG-08").subjects) == ("fail", 0)


def test_the_reference() -> None:
    judged = driven("threads", "triggering")
    rows = [f"TH-TRIG-{number:02}" for number in range(1, 13)]
    codes = ("WAKE_FAILED", "UNMANAGED_RUNTIME", "HUMAN_INPUT_COLLISION")
    for name in (*rows, *(f"TH-ERR-{code}" for code in codes)):
        outcome = judged.outcome(name)
        assert outcome is not None
        assert outcome.subjects, name
        assert outcome.verdict == "pass", (name, outcome.findings)

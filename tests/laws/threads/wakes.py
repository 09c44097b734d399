"""What becomes of triggers, told call by call: as the contract has it, and otherwise."""

from tests.laws.threads.desk import TARGET, Desk, noon

BUSY = {"human_input": [TARGET]}
DOWN = {"runtime_down": [TARGET]}
NO_NEW = {"spawn_unavailable": True}


def live(desk: Desk) -> None:
    desk.beat(status="idle")
    desk.wake(desk.trigger(result="queued"), "trigger_runtime")


def live_is_resumed(desk: Desk) -> None:
    desk.beat()
    desk.trigger("resume_session", "resumed")


def live_is_resumed_unsaid(desk: Desk) -> None:
    desk.beat()
    desk.wake(desk.trigger(), "resume_session")


def live_hears_something_else(desk: Desk) -> None:
    desk.beat()
    desk.wake(desk.trigger(), "trigger_runtime", prompt="Read")


def live_hears_it_on_one_line(desk: Desk) -> None:
    """A terminal takes the end of a line for the end of what is typed."""
    desk.beat()
    desk.wake(desk.trigger(ask={"trigger_prompt": "Read\non."}), "trigger_runtime", prompt="Read on.")


def live_hears_what_can_be_typed(desk: Desk) -> None:
    desk.beat()
    desk.wake(desk.trigger(ask={"trigger_prompt": "Read \x1b[31mon."}), "trigger_runtime", prompt="Read on.")


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


def waits(desk: Desk) -> None:
    """A trigger that is not forced waits for the person."""
    desk.beat()
    desk.trigger(result="deferred", ask={"trigger_prompt": "When it is quiet."}, conditions=BUSY)


def forced_by_an_agent(desk: Desk) -> None:
    waits(desk)
    desk.turned_down("INSUFFICIENT_AUTHORITY", ask={"force": True, "audit": {"why": "x"}}, conditions=BUSY)
    forced_as_it_should_be(desk)


def forced_and_it_waits(desk: Desk) -> None:
    waits(desk)
    desk.trigger(result="deferred", by="ann", ask={"force": True}, conditions=BUSY)
    forced_as_it_should_be(desk)


def forced_as_it_should_be(desk: Desk) -> None:
    desk.trigger(by="ann", ask={"force": True, "audit": {"why": "x"}}, conditions=BUSY)


def forced_by_the_orchestrator(desk: Desk) -> None:
    waits(desk)
    desk.trigger(ask={"force": True, "audit": {"why": "x"}}, conditions=BUSY)


def forced_without_audit(desk: Desk) -> None:
    waits(desk)
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


def out_of_reach_with_an_audit_that_is_none(desk: Desk) -> None:
    desk.beat()
    ask = {"allow_fallback": False, "audit": "none"}
    desk.turned_down("VALIDATION_ERROR", ask=ask, conditions=DOWN)


def out_of_reach_with_a_text_that_may_be_refused(desk: Desk) -> None:
    desk.beat()
    ask = {"allow_fallback": False, "reason": "U+0000 \0 in it"}
    desk.turned_down("VALIDATION_ERROR", ask=ask, conditions=DOWN)


def gone_for_good(desk: Desk) -> None:
    desk.beat(status="offline", resumable=False)
    desk.turned_down("WAKE_FAILED", conditions=NO_NEW)


def gone_for_good_is_spawned(desk: Desk) -> None:
    desk.beat(status="offline", resumable=False)
    desk.trigger("spawn_session", "spawned", conditions=NO_NEW)


def gone_for_good_and_resumable(desk: Desk) -> None:
    """What is right: a session that can be resumed needs no new one."""
    gone_for_good(desk)
    desk.beat(status="offline")
    desk.trigger("resume_session", "resumed", conditions=NO_NEW)


def gone_for_good_is_queued(desk: Desk) -> None:
    """It is tried later; that it fails then, no answer tells."""
    gone_for_good(desk)
    desk.trigger("spawn_session", "queued", ask={"trigger_prompt": "Later."}, conditions=NO_NEW)


def unmanaged_and_gone_for_good(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged", resumable=False)
    desk.turned_down("UNMANAGED_RUNTIME", conditions=NO_NEW)


def unmanaged_and_gone_for_good_is_spawned(desk: Desk) -> None:
    desk.beat(management_mode="unmanaged", resumable=False)
    desk.trigger("spawn_session", "spawned", conditions=NO_NEW)


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


WAKES = [
    ("TH-TRIG-02", live, "pass"),
    ("TH-TRIG-02", live_hears_something_else, "fail"),
    ("TH-TRIG-02", live_hears_it_on_one_line, "pass"),
    ("TH-TRIG-02", live_hears_what_can_be_typed, "pass"),
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
    ("TH-TRIG-06", forced_and_it_waits, "pass"),
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
    ("TH-TRIG-08", gone_for_good, "pass"),
    ("TH-TRIG-08", gone_for_good_is_spawned, "fail"),
    ("TH-TRIG-08", gone_for_good_and_resumable, "pass"),
    ("TH-TRIG-08", gone_for_good_is_queued, "pass"),
    ("TH-TRIG-09", unmanaged_and_gone_for_good, "pass"),
    ("TH-TRIG-09", unmanaged_and_gone_for_good_is_spawned, "fail"),
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
]
REFUSED = [
    ("TH-TRIG-02", live_is_refused),
    ("TH-TRIG-03", unmanaged_is_refused),
    ("TH-TRIG-04", busy_is_refused),
    ("TH-TRIG-08", out_of_reach),
    ("TH-TRIG-09", unmanaged_without_fallback),
    ("TH-TRIG-10", may_not_wait),
    ("TH-ERR-WAKE_FAILED", out_of_reach_by_another_name),
    ("TH-ERR-UNMANAGED_RUNTIME", unmanaged_by_another_name),
    ("TH-ERR-HUMAN_INPUT_COLLISION", may_not_wait_by_another_name),
]

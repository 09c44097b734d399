"""TH-TRIG-*, and the codes of a wake that fails."""

from collections.abc import Callable, Mapping

import msgspec
import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.threads import wakes
from tests.laws.threads.desk import TARGET, Desk, noon
from tests.laws.threads.wakes import BUSY, DOWN, REFUSED, WAKES, may_not_wait_and_waits, unmanaged_falls_back

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
    assert (desk.judged("TH-TRIG-01").verdict, desk.judged("TH-TRIG-01").subjects) == (verdict, 2)


@pytest.mark.parametrize(
    ("requirement", "story", "verdict"),
    WAKES,
)
def test_wakes(requirement: str, story: Callable[[Desk], None], verdict: str) -> None:
    desk = Desk()
    desk.serves()
    story(desk)
    outcome = desk.judged(requirement)
    assert outcome.subjects
    assert outcome.verdict == verdict, outcome.findings


@pytest.mark.parametrize(("requirement", "story"), REFUSED)
def test_where_every_trigger_is_refused_nothing_is_seen(requirement: str, story: Callable[[Desk], None]) -> None:
    desk = Desk()
    story(desk)
    assert desk.judged(requirement).subjects == 0


def test_that_force_is_refused_shows_nothing_where_it_never_interrupts() -> None:
    """A server that does not know the option at all is no server that guards it."""
    desk = Desk()
    desk.serves()
    desk.beat()
    desk.trigger(result="deferred", conditions=BUSY)
    for audit in ({}, {"why": "x"}):
        desk.trigger(result="deferred", by="ann", ask={"force": True, "audit": audit}, conditions=BUSY)
    assert desk.judged("TH-TRIG-06").subjects == 0


def test_force_that_is_never_answered_is_not_known_to_be_refused() -> None:
    desk = Desk()
    wakes.forced_by_an_agent(desk)
    desk.trigger(result="deferred", by="ann", ask={"force": True}, conditions=BUSY)
    assert desk.judged("TH-TRIG-06").verdict == "pass"
    lost = desk.lost("trigger_participant", desk.asked(force=True), "time", by="olga", conditions=BUSY)
    outcome = desk.judged("TH-TRIG-06")
    assert (outcome.verdict, outcome.breaches) == ("not_observed", 0)
    assert f"forced without the operator's role, nor to any call like it (call {lost})" in outcome.reason


def test_force_without_a_trigger_that_waits_shows_nothing() -> None:
    """Where nobody is waited for at all, that force interrupts is no news."""
    desk = Desk()
    desk.beat()
    desk.trigger(ask={"force": True, "audit": {"why": "x"}}, conditions=BUSY)
    assert desk.judged("TH-TRIG-06").subjects == 0


@pytest.mark.parametrize(
    ("statement", "listed", "known"),
    [
        ({}, None, False),
        ({}, ["allow_fallback"], True),
        ({}, ["thread_id"], False),
        ({"choices": {"trigger_options": {"allow_fallback": "allow_fallback"}}}, None, True),
        ({"choices": {"trigger_options": {"allow_fallback": "allow_fallback"}}}, ["thread_id"], False),
        ({"choices": {"trigger_options": {"allow_fallback": "fall_back"}}}, None, False),
        ({"choices": {"trigger_options": {"force": "force"}}}, ["allow_fallback"], False),
        ({"unsupported": {"options": {"allow_fallback": "not yet"}}}, ["allow_fallback"], False),
    ],
)
def test_which_options_a_server_has(statement: Json, listed: list[str] | None, *, known: bool) -> None:
    """Over plain HTTP nothing lists them, and a server ignores fields that it does not know: it is accused of none."""
    desk = Desk(statement=statement)
    if listed is not None:
        schema = {"properties": {name: {"type": "boolean"} for name in listed}}
        desk.list([{"name": "trigger_participant", "inputSchema": schema}])
    unmanaged_falls_back(desk)
    outcome = desk.judged("TH-TRIG-09")
    assert (outcome.verdict, outcome.subjects) == (("fail", 1) if known else ("not_observed", 0))


@pytest.mark.parametrize("requirement", ["TH-TRIG-06", "TH-TRIG-10", "TH-ERR-HUMAN_INPUT_COLLISION"])
def test_what_needs_an_option_does_not_apply_where_there_is_none(requirement: str) -> None:
    desk = Desk(statement={})
    assert desk.judged(requirement).verdict == "not_applicable"


@pytest.mark.parametrize(("fallback", "start", "verdict"), [
    (True, {}, "not_applicable"), (True, {"fallback": {}}, "not_observed"), (None, {}, "not_observed"),
])  # fmt: skip
def test_a_server_that_always_falls_back(fallback: Json, start: Json, verdict: str) -> None:
    desk = Desk(statement={"conditions": {"start": start}})
    desk.events[0] = msgspec.structs.replace(
        desk.events[0], settings={} if fallback is None else {"fallback": fallback}
    )
    assert desk.judged("TH-TRIG-08").verdict == verdict


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


def resumed_by_command(desk: Desk, command: str) -> None:
    desk.beat()
    given = {"fallback_action": "resume_session", "runtime_command": command}
    desk.trigger("fallback_required", "queued", conditions=DOWN, **given)


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("codex exec resume session-bob 'Read on.'", "pass"),
        ("codex exec resume session-bob 'Re...'", "pass"),
        ("codex exec 'Read on. So far: nothing.'", "fail"),
        ("codex exec resume session-eve 'Read on.'", "fail"),
    ],
)
def test_the_command_of_a_resumed_session(command: str, verdict: str) -> None:
    desk = Desk()
    resumed_by_command(desk, command)
    assert desk.judged("TH-TRIG-12").verdict == verdict


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("codex exec 'Read on. all is well.'", "pass"),
        ("codex exec 'Read on.'", "fail"),
        ("codex exec 'Read on...'", "not_observed"),
        ("codex exec resume session-bob 'Read on. all is well.'", "fail"),
        (None, "not_observed"),
    ],
)
def test_the_command_of_a_new_session(command: str | None, verdict: str) -> None:
    """Where nothing is reported the command shows what a new session is told; where it does not, nothing was seen."""
    desk = Desk()
    desk.beat(management_mode="unmanaged", resumable=False)
    asked = {"thread_id": "th_1"}
    desk.accepted("summarize_thread", asked, {"summary": "all is well."}, by="olga")
    more = {} if command is None else {"runtime_command": command}
    desk.trigger("fallback_required", "queued", fallback_action="spawn_session", **more)
    desk.accepted("summarize_thread", asked, {"summary": "all is well."}, by="olga")
    assert desk.judged("TH-TRIG-07").verdict == verdict


def test_another_spelling_of_a_way_is_nobodys_breach() -> None:
    desk = Desk()
    desk.beat(management_mode="unmanaged")
    desk.trigger("continue_elsewhere", "queued")
    assert [desk.judged(f"TH-TRIG-{row}").subjects for row in ("02", "03", "12")] == [0, 0, 0]


def test_a_target_that_has_read_everything_need_not_be_woken() -> None:
    desk = Desk()
    desk.serves()
    desk.beat()
    desk.accepted("ack_read", {"thread_id": "th_1", "last_read_seq": 1}, {"ok": True}, by=TARGET)
    desk.turned_down("NOTHING_UNREAD")
    assert desk.judged("TH-TRIG-02").breaches == 0


@pytest.mark.parametrize(
    # a trigger that waits may find nothing unread when its time comes
    ("action", "result", "breaches"),
    [("spawn_session", "spawned", 1), ("trigger_runtime", "deferred", 0)],
)
def test_what_a_target_reads_afterwards_was_unread_before(action: str, result: str, breaches: int) -> None:
    desk = Desk()
    desk.beat()
    desk.trigger(action, result)
    desk.accepted("ack_read", {"thread_id": "th_1", "last_read_seq": 1}, {"ok": True}, by=TARGET)
    assert desk.judged("TH-TRIG-02").breaches == breaches


@pytest.mark.parametrize(("means", "verdict"), [("resume_session", "fail"), ("trigger_runtime", "pass")])
def test_a_trigger_that_waits_and_has_no_fallback(means: str, verdict: str) -> None:
    desk = Desk("i1", fallback=False)
    desk.beat()
    desk.trigger(result="deferred", conditions=BUSY)
    desk.wake(desk.later(70), means, 60)
    assert desk.judged("TH-TRIG-08").verdict == verdict


def test_for_how_long_a_caller_forbids_a_fallback_is_left_open() -> None:
    desk = Desk()
    desk.beat()
    desk.trigger(result="deferred", ask={"allow_fallback": False}, conditions=BUSY)
    desk.wake(desk.later(70), "resume_session", 60)
    assert not desk.judged("TH-TRIG-08").subjects


def test_no_session_is_known_of_an_instance_that_began_empty() -> None:
    here, anywhere = Desk("i1", fallback=False), Desk()
    for desk in (here, anywhere):
        desk.trigger("spawn_session", "spawned")
    assert (here.judged("TH-TRIG-08").verdict, anywhere.judged("TH-TRIG-08").subjects) == ("fail", 0)


@pytest.mark.parametrize(
    "told", [wakes.out_of_reach_with_an_audit_that_is_none, wakes.out_of_reach_with_a_text_that_may_be_refused]
)
@pytest.mark.parametrize("requirement", ["TH-TRIG-08", "TH-ERR-WAKE_FAILED"])
def test_a_trigger_that_is_not_in_order_shows_nothing_of_its_target(
    requirement: str, told: Callable[[Desk], None]
) -> None:
    desk = Desk()
    desk.beat()
    desk.trigger()
    told(desk)
    assert desk.judged(requirement).subjects == 0


def test_the_reference() -> None:
    judged = driven("threads", "triggering")
    rows = [f"TH-TRIG-{number:02}" for number in range(1, 13)]
    codes = ("WAKE_FAILED", "UNMANAGED_RUNTIME", "HUMAN_INPUT_COLLISION")
    for name in (*rows, *(f"TH-ERR-{code}" for code in codes)):
        outcome = judged.outcome(name)
        assert outcome is not None
        assert outcome.subjects, name
        assert outcome.verdict == "pass", (name, outcome.findings)

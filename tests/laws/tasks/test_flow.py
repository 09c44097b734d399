"""TK-FLOW-01, -02, -04, -05: closing steps, refusals without a trace, guarded targets, patches."""

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import STEP, TASK, Room
from tests.laws.tasks.test_errors import begun

IDS = ["TK-FLOW-01", "TK-FLOW-02", "TK-FLOW-04", "TK-FLOW-05"]
PATH: dict[str, Json] = {"task": TASK, "path": "s:0"}
FLAGS: dict[bool, Json] = {flag: {"confirmed": flag} for flag in (True, False)}


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "flow").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "flow", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id in IDS and o.verdict == "fail"} == {deviation}


def verify(room: Room, **checkpoints: bool) -> None:
    flags = {gate: FLAGS[flag] for gate, flag in checkpoints.items()}
    room.ok("tasks_verify", {"task": TASK, "step": {"step_id": STEP, "path": "s:0"}}, **PATH, checkpoints=flags)


def done(room: Room) -> None:
    room.ok("tasks_done", {"task": TASK, "step": {"step_id": STEP, "path": "s:0"}}, **PATH)


def close(room: Room, code: str = "") -> str:
    if code:
        room.no("tasks_done", code, **PATH)
    else:
        done(room)
    return room.judged("TK-FLOW-01").verdict


@pytest.mark.parametrize(
    "checkpoints", [{}, {"criteria": True}, {"tests": True}, {"criteria": True, "tests": False}], ids=str
)
def test_a_step_is_not_closed_before_it_is_confirmed(checkpoints: dict[str, bool]) -> None:
    room = begun()
    if checkpoints:
        verify(room, **checkpoints)
    # a tool that refuses everything has seen no checkpoint
    assert close(room, "CHECKPOINTS_NOT_CONFIRMED") == "not_observed"
    verify(room, criteria=True, tests=True)
    assert close(room) == "pass"
    room = begun()
    if checkpoints:
        verify(room, **checkpoints)
    assert close(room) == "fail"


@pytest.mark.parametrize(("code", "verdict"), [("", "pass"), ("CHECKPOINTS_NOT_CONFIRMED", "fail")])
def test_a_step_is_closed_once_it_is_confirmed(code: str, verdict: str) -> None:
    room = begun()
    verify(room, criteria=True, tests=True)
    assert close(room, code) == verdict


def test_what_is_confirmed_may_lose_it_or_be_hindered() -> None:
    for change in ({"tests": ["another"]}, {"blockers": ["a strike"]}):
        room = begun()
        verify(room, criteria=True, tests=True)
        room.ok("tasks_define", {"task": TASK}, **PATH, **change)
        assert close(room, "CHECKPOINTS_NOT_CONFIRMED") == "not_observed"
    room = begun()
    verify(room, criteria=True, tests=True)
    below = {"task": TASK, "steps": [{"step_id": "STEP-00000003", "path": "s:0.s:0"}]}
    room.ok("tasks_decompose", below, task=TASK, parent="s:0", steps=[{"title": "b", "success_criteria": ["c"]}])
    assert close(room, "CONFLICT") == "not_observed"


def test_a_patch_confirms_as_well_and_a_step_is_closed_once() -> None:
    room = begun()
    flags = {"criteria": FLAGS[True], "tests": FLAGS[True]}
    room.ok("tasks_patch", {"task": TASK}, target=STEP, checkpoints=flags)
    assert close(room) == "pass"
    room.no("tasks_done", "INVALID_INPUT", **PATH)
    assert room.judged("TK-FLOW-01").subjects == 1


@pytest.mark.parametrize("code", ["", "INVALID_INPUT", "CHECKPOINTS_NOT_CONFIRMED"])
def test_whether_a_closed_step_opens_again_with_its_checkpoint_is_the_servers(code: str) -> None:
    room = begun()
    verify(room, criteria=True, tests=True)
    done(room)
    verify(room, tests=False)
    close(room, code)
    verify(room, tests=True)
    close(room, code)
    assert room.judged("TK-FLOW-01").subjects == 1
    assert room.judged("TK-SRV-01").verdict != "fail"


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("tasks_note", {"note": "n"}),
        ("tasks_define", {"title": "renamed"}),
        ("tasks_verify", {"checkpoints": {"tests": FLAGS[False]}}),
    ],
)
def test_whether_a_closed_step_is_written_to_is_the_servers(
    tool: str, arguments: dict[str, Json], closed: bool
) -> None:
    room = begun()
    verify(room, criteria=True, tests=True)
    if closed:
        done(room)
    room.no(tool, "INVALID_INPUT", **PATH, **arguments)
    assert (room.judged("TK-SRV-01").verdict == "fail") is not closed


def context(room: Room, title: Json, step: Json = "step 0") -> None:
    steps = [{"step_id": STEP, "path": "s:0", "title": step}]
    room.ok("tasks_context", {"tasks": [{"id": TASK, "title": title, "steps": steps}]})


@pytest.mark.parametrize(("after", "verdict"), [("old", "pass"), ("new", "fail")])
@pytest.mark.parametrize(
    ("identifier", "code", "arguments"),
    [
        ("TK-FLOW-02", "INVALID_INPUT", {"task": TASK, "title": ""}),
        ("TK-FLOW-04", "EXPECTED_TARGET_MISMATCH", {"title": "new", "expected_target_id": "PLAN-001"}),
    ],
)
def test_a_refusal_leaves_no_trace(
    identifier: str, code: str, arguments: dict[str, Json], after: str, verdict: str
) -> None:
    room = begun()
    context(room, "old")
    room.no("tasks_edit", code, **arguments)
    context(room, after)
    assert room.judged(identifier).verdict == verdict


def test_mismatches_are_other_rules_matter_and_lost_writes_may_be_done() -> None:
    room = begun()
    context(room, "old")
    room.no("tasks_edit", "REVISION_MISMATCH", task=TASK, title="new", expected_revision=9)
    room.lost("tasks_edit", {"workspace": "w", "task": TASK, "title": "new"})
    room.no("tasks_edit", "INVALID_INPUT", task=TASK, title="")
    context(room, "new")
    assert room.judged("TK-FLOW-02").subjects == 0


@pytest.mark.parametrize("tool", ["tasks_edit", "tasks_patch"])
def test_another_target_is_refused(tool: str) -> None:
    room = begun()
    room.ok(tool, {"id": TASK}, title="new", expected_target_id=TASK)
    assert room.judged("TK-FLOW-04").subjects == 0
    other: dict[str, Json] = {"task": TASK, "title": "newer", "expected_target_id": "TASK-002"}
    room.no(tool, "EXPECTED_TARGET_MISMATCH", **other)
    assert room.judged("TK-FLOW-04").subjects == 0
    room.ok(tool, {"id": TASK}, **{**other, "expected_target_id": TASK})
    assert room.judged("TK-FLOW-04").verdict == "pass"
    room.ok(tool, {"id": TASK}, **{**other, "title": "newest"})
    assert room.judged("TK-FLOW-04").verdict == "fail"


def test_a_focus_that_nobody_told_of_is_open() -> None:
    room = begun()
    room.lost("tasks_focus_set", {"workspace": "w", "task": "PLAN-001"})
    room.ok("tasks_edit", {"id": "PLAN-001"}, title="new", expected_target_id="PLAN-001")
    assert room.judged("TK-FLOW-04").subjects == 0


@pytest.mark.parametrize(
    ("named", "title", "step", "verdict"),
    [
        ({"task": TASK}, "new", "step 0", "pass"),
        ({"task": TASK}, "task", "step 0", "fail"),
        ({"target": STEP}, "task", "new", "pass"),
        ({"task": TASK, "path": "s:0"}, "new", "step 0", "fail"),
    ],
)
def test_a_patch_edits(named: dict[str, Json], title: str, step: str, verdict: str) -> None:
    room = begun()
    told = {"id": TASK} if len(named) == 1 and "task" in named else {"task": TASK, "step": {"step_id": STEP}}
    room.ok("tasks_patch", told, **named, title="new")
    context(room, title, step)
    assert room.judged("TK-FLOW-05").verdict == verdict


def test_a_patch_that_nothing_speaks_against() -> None:
    room = begun()
    room.no("tasks_patch", "UNKNOWN_ID", task=TASK, path="s:5", title="new")
    room.no("tasks_patch", "INVALID_INPUT", task=TASK, target=TASK, title="new")
    assert room.judged("TK-FLOW-05").verdict == "not_observed"
    room.no("tasks_patch", "INVALID_INPUT", task=TASK, title="new")
    assert room.judged("TK-FLOW-05").verdict == "fail"


def test_tasks_patch_is_listed() -> None:
    room = Room()
    room.list([{"name": "tasks_edit", "inputSchema": {}}])
    assert room.judged("TK-FLOW-05").verdict == "fail"

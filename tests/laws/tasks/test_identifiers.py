"""TK-ID-01 to -04, -11, -12: forms of identifiers, what they name, and where."""

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import STEP, TASK, Room

IDS = ["TK-ID-01", "TK-ID-02", "TK-ID-03", "TK-ID-04", "TK-ID-11", "TK-ID-12"]


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "identifiers").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "identifiers", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id in IDS and o.verdict == "fail"} == {deviation}


@pytest.mark.parametrize(
    ("name", "code", "verdict"),
    [
        ("a", "", "pass"),
        ("a" * 128, "", "pass"),
        ("a" * 128, "INVALID_INPUT", "fail"),
        ("a/b", "INVALID_NAME", "fail"),
        ("a" * 129, "", "fail"),
        ("-a", "", "fail"),
        ("a\n", "", "fail"),
    ],
)
def test_workspaces(name: str, code: str, verdict: str) -> None:
    assert named(name, code).judged("TK-ID-01").verdict == verdict


@pytest.mark.parametrize("name", ["a" * 129, "ä", "", "a\n"])
def test_a_malformed_workspace_is_refused_beside_a_good_one(name: str) -> None:
    for code in ("INVALID_INPUT", "UNKNOWN_WORKSPACE"):
        room = named(name, code)
        assert room.judged("TK-ID-01").subjects == 0
        room.accepted("branchmind_init", {"workspace": "-"}, {"workspace": "-"})
        assert room.judged("TK-ID-01").verdict == "fail"
        room = named(name, code)
        room.refused("branchmind_init", {"workspace": "w"}, code)
        assert room.judged("TK-ID-01").verdict == "fail"
        room = named(name, code)
        room.accepted("branchmind_init", {"workspace": "w"}, {"workspace": "w"})
        assert (room.judged("TK-ID-01").verdict, room.judged("TK-ID-01").subjects) == ("pass", 2)


def named(name: str, code: str) -> Room:
    """A workspace of this name is begun, or refused."""
    room = Room()
    if code:
        room.refused("branchmind_init", {"workspace": name}, code)
    else:
        room.accepted("branchmind_init", {"workspace": name}, {"workspace": name})
    return room


@pytest.mark.parametrize(
    ("identifier", "argument", "value", "verdict"),
    [
        ("TK-ID-02", "task", "TASK-1", "fail"),
        ("TK-ID-02", "expected_target_id", "task-001", "fail"),
        ("TK-ID-02", "task", "TASK-0001", "not_observed"),
        ("TK-ID-03", "step_id", "STEP-1", "fail"),
        ("TK-ID-03", "step_id", "STEP-00000001\n", "fail"),
        ("TK-ID-03", "step_id", "NODE-abcdefgh", "not_observed"),
        ("TK-ID-04", "path", "0", "fail"),
        ("TK-ID-04", "path", "s:0.s:11", "not_observed"),
        ("TK-ID-04", "path", 0, "not_observed"),
    ],
)
def test_arguments(identifier: str, argument: str, value: Json, verdict: str) -> None:
    room = Room()
    room.ok("tasks_note", {}, **{argument: value}, note="n")
    assert room.judged(identifier).verdict == verdict


@pytest.mark.parametrize(
    ("identifier", "argument", "value", "good"),
    [
        ("TK-ID-02", "task", "TASK-1", TASK),
        ("TK-ID-03", "step_id", "STEP-1", STEP),
        ("TK-ID-04", "path", "s:0.t:1", "s:0"),
    ],
)
def test_a_malformed_argument_is_refused_beside_a_good_one(
    identifier: str, argument: str, value: str, good: str
) -> None:
    room = Room()
    room.no("tasks_note", "UNKNOWN_ID", **{argument: value}, note="n")
    assert room.judged(identifier).subjects == 0
    room.ok("tasks_note", {}, **{argument: good}, note="n")
    assert room.judged(identifier).verdict == "pass"


@pytest.mark.parametrize(
    ("identifier", "task", "path", "step", "verdict"),
    [
        ("TK-ID-02", "TASK-1000", "s:0", STEP, "pass"),
        ("TK-ID-02", "T-1", "s:0", STEP, "fail"),
        ("TK-ID-03", TASK, "s:0", "1", "fail"),
        ("TK-ID-03", TASK, "s:0", STEP, "pass"),
        ("TK-ID-04", TASK, "0", STEP, "fail"),
        ("TK-ID-04", TASK, "s:0.s:1", STEP, "pass"),
    ],
)
def test_answers(identifier: str, task: str, path: str, step: str, verdict: str) -> None:
    room = Room()
    room.ok("tasks_create", {"id": task, "steps": [{"step_id": step, "path": path}]}, title="t")
    assert room.judged(identifier).verdict == verdict


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ({"id": TASK, "step": None}, "pass"),
        ({"task": TASK, "step": {"step_id": STEP}}, "pass"),
        ({"id": STEP, "kind": "step", "task": TASK, "step": {"step_id": STEP}}, "pass"),
        ({"id": STEP, "task": TASK, "step": {"step_id": STEP}}, "pass"),
        ({"id": STEP, "kind": "task"}, "fail"),
    ],
)
def test_a_patch_answers_with_the_id_of_what_it_wrote(shown: Json, verdict: str) -> None:
    room = Room()
    room.ok("tasks_patch", shown, task=TASK, path="s:0", title="t")
    assert room.judged("TK-ID-02").verdict == verdict


@pytest.mark.parametrize(("written", "verdict"), [(STEP, "pass"), ("STEP-00000002", "fail")])
def test_a_path_leads_where_it_led(written: str, verdict: str) -> None:
    room = Room()
    shown = {"step_id": STEP, "path": "s:1"}
    room.ok("tasks_context", {"tasks": [{"id": TASK, "steps": [shown]}]})
    room.ok("tasks_note", {"task": TASK, "step": {"step_id": written, "path": "s:1"}}, path="s:1", note="n")
    assert room.judged("TK-ID-04").verdict == verdict


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [("s:1", "pass"), ("s:01", "pass"), ("s:0.s:1", "fail"), ("s:1.s:0", "fail")],
)
def test_a_call_by_path_is_about_the_step_at_that_path(asked: str, verdict: str) -> None:
    room = Room()
    room.ok("tasks_note", {"task": TASK, "step": {"step_id": STEP, "path": "s:1"}}, path=asked, note="n")
    assert room.judged("TK-ID-04").verdict == verdict


@pytest.mark.parametrize(("later", "verdict"), [(STEP, "pass"), ("STEP-00000002", "fail")])
def test_a_step_stays_at_its_path(later: str, verdict: str) -> None:
    room = Room()
    room.ok("tasks_decompose", {"task": TASK, "steps": [{"step_id": STEP, "path": "s:1"}]}, steps=[])
    room.ok("tasks_context", {"tasks": [{"id": TASK, "steps": [{"step_id": later, "path": "s:1"}]}]})
    assert room.judged("TK-ID-04").verdict == verdict


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ({"step_id": STEP, "path": "s:1"}, "pass"),
        ({"step_id": "STEP-00000002", "path": "s:1"}, "fail"),
        (None, "pass"),
        ("s:1", "pass"),
    ],
)
def test_a_radar_shows_a_step_where_it_is(shown: Json, verdict: str) -> None:
    room = Room()
    room.ok("tasks_decompose", {"task": TASK, "steps": [{"step_id": STEP, "path": "s:1"}]}, steps=[])
    room.ok("tasks_radar", {"target": {"id": TASK}, "steps": {"open": 2, "first_open": shown}})
    assert room.judged("TK-ID-04").verdict == verdict


def test_an_id_is_given_once() -> None:
    room = Room()
    for task in (TASK, "TASK-002"):
        room.ok("tasks_create", {"id": task, "steps": [{"step_id": f"STEP-{task}", "path": "s:0"}]}, title="t")
    room.ok("tasks_note", {"task": TASK, "step": {"step_id": f"STEP-{TASK}", "path": "s:0"}}, note="n")
    room.accepted("tasks_create", {"workspace": "v", "title": "t"}, {"id": TASK})
    assert room.judged("TK-ID-11").verdict == "pass"
    room.ok("tasks_decompose", {"task": TASK, "steps": [{"step_id": "STEP-TASK-002", "path": "s:1"}]}, steps=[])
    assert room.judged("TK-ID-11").verdict == "fail"


def test_a_task_id_is_given_once() -> None:
    room = Room()
    for _ in range(2):
        room.ok("tasks_create", {"id": TASK}, title="t")
    assert room.judged("TK-ID-11").verdict == "fail"


def test_a_conflict_id_is_given_once() -> None:
    room = Room()
    for key in ("a", "b"):
        sides = {"from": "side", "into": "main", "doc": "graph", "kind": "node"}
        room.ok("branchmind_graph_conflict_show", {"conflict": {**sides, "conflict_id": "CONFLICT-1", "key": key}})
    assert room.judged("TK-ID-11").verdict == "fail"


SECRET = "Only workspace w knows this"


def told(**written: Json) -> Room:
    room = Room()
    room.ok("tasks_create", {"id": TASK}, title=SECRET)
    room.accepted("branchmind_init", {"workspace": "v", **written}, {})
    return room


def test_a_workspace_shows_its_own_alone() -> None:
    room = told()
    room.ok("tasks_context", {"tasks": [{"id": TASK, "title": SECRET}]})
    room.accepted("tasks_context", {"workspace": "v"}, {"tasks": [{"id": TASK, "title": "t"}]})
    assert room.judged("TK-ID-12").verdict == "pass"
    room.accepted("tasks_context", {"workspace": "v"}, {"tasks": [{"id": TASK, "title": SECRET}]})
    assert room.judged("TK-ID-12").verdict == "fail"


@pytest.mark.parametrize("title", [SECRET, f"  {SECRET} "])
def test_what_both_wrote_is_both_s(title: str) -> None:
    room = told(title=title)
    room.accepted("tasks_context", {"workspace": "v"}, {"tasks": [{"id": TASK, "title": SECRET}]})
    assert room.judged("TK-ID-12").verdict == "pass"


def test_instances_have_workspaces_of_their_own() -> None:
    room = told()
    room.instance("own")
    room.accepted("tasks_context", {"workspace": "v"}, {"tasks": [{"title": SECRET}]}, instance="own")
    assert room.judged("TK-ID-12").subjects == 0


@pytest.mark.parametrize(
    ("paths", "verdict"),
    [
        (["s:1.s:0"], "pass"),
        (["s:1"], "fail"),
        (["s:0", "s:1", "s:1.s:0"], "pass"),
        (["s:0", "s:1", "s:2"], "fail"),
    ],
    ids=str,
)
def test_a_step_is_added_below_the_one_that_is_named(paths: list[str], verdict: str) -> None:
    """The answer may list the other steps of the task as well."""
    steps: Json = [{"step_id": f"STEP-0000000{number}", "path": path} for number, path in enumerate(paths)]
    room = Room()
    draft: Json = {"title": "t", "success_criteria": ["c"]}
    room.ok("tasks_decompose", {"task": TASK, "steps": steps}, task=TASK, parent="s:1", steps=[draft])
    assert room.judged("TK-ID-04").verdict == verdict

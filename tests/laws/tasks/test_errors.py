"""TK-ERR-*: which code is answered when."""

from typing import Any

import pytest

from conformance.contract.catalogue import load
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import STEP, TASK, Room

IDS = [identifier for identifier in load("tasks").requirements if identifier.startswith("TK-ERR")]
MODULES = ("errors", "flow", "suggestions")
STRICT = "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID"
CONFLICT = "CONFLICT-" + "0" * 32


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", *MODULES).outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", *MODULES, deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id in IDS and o.verdict in ("fail", "warn")} == {deviation}


def begun() -> Room:
    """A workspace with a plan, a task of two steps in focus, and a branch."""
    room = Room()
    tools = [{"name": tool.name, "inputSchema": tool.inputSchema} for tool in load("tasks").tools.values()]
    room.list(tools)
    room.ok("branchmind_init", {"workspace": "w"})
    room.ok("tasks_create", {"id": "PLAN-001"}, kind="plan", title="plan")
    drafts = [{"title": f"step {number}", "success_criteria": ["c"], "tests": ["t"]} for number in range(2)]
    named = [{"step_id": STEP, "path": "s:0"}, {"step_id": "STEP-00000002", "path": "s:1"}]
    made = {"id": TASK, "steps": named}
    room.ok("tasks_create", made, kind="task", parent="PLAN-001", title="task", steps=drafts)
    room.ok("branchmind_branch_create", {"branch": {"name": "side"}}, name="side")
    room.ok("tasks_focus_set", {"focus": TASK, "revision": 1}, task=TASK)
    return room


def ended(room: Room, identifier: str, tool: str, code: str, **arguments: Json) -> tuple[str, int]:
    if code:
        room.no(tool, code, **arguments)
    else:
        room.ok(tool, {}, **arguments)
    outcome = room.judged(identifier)
    return outcome.verdict, outcome.subjects


DUE: list[tuple[str, str, dict[str, Json]]] = [
    ("UNKNOWN_ID", "tasks_radar", {"task": "TASK-987"}),
    ("UNKNOWN_ID", "tasks_note", {"task": TASK, "step_id": "STEP-99999999", "note": "n"}),
    ("UNKNOWN_ID", "branchmind_graph_conflict_show", {"conflict_id": CONFLICT}),
    ("INVALID_NAME", "branchmind_branch_create", {"name": ""}),
    ("INVALID_NAME", "branchmind_checkout", {"ref": "a\x00b"}),
    ("INVALID_INPUT", "tasks_note", {"task": TASK, "step_id": STEP}),
    ("INVALID_INPUT", "tasks_create", {"kind": "plan", "title": 5}),
    ("INVALID_INPUT", "tasks_edit", {"task": TASK, "title": True}),
    (STRICT, "tasks_edit", {"title": "x", "strict_targeting": True}),
    ("CONFLICT", "branchmind_branch_create", {"name": "side"}),
]
CODED: list[tuple[str, str, dict[str, Json]]] = [
    ("INVALID_NAME", "branchmind_branch_create", {"name": "a b"}),
    ("INVALID_INPUT", "tasks_edit", {"task": "TASK-1", "title": "x"}),
    ("INVALID_INPUT", "branchmind_graph_apply", {"ops": [{"op": "node_upsert", "id": "a|b", "type": "t"}]}),
    ("EXPECTED_TARGET_MISMATCH", "tasks_edit", {"title": "x", "expected_target_id": "PLAN-001"}),
    ("EXPECTED_TARGET_MISMATCH", "tasks_edit", {"task": "PLAN-001", "title": "x", "expected_target_id": TASK}),
    ("CHECKPOINTS_NOT_CONFIRMED", "tasks_done", {"task": TASK, "path": "s:1"}),
    ("BUDGET_EXCEEDED", "tasks_context", {"max_chars": 1}),
    ("REVISION_MISMATCH", "tasks_focus_set", {"task": TASK, "expected_revision": 5}),
]


@pytest.mark.parametrize(("code", "tool", "arguments"), [*DUE, *CODED])
def test_the_code(code: str, tool: str, arguments: dict[str, Json]) -> None:
    identifier = f"TK-ERR-{code}"
    missed = "fail" if code == "REVISION_MISMATCH" else "warn"
    assert ended(begun(), identifier, tool, code, **arguments) == ("pass", 1)
    assert ended(begun(), identifier, tool, "NOT_INITIALIZED", **arguments) == (missed, 1)


@pytest.mark.parametrize(("code", "tool", "arguments"), DUE)
def test_a_refusal_that_is_due(code: str, tool: str, arguments: dict[str, Json]) -> None:
    assert ended(begun(), f"TK-ERR-{code}", tool, "", **arguments) == ("warn", 1)


@pytest.mark.parametrize(("code", "tool", "arguments"), CODED)
def test_a_refusal_that_another_rule_demands(code: str, tool: str, arguments: dict[str, Json]) -> None:
    assert ended(begun(), f"TK-ERR-{code}", tool, "", **arguments)[1] == 0


@pytest.mark.parametrize(
    ("code", "tool", "arguments"),
    [
        ("UNKNOWN_ID", "tasks_radar", {"task": TASK}),
        ("UNKNOWN_ID", "tasks_edit", {"task": "TASK-987", "title": 5}),
        ("INVALID_INPUT", "tasks_edit", {"task": TASK, "title": None}),
        ("INVALID_INPUT", "tasks_context", {"limit": 0}),
        ("INVALID_INPUT", "tasks_context", {"more": 1}),
        ("INVALID_NAME", "branchmind_branch_create", {"name": "plan/PLAN-001"}),
        (STRICT, "tasks_edit", {"title": "x", "strict_targeting": True, "expected_target_id": TASK}),
        (STRICT, "tasks_edit", {"task": TASK, "title": "x", "strict_targeting": True}),
        ("EXPECTED_TARGET_MISMATCH", "tasks_edit", {"title": "x", "expected_target_id": TASK}),
        ("CHECKPOINTS_NOT_CONFIRMED", "tasks_verify", {"path": "s:0", "checkpoints": {}}),
        ("CONFLICT", "branchmind_branch_create", {"name": "another"}),
        ("BUDGET_EXCEEDED", "tasks_context", {"max_chars": 2}),
        ("REVISION_MISMATCH", "tasks_focus_set", {"task": TASK, "expected_revision": 1}),
    ],
)
def test_what_is_open(code: str, tool: str, arguments: dict[str, Json]) -> None:
    assert ended(begun(), f"TK-ERR-{code}", tool, "CONFLICT", **arguments) == ("not_observed", 0)


def test_missing_arguments_by_the_protocol() -> None:
    room = begun()
    room.error("tools/call", {"name": "tasks_note", "arguments": {"workspace": "w"}}, -32602)
    assert room.judged("TK-ERR-INVALID_INPUT").verdict == "pass"


def test_a_store_and_a_workspace_that_are_not_there() -> None:
    room = Room()
    room.instance("own")

    def ask(code: str, **more: Any) -> None:
        room.call("tasks_context", {"workspace": "v"}, failing(code), failed=True, instance="own", **more)

    def failing(code: str) -> Json:
        return {"success": False, "error": {"code": code, "message": "no"}}

    ask("NOT_INITIALIZED")
    assert room.judged("TK-ERR-NOT_INITIALIZED").verdict == "pass"
    room.accepted("branchmind_init", {"workspace": "w"}, {"workspace": "w"}, instance="own")
    ask("UNKNOWN_WORKSPACE")
    assert room.judged("TK-ERR-UNKNOWN_WORKSPACE").verdict == "pass"
    ask("UNKNOWN_ID")
    assert room.judged("TK-ERR-UNKNOWN_WORKSPACE").verdict == "warn"
    assert room.judged("TK-ERR-NOT_INITIALIZED").subjects == 1
    room.accepted("branchmind_init", {"workspace": "v"}, {"workspace": "v"}, instance="own")
    ask("UNKNOWN_ID")
    assert room.judged("TK-ERR-UNKNOWN_WORKSPACE").subjects == 2


def test_a_store_as_found_may_hold_anything() -> None:
    room = Room()
    room.no("tasks_context", "UNKNOWN_ID")
    assert not room.judged("TK-ERR-NOT_INITIALIZED").subjects
    assert not room.judged("TK-ERR-UNKNOWN_WORKSPACE").subjects


def test_a_write_without_an_answer_leaves_everything_open() -> None:
    room = begun()
    room.lost("tasks_verify", {"workspace": "w", "task": TASK, "path": "s:0"})
    room.no("tasks_done", "INVALID_INPUT", task=TASK, path="s:0")
    assert not room.judged("TK-ERR-CHECKPOINTS_NOT_CONFIRMED").subjects


def test_a_card_and_a_conflict_collide() -> None:
    room = begun()
    for title, code in (("one", ""), ("one", "INVALID_INPUT"), ("another", "CONFLICT"), ("another", "INVALID_INPUT")):
        card = {"id": "c", "type": "note", "title": title}
        found = ended(room, "TK-ERR-CONFLICT", "branchmind_think_card", code, card=card)
    assert found == ("warn", 2)
    room = begun()
    room.ok("branchmind_graph_conflicts", {"conflicts": [{"conflict_id": CONFLICT}]}, into="main")
    for code in ("", "CONFLICT"):
        given = {"conflict_id": CONFLICT, "resolution": "use_from"}
        found = ended(room, "TK-ERR-CONFLICT", "branchmind_graph_conflict_resolve", code, **given)
    assert found == ("pass", 1)

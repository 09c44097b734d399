"""TK-ERR-*: which code is answered when."""

from typing import NamedTuple

import pytest

from conformance.contract.catalogue import load
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import STEP, TASK, Room

IDS = [identifier for identifier in load("tasks").requirements if identifier.startswith("TK-ERR")]
MODULES = ("errors", "flow", "suggestions")
STRICT = "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID"
CONFLICT, OTHER = (f"CONFLICT-{digit * 32}" for digit in "01")
PLACE: dict[str, Json] = {"branch": "main", "trace_doc": "t", "graph_doc": "g"}
SIDE: dict[str, Json] = {"name": "side", "from": "main"}


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
    """A workspace with a plan, a task of two steps in focus, and two branches."""
    room = Room()
    tools = [{"name": tool.name, "inputSchema": tool.inputSchema} for tool in load("tasks").tools.values()]
    room.list(tools)
    room.ok("branchmind_init", {"workspace": "w"})
    room.ok("tasks_create", {"id": "PLAN-001"}, kind="plan", title="plan")
    drafts = [{"title": f"step {number}", "success_criteria": ["c"], "tests": ["t"]} for number in range(2)]
    named = [{"step_id": STEP, "path": "s:0"}, {"step_id": "STEP-00000002", "path": "s:1"}]
    made = {"id": TASK, "steps": named}
    room.ok("tasks_create", made, kind="task", parent="PLAN-001", title="task", steps=drafts)
    room.ok("branchmind_branch_list", {"branches": [{"name": "main"}]})
    room.ok("branchmind_branch_create", {"branch": {"name": "side"}}, **SIDE)
    room.ok("branchmind_graph_conflicts", {"conflicts": [{"conflict_id": OTHER}]}, into="main")
    room.ok("tasks_focus_set", {"focus": TASK, "revision": 1}, task=TASK)
    return room


class Case(NamedTuple):
    """A call that has one fault, and the accepted calls after it, the last of which is its like without the fault."""

    code: str
    tool: str
    faulty: dict[str, Json]
    control: dict[str, Json]
    between: tuple[tuple[str, dict[str, Json]], ...] = ()
    begun: bool = False
    """Whether the beginning has such a like as well."""

    def ended(self, code: str, *, controlled: bool = True) -> tuple[str, int]:
        """The verdict where the faulty call is answered with this code, or accepted where that is empty."""
        room = begun()
        if code:
            room.no(self.tool, code, **self.faulty)
        else:
            room.ok(self.tool, {}, **self.faulty)
        for tool, arguments in (*self.between, (self.tool, self.control)) if controlled else ():
            room.ok(tool, {}, **arguments)
        outcome = room.judged(f"TK-ERR-{self.code}")
        return outcome.verdict, outcome.subjects


PLAN: dict[str, Json] = {"task": "PLAN-001", "title": "x"}
FIRST: dict[str, Json] = {"task": TASK, "step_id": STEP}
SECOND: dict[str, Json] = {"task": TASK, "path": "s:1"}
CHECKED: dict[str, Json] = {gate: {"confirmed": True} for gate in ("criteria", "tests")}


def node(name: str) -> dict[str, Json]:
    return {"branch": "main", "doc": "g", "ops": [{"op": "node_upsert", "id": name, "type": "t"}]}


def part(**named: Json) -> dict[str, Json]:
    return {"branch": "main", "doc": "g", "ops": [{"op": "node_upsert", "type": "t", **named}]}


ONE: dict[str, Json] = {"title": "one", "success_criteria": ["c"]}
SAID: dict[str, Json] = {"criteria": {"confirmed": True}}
DUE = [
    Case("UNKNOWN_ID", "tasks_radar", {"task": "TASK-987"}, {"task": TASK}),
    Case("UNKNOWN_ID", "tasks_note", {**FIRST, "step_id": "STEP-99999999", "note": "n"}, {**FIRST, "note": "n"}),
    Case("UNKNOWN_ID", "branchmind_graph_conflict_show", {"conflict_id": CONFLICT}, {"conflict_id": OTHER}),
    Case("INVALID_NAME", "branchmind_branch_create", {**SIDE, "name": ""}, {**SIDE, "name": "new"}, begun=True),
    Case("INVALID_NAME", "branchmind_checkout", {"ref": "a\x00b"}, {"ref": "side"}),
    Case("INVALID_INPUT", "tasks_note", FIRST, {**FIRST, "note": "n"}),
    Case("INVALID_INPUT", "tasks_create", {"kind": "plan", "title": 5}, {"kind": "plan", "title": "5"}, begun=True),
    Case("INVALID_INPUT", "tasks_edit", {"task": TASK, "title": True}, {"task": TASK, "title": "x"}),
    Case("INVALID_INPUT", "tasks_decompose", {"task": TASK, "steps": [{"title": 5}]}, {"task": TASK, "steps": [ONE]}),
    Case("INVALID_INPUT", "tasks_decompose", {"task": TASK, "steps": ["one"]}, {"task": TASK, "steps": [ONE]}),
    Case("INVALID_INPUT", "branchmind_graph_apply", part(id=5), part(id="ab")),
    Case("INVALID_INPUT", "branchmind_graph_apply", part(), part(id="ab")),
    Case(
        "INVALID_INPUT", "tasks_verify", {**FIRST, "checkpoints": SAID | {"tests": {}}}, {**FIRST, "checkpoints": SAID}
    ),
    Case("INVALID_INPUT", "tasks_delta", {"since": ["x"]}, {}),
    Case(STRICT, "tasks_edit", {"title": "x", "strict_targeting": True}, {"title": "x"}),
]
CODED = [
    Case("INVALID_INPUT", "tasks_edit", {"task": "TASK-1", "title": "x"}, {"task": TASK, "title": "x"}),
    Case("INVALID_INPUT", "branchmind_graph_apply", node("a|b"), node("ab")),
    Case("EXPECTED_TARGET_MISMATCH", "tasks_edit", {"title": "x", "expected_target_id": "PLAN-001"}, {"title": "x"}),
    Case("EXPECTED_TARGET_MISMATCH", "tasks_edit", {**PLAN, "expected_target_id": TASK}, PLAN),
    Case(
        "CHECKPOINTS_NOT_CONFIRMED", "tasks_done", SECOND, SECOND,
        between=(("tasks_verify", {**SECOND, "checkpoints": CHECKED}),),
    ),
    Case("BUDGET_EXCEEDED", "tasks_context", {"max_chars": 1}, {}),
    Case("REVISION_MISMATCH", "tasks_focus_set", {"task": "PLAN-001", "expected_revision": 5}, {"task": "PLAN-001"}),
]  # fmt: skip


@pytest.mark.parametrize("case", [*DUE, *CODED])
def test_the_code(case: Case) -> None:
    missed = "fail" if case.code == "REVISION_MISMATCH" else "warn"
    assert case.ended(case.code) == ("pass", 1)
    assert case.ended("NOT_INITIALIZED") == (missed, 1)


@pytest.mark.parametrize("case", [case for case in (*DUE, *CODED) if not case.begun])
def test_a_code_says_nothing_without_the_control(case: Case) -> None:
    for code in (case.code, "NOT_INITIALIZED"):
        assert case.ended(code, controlled=False)[1] == 0


@pytest.mark.parametrize("case", DUE)
def test_a_refusal_that_is_due(case: Case) -> None:
    assert case.ended("") == ("warn", 1)
    assert case.ended("", controlled=False) == ("warn", 1)


@pytest.mark.parametrize(
    "ops",
    [
        [{"op": "node_rename", "id": "a"}],  # which of the operations is meant is not plain
        [{"op": "node_upsert", "id": "a", "type": "t", "title": None}],
        [{"op": "node_upsert", "id": "a", "type": "t", "colour": "red"}],
        [{"id": 5}],
        [],
    ],
)
def test_what_is_not_plainly_malformed_may_be_taken(ops: Json) -> None:
    faulty: dict[str, Json] = {"branch": "main", "doc": "g", "ops": ops}
    case = Case("INVALID_INPUT", "branchmind_graph_apply", faulty, part(id="ab"))
    assert (case.ended("")[1], case.ended("CONFLICT")[1]) == (0, 0)


@pytest.mark.parametrize("name", ["a b", "-a", "x" * 129])
@pytest.mark.parametrize(
    ("code", "found"),
    [("INVALID_NAME", ("pass", 1)), ("INVALID_INPUT", ("warn", 1)), ("UNKNOWN_ID", ("not_observed", 0)), ("", None)],
)
def test_a_name_that_no_clause_forbids_may_be_taken(name: str, code: str, found: tuple[str, int] | None) -> None:
    case = Case("INVALID_NAME", "branchmind_branch_create", {**SIDE, "name": name}, {**SIDE, "name": "new"}, begun=True)
    assert case.ended(code) == (found or ("not_observed", 0))


@pytest.mark.parametrize(("digits", "subjects"), [(3, 1), (25, 0), (5_000, 0)])
def test_an_index_may_be_too_large_for_a_server(digits: int, subjects: int) -> None:
    note: dict[str, Json] = {"task": TASK, "note": "n"}
    case = Case("UNKNOWN_ID", "tasks_note", {**note, "path": f"s:{'9' * digits}"}, {**note, "path": "s:1"})
    assert case.ended("INVALID_INPUT") == ("warn" if subjects else "not_observed", subjects)


@pytest.mark.parametrize("case", CODED)
def test_a_refusal_that_another_rule_demands(case: Case) -> None:
    assert case.ended("")[1] == 0


def ended(room: Room, identifier: str, tool: str, code: str, **arguments: Json) -> tuple[str, int]:
    if code:
        room.no(tool, code, **arguments)
    else:
        room.ok(tool, {}, **arguments)
    outcome = room.judged(identifier)
    return outcome.verdict, outcome.subjects


def test_a_branch_made_twice_collides() -> None:
    for code, verdict in (("CONFLICT", "pass"), ("INVALID_INPUT", "warn"), ("", "warn")):
        assert ended(begun(), "TK-ERR-CONFLICT", "branchmind_branch_create", code, **SIDE) == (verdict, 1)


def test_a_branch_that_nobody_made_shows_no_collision() -> None:
    room = begun()
    room.ok("branchmind_branch_list", {"branches": [{"name": "main"}, {"name": "side"}, {"name": "found"}]})
    # the other branch came from the same one, but under a name that was free: it is no like of this call
    found = ended(room, "TK-ERR-CONFLICT", "branchmind_branch_create", "INVALID_INPUT", **SIDE | {"name": "found"})
    assert found == ("not_observed", 0)


@pytest.mark.parametrize(
    ("code", "tool", "arguments"),
    [
        ("UNKNOWN_ID", "tasks_radar", {"task": TASK}),
        ("UNKNOWN_ID", "tasks_edit", {"task": "TASK-987", "title": 5}),
        ("INVALID_INPUT", "tasks_edit", {"task": TASK, "title": None}),
        ("INVALID_INPUT", "tasks_context", {"limit": 0}),
        ("INVALID_INPUT", "tasks_context", {"more": 1}),
        ("INVALID_NAME", "branchmind_branch_create", {**SIDE, "name": "plan/PLAN-001"}),
        (STRICT, "tasks_edit", {"title": "x", "strict_targeting": True, "expected_target_id": TASK}),
        (STRICT, "tasks_edit", {"task": TASK, "title": "x", "strict_targeting": True}),
        ("EXPECTED_TARGET_MISMATCH", "tasks_edit", {"title": "x", "expected_target_id": TASK}),
        ("CHECKPOINTS_NOT_CONFIRMED", "tasks_verify", {"path": "s:0", "checkpoints": {}}),
        ("CONFLICT", "branchmind_branch_create", {**SIDE, "name": "another"}),
        ("BUDGET_EXCEEDED", "tasks_context", {"max_chars": 2}),
        ("REVISION_MISMATCH", "tasks_focus_set", {"task": "PLAN-001", "expected_revision": 1}),
    ],
)
def test_what_is_open(code: str, tool: str, arguments: dict[str, Json]) -> None:
    verdict, subjects = ended(begun(), f"TK-ERR-{code}", tool, "CONFLICT", **arguments)
    # a call that nothing speaks against is to be served: what its refusal hides is blocked by that
    assert (verdict in ("not_observed", "blocked"), subjects) == (True, 0)


def test_missing_arguments_by_the_protocol() -> None:
    room = begun()
    room.error("tools/call", {"name": "tasks_note", "arguments": {"workspace": "w"}}, -32602)
    assert room.judged("TK-ERR-INVALID_INPUT").subjects == 0
    room.ok("tasks_note", {}, note="n")
    assert room.judged("TK-ERR-INVALID_INPUT").verdict == "pass"


def test_a_store_that_is_not_there() -> None:
    for code, verdict in (("NOT_INITIALIZED", "pass"), ("UNKNOWN_ID", "warn")):
        store = Store()
        store.ask("v", code)
        store.init("v")
        assert store.judged("TK-ERR-NOT_INITIALIZED").subjects == 0
        store.ask("v")
        outcome = store.judged("TK-ERR-NOT_INITIALIZED")
        assert (outcome.verdict, outcome.subjects) == (verdict, 1)


def test_a_workspace_that_is_not_there() -> None:
    for code, verdict in (("UNKNOWN_WORKSPACE", "pass"), ("UNKNOWN_ID", "warn")):
        store = Store()
        store.init("w")
        store.ask("v", code)
        assert store.judged("TK-ERR-UNKNOWN_WORKSPACE").subjects == 0
        store.ask("w")
        outcome = store.judged("TK-ERR-UNKNOWN_WORKSPACE")
        assert (outcome.verdict, outcome.subjects) == (verdict, 1)
        store.init("v")
        store.ask("v", "UNKNOWN_ID")
        assert store.judged("TK-ERR-UNKNOWN_WORKSPACE").subjects == 1


class Store(Room):
    """Tells calls on a store of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.instance("own")

    def init(self, workspace: str) -> None:
        given: Json = {"workspace": workspace}
        self.accepted("branchmind_init", given, given, instance="own")

    def ask(self, workspace: str, code: str = "") -> None:
        given: Json = {"workspace": workspace}
        if code:
            self.refused("tasks_context", given, code, instance="own")
        else:
            self.accepted("tasks_context", given, {}, instance="own")


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
    for title, code in (("one", ""), ("one", ""), ("another", "CONFLICT"), ("another", "INVALID_INPUT")):
        card = {"id": "c", "type": "note", "title": title}
        found = ended(room, "TK-ERR-CONFLICT", "branchmind_think_card", code, card=card, **PLACE)
    assert found == ("warn", 2)
    room = begun()
    for code, resolution in (("", "use_from"), ("CONFLICT", "use_into")):
        given = {"conflict_id": OTHER, "resolution": resolution}
        found = ended(room, "TK-ERR-CONFLICT", "branchmind_graph_conflict_resolve", code, **given)
    assert found == ("pass", 1)


@pytest.mark.parametrize("relation", ["supports", "blocks"])
@pytest.mark.parametrize(("other", "verdict"), [("nobody", "warn"), ("no\x00body", "none"), ("no|body", "none")])
def test_a_card_is_joined_to_what_no_node_can_be_called(relation: str, other: str, verdict: str) -> None:
    room = begun()
    card = {"id": "c", "type": "note", "title": "t"}
    given = {"card": card, relation: [other], **PLACE}
    ended(room, "TK-ERR-UNKNOWN_ID", "branchmind_think_card", "INVALID_INPUT", **given)
    found = ended(room, "TK-ERR-UNKNOWN_ID", "branchmind_think_card", "", card=card, **PLACE)
    assert found == ((verdict, 1) if verdict != "none" else ("not_observed", 0))


def test_a_card_that_is_joined_anew_may_collide() -> None:
    room = begun()
    card = {"id": "c", "type": "note", "title": "t"}
    ended(room, "TK-ERR-UNKNOWN_ID", "branchmind_think_card", "", card=card, **PLACE)
    given = {"card": card, "supports": ["nobody"], **PLACE}
    found = ended(room, "TK-ERR-UNKNOWN_ID", "branchmind_think_card", "CONFLICT", **given)
    assert found == ("not_observed", 0)

"""TK-SRV-01, TK-SRV-03: what is offered is served, and nothing ends in a fault of the server's own."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import STEP, TASK
from tests.laws.tasks.test_errors import CHECKED, PLACE, SIDE, begun, node

SECOND: dict[str, Json] = {"task": TASK, "path": "s:1"}
MAIN: dict[str, Json] = {"branch": "main", "doc": "g"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("tasks_create", {"kind": "plan", "title": "another"}),
        (
            "tasks_create",
            {"kind": "task", "parent": "PLAN-001", "title": "t", "steps": [{"title": "s", "success_criteria": ["c"]}]},
        ),
        ("tasks_define", {**SECOND, "blockers": ["a strike"]}),
        ("tasks_note", {"task": TASK, "step_id": STEP, "note": "n"}),
        ("tasks_verify", {**SECOND, "checkpoints": CHECKED}),
        ("tasks_edit", {"task": TASK, "title": "new"}),
        ("tasks_edit", {"task": TASK, "title": "new", "description": "two\r\nlines\t"}),
        ("tasks_radar", {"task": TASK}),
        ("tasks_context", {}),
        ("branchmind_branch_create", {**SIDE, "name": "new"}),
        ("branchmind_graph_apply", node("a")),
        ("branchmind_graph_query", MAIN),
        ("branchmind_notes_commit", {**MAIN, "content": "c"}),
        ("branchmind_think_card", {**PLACE, "card": {"id": "c", "type": "note", "title": "t"}}),
        ("branchmind_think_card", {**PLACE, "card": '{"id": "c", "type": "note", "title": "t"}'}),
    ],
)
def test_a_good_call_is_served(tool: str, arguments: dict[str, Json]) -> None:
    room = begun()
    room.no(tool, "INVALID_INPUT", **arguments)
    assert room.judged("TK-SRV-01").verdict == "fail"
    room = begun()
    room.ok(tool, {}, **arguments)
    assert room.judged("TK-SRV-01").verdict == "pass"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("branchmind_graph_query", {"branch": "main"}),
        ("tasks_edit", {"task": TASK, "title": "new", "description": "a bell \a"}),
        ("branchmind_graph_query", {"doc": "g"}),
        ("branchmind_graph_apply", {"ops": node("a")["ops"]}),
        ("branchmind_think_card", {"branch": "main", "card": {"id": "c", "type": "note", "title": "t"}}),
        ("branchmind_think_card", {**PLACE, "card": '{"id": "c", "type": "note", "title": "t", "tags": 5}'}),
        ("branchmind_think_card", {**PLACE, "card": '{"id": "c", "type": "note", "title": "t", "meta": []}'}),
        ("branchmind_think_card", {**PLACE, "card": {"id": "c", "type": "note", "title": "t", "tags": [" "]}}),
        ("branchmind_think_card", {**PLACE, "card": "id: c\ntype: note\ntitle: t"}),
        (
            "tasks_decompose",
            {"task": TASK, "parent": "s:0.s:0.s:0", "steps": [{"title": "t", "success_criteria": ["c"]}]},
        ),
        ("branchmind_think_context", {"branch": "main"}),
        ("branchmind_notes_commit", {"branch": "main", "content": "c"}),
        ("branchmind_show", {"target": TASK, "branch": "main"}),
        ("branchmind_branch_create", {"name": "new"}),
        ("tasks_edit", {"task": TASK, "title": ""}),
        ("tasks_edit", {"task": TASK, "title": "two\nlines"}),
        ("tasks_edit", {"task": TASK, "title": "t" * 126}),
        ("tasks_edit", {"task": TASK, "description": "d" * 4_097}),
        ("tasks_define", {**SECOND, "blockers": ["a strike"] * 9}),
        ("tasks_focus_set", {"task": "PLAN-001"}),
        ("tasks_note", {"task": TASK, "step_id": STEP, "note": " \t"}),
        ("tasks_context", {"max_chars": 64}),
    ],
)
def test_what_the_contract_leaves_open_may_be_refused(tool: str, arguments: dict[str, Json]) -> None:
    room = begun()
    room.no(tool, "INVALID_INPUT", **arguments)
    assert room.judged("TK-SRV-01").verdict == "pass"


@pytest.mark.parametrize(
    ("tool", "code", "arguments", "other"),
    [
        ("branchmind_show", "UNKNOWN_ID", {"branch": "main", "doc": "unwritten"}, "INVALID_INPUT"),
        ("branchmind_graph_query", "UNKNOWN_ID", {"branch": "main", "doc": "unwritten"}, "INVALID_INPUT"),
        ("branchmind_merge", "INVALID_INPUT", {"from": "side", "into": "main", "doc": "notes"}, "CONFLICT"),
        ("branchmind_checkout", "INVALID_INPUT", {"ref": "side"}, "CONFLICT"),
        ("branchmind_init", "CONFLICT", {}, "INVALID_INPUT"),
    ],
)
def test_there_may_have_to_be_something_to_do(tool: str, code: str, arguments: dict[str, Json], other: str) -> None:
    for refusal, breached in ((code, False), (other, True)):
        room = begun()
        room.ok("branchmind_checkout", {}, ref="side")
        room.no(tool, refusal, **arguments)
        assert (room.judged("TK-SRV-01").breaches > 0) is breached


@pytest.mark.parametrize(("title", "breached"), [("one", False), ("other", True)])
def test_what_is_there_with_another_content_is_merged(title: str, *, breached: bool) -> None:
    room = begun()
    for branch, named in (("side", "one"), ("main", title)):
        op: Json = {"op": "node_upsert", "id": "a", "type": "t", "title": named}
        room.ok("branchmind_graph_apply", {}, branch=branch, doc="g", ops=[op])
    room.no("branchmind_graph_merge", "INVALID_INPUT", **{"from": "side", "into": "main", "doc": "g"})
    assert (room.judged("TK-SRV-01").breaches > 0) is breached


@pytest.mark.parametrize("code", ["INVALID_INPUT", "CONFLICT"])
def test_an_edge_may_have_to_lead_elsewhere(code: str) -> None:
    room = begun()
    room.ok("branchmind_graph_apply", {}, **node("a"))
    for target, breached in (("a", False), ("b", True)):
        room.ok("branchmind_graph_apply", {}, **node(target))
        edge: Json = {"op": "edge_upsert", "from": "a", "rel": "r", "to": target}
        room.no("branchmind_graph_apply", code, **MAIN, ops=[edge])
        assert (room.judged("TK-SRV-01").breaches > 0) is breached


@pytest.mark.parametrize("edges", [True, False])
def test_a_node_may_have_to_lose_its_edges_first(*, edges: bool) -> None:
    room = begun()
    ops = [*node("a")["ops"], *node("b")["ops"]]
    room.ok("branchmind_graph_apply", {}, **MAIN, ops=ops)
    if edges:
        edge: Json = {"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"}
        room.ok("branchmind_graph_apply", {}, **MAIN, ops=[edge])
    room.no("branchmind_graph_apply", "CONFLICT", **MAIN, ops=[{"op": "node_delete", "id": "a"}])
    assert (room.judged("TK-SRV-01").breaches == 0) is edges


@pytest.mark.parametrize(
    ("place", "verdict"),
    [
        ({"trace_doc": "t"}, "pass"),
        ({"trace_doc": "u"}, "fail"),
        ({"trace_doc": "t", "branch": "side"}, "pass"),
        ({"trace_doc": "t", "branch": "before"}, "fail"),
    ],
)
def test_a_trace_may_take_the_id_of_a_card_once(place: dict[str, Json], verdict: str) -> None:
    room = begun()
    card: dict[str, Json] = {"id": "c", "type": "note", "title": "one"}
    room.ok("branchmind_branch_create", {}, **{**SIDE, "name": "before"})
    room.ok("branchmind_think_card", {}, card=card, **PLACE)
    room.ok("branchmind_branch_create", {}, **SIDE)
    room.no("branchmind_think_card", "CONFLICT", card=card, **{**PLACE, "graph_doc": "other", **place})
    assert room.judged("TK-SRV-01").verdict == verdict


@pytest.mark.parametrize(
    ("code", "message", "verdict"),
    [
        ("INVALID_INPUT", "the step is closed", "pass"),
        ("STORE_ERROR", "no such row", "fail"),
        ("INVALID_INPUT", "UNIQUE constraint failed: steps.step_id", "fail"),
    ],
)
def test_no_refusal_is_a_fault(code: str, message: str, verdict: str) -> None:
    room = begun()
    envelope: Json = {"success": False, "result": {}, "error": {"code": code, "message": message}}
    room.call("tasks_done", {"workspace": "w", **SECOND}, envelope, failed=True)
    assert room.judged("TK-SRV-03").verdict == verdict


@pytest.mark.parametrize(("name", "verdict"), [(" new", "pass"), ("new\n", "pass"), ("other", "fail")])
def test_what_a_malformed_name_named_is_the_servers(name: str, verdict: str) -> None:
    room = begun()
    room.ok("branchmind_branch_create", {"branch": {"name": name.strip()}}, **{**SIDE, "name": name})
    room.no("branchmind_branch_create", "CONFLICT", **{**SIDE, "name": "new"})
    room.ok("branchmind_checkout", {"previous": "main", "current": "side"}, ref=f"{SIDE['name']}\n")
    room.ok("branchmind_checkout", {"previous": "side", "current": "main"}, ref="main")
    assert room.judged("TK-SRV-01").verdict == verdict
    assert room.judged("TK-SRV-02").verdict != "fail"

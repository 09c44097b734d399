"""TK-REV-01: what is shown otherwise than before is at a higher revision, and so is what surely was written to."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import STEP, TASK, Room

NODE: dict[str, Json] = {"id": "n", "type": "t", "title": "A", "revision": 0}
EDGE: dict[str, Json] = {"from": "n", "rel": "has", "to": "n", "meta": {"by": "one"}, "revision": 0}
STEPS: Json = [{"step_id": STEP, "path": "s:0", "title": "one", "tests_confirmed": False, "revision": 0}]
GRAPH: dict[str, Json] = {"branch": "main", "doc": "graph"}
NOTES: dict[str, Json] = {"branch": "main", "doc": "notes"}
ITEM: dict[str, Json] = {"id": TASK, "title": "A", "description": "", "revision": 1, "steps": STEPS}


def shown_twice(tool: str, first: Json, second: Json, *, write: bool = True, **arguments: Json) -> str:
    """Two answers of a tool, with a write of another tool's between them whose answer tells nothing."""
    room = Room()
    room.ok(tool, first, **arguments)
    if write:
        room.ok("branchmind_merge", {}, **{"from": "side", "into": "main"})
    room.ok(tool, second, **arguments)
    return room.judged("TK-REV-01").verdict


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "pass"),
        ({"title": "B"}, "fail"),
        ({"title": "B", "revision": 2}, "pass"),
        # what is empty may be shown as null; what a server works out may change
        ({"description": None, "done": True}, "pass"),
        ({"steps": [{**STEPS[0], "title": "two"}]}, "fail"),
        ({"steps": [{**STEPS[0], "tests_confirmed": True}]}, "fail"),
        ({"steps": [{**STEPS[0], "tests_confirmed": True, "revision": 1}]}, "pass"),
    ],
)
def test_a_task_or_step(change: dict[str, Json], verdict: str) -> None:
    first, second = ({"plans": [], "tasks": [each]} for each in (ITEM, ITEM | change))
    assert shown_twice("tasks_context", first, second) == verdict


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "pass"),
        ({"nodes": [{**NODE, "tags": ["x"]}]}, "pass"),
        ({"nodes": [{**NODE, "title": "B", "revision": 1}]}, "fail"),
        ({"nodes": [{**NODE, "title": "B", "revision": 1}], "revision": 4}, "pass"),
        ({"nodes": [{**NODE, "title": "B"}], "revision": 4}, "fail"),
        ({"edges": [{**EDGE, "meta": {"by": "two"}}], "revision": 4}, "fail"),
        ({"edges": []}, "fail"),
        ({"edges": [], "truncated": True}, "pass"),
    ],
)
def test_a_graph(change: dict[str, Json], verdict: str) -> None:
    first: dict[str, Json] = {**GRAPH, "revision": 3, "nodes": [NODE], "edges": [EDGE]}
    assert shown_twice("branchmind_graph_query", first, first | change, **GRAPH) == verdict


@pytest.mark.parametrize(
    ("arguments", "verdict"), [(NOTES, "fail"), ({**NOTES, "limit": 1}, "pass"), ({**NOTES, "max_chars": 900}, "pass")]
)
def test_a_document(arguments: dict[str, Json], verdict: str) -> None:
    first, second = ({**NOTES, "revision": 3, "entries": [{"content": each}]} for each in ("one", "two"))
    assert shown_twice("branchmind_show", first, second, **arguments) == verdict


def test_a_document_of_a_task_is_the_servers() -> None:
    place = {"branch": "main", "doc": f"{TASK}-trace"}
    first, second = ({**place, "revision": 0, "entries": [{"content": each}]} for each in ("one", "two"))
    assert shown_twice("branchmind_show", first, second, **place) == "pass"


@pytest.mark.parametrize(("after", "verdict"), [(1, "pass"), (0, "fail")])
@pytest.mark.parametrize(
    "op",
    [
        {"op": "edge_upsert", "from": "n", "rel": "has", "to": "n", "meta": {"by": "never said before"}},
        {"op": "node_upsert", "id": "n", "type": "t", "title": "A", "status": "never said before"},
    ],
)
def test_an_edge_and_any_field_of_a_node(op: Json, after: int, verdict: str) -> None:
    room, of_edge = Room(), op["op"] == "edge_upsert"
    read = {**GRAPH, "revision": 1, "nodes": [NODE], "edges": [EDGE]}
    room.ok("branchmind_graph_query", read, **GRAPH)
    room.ok("branchmind_graph_apply", {**GRAPH, "revision": 2}, ops=[op], **GRAPH)
    part, name = (EDGE | {"meta": op["meta"]}, "edges") if of_edge else (NODE | {"status": op["status"]}, "nodes")
    read = read | {"revision": 2, name: [{**part, "revision": after}]}
    room.ok("branchmind_graph_query", read, **GRAPH)
    assert room.judged("TK-REV-01").verdict == verdict


@pytest.mark.parametrize(("after", "verdict"), [(2, "pass"), (1, "fail")])
def test_the_data_of_a_contract(after: int, verdict: str) -> None:
    room = Room()
    room.ok("tasks_radar", {"target": {"id": "PLAN-001", "revision": 1}}, task="PLAN-001")
    data = {"due": "never said before"}
    room.ok("tasks_edit", {"id": "PLAN-001", "revision": after}, task="PLAN-001", contract_data=data)
    assert room.judged("TK-REV-01").verdict == verdict

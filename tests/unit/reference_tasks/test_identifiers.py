"""Identifiers on both sides of each rule, and in canonical form."""

import pytest


@pytest.mark.parametrize("name", ["a", "0", "A.b_c/d-e", "a" * 128])
def test_workspace_ids(bare, name):
    assert bare.ok("branchmind_init", workspace=name)["workspace"] == name


@pytest.mark.parametrize("name", ["", ".a", "-a", "/a", "a b", "ä", "a" * 129, "a\n", "\na", "a\x00", 7, None])
def test_malformed_workspace_ids(bare, name):
    assert bare.code("branchmind_init", workspace=name) == "INVALID_INPUT"
    assert bare.code("tasks_context", workspace=name) == "INVALID_INPUT"


MALFORMED_ITEMS = [
    "",
    "TASK-1",
    "TASK-01",
    "task-001",
    "TASK-001\n",
    " TASK-001",
    "TASK-0a1",
    "TASK-\u0660\u0660\u0661",
    "STEP-001",
]


@pytest.mark.parametrize("name", MALFORMED_ITEMS)
@pytest.mark.parametrize(
    ("tool", "argument"),
    [("tasks_radar", "task"), ("branchmind_export", "target"), ("tasks_create", "parent"), ("tasks_patch", "target")],
)
def test_malformed_plan_and_task_ids(desk, name, tool, argument):
    desk.task()
    assert desk.code(
        tool, **{argument: name, **({"title": "t"} if tool in ("tasks_create", "tasks_patch") else {})}
    ) == ("INVALID_INPUT")


@pytest.mark.parametrize("name", ["TASK-000", "PLAN-123456789", "TASK-0001"])
def test_well_formed_ids_that_name_nothing(desk, name):
    desk.task()
    assert desk.code("tasks_radar", task=name) == "UNKNOWN_ID"


@pytest.mark.parametrize("name", ["", "STEP-1", "STEP-0000000", "step-00000001", "STEP-0000000-", "STEP-00000001\n"])
def test_malformed_step_ids(desk, name):
    assert desk.code("tasks_note", task=desk.task(), step_id=name, note="n") == "INVALID_INPUT"


@pytest.mark.parametrize("path", ["", "s:", "0", "t:0", "s:0.", "s:0.0", "s:-1", "s:0 ", "s:0\n", "s:0.t:1", "S:0"])
def test_malformed_paths(desk, path):
    assert desk.code("tasks_note", task=desk.task(), path=path, note="n") == "INVALID_INPUT"


def test_paths_count_from_zero_level_by_level(desk):
    task = desk.task()
    below = [{"title": f"below {n}", "success_criteria": []} for n in range(2)]
    made = desk.ok("tasks_decompose", task=task, parent="s:1", steps=below)["steps"]
    assert [step["path"] for step in made] == ["s:1.s:0", "s:1.s:1"]
    for step in made:
        named = desk.ok("tasks_note", task=task, path=step["path"], note="n")["step"]
        assert named["step_id"] == step["step_id"]
    assert desk.ok("tasks_note", task=task, path="s:01.s:000", note="n")["step"]["path"] == "s:1.s:0"
    steps = desk.ok("tasks_context")["tasks"][0]["steps"]
    assert [step["path"] for step in steps] == ["s:0", "s:1", "s:1.s:0", "s:1.s:1"]


def test_a_step_id_wins_over_a_path(desk):
    task = desk.task()
    step_id = desk.ok("tasks_note", task=task, path="s:1", note="n")["step"]["step_id"]
    assert desk.ok("tasks_note", task=task, path="s:0", step_id=step_id, note="n")["step"]["path"] == "s:1"


GOOD = ["x", "😀" * 128, "a b", "ä", "Ä", "0"]
CONTROL = ["\n", "a\x00b", "a\x7f", "a\x85", "a\n", "\ta", "\x1fa"]


def upsert(**fields):
    return {"ops": [{"op": "node_upsert", "id": "n", "type": "t"} | fields]}


def edge(rel):
    return {"ops": [{"op": "edge_upsert", "from": "n", "rel": rel, "to": "n"}]}


@pytest.mark.parametrize("value", [*GOOD, "x" * 256, " " + "x" * 256 + "\u3000"])
def test_node_ids(desk, value):
    desk.ok("branchmind_graph_apply", **upsert(id=value))
    assert [node["id"] for node in desk.ok("branchmind_graph_query")["nodes"]] == [value.strip()]


@pytest.mark.parametrize("value", ["", " ", "\u2003", "a|b", "|", "x" * 257, *CONTROL])
def test_malformed_node_ids(desk, value):
    desk.nodes("n")
    before = desk.state()
    assert desk.code("branchmind_graph_apply", **upsert(id=value)) == "INVALID_INPUT"
    assert desk.code("branchmind_graph_apply", ops=[{"op": "node_delete", "id": value}]) == "INVALID_INPUT"
    edges = [{"op": "edge_upsert", "from": "n", "rel": "r", "to": value}]
    assert desk.code("branchmind_graph_apply", ops=edges) == "INVALID_INPUT"
    assert desk.code("branchmind_graph_query", ids=[value]) == "INVALID_INPUT"
    assert desk.code("branchmind_think_card", card={"id": value, "type": "note", "title": "t"}) == "INVALID_INPUT"
    assert desk.state() == before


@pytest.mark.parametrize("value", [*GOOD, "a|b", "x" * 128])
def test_graph_types(desk, value):
    desk.ok("branchmind_graph_apply", **upsert(type=value))
    assert desk.ok("branchmind_graph_query", types=[f" {value} "])["nodes"][0]["type"] == value


@pytest.mark.parametrize("value", ["", " ", "x" * 129, *CONTROL])
def test_malformed_graph_types(desk, value):
    assert desk.code("branchmind_graph_apply", **upsert(type=value)) == "INVALID_INPUT"


@pytest.mark.parametrize("value", [*GOOD, "x" * 128])
def test_relations(desk, value):
    desk.nodes("n")
    desk.ok("branchmind_graph_apply", **edge(value))
    assert desk.ok("branchmind_graph_query")["edges"][0]["rel"] == value


@pytest.mark.parametrize("value", ["", " ", "a|b", "x" * 129, *CONTROL])
def test_malformed_relations(desk, value):
    desk.nodes("n")
    assert desk.code("branchmind_graph_apply", **edge(value)) == "INVALID_INPUT"


def test_spellings_of_one_form_name_one_node_and_edge(desk):
    desk.nodes("n", " n ", "\u00a0n")
    desk.ok("branchmind_graph_apply", **edge("r"))
    desk.ok("branchmind_graph_apply", **edge(" r "))
    graph = desk.ok("branchmind_graph_query", ids=["n  "])
    assert [(node["id"], node["revision"]) for node in graph["nodes"]] == [("n", 0)]
    assert [(each["rel"], each["revision"]) for each in graph["edges"]] == [("r", 1)]
    desk.nodes("N")
    assert len(desk.ok("branchmind_graph_query")["nodes"]) == 2


def test_tags_are_canonical_and_found_in_any_case(desk):
    desk.ok("branchmind_graph_apply", **upsert(tags=["B", " a", "b "]))
    assert desk.ok("branchmind_graph_query", tags_all=["A", "b"])["nodes"][0]["tags"] == ["a", "b"]
    assert desk.ok("branchmind_graph_query", tags_any=["c"])["nodes"] == []
    assert desk.code("branchmind_graph_apply", **upsert(tags=["a|b"])) == "INVALID_INPUT"


def test_ids_are_counted_per_workspace_and_never_shared(desk):
    desk.ok("branchmind_init", workspace="other")
    desk.task()
    desk.task()
    mine = desk.ok("tasks_context")["tasks"]
    steps = [step["step_id"] for task in mine for step in task["steps"]]
    assert len(set(steps)) == len(steps) == 4
    assert desk.ok("tasks_create", workspace="other", title="theirs")["id"] == "PLAN-001"
    assert desk.ok("tasks_context", workspace="other")["plans"][0]["title"] == "theirs"
    assert desk.ok("tasks_context")["plans"][0]["title"] == "plan"
    assert desk.ok("tasks_delta", workspace="other")["pagination"]["count"] == 1
    desk.ok("branchmind_notes_commit", content="mine")
    assert desk.ok("branchmind_show", workspace="other", doc="notes")["entries"] == []

"""Each code is provoked, and says how to go on."""

import pytest

from reference_server.application import Request, UnknownToolError
from reference_server.tasks import open_tasks
from reference_server.tasks.refusal import CODES
from reference_server.tasks.tools import SPECS

WORKSPACE_TOOLS = [spec.name for spec in SPECS if "workspace" in spec.properties and not spec.makes_workspace]
MINIMAL = {
    "branchmind_branch_create": {"name": "b"},
    "branchmind_checkout": {"ref": "main"},
    "branchmind_notes_commit": {"content": "c"},
    "branchmind_diff": {"from": "main", "to": "main"},
    "branchmind_merge": {"from": "main", "into": "main"},
    "branchmind_export": {"target": "TASK-001"},
    "branchmind_graph_apply": {"ops": [{"op": "node_delete", "id": "n"}]},
    "branchmind_graph_diff": {"from": "main", "to": "main"},
    "branchmind_graph_merge": {"from": "main", "into": "main"},
    "branchmind_graph_conflicts": {"into": "main"},
    "branchmind_graph_conflict_show": {"conflict_id": "CONFLICT-" + "0" * 32},
    "branchmind_graph_conflict_resolve": {"conflict_id": "CONFLICT-" + "0" * 32, "resolution": "use_into"},
    "branchmind_think_template": {"type": "note"},
    "branchmind_think_card": {"card": {"id": "c", "type": "note", "title": "t"}},
    "tasks_create": {"title": "t"},
    "tasks_decompose": {"steps": [{"title": "t", "success_criteria": []}]},
    "tasks_note": {"note": "n"},
    "tasks_verify": {"checkpoints": {}},
    "tasks_focus_set": {"task": "TASK-001"},
}


@pytest.mark.parametrize("tool", WORKSPACE_TOOLS)
def test_workspace_tools_need_a_store_then_a_workspace(bare, tool):
    arguments = MINIMAL.get(tool, {})
    assert bare.code(tool, **arguments) == "NOT_INITIALIZED"
    bare.ok("branchmind_init", workspace="other")
    assert bare.code(tool, **arguments) == "UNKNOWN_WORKSPACE"


def test_a_store_may_be_there_from_the_start():
    tasks = open_tasks({"initialised": True})
    assert tasks.parts.store.initialised
    assert not tasks.parts.store.workspaces


@pytest.mark.parametrize(("settings", "error"), [({"initialised": 1}, TypeError), ({"quota": 1}, ValueError)])
def test_settings_that_do_not_fit_are_refused(settings, error):
    with pytest.raises(error):
        open_tasks(settings)


PROVOKED = {
    "UNKNOWN_ID": ("tasks_radar", {"task": "TASK-999"}),
    "INVALID_NAME": ("branchmind_branch_create", {"name": "no spaces"}),
    "INVALID_INPUT": ("tasks_create", {}),
    "REVISION_MISMATCH": ("tasks_edit", {"task": "TASK-001", "title": "x", "expected_revision": 7}),
    "EXPECTED_TARGET_MISMATCH": ("tasks_edit", {"task": "TASK-001", "title": "x", "expected_target_id": "PLAN-001"}),
    "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID": ("tasks_edit", {"title": "x", "strict_targeting": True}),
    "CHECKPOINTS_NOT_CONFIRMED": ("tasks_done", {"path": "s:0"}),
    "CONFLICT": ("branchmind_branch_create", {"name": "main"}),
    "BUDGET_EXCEEDED": ("tasks_context", {"max_chars": 0}),
}


@pytest.mark.parametrize("code", PROVOKED)
def test_codes_under_their_condition(desk, code):
    desk.ok("tasks_focus_set", task=desk.task())
    tool, arguments = PROVOKED[code]
    before = desk.state()
    envelope = desk.ask(tool, **arguments)
    assert envelope["error"]["code"] == code
    assert envelope["error"]["message"]
    assert envelope["error"]["recovery"]
    assert envelope["suggestions"]
    assert desk.state() == before


def test_every_code_is_provoked():
    assert {*PROVOKED, "NOT_INITIALIZED", "UNKNOWN_WORKSPACE"} == set(CODES)


def test_an_unknown_tool_is_no_answer_of_ours(desk):
    with pytest.raises(UnknownToolError):
        desk.answer("tasks_show", {})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("branchmind_show", {"branch": "nowhere"}),
        ("branchmind_checkout", {"ref": "nowhere"}),
        ("branchmind_notes_commit", {"branch": "nowhere", "content": "c"}),
        ("branchmind_notes_commit", {"target": "PLAN-999", "content": "c"}),
        ("branchmind_graph_apply", {"ops": [{"op": "node_delete", "id": "n"}]}),
        ("branchmind_graph_apply", {"ops": [{"op": "edge_delete", "from": "a", "rel": "r", "to": "b"}]}),
        ("branchmind_graph_apply", {"ops": [{"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"}]}),
        ("branchmind_graph_conflict_show", {"conflict_id": "CONFLICT-" + "0" * 32}),
        ("branchmind_think_card", {"card": {"id": "c", "type": "note", "title": "t"}, "supports": ["nothing"]}),
        ("tasks_create", {"title": "t", "parent": "PLAN-999"}),
        ("tasks_done", {"task": "TASK-001", "path": "s:9"}),
        ("tasks_done", {"task": "TASK-001", "path": "s:" + "9" * 5000}),
        ("tasks_done", {"task": "TASK-001", "step_id": "STEP-FFFFFFFF"}),
        ("tasks_decompose", {"task": "TASK-001", "parent": "s:9", "steps": [{"title": "t", "success_criteria": []}]}),
        ("tasks_patch", {"target": "NODE-00000001", "title": "t"}),
        ("tasks_delta", {"since": "evt_9999999999999999"}),
        ("tasks_focus_set", {"task": "PLAN-999"}),
    ],
)
def test_what_does_not_exist_is_an_unknown_id(desk, tool, arguments):
    desk.task()
    before = desk.state()
    assert desk.code(tool, **arguments) == "UNKNOWN_ID"
    assert desk.state() == before


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("tasks_create", {"title": "t", "kind": "task"}),
        ("tasks_create", {"title": "t", "kind": "plan", "parent": "PLAN-001"}),
        ("tasks_create", {"title": "t", "parent": "TASK-001"}),
        ("tasks_create", {"title": "t", "parent": "PLAN-001", "contract": "c"}),
        ("tasks_create", {"title": "t", "steps": [{"title": "t", "success_criteria": []}]}),
        ("tasks_decompose", {"task": "PLAN-001", "steps": [{"title": "t", "success_criteria": []}]}),
        ("tasks_define", {"task": "TASK-001", "path": "s:0"}),
        ("tasks_define", {"task": "TASK-001", "title": "which step?"}),
        ("tasks_verify", {"task": "TASK-001", "path": "s:0", "checkpoints": {}}),
        ("tasks_note", {"task": "TASK-001", "path": "s:0", "note": " \n"}),
        ("tasks_edit", {"task": "TASK-001"}),
        ("tasks_edit", {"task": "TASK-001", "contract": "c"}),
        ("tasks_edit", {"title": "no task, no focus"}),
        ("tasks_edit", {"task": "TASK-001", "title": "t", "expected_revision": 0, "expected_version": 1}),
        ("tasks_patch", {"task": "TASK-001", "success_criteria": []}),
        ("tasks_patch", {"task": "TASK-001", "path": "s:0", "description": "d"}),
        ("tasks_patch", {"target": "TASK-001", "path": "s:0", "title": "t"}),
        ("tasks_patch", {"target": "TASK-001"}),
        ("branchmind_notes_commit", {"content": " "}),
        ("branchmind_notes_commit", {"content": "c", "target": "TASK-001", "branch": "main"}),
        ("branchmind_merge", {"from": "main", "into": "main"}),
        ("branchmind_graph_merge", {"from": "main", "into": "task/TASK-001"}),
        ("branchmind_think_card", {"card": {"id": "c", "type": "note"}}),
        ("branchmind_think_card", {"card": "type: note\ntitle: no id"}),
        ("branchmind_think_card", {"card": "{no json"}),
        ("branchmind_think_card", {"card": '{"id": 1, "type": "note", "title": "t"}'}),
        ("branchmind_think_card", {"card": "id: c\ntype: rant\ntitle: t"}),
        ("branchmind_think_card", {"card": "only words"}),
        ("branchmind_show", {"limit": 0}),
        ("branchmind_show", {"unknown": 1}),
        ("branchmind_show", {"branch": None}),
        ("branchmind_show", {"branch": "\ud800"}),
        ("branchmind_show", {"limit": float("nan")}),
    ],
)
def test_what_does_not_fit_is_invalid_input(desk, tool, arguments):
    desk.task()
    before = desk.state()
    assert desk.code(tool, **arguments) == "INVALID_INPUT"
    assert desk.state() == before


@pytest.mark.parametrize("arguments", [[], "text", 7, {}])
def test_arguments_that_are_no_object_are_refused_in_the_envelope(desk, arguments):
    envelope = desk.answer("tasks_context", arguments).envelope
    assert (envelope["intent"], envelope["error"]["code"]) == ("context", "INVALID_INPUT")


def test_endless_nesting_is_refused(desk):
    nested: dict = {}
    for _ in range(100_000):
        nested = {"m": nested}
    assert desk.code("branchmind_notes_commit", content="c", meta=nested) == "INVALID_INPUT"


@pytest.mark.parametrize("name", ["", "-a", " a", "a b", "ä", "a" * 129, "a\n", "plan/PLAN-001", "task/TASK-1234"])
def test_malformed_and_reserved_branch_names(desk, name):
    assert desk.code("branchmind_branch_create", name=name) == "INVALID_NAME"


@pytest.mark.parametrize("tool", ["branchmind_show", "branchmind_graph_query"])
def test_malformed_document_names(desk, tool):
    assert desk.code(tool, doc="no spaces") == "INVALID_NAME"


def test_collisions_are_conflicts(desk):
    card = {"id": "c", "type": "note", "title": "one"}
    desk.ok("branchmind_think_card", card=card)
    assert desk.code("branchmind_think_card", card=card | {"title": "two"}) == "CONFLICT"
    conflict = desk.clash()
    desk.ok("branchmind_graph_conflict_resolve", conflict_id=conflict, resolution="use_into")
    again = {"conflict_id": conflict, "resolution": "use_into"}
    assert desk.code("branchmind_graph_conflict_resolve", **again) == "CONFLICT"


def test_numbers_in_json_are_integers_by_value(desk):
    assert desk.ok("tasks_context", limit=5.0)["pagination"]["limit"] == 5


def test_what_is_stored_is_no_callers_object(desk):
    meta = {"k": [1]}
    desk.ok("branchmind_notes_commit", content="c", meta=meta)
    meta["k"].append(2)
    assert desk.ok("branchmind_show", doc="notes")["entries"][0]["meta"] == {"k": [1]}


def test_requests_need_no_arguments_where_a_tool_takes_none(desk):
    assert desk.runner.run(desk.tasks.call(Request("storage", None))).envelope["result"] == {"storage_dir": "memory"}

"""Plans, tasks and steps: gates, edits, focus and strict targeting."""

import pytest

YES, NO = {"confirmed": True}, {"confirmed": False}


def step_of(desk, path="s:0"):
    return next(step for step in desk.ok("tasks_context")["tasks"][0]["steps"] if step["path"] == path)


@pytest.mark.parametrize("missing", [["criteria"], ["tests"], ["criteria", "tests"]])
def test_a_step_closes_only_with_both_checkpoints(desk, missing):
    task = desk.task()
    there = {gate: YES for gate in ("criteria", "tests") if gate not in missing}
    if there:
        desk.ok("tasks_verify", task=task, path="s:0", checkpoints=there)
    before = desk.state()
    envelope = desk.ask("tasks_done", task=task, path="s:0")
    assert envelope["error"]["code"] == "CHECKPOINTS_NOT_CONFIRMED"
    assert desk.state() == before
    for suggestion in envelope["suggestions"]:
        assert set(suggestion["params"]["checkpoints"]) == set(missing)
        desk.ok(suggestion["target"], **suggestion["params"])
    assert desk.ok("tasks_done", task=task, path="s:0")["event"]["type"] == "step_done"
    assert step_of(desk)["completed"] is True
    assert desk.code("tasks_done", task=task, path="s:0") == "INVALID_INPUT"


def test_a_task_is_done_when_its_steps_are(desk):
    task = desk.task(steps=1)
    desk.ok("tasks_verify", task=task, path="s:0", checkpoints={"criteria": YES, "tests": YES})
    assert desk.ok("tasks_context")["tasks"][0]["done"] is False
    desk.ok("tasks_done", task=task, path="s:0")
    assert desk.ok("tasks_context")["tasks"][0]["done"] is True


def test_new_criteria_and_tests_lose_their_confirmation(desk):
    task = desk.task()
    both = {"criteria": YES, "tests": YES}
    desk.ok("tasks_verify", task=task, path="s:0", checkpoints=both)
    desk.ok("tasks_done", task=task, path="s:0")
    desk.ok("tasks_define", task=task, path="s:0", title="new", blockers=["b"], tests=["try it"])
    step = step_of(desk)
    assert (step["title"], step["blockers"], step["completed"]) == ("new", ["b"], True)
    desk.ok("tasks_define", task=task, path="s:0", success_criteria=["other"])
    step = step_of(desk)
    assert (step["criteria_confirmed"], step["tests_confirmed"], step["completed"]) == (False, True, False)
    desk.ok("tasks_verify", task=task, path="s:0", checkpoints={"tests": NO})
    assert step_of(desk)["tests_confirmed"] is False


def test_a_note_is_in_the_notes_and_an_event_in_the_trace(desk):
    task = desk.task()
    event = desk.ok("tasks_note", task=task, path="s:1", note="look here")["event"]
    (note,) = desk.ok("branchmind_show", target=task, doc_kind="notes")["entries"]
    assert (note["content"], note["meta"]["path"]) == ("look here", "s:1")
    trace = desk.ok("branchmind_show", target=task)["entries"]
    assert [entry["meta"] for entry in trace] == [
        each for each in desk.ok("tasks_delta")["events"] if each["task"] == task
    ]
    assert trace[-1]["meta"] == event
    assert step_of(desk, "s:1")["notes"] == 1


def test_delta_goes_on_after_an_event(desk):
    task = desk.task()
    since = desk.ok("tasks_delta")["events"][-1]["event_id"]
    desk.ok("tasks_edit", task=task, title="new")
    (event,) = desk.ok("tasks_delta", since=since)["events"]
    assert (event["type"], event["payload"]) == ("task_edited", {"fields": ["title"]})


def test_null_clears(desk):
    plan = desk.ok("tasks_create", title="p", contract="c", contract_data={"k": 1}, description="d")["id"]
    desk.ok("tasks_edit", task=plan, contract=None, contract_data=None)
    (shown,) = desk.ok("tasks_context")["plans"]
    assert (shown["contract"], shown["contract_data"], shown["description"]) == (None, None, "d")
    assert desk.code("tasks_edit", task=plan, title=None) == "INVALID_INPUT"


@pytest.mark.parametrize("by", ["path", "step_id", "target", "focus"])
def test_patch_edits_a_step_however_named(desk, by):
    task = desk.task()
    step_id = step_of(desk)["step_id"]
    named = {"path": {"task": task, "path": "s:0"}, "step_id": {"task": task, "step_id": step_id}}
    named |= {"target": {"target": step_id}, "focus": {"path": "s:0"}}
    desk.ok("tasks_focus_set", task=task)
    fields = {"title": "patched", "tests": ["new"], "checkpoints": {"tests": YES}}
    result = desk.ok("tasks_patch", **named[by], **fields, expected_revision=0)
    assert (result["task"], result["revision"], result["step"]["step_id"]) == (task, 1, step_id)
    step = step_of(desk)
    assert (step["title"], step["tests"], step["tests_confirmed"], step["revision"]) == ("patched", ["new"], True, 1)


def test_patch_edits_tasks_and_plans(desk):
    task = desk.task()
    assert desk.ok("tasks_patch", target=task, description="d")["revision"] == 1
    assert desk.ok("tasks_patch", task="PLAN-001", contract="c")["kind"] == "plan"
    shown = desk.ok("tasks_context")
    assert (shown["tasks"][0]["description"], shown["plans"][0]["contract"]) == ("d", "c")


FOCUSED = {
    "tasks_decompose": {"steps": [{"title": "t", "success_criteria": []}]},
    "tasks_define": {"path": "s:0", "title": "t"},
    "tasks_note": {"path": "s:0", "note": "n"},
    "tasks_verify": {"path": "s:0", "checkpoints": {"tests": NO}},
    "tasks_done": {"path": "s:0"},
    "tasks_edit": {"title": "t"},
    "tasks_patch": {"path": "s:0", "title": "t"},
}


@pytest.mark.parametrize("tool", FOCUSED)
def test_writes_resolve_through_the_focus_and_are_guarded(desk, tool):
    task, arguments = desk.task(), FOCUSED[tool]
    assert desk.code(tool, **arguments) == "INVALID_INPUT"
    desk.ok("tasks_verify", task=task, path="s:0", checkpoints={"criteria": YES, "tests": YES})
    desk.ok("tasks_focus_set", task=task)
    before = desk.state()
    strict = desk.ask(tool, **arguments, strict_targeting=True)
    assert strict["error"]["code"] == "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID"
    assert [each["target"] for each in strict["suggestions"]] == ["tasks_focus_get", "tasks_radar"]
    for extra in ({}, {"task": task}):
        for wrong in ({"expected_target_id": "TASK-999"}, {"expected_kind": "plan"}):
            envelope = desk.ask(tool, **arguments, **extra, **wrong)
            assert envelope["error"]["code"] == "EXPECTED_TARGET_MISMATCH"
            assert envelope["result"]["resolved_target_id"] == task
            assert envelope["result"]["target_resolution"]["source"] == ("explicit" if extra else "focus")
    assert desk.state() == before
    guards = {"strict_targeting": True, "expected_target_id": task, "expected_kind": "task"}
    envelope = desk.ask(tool, **arguments, **guards)
    assert envelope["success"]
    assert envelope["context"]["target_resolution"] == {"source": "focus", "id": task, "kind": "task"}


def test_strictness_is_satisfied_by_an_explicit_task(desk):
    desk.ok("tasks_edit", task=desk.task(), title="t", strict_targeting=True)


def test_a_plan_in_focus_does_not_take_steps(desk):
    desk.task()
    desk.ok("tasks_focus_set", task="PLAN-001")
    envelope = desk.ask("tasks_note", path="s:0", note="n")
    assert envelope["error"]["code"] == "INVALID_INPUT"
    assert envelope["context"]["target_resolution"] == {"source": "focus_incompatible"}
    assert desk.ok("tasks_edit", title="new")["id"] == "PLAN-001"


def test_the_focus_is_an_entity(desk):
    task = desk.task()
    assert desk.ok("tasks_focus_get") == {"workspace": "w", "focus": None, "revision": 0, "truncated": False}
    assert desk.ok("tasks_focus_set", task=task)["previous"] is None
    cleared = desk.ok("tasks_focus_clear")
    assert (cleared["previous"], cleared["cleared"], cleared["focus"], cleared["revision"]) == (task, True, None, 2)


def test_radar_shows_what_is_next(desk):
    task = desk.task(steps=3)
    desk.ok("tasks_define", task=task, path="s:1", blockers=["rain"])
    desk.ok("tasks_verify", task=task, path="s:0", checkpoints={"criteria": YES, "tests": YES})
    desk.ok("tasks_done", task=task, path="s:0")
    result = desk.ok("tasks_radar", task=task)
    assert result["radar"]["now"] == "s:1: step 1"
    assert result["radar"]["next"] == ["s:2: step 2"]
    assert result["radar"]["blockers"] == ["s:1: rain"]
    assert result["steps"]["first_open"]["path"] == "s:1"
    assert (result["steps"]["total"], result["steps"]["missing_tests"]) == (3, 2)
    assert desk.ok("tasks_radar", task="PLAN-001")["radar"]["now"] == "task"


def test_cards_come_in_three_forms(desk):
    desk.nodes("claim", branch="main")
    as_object = {"id": "c1", "type": "evidence", "title": "t", "tags": ["B", "a"]}
    result = desk.ok("branchmind_think_card", card=as_object, supports=["claim"])
    assert (result["inserted"], result["graph_applied"]) == (True, {"nodes_upserted": 1, "edges_upserted": 1})
    desk.ok("branchmind_think_card", card='{"id": "c2", "type": "note", "text": "x"}', blocks=["c1"])
    desk.ok("branchmind_think_card", card="id: c3\nType: question\ntitle: why: so\ntags: x; y,x\nowner: me")
    cards = {card["id"]: card for card in desk.ok("branchmind_think_context")["cards"]}
    assert cards["c1"]["tags"] == ["a", "b"]
    assert (cards["c3"]["title"], cards["c3"]["tags"], cards["c3"]["meta"]) == ("why: so", ["x", "y"], {"owner": "me"})
    edges = {(edge["from"], edge["rel"], edge["to"]) for edge in desk.ok("branchmind_graph_query")["edges"]}
    assert edges == {("c1", "supports", "claim"), ("c2", "blocks", "c1")}
    trace = desk.ok("branchmind_show", doc="trace")["entries"]
    assert [entry["meta"]["card_id"] for entry in trace] == ["c1", "c2", "c3"]


@pytest.mark.parametrize(
    "card_type", ["frame", "hypothesis", "question", "test", "evidence", "decision", "note", "update"]
)
def test_templates_are_cards(desk, card_type):
    template = desk.ok("branchmind_think_template", type=card_type)["template"]
    assert desk.ok("branchmind_think_card", card=template, target=desk.task())["inserted"] is True

"""TK-SRV-02: reads of tasks and steps show what was written, as it was written."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import TASK, Room
from tests.laws.tasks.test_errors import CHECKED, begun


@pytest.mark.parametrize(("title", "verdict"), [("new", "pass"), ("task", "fail")])
def test_a_title_is_shown_as_it_was_written(title: str, verdict: str) -> None:
    assert retitled(title).judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(
    ("tool", "shown", "verdict"),
    [
        ("tasks_edit", {}, "pass"),
        ("tasks_edit", {"description": None}, "pass"),
        ("tasks_edit", {"description": "in words"}, "fail"),
        ("tasks_patch", {"description": "in words"}, "fail"),
        # what is cleared may be shown as something empty
        ("tasks_edit", {"description": ""}, "pass"),
    ],
)
@pytest.mark.parametrize("cleared", [None, ""])
def test_null_takes_a_field_away(cleared: Json, tool: str, shown: dict[str, Json], verdict: str) -> None:
    room = begun()
    for value in ("in words", cleared):
        room.ok(tool, {"id": TASK, "revision": 1}, task=TASK, description=value)
        seen = {"description": value} if value else shown
        room.ok("tasks_radar", {"target": {"id": TASK, "title": "task", **seen}}, task=TASK)
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(("tool", "name"), [("tasks_radar", "task"), ("branchmind_export", "target")])
@pytest.mark.parametrize(
    ("target", "breaches"), [({"id": TASK}, 0), ({"id": "PLAN-001"}, 1), ({"title": "task"}, 0), ({"id": 1}, 0)]
)
def test_a_read_is_about_the_task_that_it_names(tool: str, name: str, target: Json, breaches: int) -> None:
    room = begun()
    room.ok(tool, {"target": target}, **{name: TASK})
    assert room.judged("TK-SRV-02").breaches == breaches


@pytest.mark.parametrize(("description", "subjects"), [("7", 1), (7, 0), (["7"], 0)])
def test_what_a_server_makes_of_another_type_is_promised_nowhere(description: Json, subjects: int) -> None:
    room = begun()
    room.ok("tasks_edit", {"id": TASK, "revision": 1}, task=TASK, description=description)
    room.ok("tasks_radar", {"target": {"id": TASK, "description": "another"}}, task=TASK)
    assert room.judged("TK-SRV-02").breaches == subjects


@pytest.mark.parametrize(("limit", "breaches"), [(50, 1), (1.5, 0), ("ten", 0), (-1, 0)])
def test_a_read_with_a_limit_that_is_none_may_leave_out_what_it_likes(limit: Json, breaches: int) -> None:
    room = begun()
    for number in (1, 2):
        event = {"event_id": f"evt_{number:016}", "task": TASK}
        room.ok("tasks_edit", {"id": TASK, "revision": number, "event": event}, task=TASK, title=f"title {number}")
    room.ok("tasks_delta", {"events": [{"event_id": "evt_0000000000000001", "task": TASK}]}, limit=limit)
    assert room.judged("TK-SRV-02").breaches == breaches


def test_a_title_may_be_cut_under_a_cap() -> None:
    assert retitled("ne", max_chars=999).judged("TK-SRV-02").subjects == 0


def retitled(title: str, **arguments: Json) -> Room:
    room = begun()
    room.edit(2)
    room.ok("tasks_radar", {"target": {"id": TASK, "title": title, "revision": 2}}, task=TASK, **arguments)
    return room


DRAFTS: Json = [{"title": "one", "success_criteria": ["c"]}, {"title": "two", "success_criteria": ["c"]}]


def context(room: Room, *titles: str, name: str = "TASK-002", **more: Json) -> None:
    steps = [{"title": title} for title in titles]
    shown = {"id": name, "title": "t", "parent": "PLAN-001", "steps": steps}
    first = {"id": TASK, "title": "task", "parent": "PLAN-001"}
    room.ok("tasks_context", {"plans": [{"id": "PLAN-001", "title": "plan"}], "tasks": [first, shown], **more})


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ({"plans": ["PLAN-001"], "tasks": [TASK]}, "pass"),
        ({"plans": ["PLAN-001"], "tasks": []}, "fail"),
        ({"plans": [], "tasks": [TASK]}, "fail"),
        # a server that lists no plans at all
        ({"tasks": [TASK]}, "pass"),
        ({"plans": ["PLAN-001"], "tasks": [], "truncated": True}, "not_observed"),
        ({"plans": ["PLAN-001"], "tasks": [], "pagination": {"has_more": True}}, "not_observed"),
    ],
)
def test_whatever_was_made_is_listed(shown: dict[str, Json], verdict: str) -> None:
    room, titles = begun(), {"PLAN-001": "plan", TASK: "task"}
    lists: dict[str, Json] = {
        kind: [{"id": each, "title": titles[each], "parent": "PLAN-001"} for each in value]
        for kind, value in shown.items()
        if isinstance(value, list)
    }
    room.ok("tasks_context", {**shown, **lists})
    assert (room.judged("TK-SRV-02").verdict == "fail") is (verdict == "fail")


@pytest.mark.parametrize("named", [[], [{"step_id": "STEP-00000011", "path": "s:0"}]])
@pytest.mark.parametrize(
    ("titles", "verdict"), [(["one", "two"], "pass"), (["zero", "one", "two"], "pass"), (["one"], "fail"), ([], "fail")]
)
def test_steps_that_a_task_was_made_with_are_shown(named: Json, titles: list[str], verdict: str) -> None:
    room = begun()
    # another look shows a step: this server does show them
    context(room, "another", name="TASK-003")
    made = {"id": "TASK-002", "steps": named}
    room.ok("tasks_create", made, kind="task", parent="PLAN-001", title="t", steps=DRAFTS)
    context(room, *titles)
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(
    ("titles", "more", "breaches"),
    [(("one", "two"), {}, 0), (("one",), {}, 1), (("one",), {"max_chars": 5_000}, 0), (("two",), {"max_lines": 2}, 0)],
)
def test_an_export_shows_them_too(titles: tuple[str, ...], more: dict[str, Json], breaches: int) -> None:
    room = begun()
    room.ok("tasks_decompose", {"task": TASK}, task=TASK, steps=DRAFTS)
    steps = [{"title": title} for title in titles]
    room.ok("branchmind_export", {"target": {"id": TASK, "title": "task", "steps": steps}}, target=TASK, **more)
    assert room.judged("TK-SRV-02").breaches == breaches


@pytest.mark.parametrize(("titles", "more"), [((), {}), (("one",), {"truncated": True})])
def test_a_look_that_shows_no_steps_or_was_cut_tells_nothing(titles: tuple[str, ...], more: dict[str, Json]) -> None:
    room = begun()
    room.ok("tasks_create", {"id": "TASK-002"}, kind="task", parent="PLAN-001", title="t", steps=DRAFTS)
    context(room, *titles, **more)
    assert room.judged("TK-SRV-02").verdict != "fail"


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({"total": 2, "open": 1, "completed": 1}, "pass"),
        ({"total": 3}, "fail"),
        ({"total": 2, "open": 2}, "fail"),
        ({"total": 2, "completed": 0}, "fail"),
        ({"first_open": None}, "not_observed"),
    ],
)
def test_the_steps_of_a_task_are_counted(counts: Json, verdict: str) -> None:
    room = begun()
    first: dict[str, Json] = {"task": TASK, "path": "s:0"}
    room.ok("tasks_verify", {"task": TASK}, **first, checkpoints=CHECKED)
    room.ok("tasks_done", {"task": TASK}, **first)
    room.ok("tasks_radar", {"target": {"id": TASK}, "steps": counts}, task=TASK)
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize("tool", ["branchmind_status", "branchmind_branch_list"])
@pytest.mark.parametrize(
    ("first", "later", "broken"),
    [
        ({"checkout": "main"}, {"checkout": "side"}, False),
        ({"checkout": "main"}, {"checkout": "main"}, True),
        ({"checkout": "main"}, {"checkout": None}, True),
        # a server may never say it, or call something else so
        ({"checkout": None}, {"checkout": None}, False),
        ({}, {}, False),
        ({"checkout": {"n": 1}}, {"checkout": {"n": 1}}, False),
        ({"checkout": "main"}, {"checkout": None, "truncated": True}, False),
    ],
)
def test_what_is_checked_out_is_shown(tool: str, first: dict[str, Json], later: dict[str, Json], broken: bool) -> None:
    room, branches = begun(), {"branches": [{"name": "main"}, {"name": "side", "base_branch": "main"}]}
    room.ok(tool, branches | first)
    room.ok("branchmind_checkout", {"previous": "main", "current": "side"}, ref="side")
    room.ok(tool, branches | later)
    assert (room.judged("TK-SRV-02").verdict == "fail") is broken


@pytest.mark.parametrize(("tool", "verdict"), [("tasks_edit", "not_observed"), ("tasks_focus_set", "not_observed")])
def test_a_write_that_tells_of_no_event_may_be_the_last(tool: str, verdict: str) -> None:
    told: dict[str, Json] = {"event": {"event_id": "evt_0000000000000001"}}
    for more, wanted in ((False, "fail"), (True, verdict)):
        room = begun()
        room.ok("tasks_edit", {"id": TASK, **told}, task=TASK, title="Told")
        if more:
            room.ok(tool, {"id": TASK}, task=TASK, title="Untold")
        room.ok("branchmind_status", {"last_event": {"event_id": "evt_0000000000000002"}})
        assert room.judged("TK-SRV-02").verdict == wanted


def test_whether_a_step_is_still_closed_that_lost_a_checkpoint_is_not_counted() -> None:
    room = begun()
    first: dict[str, Json] = {"task": TASK, "path": "s:0"}
    room.ok("tasks_verify", {"task": TASK}, **first, checkpoints=CHECKED)
    room.ok("tasks_done", {"task": TASK}, **first)
    room.ok("tasks_verify", {"task": TASK}, **first, checkpoints={"tests": {"confirmed": False}})
    for closed in (0, 1):
        counts = {"total": 2, "open": 2 - closed, "completed": closed}
        room.ok("tasks_radar", {"target": {"id": TASK}, "steps": counts}, task=TASK)
    assert room.judged("TK-SRV-02").verdict == "pass"


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ({"task": TASK, "type": "noted", "ts": "2026-11-21T12:00:00Z"}, "pass"),
        ({}, "pass"),
        ({"task": None}, "pass"),
        ({"task": "TASK-002"}, "fail"),
        ({"task": TASK, "type": "edited"}, "fail"),
    ],
)
def test_an_event_is_about_what_its_write_said(shown: dict[str, Json], verdict: str) -> None:
    room = begun()
    told: Json = {"event_id": "evt_1", "task": TASK, "type": "noted"}
    room.ok("tasks_edit", {"id": TASK, "event": told}, task=TASK, title="new")
    room.ok("tasks_delta", {"events": [{"event_id": "evt_1", **shown}]})
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(("largest", "breaches"), [(9, 0), (None, 1)])
def test_an_event_beyond_a_default_page_is_not_lost(largest: int | None, breaches: int) -> None:
    """A page that ends early and does not say so is another rule's, where a larger one shows the rest."""
    room = begun()
    events: list[Json] = [{"event_id": f"evt_{number}"} for number in range(3)]
    for number, event in enumerate(events):
        room.ok("tasks_edit", {"id": TASK, "event": event}, task=TASK, title=f"title {number}")
    room.ok("tasks_delta", {"events": events[:2]})
    if largest is not None:
        room.ok("tasks_delta", {"events": events}, limit=largest)
    assert room.judged("TK-SRV-02").breaches == breaches


@pytest.mark.parametrize(("other", "verdict"), [({}, "pass"), ({"contract": None}, "fail")])
def test_a_field_that_no_entry_of_a_list_shows_is_none_that_it_was_to_show(other: Json, verdict: str) -> None:
    room = Room()
    room.ok("tasks_create", {"id": "PLAN-002"}, title="t", kind="plan", contract="in words")
    room.ok("tasks_context", {"plans": [{"id": "PLAN-002"}, {"id": "PLAN-001", **(other or {})}]})
    found = room.judged("TK-SRV-02")
    assert (found.verdict, found.breaches) == (verdict, int(verdict == "fail")), found.findings

"""TK-SRV-02: reads show what was written, as it was written, and nothing that was taken away."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import TASK, Room
from tests.laws.tasks.test_errors import CHECKED, PLACE, begun

MAIN: dict[str, Json] = {"branch": "main", "doc": "g"}
NODE: dict[str, Json] = {"op": "node_upsert", "id": "a", "type": "t", "title": "A", "text": "text", "tags": ["x"]}
SHOWN: dict[str, Json] = {"id": "a", "type": "t", "title": "A", "text": "text", "tags": ["x"]}
META: Json = {"n": 1}
CONFLICT = f"CONFLICT-{'a' * 32}"


def apply(room: Room, *ops: Json, **place: Json) -> None:
    room.ok("branchmind_graph_apply", {}, ops=list(ops), **MAIN | place)


def query(room: Room, *nodes: Json, edges: Json = (), more: Json = None, **arguments: Json) -> str:
    result = {"nodes": list(nodes), "edges": list(edges), **(more or {})}
    room.ok("branchmind_graph_query", result, **MAIN | arguments)
    return room.judged("TK-SRV-02").verdict


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ([SHOWN], "pass"),
        ([{**SHOWN, "tags": ["X "]}], "pass"),
        ([{**SHOWN, "title": "B"}], "fail"),
        ([{**SHOWN, "text": None}], "fail"),
        ([{**SHOWN, "deleted": True}], "fail"),
        ([], "fail"),
    ],
)
def test_a_node_is_shown_as_it_was_written(shown: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    assert query(room, *shown) == verdict


@pytest.mark.parametrize(
    ("shown", "verdict"), [([], "pass"), ([{**SHOWN, "deleted": True}], "pass"), ([SHOWN], "fail")]
)
def test_what_was_deleted_is_shown_as_deleted_or_not_at_all(shown: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    apply(room, {"op": "node_delete", "id": "a"})
    assert query(room, *shown) == verdict


@pytest.mark.parametrize(
    ("more", "arguments"),
    [
        ({"truncated": True}, {}),
        ({"budget": {"truncated": True}}, {}),
        ({}, {"max_chars": 90}),
        ({"pagination": {"has_more": True}}, {}),
    ],
)
def test_what_was_cut_or_is_on_another_page_leaves_out_what_it_likes(more: Json, arguments: dict[str, Json]) -> None:
    room = begun()
    apply(room, NODE)
    assert query(room, more=more, **arguments) == "not_observed"


@pytest.mark.parametrize(
    ("filters", "shown", "verdict"),
    [
        ({"ids": ["a"]}, [SHOWN], "pass"),
        ({"ids": ["a"]}, [], "fail"),
        ({"ids": ["b"]}, [SHOWN], "fail"),
        ({"ids": []}, [SHOWN], "pass"),
        ({"types": []}, [], "not_observed"),
        ({"tags_any": ["y"]}, [SHOWN], "fail"),
        ({"tags_any": []}, [SHOWN], "pass"),
        ({"text": "tex"}, [], "fail"),
    ],
)
def test_a_filter_shows_what_it_asks_for(filters: dict[str, Json], shown: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    assert query(room, *shown, **filters) == verdict


@pytest.mark.parametrize(
    ("meta", "verdict"),
    [
        (META, "pass"),
        ({"card_id": "c", **META}, "pass"),
        ({"card_id": "c", "meta": META}, "pass"),
        ({"card_id": "c"}, "fail"),
        ({"n": 2}, "fail"),
        (None, "fail"),
    ],
)
def test_the_meta_of_a_card_may_stand_within_what_the_server_adds(meta: Json, verdict: str) -> None:
    room = begun()
    card: Json = {"id": "c", "type": "note", "title": "t", "meta": META}
    room.ok("branchmind_think_card", {"inserted": True}, card=card, **PLACE)
    assert query(room, {"id": "c", "type": "note", "title": "t", "meta": meta}) == verdict


@pytest.mark.parametrize(
    ("written", "shown", "verdict"), [(1, 1, "pass"), (1, 2, "fail"), (2, 2, "pass"), (2, 1, "pass"), (0, 2, "pass")]
)
def test_an_entry_is_shown_as_often_as_it_was_written(written: int, shown: int, verdict: str) -> None:
    room = begun()
    place: dict[str, Json] = {"branch": "main", "doc": "notes"}
    for content in ["other"] + ["twice"] * written:
        room.ok("branchmind_notes_commit", {"entry": {**place, "content": content}}, content=content, **place)
    entries = [{"content": content} for content in ["other"] + ["twice"] * shown]
    room.ok("branchmind_show", {"entries": entries, **place}, **place)
    assert room.judged("TK-SRV-02").verdict == verdict


EDGE: dict[str, Json] = {"op": "edge_upsert", "from": "a", "rel": "r", "to": "b"}
NODES: tuple[Json, ...] = (NODE, {**NODE, "id": "b"})
NAMES: Json = {"from": "a", "rel": "r", "to": "b"}


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ([{"kind": "edge", "key": "a|r|b", "to": NAMES}], "pass"),
        ([{"kind": "edge", "key": NAMES, "to": NAMES}], "pass"),
        ([], "fail"),
        ([{"kind": "edge", "key": "a|r|b", "to": NAMES}, {"kind": "node", "id": "a", "to": SHOWN}], "fail"),
    ],
)
def test_what_differs_between_branches_is_compared(changes: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, *NODES)
    room.ok("branchmind_branch_create", {"branch": {"name": "inner"}}, **{"name": "inner", "from": "main"})
    apply(room, EDGE, branch="inner")
    room.ok("branchmind_graph_diff", {"changes": changes, "doc": "g"}, **{"from": "main", "to": "inner", "doc": "g"})
    assert room.judged("TK-SRV-02").verdict == verdict


def test_what_a_merge_adds_to_its_meta_is_a_difference_as_well() -> None:
    room = begun()
    room.ok("branchmind_branch_create", {"branch": {"name": "inner"}}, **{"name": "inner", "from": "main"})
    apply(room, NODE, branch="inner")
    room.ok("branchmind_graph_merge", {"conflict_ids": []}, **{"from": "inner", "into": "main", "doc": "g"})
    changes: Json = [{"kind": "node", "id": "a", "to": SHOWN}]
    room.ok("branchmind_graph_diff", {"changes": changes, "doc": "g"}, **{"from": "main", "to": "inner", "doc": "g"})
    assert room.judged("TK-SRV-02").subjects == 0


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
    room.ok("tasks_context", {"plans": [{"id": "PLAN-001", "title": "plan"}], "tasks": [shown], **more})


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


REMARK = "A note that is nowhere else"


def remarked(shown_by: str, note: str = REMARK) -> Room:
    """A note on a step, and the reads of which one or another shows it."""
    room = begun()
    room.ok("tasks_note", {"task": TASK}, task=TASK, path="s:0", note=note)
    kept = [note] if shown_by == "tasks_context" else []
    item = {"id": TASK, "title": "task", "parent": "PLAN-001", "notes": kept}
    entry = [{"content": note}] if shown_by == "branchmind_show" else []
    room.ok("tasks_context", {"plans": [], "tasks": [item]})
    why = {"why": f"as was noted: {note}"} if shown_by == "tasks_radar" else {}
    room.ok("tasks_radar", {"target": {"id": TASK}, **why}, task=TASK)
    room.ok("branchmind_export", {"target": {"id": TASK}, "notes": {"entries": []}}, target=TASK)
    room.ok("branchmind_show", {"entries": entry}, target=TASK, doc_kind="notes")
    payload = {"note": f"noted: {note}"} if shown_by == "tasks_delta" else {}
    room.ok("tasks_delta", {"events": [{"event_id": "evt_0000000000000009", "payload": payload}]})
    return room


@pytest.mark.parametrize(
    ("shown_by", "note", "verdict"),
    [
        ("tasks_context", REMARK, "pass"),
        ("tasks_delta", REMARK, "pass"),
        ("tasks_radar", REMARK, "pass"),
        ("", REMARK, "fail"),
        # a short text may be there by chance
        ("", "short", "pass"),
        # what shows one note as an entry is to show each
        ("branchmind_show", REMARK, "fail"),
    ],
)
def test_a_note_on_a_step_is_shown_by_some_read(shown_by: str, note: str, verdict: str) -> None:
    assert remarked(shown_by, note).judged("TK-SRV-02").verdict == verdict


def test_a_note_is_looked_for_once_every_read_was_made_that_may_show_it() -> None:
    room = begun()
    room.ok("tasks_note", {"task": TASK}, task=TASK, path="s:0", note=REMARK)
    room.ok("tasks_context", {"plans": [], "tasks": []})
    assert room.judged("TK-SRV-02").verdict == "not_observed"


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
    ("told", "number", "verdict"),
    [
        ({"graph_doc": "g"}, 2, "pass"),
        ({"graph_doc": "g"}, 1, "fail"),
        ({}, 1, "not_observed"),
        ({}, 2, "not_observed"),
    ],
)
def test_a_card_may_be_in_any_document_of_its_branch_that_nobody_named(told: Json, number: int, verdict: str) -> None:
    room = begun()
    apply(room, NODE)
    card = {"id": "c", "type": "note", "title": "C"}
    room.ok("branchmind_think_card", {"branch": "main", **dict(told)}, branch="main", card=card)
    room.ok("branchmind_graph_validate", {"stats": {"nodes": number, "edges": 0}}, **MAIN)
    assert room.judged("TK-SRV-02").verdict == verdict


ENDS: tuple[Json, ...] = (NODE, {**NODE, "id": "b"}, {"op": "edge_upsert", "from": "a", "rel": "needs", "to": "b"})
ENDLESS: dict[str, Json] = {"code": "EDGE_ENDPOINT_MISSING", "kind": "edge", "key": "a|needs|b"}


@pytest.mark.parametrize(
    ("errors", "verdict"),
    [([], "pass"), ([ENDLESS], "fail"), ([{**ENDLESS, "code": "NODE_WITHOUT_TEXT"}], "pass")],
)
def test_an_edge_whose_ends_are_there_lacks_none(errors: list[Json], verdict: str) -> None:
    room = begun()
    apply(room, *ENDS)
    room.ok("branchmind_graph_validate", {"errors": errors}, **MAIN)
    outcome = room.judged("TK-SRV-02")
    assert (outcome.verdict, outcome.subjects) == (verdict, 1)


@pytest.mark.parametrize("doc", ["another", "PLAN-001"])
def test_of_a_graph_that_nobody_knows_the_ends_tell_nothing(doc: str) -> None:
    room = begun()
    apply(room, *ENDS, doc="PLAN-001")
    room.ok("branchmind_graph_validate", {"errors": [ENDLESS]}, branch="main", doc=doc)
    assert room.judged("TK-SRV-02").subjects == 0


def test_a_merge_may_leave_an_edge_without_its_end() -> None:
    room = begun()
    apply(room, *ENDS[:2])
    room.ok("branchmind_branch_create", {"branch": {"name": "late"}}, **{"name": "late", "from": "main"})
    apply(room, ENDS[2], branch="late")
    apply(room, {"op": "node_delete", "id": "b"})
    room.ok("branchmind_graph_merge", {"conflict_ids": []}, **{"from": "late", "into": "main", "doc": "g"})
    room.ok("branchmind_graph_validate", {"errors": [ENDLESS]}, **MAIN)
    assert room.judged("TK-SRV-02").verdict != "fail"


ENTRY = "An entry of one document"


def noted(doc: str, told: str) -> Room:
    """An entry is written to a document, whose name comes back so; then to another one."""
    room = begun()
    place: dict[str, Json] = {"branch": "main"}
    room.ok("branchmind_notes_commit", {**place, "doc": told}, content=ENTRY, doc=doc, **place)
    room.ok("branchmind_notes_commit", {**place, "doc": told}, content="An entry of another", doc="other", **place)
    return room


@pytest.mark.parametrize(
    ("asked", "told", "shown", "verdict"),
    [
        ("Notes", "Notes", ENTRY, "pass"),
        ("Notes", "notes", ENTRY, "pass"),
        ("notes", "notes", ENTRY, "fail"),
        ("other", "other", ENTRY, "fail"),
        ("other", "other", "short", "pass"),
    ],
)
def test_a_document_shows_what_was_written_to_it(asked: str, told: str, shown: str, verdict: str) -> None:
    room = noted("Notes", told if asked == "Notes" else "Notes")
    entries = [{"content": shown}, *([{"content": "An entry of another"}] if asked == "other" else [])]
    room.ok("branchmind_show", {"branch": "main", "doc": told, "entries": entries}, branch="main", doc=asked)
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(
    ("asked", "shown", "verdict"),
    [
        ({"into": "side"}, 0, "pass"),
        ({"into": "side"}, 1, "fail"),
        ({"into": "side", "status": "open"}, 1, "fail"),
        ({"into": "main"}, 1, "pass"),
        ({"into": "main", "status": "open"}, 1, "pass"),
        ({"into": "main", "status": "open"}, 0, "fail"),
        ({"into": "main", "status": "resolved"}, 1, "fail"),
        ({"into": "main", "status": "resolved"}, 0, "pass"),
    ],
    ids=str,
)
def test_a_conflict_is_among_those_of_its_branch_and_status(asked: dict[str, Json], shown: int, verdict: str) -> None:
    room = begun()
    merged: dict[str, Json] = {"conflict_ids": [CONFLICT], "doc": "g"}
    room.ok("branchmind_graph_merge", merged, **{"from": "side", "into": "main", "doc": "g"})
    room.ok("branchmind_graph_conflicts", {"conflicts": [{"conflict_id": CONFLICT}] * shown}, **asked, doc="g")
    assert room.judged("TK-SRV-02").breaches == (verdict == "fail")

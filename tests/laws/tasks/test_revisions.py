"""TK-REV-01, -08, -09: what revisions are, and by what they rise."""

from typing import Any

import pytest

from conformance.contract.catalogue import load
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import STEP, TASK, Room
from tests.laws.tasks.test_errors import begun

IDS = ("TK-REV-01", "TK-REV-08", "TK-REV-09")


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "revisions").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize(("revision", "verdict"), [(0, "pass"), (True, "fail"), ("0", "fail"), (None, "fail")])
def test_a_revision_is_an_integer(revision: Json, verdict: str) -> None:
    room = Room()
    room.radar(revision)
    assert room.judged("TK-REV-01").verdict == verdict


@pytest.mark.parametrize(
    ("tool", "result", "pointer"),
    [
        ("tasks_context", {"plans": [], "tasks": [{"id": TASK, "revision": 0, "steps": [{"step_id": STEP}]}]},
         "/result/tasks/0/steps/0/revision"),
        ("branchmind_branch_list", {"branches": [{"name": "main"}]}, "/result/branches/0/revision"),
        ("branchmind_show", {"branch": "main", "doc": "notes", "entries": []}, "/result/revision"),
        ("branchmind_notes_commit", {"document": {"branch": "main", "doc": "notes"}}, "/result/document/revision"),
        ("branchmind_graph_query", {"branch": "b", "doc": "d", "revision": 0, "nodes": [{"id": "n"}]},
         "/result/nodes/0/revision"),
        ("branchmind_graph_conflict_show", {"conflict": {"conflict_id": "CONFLICT-1"}}, "/result/conflict/revision"),
        ("tasks_focus_get", {"focus": None}, "/result/revision"),
    ],
)  # fmt: skip
def test_whatever_is_shown_has_one(tool: str, result: Json, pointer: str) -> None:
    room = Room()
    room.ok(tool, result)
    outcome = room.judged("TK-REV-01")
    assert (outcome.verdict, [finding.pointer for finding in outcome.findings]) == ("fail", [pointer])


@pytest.mark.parametrize(
    ("tool", "result"),
    [
        ("tasks_note", {"task": TASK, "revision": 1, "step": {"step_id": STEP, "path": "s:0"}}),
        ("tasks_radar", {"target": {"id": TASK}, "truncated": True}),
        ("branchmind_graph_validate", {"branch": "main", "doc": "graph", "errors": []}),
        ("branchmind_graph_apply", {"branch": "main", "doc": "graph", "applied": {"nodes_upserted": 1}}),
        ("branchmind_graph_conflict_resolve", {"conflict_id": "CONFLICT-1", "status": "resolved", "applied": True}),
        ("tasks_focus_clear", {"previous": TASK, "cleared": True}),
        ("tasks_delta", {"events": [{"task": TASK, "payload": {"steps": [{"step_id": STEP}]}}]}),
    ],
)
def test_what_is_only_named_needs_none(tool: str, result: Json) -> None:
    room = Room()
    room.ok(tool, result)
    assert room.judged("TK-REV-01").breaches == 0


def test_a_revision_never_falls() -> None:
    room = Room()
    room.radar(3)
    room.radar(2)
    assert room.judged("TK-REV-01").verdict == "fail"


@pytest.mark.parametrize(("shown", "verdict"), [(3, "pass"), (2, "fail")])
def test_the_document_of_cards_is_shown_at_its_revision(shown: int, verdict: str) -> None:
    room = Room()
    room.ok("branchmind_graph_query", {"branch": "main", "doc": "g", "revision": 3, "nodes": []})
    room.ok("branchmind_think_context", {"branch": "main", "graph_doc": "g", "revision": shown, "cards": []})
    assert room.judged("TK-REV-01").verdict == verdict


def test_overlapping_answers_have_no_order() -> None:
    room = Room()
    room.together()
    room.radar(3)
    room.radar(2)
    room.settle()
    assert room.judged("TK-REV-01").verdict == "pass"


@pytest.mark.parametrize(("after", "verdict"), [(4, "pass"), (9, "pass"), (3, "fail")])
def test_a_write_raises_it(after: int, verdict: str) -> None:
    room = Room()
    room.radar(3)
    room.edit(after)
    outcome = room.judged("TK-REV-01")
    assert outcome.verdict == verdict
    assert [finding.calls for finding in outcome.findings] == ([(1, 2)] if verdict == "fail" else [])


@pytest.mark.parametrize(("place", "verdict"), [("steps", "pass"), ("step", "fail")])
def test_a_write_raises_no_step_that_its_answer_only_lists(place: str, verdict: str) -> None:
    shown: dict[str, Json] = {"step_id": STEP, "path": "s:0", "revision": 0}
    room = Room()
    room.ok("tasks_context", {"plans": [], "tasks": [{"id": TASK, "revision": 0, "steps": [shown]}]})
    room.ok("tasks_edit", {"id": TASK, "revision": 1, place: shown if place == "step" else [shown]}, title="other")
    assert room.judged("TK-REV-01").verdict == verdict


def test_a_write_that_shows_none_raises_what_is_shown_next() -> None:
    room = Room()
    room.radar(3)
    room.ok("tasks_note", {"task": TASK}, task=TASK, note="n")
    room.radar(3)
    assert room.judged("TK-REV-01").verdict == "fail"


CONFIRMED: Json = {gate: {"confirmed": True} for gate in ("criteria", "tests")}
TOLD: dict[str, Json] = {"event": {"event_id": "evt_0000000000000001"}}


def checked(revision: int, checkpoints: Json = CONFIRMED, room: Room | None = None) -> Room:
    """The checkpoints of a step are written, and the answer shows its task at this revision."""
    room = room or begun()
    room.ok("tasks_verify", {"task": TASK, "revision": revision}, task=TASK, path="s:0", checkpoints=checkpoints)
    return room


def unraised(room: Room) -> int:
    """How many writes left a revision as it was."""
    return sum("as before" in finding.saw for finding in room.judged("TK-REV-01").findings)


@pytest.mark.parametrize(("after", "number"), [(1, 0), (0, 1)])
def test_the_first_confirmation_of_a_step_raises_its_task(after: int, number: int) -> None:
    room = begun()
    room.radar(0)
    assert unraised(checked(after, room=room)) == number


@pytest.mark.parametrize(
    ("checkpoints", "number"), [(CONFIRMED, 0), ({}, 0), ({"tests": {"confirmed": False}}, 1)], ids=str
)
def test_what_is_confirmed_already_may_raise_nothing(checkpoints: Json, number: int) -> None:
    assert unraised(checked(1, checkpoints, checked(1))) == number


@pytest.mark.parametrize(("after", "told", "number"), [(2, TOLD, 0), (1, TOLD, 1), (1, {}, 0)], ids=str)
def test_a_step_that_is_closed_raises_its_task(after: int, told: dict[str, Json], number: int) -> None:
    room = checked(1)
    room.ok("tasks_done", {"task": TASK, "revision": after, **told}, task=TASK, path="s:0")
    assert unraised(room) == number


@pytest.mark.parametrize(
    ("tool", "result", "arguments"),
    [
        ("tasks_edit", {"id": TASK, "revision": 3}, {"task": TASK, "title": "known"}),
        ("tasks_verify", {"task": TASK, "revision": 3}, {"task": TASK, "checkpoints": {}}),
    ],
)
def test_a_write_that_may_have_changed_nothing(tool: str, result: Json, arguments: dict[str, Any]) -> None:
    room = Room()
    room.edit(3, title="known")
    room.ok(tool, result, **arguments)
    assert room.judged("TK-REV-01").breaches == 0


@pytest.mark.parametrize(("merged", "dry_run", "verdict"), [(1, False, "fail"), (0, False, "pass"), (1, True, "pass")])
def test_a_merge_raises_the_document_it_wrote_to(merged: int, dry_run: Json, verdict: str) -> None:
    document = {"branch": "main", "doc": "notes", "revision": 3}
    room = Room()
    room.ok("branchmind_show", {**document, "entries": []})
    given = {"from": "side", "into": "main", "doc": "notes", "dry_run": dry_run}
    room.ok("branchmind_merge", {"merged": merged, "document": document}, **given)
    assert room.judged("TK-REV-01").verdict == verdict


def test_a_node_rises_with_its_document() -> None:
    room = Room()
    for title in ("first", "second"):
        op = {"op": "node_upsert", "id": " n ", "type": "t", "title": title}
        revision = 1 if title == "first" else 2
        room.ok(
            "branchmind_graph_apply", {"branch": "b", "doc": "d", "revision": revision}, branch="b", doc="d", ops=[op]
        )
        shown = {"branch": "b", "doc": "d", "revision": revision, "nodes": [{"id": "n", "revision": 0}]}
        room.ok("branchmind_graph_query", shown, branch="b", doc="d")
    outcome = room.judged("TK-REV-01")
    assert [finding.saw for finding in outcome.findings] == [
        "node b:d:n is at revision 0 after branchmind_graph_apply wrote to it, as before"
    ]


@pytest.mark.parametrize(("second", "verdict"), [(3, "pass"), (4, "fail")])
def test_reads_raise_nothing(second: int, verdict: str) -> None:
    room = Room()
    room.radar(3)
    room.ok("tasks_delta", {"events": []})
    room.radar(second)
    outcome = room.judged("TK-REV-08")
    assert outcome.verdict == verdict
    assert all(finding.calls == (1, 2, 3) for finding in outcome.findings)


def test_what_is_tried_between_reads_is_not_the_reads_fault() -> None:
    room = Room()
    room.radar(3)
    room.no("tasks_edit", "REVISION_MISMATCH", task=TASK, expected_revision=1)
    room.radar(4)
    assert room.judged("TK-REV-08").subjects == 0


@pytest.mark.parametrize(
    ("schema", "verdict"),
    [
        ({"properties": {"expected_revision": {}}}, "pass"),
        ({"allOf": [{"$ref": "#/$defs/guard"}], "$defs": {"guard": {"properties": {"expected_revision": {}}}}}, "pass"),
        ({"properties": {"expected_version": {}}}, "fail"),
        ({"$ref": "#"}, "fail"),
        (None, "fail"),
    ],
)
def test_what_a_listed_write_takes(schema: Json, verdict: str) -> None:
    room = Room()
    room.list([{"name": "tasks_edit", "inputSchema": schema}, {"name": "tasks_create", "inputSchema": {}}])
    outcome = room.judged("TK-REV-09")
    assert (outcome.verdict, outcome.subjects) == (verdict, 1)


def test_each_row_says_why_and_how_it_is_broken() -> None:
    rows = [row for row in load("tasks").requirements.values() if row.id.startswith(("TK-REV", "TK-BUD"))]
    assert [row.id for row in rows if not (row.why and row.breach)] == []


def crowd(revision: int, *answers: int | None, looks: tuple[int, ...] = (), guard: int | None = None) -> Room:
    """The task is at revision 3; edits of it at once, which answer these revisions, looks meanwhile, and one after."""
    room = Room()
    room.radar(3)
    room.together()
    for number, answer in enumerate(answers):
        arguments = {"expected_revision": guard} if guard is not None and not number else {}
        result = {"id": TASK} if answer is None else {"id": TASK, "revision": answer}
        room.ok("tasks_edit", result, task=TASK, title=f"title {number}", **arguments)
    for look in looks:
        room.radar(look)
    room.settle()
    room.radar(revision)
    return room


@pytest.mark.parametrize(
    ("revision", "answers", "looks", "verdict"),
    [
        (5, (4, 5), (), "pass"),
        (5, (5, 4), (), "pass"),
        (5, (5, 5), (), "pass"),  # both were read again before they were answered
        (9, (4, 7), (), "pass"),
        (5, (4, 5), (3, 4, 5), "pass"),
        (4, (4, 4), (), "fail"),
        (5, (4, 5, 5), (), "fail"),
        (6, (4, 5), (6,), "pass"),  # another write may have come before the look
        (6, (6, 6, 6), (6, 3), "pass"),
    ],
)
def test_each_of_overlapping_writes_raises_it(
    revision: int, answers: tuple[int | None, ...], looks: tuple[int, ...], verdict: str
) -> None:
    assert crowd(revision, *answers, looks=looks).judged("TK-REV-01").verdict == verdict


@pytest.mark.parametrize(
    ("answers", "verdict"), [((4, 5), "pass"), ((5, 5), "pass"), ((5, 4), "fail"), ((None, 4), "fail")]
)
def test_a_guarded_write_beside_another(answers: tuple[int | None, ...], verdict: str) -> None:
    """The first expects revision 3: it comes before the other, or not at all."""
    outcome = crowd(5, *answers, guard=3).judged("TK-REV-03")
    assert (outcome.verdict, outcome.breaches) == (verdict, int(verdict == "fail"))


def test_several_guarded_writes_of_one_revision_are_a_race() -> None:
    """Which is another requirement's matter."""
    room = Room()
    room.radar(3)
    room.together()
    for number in range(2):
        room.edit(4 + number, f"title {number}", expected_revision=3)
    room.settle()
    room.radar(5)
    assert room.judged("TK-REV-03").subjects == 0
    assert room.judged("TK-REV-07").verdict == "fail"

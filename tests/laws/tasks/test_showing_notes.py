"""TK-SRV-02: reads show the notes and the entries that were written."""

import pytest

from conformance.model.events import Json
from tests.laws.tasks.room import TASK, Room
from tests.laws.tasks.test_errors import begun

REMARK = "A note that is nowhere else"


def remarked(shown_by: str, note: str = REMARK) -> Room:
    """A note on a step, and the reads of which one or another shows it."""
    room = begun()
    room.ok("tasks_note", {"task": TASK}, task=TASK, path="s:0", note=note)
    kept = [note] if shown_by == "tasks_context" else []
    item = {"id": TASK, "title": "task", "parent": "PLAN-001", "notes": kept}
    entry = [{"content": note}] if shown_by == "branchmind_show" else []
    room.ok("tasks_context", {"plans": [{"id": "PLAN-001", "title": "plan"}], "tasks": [item]})
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
    room.ok("tasks_context", {})
    assert room.judged("TK-SRV-02").verdict == "not_observed"


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


COPY: dict[str, Json] = {"content": ENTRY, "title": "T", "meta": {"n": 1}}


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        (COPY, "pass"),
        ({**COPY, "meta": {"n": 1, "merged_from": "side"}}, "pass"),
        ({**COPY, "title": None}, "fail"),
        ({**COPY, "meta": {}}, "fail"),
        ({**COPY, "content": "another"}, "fail"),
    ],
)
def test_a_note_is_merged_as_it_was_written(shown: Json, verdict: str) -> None:
    room = begun()
    room.ok("branchmind_branch_create", {"branch": {"name": "leaf"}}, **{"name": "leaf", "from": "main"})
    place = {"branch": "leaf", "doc": "notes"}
    room.ok("branchmind_notes_commit", place, content=ENTRY, title="T", meta={"n": 1}, **place)
    room.ok("branchmind_merge", {"merged": 1}, **{"from": "leaf", "into": "main", "doc": "notes"})
    room.ok("branchmind_show", {"entries": [shown]}, branch="main", doc="notes")
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(("entries", "verdict"), [(2, "pass"), (3, "pass"), (1, "fail"), (0, "fail")])
@pytest.mark.parametrize("again", [False, True])
def test_cards_leave_a_trace(again: bool, entries: int, verdict: str) -> None:
    room = begun()
    place = {"branch": "main", "trace_doc": "trace", "graph_doc": "graph"}
    for name, inserted in (("a", True), ("b", True), *([("b", False)] if again else [])):
        card = {"id": name, "type": "note", "title": "T"}
        room.ok("branchmind_think_card", {"inserted": inserted, **place}, card=card, **place)
    shown = [{"content": str(number)} for number in range(entries)]
    room.ok("branchmind_show", {"entries": shown}, branch="main", doc="trace")
    assert room.judged("TK-SRV-02").verdict == verdict


@pytest.mark.parametrize(("numbers", "verdict"), [((1, 2), "pass"), ((1, 1), "fail")])
def test_an_event_is_listed_once(numbers: tuple[int, int], verdict: str) -> None:
    room = begun()
    event = {"event_id": f"evt_{1:016}"}
    room.ok("tasks_edit", {"id": TASK, "revision": 1, "event": event}, task=TASK, title="new")
    room.ok("tasks_delta", {"events": [{"event_id": f"evt_{number:016}"} for number in numbers]})
    assert room.judged("TK-SRV-02").verdict == verdict

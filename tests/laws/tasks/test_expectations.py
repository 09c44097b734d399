"""TK-REV-02 to -07: writes that expect a revision."""

from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import TASK, Room

MODULES = ("expectations", "races")
LOOK = {"action": "call_tool", "target": "tasks_radar", "params": {}}


@pytest.mark.parametrize("number", range(2, 8))
def test_the_reference(number: int) -> None:
    outcome = driven("tasks", *MODULES).outcome(f"TK-REV-0{number}")
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize(
    ("deviation", "failed"),
    [(f"TK-REV-0{number}", {f"TK-REV-0{number}"}) for number in (2, 3, 4, 5, 6, 7)],
)
def test_a_deviation_fails_alone(deviation: str, failed: set[str]) -> None:
    outcomes = driven("tasks", *MODULES, "revisions", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id.startswith("TK-REV") and o.verdict == "fail"} == failed


@pytest.mark.parametrize(
    ("name", "own", "other"), [("expected_revision", 2, 6), ("expected_version", 6, 2)], ids=["guard", "alias"]
)
def test_the_current_revision(name: str, own: int, other: int) -> None:
    given: dict[str, Any] = {name: 3}
    for code, verdict in (("", "pass"), ("REVISION_MISMATCH", "fail"), ("INVALID_INPUT", "not_observed")):
        room = Room()
        room.radar(3)
        if code:
            room.no("tasks_edit", code, task=TASK, title="t", **given)
        else:
            room.edit(4, **given)
        assert room.judged(f"TK-REV-0{own}").verdict == verdict
        assert room.judged(f"TK-REV-0{other}").subjects == 0


def test_a_refusal_by_another_code_is_shown_to_be_for_the_guard() -> None:
    room = Room()
    room.radar(3)
    room.no("tasks_edit", "INVALID_INPUT", task=TASK, title="new", expected_revision=3)
    room.edit(4)
    outcome = room.judged("TK-REV-02")
    assert (outcome.verdict, outcome.findings[0].calls) == ("fail", (3, 1, 2))


@pytest.mark.parametrize("other", ["expected_version", "expected_revision"])
@pytest.mark.parametrize("expected", [3, 2])
def test_a_second_name_that_is_null_may_be_what_is_refused(other: str, expected: int) -> None:
    """A server may take null for another type, with or without a guard beside it."""
    name, own = ("expected_revision", (2, 3)) if other == "expected_version" else ("expected_version", (6, 6))
    row = own[expected != 3]
    for left, verdict in ({}, "not_observed"), ({other: None}, "fail" if expected == 3 else "pass"):
        room = Room()
        room.radar(3)
        room.no("tasks_edit", "INVALID_INPUT", task=TASK, title="new", **{name: expected, other: None})
        room.edit(4, title="new", **left)
        assert room.judged(f"TK-REV-0{row}").verdict == verdict


@pytest.mark.parametrize(("name", "row"), [("expected_revision", 3), ("expected_version", 6)])
@pytest.mark.parametrize("expected", [2, 4])
def test_another_revision(name: str, row: int, expected: int) -> None:
    given: dict[str, Any] = {name: expected}
    room = Room()
    room.radar(3)
    room.no("tasks_edit", "CONFLICT", task=TASK, title="t", **given)
    assert room.judged(f"TK-REV-0{row}").subjects == 0
    room.edit(4, title="t")
    assert room.judged(f"TK-REV-0{row}").verdict == "pass"


@pytest.mark.parametrize(("name", "row"), [("expected_revision", 3), ("expected_version", 6)])
def test_another_revision_is_accepted(name: str, row: int) -> None:
    given: dict[str, Any] = {name: 2}
    room = Room()
    room.radar(3)
    room.edit(4, **given)
    outcome = room.judged(f"TK-REV-0{row}")
    assert (outcome.verdict, outcome.findings[0].calls) == ("fail", (1, 2))


@pytest.mark.parametrize(
    "arguments",
    [
        {"expected_revision": True},
        {"expected_revision": "9"},
        {"expected_revision": 9, "expected_version": 3},
        {"expected_revision": 9, "dry_run": True},
    ],
    ids=str,
)
def test_what_says_nothing_about_a_revision(arguments: dict[str, Any]) -> None:
    room = Room()
    room.radar(3)
    room.edit(4, **arguments)
    assert room.judged("TK-REV-03").subjects == 0


def test_a_lost_write_leaves_the_current_revision_open() -> None:
    room = Room()
    room.radar(3)
    room.lost("tasks_note", {"workspace": "w", "task": TASK, "note": "n"})
    room.edit(5, expected_revision=4)
    assert room.judged("TK-REV-03").subjects == 0


@pytest.mark.parametrize(
    ("tool", "shown", "arguments"),
    [
        ("branchmind_notes_commit", ("branchmind_show", {"branch": "b", "doc": "d", "revision": 3}),
         {"branch": "b", "doc": "d"}),
        ("branchmind_merge", ("branchmind_show", {"branch": "b", "doc": "d", "revision": 3}),
         {"from": "side", "into": "b", "doc": "d"}),
        ("branchmind_think_card", ("branchmind_show", {"branch": "b", "doc": "t", "revision": 3}),
         {"branch": "b", "trace_doc": "t"}),
        ("branchmind_graph_conflict_resolve",
         ("branchmind_graph_conflict_show", {"conflict": {"conflict_id": "CONFLICT-1", "revision": 3}}),
         {"conflict_id": "CONFLICT-1"}),
        ("tasks_focus_clear", ("tasks_focus_get", {"focus": None, "revision": 3}), {}),
        ("tasks_patch", ("tasks_radar", {"target": {"id": TASK, "revision": 3}}), {"target": TASK}),
    ],
)  # fmt: skip
def test_whose_revision_is_compared(tool: str, shown: tuple[str, Json], arguments: dict[str, Any]) -> None:
    room = Room()
    room.ok(*shown)
    room.ok(tool, {}, **arguments, expected_revision=7)
    assert room.judged("TK-REV-03").verdict == "fail"


def test_the_alias_is_not_blamed_for_the_guard() -> None:
    room = Room()
    room.radar(3)
    room.edit(4, title="a", expected_revision=9)
    room.edit(5, title="b", expected_version=9)
    assert room.judged("TK-REV-03").verdict == "fail"
    assert room.judged("TK-REV-06").verdict == "blocked"


@pytest.mark.parametrize(("after", "verdict"), [([], "pass"), (["write_refused"], "fail")])
def test_a_mismatch_leaves_no_trace(after: list[str], verdict: str) -> None:
    room = Room()
    room.radar(3)
    room.ok("tasks_delta", {"events": []})
    room.no("tasks_edit", "REVISION_MISMATCH", task=TASK, expected_revision=1)
    room.ok("tasks_delta", {"events": after})
    assert room.judged("TK-REV-04").verdict == verdict


@pytest.mark.parametrize(("suggestions", "verdict"), [([LOOK], "pass"), ([], "fail")])
def test_a_mismatch_suggests(suggestions: list[Json], verdict: str) -> None:
    room = Room()
    room.no("tasks_edit", "REVISION_MISMATCH", suggestions, task=TASK, title="new", expected_revision=1)
    assert room.judged("TK-REV-05").subjects == (0 if suggestions else 1)
    room.edit(1)
    assert room.judged("TK-REV-05").verdict == verdict


def alias_race(*, deaf: bool) -> Room:
    """Two writers, both accepted, that expect one revision by the alias; the task is at another one."""
    room = Room()
    room.radar(3)
    if deaf:
        room.edit(4, title="a", expected_version=9)
        room.radar(4)
    room.together()
    for number in range(2):
        room.edit(5 + number, title=f"title {number}", expected_version=4 if deaf else 3)
    room.settle()
    room.radar(6)
    return room


def test_writers_by_an_alias_that_is_ignored_are_no_race() -> None:
    judged = alias_race(deaf=True)
    assert judged.judged("TK-REV-06").verdict == "fail"
    assert judged.judged("TK-REV-07").subjects == 0
    assert judged.judged("TK-REV-03").subjects == 0


def test_writers_by_an_alias_race_as_others_do() -> None:
    assert alias_race(deaf=False).judged("TK-REV-07").verdict == "fail"


def race(*accepted: int, titles: str = "abc") -> Room:
    """Three writers at revision 3, of whom these are accepted."""
    room = Room()
    room.radar(3)
    room.together()
    for number, title in enumerate(titles):
        if number in accepted:
            room.edit(4, title=title, expected_revision=3)
        else:
            room.no("tasks_edit", "REVISION_MISMATCH", task=TASK, title=title, expected_revision=3)
    room.settle()
    return room


@pytest.mark.parametrize(("accepted", "verdict"), [((1,), "pass"), ((0, 2), "fail"), ((), "blocked")])
def test_one_writer_wins(accepted: tuple[int, ...], verdict: str) -> None:
    assert race(*accepted).judged("TK-REV-07").verdict == verdict


def test_writers_of_the_same_may_both_be_told_that_it_is_so() -> None:
    assert race(0, 1, titles="aab").judged("TK-REV-07").verdict == "pass"


def test_without_the_answer_of_one_nobody_knows() -> None:
    room = Room()
    room.radar(3)
    room.together()
    room.no("tasks_edit", "REVISION_MISMATCH", task=TASK, title="a", expected_revision=3)
    room.lost("tasks_edit", {"workspace": "w", "task": TASK, "title": "b", "expected_revision": 3})
    room.settle()
    assert room.judged("TK-REV-07").subjects == 0


@pytest.mark.parametrize(("told", "verdict"), [({"id": TASK}, "fail"), ({"task": TASK}, "fail"), ({}, "not_observed")])
def test_a_write_to_what_is_in_focus_is_guarded(told: dict[str, Json], verdict: str) -> None:
    room = Room()
    room.radar(3)
    room.ok("tasks_edit", {**told, "revision": 4}, title="of the focus", expected_revision=9)
    room.radar(4)
    room.ok("tasks_edit", {**told, "revision": 5}, title="of the focus, again", expected_revision=4)
    assert room.judged("TK-REV-03").verdict == verdict


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("branchmind_notes_commit", {"document": {"branch": "task/TASK-001", "doc": "notes", "revision": 4}}),
        ("branchmind_notes_commit", {"entry": {"branch": "task/TASK-001", "doc": "notes"}, "revision": 4}),
        ("branchmind_graph_apply", {"branch": "task/TASK-001", "doc": "notes", "revision": 4}),
        ("branchmind_think_card", {"documents": [{"branch": "task/TASK-001", "doc": "notes", "revision": 4}]}),
    ],
)
@pytest.mark.parametrize(("expected", "verdict"), [(3, "pass"), (9, "fail")])
def test_a_write_to_a_task_s_document_is_guarded(tool: str, told: Json, expected: int, verdict: str) -> None:
    room = Room()
    shown = {"branch": "task/TASK-001", "doc": "notes", "revision": 3, "entries": []}
    room.ok("branchmind_show", shown, target=TASK, doc_kind="notes")
    room.ok(tool, told, target=TASK, expected_revision=expected)
    found = [room.judged(identifier).verdict for identifier in ("TK-REV-02", "TK-REV-03")]
    assert found == (["pass", "not_observed"] if verdict == "pass" else ["not_observed", "fail"])

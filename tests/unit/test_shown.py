"""Rows of [[shown]]: which argument of a write a read shows, and where."""

from msgspec.structs import replace

from conformance.contract.catalogue import Contract, Shown, load
from conformance.judge.registers import kept
from conformance.judge.shown import assignments, showings
from conformance.model.events import Event, Json
from conformance.model.history import History
from conformance.model.pointer import entries

from .events import called, header, opening, refusal, worker

NOTE = {"note": "n1", "space": "s"}
CONTRACT: Contract = replace(
    load("threads"),
    shown=(
        Shown(
            kind="note",
            write="make",
            read="list",
            entity="/note",
            named="/id",
            fields={"title": "/title", "tags": "/about/tags"},
            entry="/notes/*",
            within=("@/space",),
        ),
        Shown(kind="note", write="edit", read="list", entity="@/note", named="/id", fields={"title": "/title"},
              entry="/notes/*", within=("@/space",)),
        Shown(kind="note", write="make", read="get", entity="/note", named="@/note", fields={"title": "/title"},
              within=("@/space",)),
        Shown(kind="note", write="edit", read="get", entity="@/note", named="@/note", fields={"title": "/title"},
              within=("@/space",)),
    ),
)  # fmt: skip


def judged(*calls: list[Event]) -> list[tuple[bool, str]]:
    events: list[Event] = [header(), *opening(), worker()]
    for each in calls:
        events += each
    history = History.of(events, CONTRACT.envelope)
    found = kept(assignments(history, CONTRACT), showings(history, CONTRACT))
    return [(each.ok, each.pointer) for each in found]


def make(call: int, t: int, **more: Json) -> list[Event]:
    return called(call, "make", {"space": "s", "title": "one", "tags": ["a"], **more}, {"note": "n1"}, t)


def listed(call: int, t: int, *notes: Json, space: str = "s") -> list[Event]:
    return called(call, "list", {"space": space}, {"notes": list(notes)}, t)


ONE = {"id": "n1", "title": "one", "about": {"tags": ["a"]}}


def test_what_was_made_is_shown() -> None:
    assert judged(make(1, 10), listed(2, 20, {"id": "n0"}, ONE)) == [(True, ""), (True, "")]


def test_what_is_shown_otherwise_or_not_at_all_is_a_breach_at_its_place() -> None:
    shown = {"id": "n1", "title": "One", "about": {}}
    assert judged(make(1, 10), listed(2, 20, shown)) == [(False, "/notes/0/title"), (False, "/notes/0/about/tags")]


def test_an_edit_replaces_what_was_made_in_every_read() -> None:
    edit = called(2, "edit", {"space": "s", "note": "n1", "title": "two"}, {"ok": True}, 20)
    asked = called(3, "get", {"space": "s", "note": "n1"}, {"title": "one"}, 30)
    assert judged(make(1, 10), edit, asked) == [(False, "/title")]


def test_a_refused_edit_replaces_nothing() -> None:
    edit = called(2, "edit", {"space": "s", "note": "n1", "title": "two"}, refusal("CONFLICT"), 20)
    assert judged(make(1, 10), edit, listed(3, 30, ONE)) == [(True, ""), (True, "")]


def test_what_an_argument_left_out_is_no_subject() -> None:
    bare = called(1, "make", {"space": "s", "title": "one"}, {"note": "n1"}, 10)
    assert judged(bare, listed(2, 20, {"id": "n1", "title": "one", "about": {"tags": ["x"]}})) == [(True, "")]


def test_names_are_told_apart_by_what_they_are_within() -> None:
    assert judged(make(1, 10), listed(2, 20, {"id": "n1", "title": "other"}, space="elsewhere")) == []


def test_null_may_mean_that_nothing_was_given() -> None:
    edit = called(2, "edit", {"space": "s", "note": "n1", "title": None}, {"ok": True}, 20)
    assert judged(make(1, 10), edit, listed(3, 30, ONE)) == [(True, "")], "the tags alone are sure"


def test_a_star_stands_for_each_entry() -> None:
    value = {"plans": [{"tasks": [{"id": 1}, {"id": 2}]}, {"tasks": []}, {}]}
    assert [place for place, _ in entries(value, "/plans/*/tasks/*")] == ["/plans/0/tasks/0", "/plans/0/tasks/1"]

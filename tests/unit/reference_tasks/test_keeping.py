"""A store on disk: a server started on it is the one that was there before, but for what its deviations break."""

from pathlib import Path
from typing import Any

import pytest

from reference_server.contracts import served
from reference_server.deviations.registry import find
from reference_server.keeping import Kept, Shelf
from reference_server.tasks import open_tasks

from .desk import Desk
from .test_deviations import Tour

PARTS = served("tasks").state


class Begun(Desk):
    """A desk at a server that is started on a shelf."""

    def __init__(self, shelf: Shelf, *deviations: str) -> None:
        kept = Kept(open_tasks(), PARTS, shelf, "")
        for each in deviations:
            find(each).apply(kept)
        super().__init__(kept.application)
        self.tasks = kept  # type: ignore[assignment] # it is called in the same way


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(str(tmp_path / "store"))


def furnished(desk: Desk) -> dict[str, Any]:
    """What is shown after a long walk through the contract, conflicts and merges among it."""
    Tour(desk)
    return desk.state()


def test_revisions_and_ids_go_on_from_where_they_were(shelf: Shelf) -> None:
    first = Begun(shelf)
    with first.runner:
        furnished(first)
        revision = first.ok("tasks_radar", task="TASK-002")["target"]["revision"]
        created = first.ok("tasks_create", title="one more")
    again = Begun(shelf)
    with again.runner:
        stale = {"task": "TASK-002", "title": "t", "expected_revision": revision - 1}
        assert again.code("tasks_edit", **stale) == "REVISION_MISMATCH"
        assert again.ok("tasks_edit", **{**stale, "expected_revision": revision})["revision"] == revision + 1
        made = again.ok("tasks_create", title="another")
        assert made["id"] > created["id"]
        assert made["event"]["event_id"] > created["event"]["event_id"]


def test_it_is_the_same_in_every_part(shelf: Shelf) -> None:
    first = Begun(shelf)
    with first.runner:
        shown = furnished(first)
    again = Begun(shelf)
    with again.runner:
        assert again.state() == shown
        assert again.tasks.application.parts.store.initialised  # type: ignore[attr-defined]


def test_the_last_write_can_be_lost(shelf: Shelf) -> None:
    first = Begun(shelf, "TK-SRV-04")
    with first.runner:
        first.ok("branchmind_init")
        first.ok("tasks_create", title="first")
        first.ok("tasks_create", title="last")
    again = Begun(shelf)
    with again.runner:
        assert [each["title"] for each in again.ok("tasks_context")["plans"]] == ["first"]


def test_more_can_be_broken_at_a_start(shelf: Shelf) -> None:
    first = Begun(shelf)
    with first.runner:
        first.ok("branchmind_init")
        first.ok("tasks_create", title="first")
        first.ok("tasks_edit", task="PLAN-001", title="first again")
        first.ok("branchmind_notes_commit", branch="main", doc="notes", content="note")
        show = {"branch": "main", "doc": "notes"}
        assert len(first.ok("branchmind_show", **show)["entries"]) == 1
    twice, anew, ids = (Begun(shelf, f"TK-SRV-04:{name}") for name in ("twice", "revisions", "ids"))
    with twice.runner:
        assert len(twice.ok("branchmind_show", **show)["entries"]) == 2
    with anew.runner:
        assert anew.ok("tasks_context")["plans"][0]["revision"] == 0
    with ids.runner:
        assert ids.ok("tasks_create", title="second")["id"] == "PLAN-001"

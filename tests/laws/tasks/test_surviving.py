"""TK-SRV-04: what was accepted is there, once, after the server was killed and started again."""

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.model.events import Json
from conformance.model.verdict import Outcome
from tests.laws.driven import driven
from tests.laws.histories import Story
from tests.laws.stored import KEPT, Stored

PLACE = {"branch": "main", "doc": "notes"}


class Kept(Stored, Story):
    """A story of workspace w on a store that is kept."""

    def __init__(self, statement: Mapping[str, Json] = KEPT) -> None:
        super().__init__("tasks", statement=dict(statement))
        self.ok("branchmind_init", {"workspace": "w"})
        self.plan("PLAN-001", "one")
        self.plan("PLAN-002", "two")
        self.listed("one", "two")
        self.note("first", 1)
        self.noted("first")

    def ok(self, tool: str, result: Json, **arguments: Json) -> int:
        """A call that succeeds."""
        return self.accepted(tool, {"workspace": "w", **arguments}, result)

    def no(self, tool: str, code: str, **arguments: Json) -> int:
        """A call that is refused."""
        envelope = {"success": False, "result": {}, "suggestions": [{"tool": "tasks_radar"}],
                    "error": {"code": code, "message": "no"}}  # fmt: skip
        return self.call(tool, {"workspace": "w", **arguments}, envelope, failed=True)

    def plan(self, name: str, title: str) -> int:
        """A plan is made."""
        return self.ok("tasks_create", {"id": name, "kind": "plan", "revision": 0}, kind="plan", title=title)

    def listed(self, *titles: str) -> int:
        """The plans are listed."""
        shown = [{"id": f"PLAN-{place:03}", "kind": "plan", "title": title, "revision": 0}
                 for place, title in enumerate(titles, 1)]  # fmt: skip
        return self.ok("tasks_context", {"plans": shown, "tasks": []})

    def note(self, content: str, revision: int) -> int:
        """A note is written."""
        answer = {"entry": {**PLACE, "content": content}, "document": {**PLACE, "revision": revision}}
        return self.ok("branchmind_notes_commit", answer, content=content, **PLACE)

    def noted(self, *contents: str) -> int:
        """The notes are shown."""
        entries = [{**PLACE, "content": content} for content in contents]
        return self.ok("branchmind_show", {**PLACE, "revision": len(set(contents)), "entries": entries}, **PLACE)

    def edited(self, revision: int) -> int:
        """A plan's new revision."""
        return self.ok("tasks_edit", {"id": "PLAN-001", "revision": revision}, task="PLAN-001", title=f"t{revision}")

    def radar(self, revision: int) -> int:
        """The plan is looked at."""
        return self.ok("tasks_radar", {"target": {"id": "PLAN-001", "kind": "plan", "revision": revision}},
                       task="PLAN-001")  # fmt: skip

    def expecting(self, revision: int, code: str = "", to: int = 0) -> int:
        """An edit that expects a revision."""
        asked: dict[str, Any] = {"task": "PLAN-001", "title": "expected", "expected_revision": revision}
        if code:
            return self.no("tasks_edit", code, **asked)
        return self.ok("tasks_edit", {"id": "PLAN-001", "revision": to}, **asked)

    def verdict(self) -> Outcome:
        return self.judged("TK-SRV-04")


def fails(story: Kept, words: str) -> None:
    outcome = story.verdict()
    assert outcome.verdict == "fail"
    assert any(words in finding.saw for finding in outcome.findings), outcome.findings


def test_what_was_accepted_is_there() -> None:
    story = Kept()
    story.note("second", 2)
    story.plan("PLAN-003", "three")
    story.end()
    story.noted("first", "second")
    story.listed("one", "two", "three")
    assert story.verdict().verdict == "pass"


def test_a_note_is_lost_or_there_twice() -> None:
    story = Kept()
    story.note("second", 2)
    story.end()
    story.noted("first")
    fails(story, "branchmind_show does not show an entry that branchmind_notes_commit wrote")
    story = Kept()
    story.end()
    story.noted("first", "first")
    fails(story, "shows an entry 2 times that was written once")


def test_a_plan_is_lost_or_there_twice() -> None:
    story = Kept()
    story.plan("PLAN-003", "three")
    story.end()
    story.listed("one", "two")
    fails(story, "what was made once is there 0 times")
    story = Kept()
    story.end()
    story.listed("one", "two", "two")
    fails(story, "what was made once is there 2 times")


@pytest.mark.parametrize(("times", "verdict"), [(0, "pass"), (1, "pass"), (2, "fail")])
def test_a_plan_in_flight_may_be_there_once(times: int, verdict: str) -> None:
    story = Kept()
    story.lost("tasks_create", {"workspace": "w", "kind": "plan", "title": "three"}, "killed")
    story.end()
    story.listed("one", "two", *["three"] * times)
    assert story.verdict().verdict == verdict


def test_the_store_is_gone() -> None:
    story = Kept()
    story.end()
    story.no("tasks_context", "NOT_INITIALIZED")
    fails(story, "NOT_INITIALIZED")


def test_a_revision_fell() -> None:
    story = Kept()
    story.edited(1)
    story.radar(1)
    story.end()
    story.radar(0)
    fails(story, "is at revision 0, an earlier answer had it at 1")


def test_a_revision_guards_no_more() -> None:
    def begun() -> Kept:
        story = Kept()
        story.edited(1)
        story.radar(1)
        story.expecting(0, "REVISION_MISMATCH")
        story.expecting(1, to=2)
        story.radar(2)
        story.end()
        return story

    story = begun()
    story.expecting(1, to=3)
    fails(story, "tasks_edit with expected_revision 1 was accepted")
    story = begun()
    story.expecting(2, "REVISION_MISMATCH")
    fails(story, "was refused with REVISION_MISMATCH")
    story = begun()
    story.expecting(1, "REVISION_MISMATCH")
    story.expecting(2, to=3)
    assert story.verdict().verdict == "pass"


def test_an_id_is_given_again() -> None:
    story = Kept()
    story.end()
    story.plan("PLAN-002", "three")
    fails(story, "id 'PLAN-002' stands for two entities")


def test_what_was_broken_before_is_not_the_ends_doing() -> None:
    story = Kept()
    story.noted("first", "first")
    story.end()
    story.noted("first", "first")
    assert story.verdict().verdict != "fail"


def test_who_does_not_say_that_it_keeps_its_store_need_not() -> None:
    assert Kept({}).verdict().verdict == "not_applicable"
    assert Kept().verdict().verdict == "not_observed"


def test_what_the_stimuli_show_of_the_reference() -> None:
    held = driven("tasks", "surviving").outcome("TK-SRV-04")
    broken = driven("tasks", "surviving", deviation="TK-SRV-04").outcome("TK-SRV-04")
    assert held is not None
    assert broken is not None
    assert (held.verdict, broken.verdict) == ("pass", "fail")

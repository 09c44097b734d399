"""What reads show: writes, lives, nothing else."""

import pytest
from msgspec import structs

from conformance.certify import contract_of
from conformance.judge.promised.library import laws_of
from conformance.model.events import Json
from tests.e2e.own.rooms import FOLDER as ROOMS
from tests.laws.histories import Story
from tests.laws.promised.desk import Desk, note


@pytest.mark.parametrize(("body", "verdict"), [("body-1", "pass"), ("body", "fail"), (None, "fail")])
def test_a_read_shows_what_was_saved(body, verdict):
    desk = Desk()
    desk.save(1, {"note": {"id": "n-1"}})
    desk.get(1, {"note": note(1, body=body)})
    assert desk.verdict("D-SAVED") == verdict


@pytest.mark.parametrize(
    ("body", "shown", "verdict"), [("7", "8", "fail"), (7, "7", "not_observed"), ([], "", "not_observed")]
)
def test_what_a_server_makes_of_a_value_of_another_kind_is_its_own(body, shown, verdict):
    desk = Desk()
    desk.save(1, {"note": {"id": "n-1"}}, given={"body": body, "title": 5})
    desk.get(1, {"note": {"id": "n-1", "body": shown}})
    assert desk.verdict("D-SAVED") == verdict


def test_a_list_may_leave_out_and_cut_short():
    desk = Desk()
    desk.save(1, {"note": {"id": "n-1"}})
    desk.page({"id": "n-1", "title": "titl…"})
    assert desk.verdict("D-SAVED") == "not_observed"
    desk.page({"id": "n-1", "title": "another"})
    assert desk.verdict("D-SAVED") == "fail"


def test_what_another_tool_may_have_written_is_no_subject():
    desk = Desk()
    desk.save(1, {"note": {"id": "n-1"}})
    desk.update(answer={})
    desk.get(1, {"note": note(1, 2, body="body-new")})
    assert (desk.verdict("D-SAVED"), desk.verdict("D-UPDATED")) == ("not_observed", "pass")


def test_a_write_that_is_lost():
    desk = Desk()
    desk.save()
    desk.update()
    desk.get(1)
    assert (desk.verdict("D-SAVED"), desk.verdict("D-UPDATED")) == ("not_observed", "fail")


def test_a_write_without_an_answer_leaves_it_open():
    desk = Desk()
    desk.save(1, {"note": {"id": "n-1"}})
    desk.lost("update_note", {"note_id": "n-1", "body": "x", "expected_revision": 1})
    desk.get(1, {"note": note(1, body="x")})
    assert (desk.verdict("D-SAVED"), desk.verdict("D-UPDATED")) == ("not_observed", "not_observed")


def test_what_is_made_is_found_and_what_is_removed_is_not():
    desk = Desk()
    desk.save(1)
    desk.get(1)
    desk.delete(1)
    desk.get(1, code="NOT_FOUND")
    assert desk.seen("D-LIFE") == ("pass", 2, 0)


def test_what_is_made_and_not_found():
    desk = Desk()
    desk.save(1)
    desk.get(1, code="NOT_FOUND")
    assert desk.verdict("D-LIFE") == "fail"


def test_what_was_made_with_a_value_that_the_contract_does_not_write_may_be_over_by_itself():
    desk = Desk()
    desk.save(1, given={"seconds_to_live": 0})
    desk.get(1, code="NOT_FOUND")
    assert (desk.verdict("D-LIFE"), desk.verdict("D-SERVED")) == ("not_observed", "not_observed")


def test_a_key_and_an_expected_revision_may_stand_beside_what_the_contract_writes():
    desk = Desk()
    make = desk.contract.makes["note"]
    keyless = structs.replace(make.make, arguments={"title": "{{fresh.title}}", "body": "{{fresh.body}}"})
    desk.contract = structs.replace(desk.contract, makes={"note": structs.replace(make, make=keyless)})
    desk.save(1)
    desk.get(1, code="NOT_FOUND")
    assert desk.verdict("D-LIFE") == "fail"


@pytest.mark.parametrize("code", ["", "INVALID_ARGUMENT"])
def test_what_is_removed_and_still_found(code):
    desk = Desk()
    desk.save(1)
    desk.save(2)
    desk.get(2)
    desk.delete(1)
    desk.get(1, code=code)
    assert desk.verdict("D-LIFE") == "fail"


def test_what_is_removed_and_still_listed():
    desk = Desk()
    desk.save(1)
    desk.delete(1)
    desk.page(note(1))
    assert desk.verdict("D-LIFE") == "fail"


def test_a_removal_without_an_answer_leaves_it_open():
    desk = Desk()
    desk.save(1)
    desk.lost("delete_note", {"note_id": "n-1"})
    desk.get(1, code="NOT_FOUND")
    assert desk.verdict("D-LIFE") == "not_observed"


def test_where_every_read_is_refused_nothing_is_gone():
    desk = Desk()
    desk.save(1)
    desk.delete(1)
    desk.get(1, code="NOT_FOUND")
    assert desk.verdict("D-LIFE") == "not_observed"


@pytest.mark.parametrize(("second", "verdict"), [(1, "pass"), (2, "fail")])
def test_reads_in_a_row(second, verdict):
    desk = Desk()
    desk.get(1)
    desk.get(1, {"note": note(1, second)})
    assert desk.verdict("D-STEADY") == verdict


def test_a_write_between_is_no_row():
    desk = Desk()
    desk.get(1)
    desk.update()
    desk.get(1, {"note": note(1, 2)})
    assert desk.verdict("D-STEADY") == "not_observed"


def test_a_refused_write_that_changes():
    for after, verdict in ((1, "pass"), (2, "fail")):
        desk = Desk()
        desk.get(1)
        desk.get(1)
        desk.update(9, code="REVISION_MISMATCH")
        desk.get(1, {"note": note(1, after)})
        assert desk.verdict("D-STEADY") == verdict


@pytest.mark.parametrize(
    ("given", "after", "verdict"),
    [
        ({"lasts": 1}, [note(1)], "not_observed"),
        ({"lasts": 1}, [note(1), note(2, body="over")], "not_observed"),
        ({"lasts": 1}, [note(1, body="other"), note(2)], "fail"),
        ({"lasts": 1}, [note(1), note(2)], "pass"),
        ({}, [note(1)], "fail"),
    ],
)
def test_what_was_made_otherwise_than_the_contract_writes_it_may_be_over_by_itself(given, after, verdict):
    desk = Desk()
    desk.save(1)
    desk.save(2, given=given)
    desk.page(note(1), note(2))
    desk.page(*after)
    assert desk.verdict("D-STEADY") == verdict


def test_what_is_changed_otherwise_later_was_like_any_other_before():
    desk = Desk()
    desk.save(1)
    desk.get(1)
    desk.get(1, {"note": note(1, body="another")})
    arguments = {"note_id": "n-1", "body": "x", "expected_revision": 1, "seconds_to_live": 0}
    desk.accepted("update_note", arguments, {"note": note(1, 2, body="x")})
    assert desk.verdict("D-STEADY") == "fail"


def test_a_tool_that_is_promised_to_be_steady_is_taken_for_a_read(tmp_path):
    """It needs neither a [[make]] nor an annotation."""
    (tmp_path / "contract.toml").write_text('name = "sums"\n[[example]]\ntool = "sum"\narguments = { a = 1 }\n')
    (tmp_path / "requirements.toml").write_text(
        'requirement = [{ id = "SU-STEADY", promise = { law = "steady", tools = ["sum"] } }]\n'
    )
    (tmp_path / "tools.json").write_text('[{"name": "sum", "inputSchema": {"type": "object"}}, {"name": "roll"}]')
    contract = contract_of(str(tmp_path))
    assert contract.reads() == ("sum",)
    for second, verdict in ((2, "pass"), (3, "fail")):
        story = Story(contract.name)
        story.accepted("sum", {"a": 1}, {"is": 2})
        story.accepted("sum", {"a": 1}, {"is": second})
        (law,) = laws_of("SU-STEADY", contract)
        assert law.over_history is not None
        judged = [each.ok for each in law.over_history(story.history(), contract)]
        assert judged == [verdict == "pass"]


def test_what_a_write_that_no_make_knows_does_to_an_entity_nobody_says():
    for tool, verdict in (("move_note", "not_observed"), ("get_note", "fail")):
        desk = Desk()
        desk.save()
        desk.accepted(tool, {"note_id": "n-1"}, {"note": note(1)})
        desk.get(1, code="NOT_FOUND")
        assert desk.seen("D-LIFE")[2] == (verdict == "fail"), tool


@pytest.mark.parametrize(
    ("given", "verdict"),
    [({"note_id": "n-2", "shelf": "a"}, "fail"), ({"shelf": "a"}, "not_observed"), ({"shelf": "n-2"}, "fail")],
)
def test_a_write_that_no_make_knows_and_that_names_nothing_may_be_about_all_that_there_is(given, verdict):
    for before, expected in ((False, verdict), (True, "fail")):
        desk = Desk()
        desk.save(2)
        if before:
            desk.accepted("move_note", given, {})
        desk.save(1)
        if not before:
            desk.accepted("move_note", given, {})
        desk.get(1, code="NOT_FOUND")
        assert desk.verdict("D-LIFE") == expected, before


class Rooms(Desk):
    """Posts that are made in rooms."""

    def __init__(self) -> None:
        Story.__init__(self, contract_of(str(ROOMS)).name)

    def told(self, between: str, **asked: Json) -> str:
        """What is said of posts of which one is read no more, where this was called before."""
        for room in (1, 2):
            self.accepted("open_room", {"name": f"name-{room}"}, {"room": {"id": f"room-{room}", "rev": 0}})
        self.accepted("post", {"room": "room-1", "text": "text-1", "lasts": 100_000}, {"post": 1})
        self.accepted("all_posts", {}, {"posts": [{"post": 1}]})
        self.accepted(between, asked, {"room": {"id": asked["room"], "rev": 1}})
        self.accepted("all_posts", {}, {"posts": []})
        self.refused("a_post", {"post": 1}, "NO_POST")
        return self.verdict("RO-POST-LIFE")


def test_what_was_made_in_something_else_may_end_with_it():
    assert Rooms().told("delete_room", room="room-1") == "not_observed"
    assert Rooms().told("set_status", room="room-1", status="closed") == "not_observed"
    assert Rooms().told("rename", room="room-1", name="name-3", rev=0) == "fail"
    assert Rooms().told("delete_room", room="room-2") == "fail"
    assert Rooms().told("set_status", room="room-2", status="closed") == "fail"


@pytest.mark.parametrize("nothing", [{"note": None}, {}])
def test_a_read_that_shows_nothing_found_nothing(nothing):
    """Of what is there that is a breach; of what was removed it is as good as a refusal, where no code is promised."""
    there = Desk()
    there.save()
    there.get(1, nothing)
    gone = Desk()
    gone.save()
    gone.get(1)
    gone.delete()
    gone.get(1, nothing)
    for requirement in ("D-LIFE", "D-LIFE-ANYHOW"):
        assert there.verdict(requirement) == "fail"
    assert gone.verdict("D-LIFE") == "fail"
    assert gone.seen("D-LIFE-ANYHOW") == ("pass", 2, 0)


def test_a_read_that_never_showed_anything_shows_no_removal():
    desk = Desk()
    desk.save()
    desk.delete()
    desk.get(1, {"note": None})
    assert desk.verdict("D-LIFE-ANYHOW") == "not_observed"


def test_what_was_removed_and_is_shown_is_found():
    desk = Desk()
    desk.save()
    desk.get(1)
    desk.delete()
    desk.get(1)
    assert desk.verdict("D-LIFE-ANYHOW") == "fail"

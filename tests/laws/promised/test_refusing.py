"""Codes for a cause: unknown, invalid, missing, by role, under a condition, beyond a limit."""

import pytest

from tests.laws.promised.desk import Desk, note


def unknown(code: str, *, control: bool = True, asked: str = "987654321") -> Desk:
    desk = Desk()
    desk.save()
    desk.get(asked, code=code) if code else desk.get(1, given := {"note": note(1)}) and desk.accepted(
        "get_note", {"note_id": f"n-{asked}"}, given
    )
    if control:
        desk.get(1)
    return desk


def test_unknown():
    assert unknown("NOT_FOUND").seen("D-UNKNOWN") == ("pass", 1, 0)
    assert unknown("INVALID_ARGUMENT").verdict("D-UNKNOWN") == "fail"
    assert unknown("").verdict("D-UNKNOWN") == "fail"
    assert unknown("NOT_FOUND", control=False).verdict("D-UNKNOWN") == "not_observed"


def test_what_does_not_look_like_an_id_may_be_refused_for_that():
    assert unknown("INVALID_ARGUMENT", asked="xyz").verdict("D-UNKNOWN") == "not_observed"


def test_an_id_that_was_seen_is_not_unknown():
    desk = Desk()
    desk.page(note(7))
    desk.get(7, code="NOT_FOUND")
    desk.get(1)
    assert desk.verdict("D-UNKNOWN") == "not_observed"


@pytest.mark.parametrize(("limit", "subject"), [(51, True), (0, True), ("ten", True), ("10", False), (None, False)])
def test_invalid_by_the_schema_but_not_by_its_spelling(limit, subject):
    desk = Desk()
    desk.page(given={"limit": limit}, code="INVALID_ARGUMENT")
    desk.page(given={"limit": 10})
    assert desk.verdict("D-LIMIT") == ("pass" if subject else "not_observed")
    desk = Desk()
    desk.page(given={"limit": limit})
    assert desk.verdict("D-LIMIT") == ("fail" if subject else "not_observed")


def test_invalid_values_that_are_named():
    for code, verdict in (("INVALID_ARGUMENT", "pass"), ("NOT_FOUND", "pass"), ("", "fail")):
        desk = Desk()
        desk.page(given={"cursor": "none"}, code=code)
        desk.page(given={"cursor": "some"})
        assert desk.verdict("D-VALUES") == verdict


def test_a_fault_of_the_server_s_own_is_no_refusal_where_no_code_is_named():
    desk = Desk()
    desk.error("tools/call", {"name": "list_notes", "arguments": {"cursor": "none"}}, -32603)
    desk.page(given={"cursor": "some"})
    assert desk.verdict("D-VALUES") == "not_observed"


def test_missing():
    for code, verdict in (("INVALID_ARGUMENT", "pass"), ("NOT_FOUND", "fail"), ("", "fail")):
        desk = Desk()
        desk.save(1, code=code, without=["body"])
        desk.save(2)
        assert desk.verdict("D-BODY") == verdict


def test_missing_in_a_call_with_a_used_key_is_no_subject():
    desk = Desk()
    desk.save(1)
    desk.save(2, key="key-1", code="KEY_REUSED", without=["body"])
    desk.save(3)
    assert desk.verdict("D-BODY") == "not_observed"


def test_role():
    for code, verdict in (("FORBIDDEN", "pass"), ("NOT_FOUND", "fail"), ("", "fail")):
        desk = Desk()
        desk.credential("r", "reader")
        desk.credential("w", "writer")
        desk.save(1, code=code, by="r")
        desk.save(2, by="w")
        assert desk.verdict("D-ROLE") == verdict


def test_condition():
    for code, verdict in (("FULL", "pass"), ("NOT_FOUND", "fail"), ("", "fail")):
        desk = Desk()
        desk.save(1, code=code, conditions={"full": True})
        desk.save(2)
        assert desk.verdict("D-FULL") == verdict


def test_exhausted():
    for code, verdict in (("FULL", "pass"), ("NOT_FOUND", "fail"), ("", "fail")):
        desk = Desk()
        there = desk.instance("small", quota=2)
        desk.save(1, instance=there)
        desk.save(2, instance=there)
        desk.save(3, code=code, instance=there)
        assert desk.verdict("D-QUOTA") == verdict
    desk = Desk()
    there = desk.instance("small", quota=2)
    for _ in range(3):
        desk.save(1, instance=there)
    assert desk.verdict("D-QUOTA") == "not_observed"


@pytest.mark.parametrize(
    ("length", "code", "verdict"),
    [
        (200, "", "pass"),
        (200, "INVALID_ARGUMENT", "fail"),
        (201, "INVALID_ARGUMENT", "pass"),
        (201, "NOT_FOUND", "fail"),
        (201, "", "fail"),
        (0, "INVALID_ARGUMENT", "pass"),
        (1, "INVALID_ARGUMENT", "fail"),
        (100, "INVALID_ARGUMENT", "not_observed"),
    ],
)
def test_bounds(length, code, verdict):
    desk = Desk()
    desk.save(1, code=code, given={"title": "x" * length})
    desk.save(2)
    assert desk.verdict("D-TITLE") == verdict


def test_what_was_given_before_may_be_refused_for_that():
    desk = Desk()
    desk.save(1, given={"title": "x" * 200})
    desk.save(3, code="KEY_REUSED", given={"title": "x" * 200})
    desk.save(2)
    assert desk.verdict("D-TITLE") == "pass"


def test_a_refusal_at_the_bound_without_a_control_is_no_subject():
    desk = Desk()
    desk.save(1, code="INVALID_ARGUMENT", given={"title": "x" * 200})
    desk.save(2, code="INVALID_ARGUMENT")
    assert desk.verdict("D-TITLE") == "not_observed"


def test_an_entity_that_was_removed_between_may_be_what_it_was_refused_for():
    """The like of a call counts while the entity that both name is as it was."""
    desk = Desk()
    desk.save()
    desk.accepted("move_note", {"note_id": "n-1", "shelf": "ab"}, {})
    desk.delete()
    desk.refused("move_note", {"note_id": "n-1", "shelf": ""}, "NOT_FOUND")
    assert desk.verdict("D-ARGUMENTS") == "not_observed"


def test_a_fault_beside_the_same_entity():
    for code, verdict in (("INVALID_ARGUMENT", "pass"), ("NOT_FOUND", "fail")):
        desk = Desk()
        desk.save()
        desk.accepted("move_note", {"note_id": "n-1", "shelf": "ab"}, {})
        desk.refused("move_note", {"note_id": "n-1", "shelf": ""}, code)
        assert desk.verdict("D-ARGUMENTS") == verdict


def test_what_a_pattern_forbids_may_be_refused_at_the_bound_and_shows_nothing_beyond():
    for slug, verdict in (("x" * 30, "fail"), ("not a slug" * 3, "not_observed"), ("not a slug" * 4, "not_observed")):
        desk = Desk()
        desk.save()
        desk.refused("move_note", {"note_id": "n-1", "shelf": slug}, "INVALID_ARGUMENT")
        desk.accepted("move_note", {"note_id": "n-1", "shelf": "a"}, {})
        assert desk.verdict("D-SHELF") == verdict


def test_characters_beyond_the_first_plane_are_counted_in_two_ways():
    desk = Desk()
    desk.save(1, code="INVALID_ARGUMENT", given={"title": "\U0001f600" * 150})
    desk.save(2)
    assert desk.verdict("D-TITLE") == "not_observed"


def test_a_revision_that_was_yet_to_come_is_a_second_fault():
    for first, verdict in ((1, "fail"), (2, "not_observed")):
        desk = Desk()
        desk.save()
        desk.update(first, "x" * 20, code="REVISION_MISMATCH")
        desk.update(1, "body-a")
        desk.update(2, "body-b", {"note": note(1, 3)})
        assert desk.verdict("D-UPDATE-BODY") == verdict


@pytest.mark.parametrize("given", [{}, {"deleted": True}, {"id": "n-987654321"}])
def test_that_a_removal_is_accepted_does_not_show_that_there_was_anything(given):
    desk = Desk()
    desk.save()
    desk.accepted("delete_note", {"note_id": "n-987654321"}, given)
    assert desk.verdict("D-NOTHING") == "fail"


@pytest.mark.parametrize(
    ("shown", "verdict"), [({}, "fail"), ({"note": {"body": "none"}}, "fail"), (..., "not_observed")]
)
def test_an_unknown_one_that_is_answered_with_no_id_is_none(shown, verdict):
    desk = Desk()
    desk.save(1)
    desk.get(1)
    desk.get(987_654_321, shown)
    assert desk.verdict("D-UNKNOWN") == verdict


def test_a_value_at_its_bound_under_a_key_that_was_used_for_another_may_be_refused_for_the_key():
    for key, verdict in (("k-1", "not_observed"), ("k-2", "fail")):
        desk = Desk()
        desk.save()
        # the template of move_note gives it no key
        desk.accepted("move_note", {"note_id": "n-1", "shelf": "a", "request_key": "k-1"}, {})
        desk.refused("move_note", {"note_id": "n-1", "shelf": "a" * 30, "request_key": key}, "KEY_REUSED")
        desk.accepted("move_note", {"note_id": "n-1", "shelf": "a", "request_key": key}, {})
        assert desk.verdict("D-SHELF") == verdict

"""Revisions: new ones, guards, races."""

import pytest

from tests.laws.promised.desk import Desk, note


@pytest.mark.parametrize(("revision", "verdict"), [(2, "pass"), (9, "pass"), (1, "fail"), (0, "fail")])
def test_a_change_gives_a_higher_revision(revision, verdict):
    desk = Desk()
    desk.save()
    desk.update(answer={"note": note(1, revision)})
    assert desk.verdict("D-REVISION") == verdict


def test_texts_are_only_to_differ():
    for revision, verdict in (("a", "pass"), ("b", "fail")):
        desk = Desk()
        desk.save(1, {"note": note(1, "b")})
        desk.update("b", answer={"note": note(1, revision)})
        assert desk.verdict("D-REVISION") == verdict


@pytest.mark.parametrize(("back", "verdict"), [("first", "pass"), ("second", "fail")])
def test_a_revision_made_of_the_content_comes_back_with_it(back, verdict):
    desk = Desk()
    desk.save(1, {"note": note(1, "etag-of-first", body="first")})
    desk.update("etag-of-first", "other", {"note": note(1, "etag-of-other", body="other")})
    desk.update("etag-of-other", back, {"note": note(1, "etag-of-first", body=back)})
    assert desk.verdict("D-REVISION") == verdict


def test_a_change_that_says_the_same_again_may_keep_it():
    desk = Desk()
    desk.save()
    desk.update(1)
    desk.update(2)
    assert desk.seen("D-REVISION") == ("pass", 1, 0)


def test_refused_changes_are_no_subject():
    desk = Desk()
    desk.save()
    desk.update(code="REVISION_MISMATCH")
    assert desk.verdict("D-REVISION") == "not_observed"


def test_the_next_read_tells_what_the_answer_leaves_out():
    for revision, verdict in ((2, "pass"), (1, "fail")):
        desk = Desk()
        desk.save()
        desk.update(answer={})
        desk.get(1, {"note": note(1, revision)})
        assert desk.verdict("D-REVISION") == verdict


def guard(code: str = "REVISION_MISMATCH", control: str = "") -> Desk:
    desk = Desk()
    desk.save()
    desk.update(1, "body-a")
    if code:
        desk.update(1, "body-b", code=code)
    else:
        desk.update(1, "body-b", {"note": note(1, 3)})
    desk.update(2, "body-c", {"note": note(1, 3)}, code=control)
    return desk


def test_a_stale_change_is_refused():
    assert guard().seen("D-GUARD") == ("pass", 1, 0)
    assert guard("NOT_FOUND").verdict("D-GUARD") == "fail"
    assert guard("").verdict("D-GUARD") == "fail"


def test_without_a_control_it_is_no_subject():
    assert guard(control="REVISION_MISMATCH").verdict("D-GUARD") == "not_observed"


def test_a_second_fault_is_no_subject():
    desk = Desk()
    desk.save()
    desk.update(1, "body-a")
    desk.refused("update_note", {"note_id": "n-1", "expected_revision": 1}, "INVALID_ARGUMENT")
    desk.update(2, "body-c", {"note": note(1, 3)})
    assert desk.verdict("D-GUARD") == "not_observed"


def test_where_another_write_may_have_come_between_nothing_is_stale():
    desk = Desk()
    desk.save()
    desk.update(1, "body-a")
    desk.lost("update_note", {"note_id": "n-1", "body": "body-x", "expected_revision": 2})
    desk.update(1, "body-b", {"note": note(1, 4)})
    assert desk.verdict("D-GUARD") == "not_observed"


@pytest.mark.parametrize(("accepted", "verdict"), [(1, "pass"), (2, "fail"), (0, "not_observed")])
def test_a_race(accepted, verdict):
    desk = Desk()
    desk.save()
    desk.together()
    calls = [desk.update(1, f"body-{n}", code="" if n < accepted else "REVISION_MISMATCH") for n in range(3)]
    desk.settle()
    desk.flight(*calls)
    assert desk.verdict("D-GUARD") == verdict
    desk = Desk()
    desk.together()
    calls = [desk.update(1, "body-1"), desk.update(1, "body-1")]
    desk.settle()
    desk.flight(*calls)
    assert desk.verdict("D-GUARD") == "not_observed"


def test_a_refused_change_that_changes():
    for after, verdict in ((note(1, 2, body="body-a"), "pass"), (note(1, 2, body="body-b"), "fail")):
        desk = Desk()
        desk.save()
        desk.update(1, "body-a")
        before = {"note": note(1, 2, body="body-a")}
        desk.get(1, before)
        desk.get(1, before)
        desk.update(1, "body-b", code="REVISION_MISMATCH")
        desk.get(1, {"note": after})
        desk.update(2, "body-c", {"note": note(1, 3)})
        assert desk.verdict("D-GUARD") == verdict

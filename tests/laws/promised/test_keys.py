"""Keys: repeats, conflicts, and what lists show of them."""

import pytest

from tests.laws.promised.desk import Desk, note


def test_a_repeat_that_gives_the_first_answer():
    desk = Desk()
    desk.save(1)
    desk.save(1)
    assert desk.seen("D-KEY") == ("pass", 2, 0)


@pytest.mark.parametrize("answer", [{"note": note(2)}, {"note": note(1, 2)}, {"note": {}}, {}])
def test_a_repeat_that_gives_another(answer):
    desk = Desk()
    desk.save(1)
    desk.save(1, answer)
    assert desk.verdict("D-KEY") == "fail"


def test_a_refused_repeat_is_a_breach_and_one_to_be_tried_later_is_not():
    for code, verdict in (("KEY_REUSED", "fail"), ("FULL", "not_observed")):
        desk = Desk()
        desk.save(1)
        desk.save(1, code=code)
        assert desk.verdict("D-KEY") == verdict


def test_no_repeat_no_subject():
    desk = Desk()
    desk.save(1)
    desk.save(2)
    desk.save(3, code="INVALID_ARGUMENT")
    desk.save(3, code="INVALID_ARGUMENT")
    assert desk.verdict("D-KEY") == "not_observed"


def test_callers_have_keys_of_their_own():
    desk = Desk()
    desk.credential("a")
    desk.credential("b")
    desk.save(1, by="a")
    desk.save(1, {"note": note(2)}, by="b")
    assert desk.verdict("D-KEY") == "not_observed"


def test_a_second_entity_in_a_list():
    for second, verdict in ((note(2, title="title-00000001"), "fail"), (note(2), "pass")):
        desk = Desk()
        given = {"title": "title-00000001"}
        first = {"note": note(1, title="title-00000001")}
        desk.save(1, first, given=given)
        desk.save(1, first, given=given)
        desk.page(note(1, title="title-00000001"), second)
        assert desk.verdict("D-KEY") == verdict


def test_a_second_entity_whose_words_stand_deeper():
    for second, verdict in (
        ({"meta": {"to": "someone-else"}}, "fail"),
        ({"of": {"meta": {"to": "someone-else"}}}, "pass"),
    ):
        desk = Desk()
        given = {"meta": {"to": "someone-else"}}
        first = {"note": note(1, **given)}
        desk.save(1, first, given=given)
        desk.save(1, first, given=given)
        desk.page(note(1, **given), {"id": "n-2", **second})
        assert desk.verdict("D-KEY") == verdict


def test_a_twin_that_another_call_wrote_is_none():
    desk = Desk()
    given = {"title": "title-00000001"}
    first = {"note": note(1, title="title-00000001")}
    desk.save(1, first, given=given)
    desk.save(1, first, given=given)
    desk.save(2, {"note": note(2, title="title-00000001")}, given=given)
    desk.page(note(1, title="title-00000001"), note(2, title="title-00000001"))
    assert desk.verdict("D-KEY") == "pass"


@pytest.mark.parametrize(("second", "verdict"), [(1, "pass"), (2, "fail")])
def test_repeats_at_once(second, verdict):
    desk = Desk()
    desk.together()
    calls = (desk.save(1), desk.save(1, {"note": note(second)}))
    desk.settle()
    desk.flight(*calls)
    assert desk.verdict("D-KEY") == verdict


def test_calls_that_were_not_under_way_together_are_no_race():
    desk = Desk()
    desk.together()
    calls = (desk.save(1), desk.save(1))
    desk.settle()
    desk.flight(*calls, together=False)
    assert desk.verdict("D-KEY") == "not_observed"


def conflict(code: str = "KEY_REUSED", control: str = "") -> Desk:
    desk = Desk()
    desk.save(1)
    if code:
        desk.save(2, key="key-1", code=code)
    else:
        desk.save(2, {"note": note(1)}, key="key-1")
    desk.save(3, code=control) if control else desk.save(3)
    return desk


def test_a_conflict_is_refused_with_its_code():
    assert conflict().seen("D-KEY-REUSED") == ("pass", 1, 0)
    assert conflict("INVALID_ARGUMENT").verdict("D-KEY-REUSED") == "fail"
    assert conflict("").verdict("D-KEY-REUSED") == "fail"


@pytest.mark.parametrize(("ghost", "verdict"), [(True, "fail"), (False, "pass")])
def test_a_conflict_that_is_refused_and_written_all_the_same(ghost, verdict):
    desk = Desk()
    desk.save(1, given={"title": "title-of-the-first"})
    desk.save(2, key="key-1", code="KEY_REUSED", given={"title": "title-of-the-second"})
    shown = note(2, title="title-of-the-second")
    desk.save(2, {"note": shown}, given={"title": "title-of-the-second"})
    more = [note(3, title="title-of-the-second")] if ghost else []
    desk.page(note(1, title="title-of-the-first"), shown, *more)
    assert desk.verdict("D-KEY-REUSED") == verdict


def test_a_word_that_every_entity_has_shows_no_refused_write():
    """The list shows it of entities that nobody asked to have it: a value that a server gives by default."""
    desk = Desk()
    desk.save(1, {"note": note(1, unit="kilograms")})
    desk.save(2, key="key-1", code="KEY_REUSED", given={"unit": "kilograms"})
    desk.save(2, given={"unit": "kilograms"})
    desk.page(*(note(number, unit="kilograms") for number in (1, 2, 3)))
    assert desk.verdict("D-KEY-REUSED") == "pass"


def test_what_other_writes_made_is_not_the_refused_ones():
    desk = Desk()
    desk.save(1, given={"title": "title-of-the-first"})
    desk.save(2, key="key-1", code="KEY_REUSED", given={"title": "title-of-the-second"})
    shown = [note(number, title="title-of-the-second") for number in (2, 3)]
    for number in (2, 3):
        desk.save(number, {"note": shown[number - 2]}, given={"title": "title-of-the-second"})
    desk.page(*shown)
    assert desk.verdict("D-KEY-REUSED") == "pass"


def test_a_refused_conflict_without_a_control_is_no_subject():
    desk = Desk()
    desk.save(1, given={"title": "another title"})
    desk.save(2, key="key-1", code="KEY_REUSED")
    desk.save(3, code="INVALID_ARGUMENT")
    assert desk.verdict("D-KEY-REUSED") == "not_observed"


def test_an_argument_that_the_tool_does_not_have_says_nothing():
    desk = Desk()
    desk.save(1)
    desk.save(1, given={"unknown": 1})
    assert desk.verdict("D-KEY-REUSED") == "not_observed"


@pytest.mark.parametrize(("code", "verdict"), [("KEY_REUSED", "pass"), ("FULL", "not_observed"), ("", "fail")])
def test_one_value_that_is_another_is_something_else(code, verdict):
    """What else is said stands in the first call too, and a refusal may be for that."""
    desk = Desk()
    desk.save(1)
    desk.save(2)
    desk.save(1, code=code, given={"body": "body-other"})
    assert desk.verdict("D-KEY-REUSED") == verdict


def test_what_is_left_out_may_be_what_is_meant_anyhow():
    desk = Desk()
    desk.save(1, given={"body": "body-1"})
    desk.save(2)
    desk.save(1, without=["body"])
    assert desk.verdict("D-KEY-REUSED") == "not_observed"


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_a_control_that_was_refused_has_made_nothing_that_is_listed(verdict):
    """What was refused was written, so that the same under a key of its own is refused as there already."""
    desk, words = Desk(), {"title": "title-of-nine"}
    desk.save(1)
    desk.save(9, key="key-1", given=words, code="KEY_REUSED")
    desk.save(9, key="key-9", given=words, code="FULL")
    desk.page(note(1), *([{**note(9), **words}] if verdict == "fail" else []))
    assert desk.verdict("D-KEY-REUSED") == verdict

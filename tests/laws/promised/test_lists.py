"""Pages, caps, order, numbers that rise, ids that are unique."""

from math import inf

import pytest

from conformance.judge.promised.numbers import measure
from tests.laws.promised.desk import Desk, note


def pages(*shown: tuple[int, ...], first: tuple[int, ...] = (1, 2, 3), between: bool = False) -> Desk:
    desk = Desk()
    for number in first:
        desk.save(number)
    for number, numbers in enumerate(shown):
        given = {"limit": 2, **({"cursor": f"c{number}"} if number else {})}
        last = number == len(shown) - 1
        desk.page(*map(note, numbers), onward=None if last else f"c{number + 1}", given=given)
        if between:
            desk.save(9)
    return desk


def test_each_entry_once():
    assert pages((1, 2), (3,)).seen("D-PAGES") == ("pass", 1, 0)
    assert pages((1, 2), (2, 3)).verdict("D-PAGES") == "fail"
    assert pages((1,), (3,)).verdict("D-PAGES") == "fail"


def test_entries_that_show_the_same_are_in_any_order():
    desk = Desk()
    desk.page(*({**note(number), "title": "title"} for number in (1, 2)))
    assert desk.verdict("D-ORDER") == "not_observed"
    desk.page(note(1), note(2))
    assert desk.verdict("D-ORDER") == "pass"


def test_one_page_is_no_walk_and_a_write_between_leaves_it_open():
    assert pages((1, 2, 3)).verdict("D-PAGES") == "not_observed"
    assert pages((1, 2), (2, 3), between=True).verdict("D-PAGES") == "not_observed"


def test_a_last_page_that_leaves_something_out_is_a_breach_unless_it_was_asked_for_less():
    assert pages((1, 2)).verdict("D-PAGES") == "fail"
    for given, verdict in (({}, "fail"), ({"limit": 2, "title": "a"}, "not_observed")):
        desk = Desk()
        desk.save(1)
        desk.page(given=given)
        assert desk.verdict("D-PAGES") == verdict


def test_what_another_write_may_have_taken_from_the_list_may_be_left_out():
    for tool, verdict in (("archive_note", "pass"), ("update_note", "fail")):
        desk = Desk()
        desk.save(1)
        desk.save(2)
        desk.save(3)
        desk.accepted(tool, {"note_id": "n-2", "body": "x", "expected_revision": 1}, {})
        desk.page(note(3), onward="c1", given={"limit": 1})
        desk.page(note(1), given={"limit": 1, "cursor": "c1"})
        assert desk.verdict("D-PAGES") == verdict


@pytest.mark.parametrize("made", [True, False])
def test_what_was_written_with_a_value_that_the_contract_does_not_write_may_be_left_out(made):
    desk = Desk()
    desk.save(1)
    desk.save(2, given={"hidden": True} if made else {})
    desk.save(3)
    if not made:
        desk.accepted("update_note", {"note_id": "n-2", "body": "x", "expected_revision": 1, "hidden": True}, {})
    desk.page(note(3), onward="c1", given={"limit": 1})
    desk.page(note(1), given={"limit": 1, "cursor": "c1"})
    assert desk.verdict("D-PAGES") == "pass"


def test_what_was_removed_before_may_be_left_out():
    desk = Desk()
    for number in (1, 2, 3):
        desk.save(number)
    desk.delete(2)
    desk.page(note(1), onward="c1")
    desk.page(note(3), given={"cursor": "c1"})
    assert desk.verdict("D-PAGES") == "pass"


def test_a_walk_that_was_not_ended_leaves_nothing_out():
    desk = Desk()
    for number in (1, 2, 3):
        desk.save(number)
    desk.page(note(1), onward="c1")
    desk.page(note(2), onward="c2", given={"cursor": "c1"})
    assert desk.verdict("D-PAGES") == "pass"


@pytest.mark.parametrize(
    ("limit", "count", "verdict"),
    [(2, 2, "pass"), (2, 1, "pass"), (2, 3, "fail"), (None, 51, "fail"), (None, 50, "pass"), (0, 3, "pass")],
)
def test_caps(limit, count, verdict):
    desk = Desk()
    desk.page(*(note(n) for n in range(count)), given={} if limit is None else {"limit": limit})
    assert desk.verdict("D-CAP") == verdict


@pytest.mark.parametrize(("flag", "verdict"), [(True, "pass"), (False, "fail")])
def test_the_flag_says_whether_something_is_left_out(flag, verdict):
    desk = Desk()
    desk.page(note(1), given={"limit": 1}, beside={"more": flag})
    desk.page(note(1), note(2), given={"limit": 2}, beside={"more": False})
    assert desk.verdict("D-CAP") == verdict


def test_order():
    for numbers, verdict in (((1, 2), "pass"), ((2, 1), "fail"), ((1,), "not_observed"), ((), "not_observed")):
        desk = Desk()
        desk.page(*map(note, numbers))
        assert desk.verdict("D-ORDER") == verdict
    desk = Desk()
    desk.page(note(1, title="a"), note(2, title="B"))
    assert desk.verdict("D-ORDER") == "pass"


@pytest.mark.parametrize(("number", "size"), [(7, 7.0), (-(10**400), -inf), (10**400, inf), (True, None)])
def test_a_number_beyond_all_fractions_is_infinite(number, size):
    assert measure(number, "number") == size


def test_rising():
    for numbers, verdict in (((1, 2), "pass"), ((2, 1), "fail"), ((1, 1), "fail"), ((1,), "not_observed")):
        desk = Desk()
        for place, number in enumerate(numbers):
            desk.save(place, {"note": {"id": f"n-{place}", "number": number}})
        assert desk.verdict("D-RISING") == verdict


def test_a_repeat_is_given_the_same_number():
    desk = Desk()
    desk.save(1, {"note": {"id": "n-1", "number": 5}})
    desk.save(2, {"note": {"id": "n-2", "number": 6}})
    desk.save(1, {"note": {"id": "n-1", "number": 5}})
    assert desk.verdict("D-RISING") == "pass"


def test_unique():
    for second, verdict in ((2, "pass"), (1, "fail")):
        desk = Desk()
        desk.save(1)
        desk.save(2, {"note": note(second)})
        assert desk.verdict("D-ID") == verdict
    desk = Desk()
    desk.save(1)
    desk.save(1)
    assert desk.verdict("D-ID") == "not_observed"


def test_of_an_id_that_stands_for_two_nothing_else_is_said():
    desk = Desk()
    desk.save(1)
    desk.save(2, {"note": note(1)})
    desk.get(1, {"note": note(1, title="title-2")})
    assert (desk.verdict("D-ID"), desk.verdict("D-SAVED")) == ("fail", "not_observed")


def test_an_empty_page_after_the_only_one_shows_no_reading_on():
    desk = Desk()
    desk.save(1)
    desk.page(note(1), onward="c1")
    desk.page(given={"cursor": "c1"})
    assert desk.verdict("D-PAGES") == "not_observed"

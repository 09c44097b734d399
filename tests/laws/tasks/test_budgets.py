"""TK-BUD-*: caps, what they cut, and pages."""

from typing import Any

import pytest

from conformance.model.events import Json
from conformance.model.octets import octets
from tests.laws.driven import driven
from tests.laws.tasks.room import Room

IDS = [f"TK-BUD-0{number}" for number in range(1, 9)]
BUDGET = {"used": 3, "limit": 5}


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "budgets").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "budgets", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id.startswith("TK-BUD") and o.verdict == "fail"} == {deviation}


def delta(room: Room, number: int, *, start: int = 0, word: str = "e", more: Json = None, **arguments: Json) -> int:
    """A part of the event log: so many events from a place on."""
    events = [{"event_id": f"{word}{place}"} for place in range(start, start + number)]
    return room.ok("tasks_delta", {"events": events, **(more or {})}, **arguments)


CUT = {"truncated": True, "budget": BUDGET}


@pytest.mark.parametrize(
    ("knobs", "verdict"), [(["limit"], "pass"), (["max_lines"], "pass"), (["since", "offset"], "fail"), ([], "fail")]
)
def test_a_large_output_takes_a_budget(knobs: list[str], verdict: str) -> None:
    room = Room()
    schema: Json = {"properties": {name: {} for name in knobs}}
    room.list([{"name": "tasks_delta", "inputSchema": schema}, {"name": "tasks_focus_get", "inputSchema": {}}])
    outcome = room.judged("TK-BUD-01")
    assert (outcome.verdict, outcome.subjects) == (verdict, 1)


@pytest.mark.parametrize("word", ["e", "ä", "€", "😀"])
@pytest.mark.parametrize(("spare", "verdict"), [(0, "pass"), (-1, "fail")])
def test_max_chars_counts_bytes(word: str, spare: int, verdict: str) -> None:
    room = Room()
    result = {"events": [{"event_id": word * 9}]}
    room.ok("tasks_delta", result, max_chars=octets(result) + spare)
    assert room.judged("TK-BUD-02").verdict == verdict


@pytest.mark.parametrize("cap", [0, 1])
def test_what_no_object_fits(cap: int) -> None:
    room = Room()
    room.no("tasks_delta", "INVALID_INPUT", max_chars=cap)
    assert room.judged("TK-BUD-07").subjects == 0
    delta(room, 1)
    assert room.judged("TK-BUD-07").verdict == "pass"
    delta(room, 1, max_chars=cap)
    assert room.judged("TK-BUD-07").verdict == "fail"
    assert room.judged("TK-BUD-02").subjects == 0


def test_the_smallest_form_is_not_sent_under_a_cap_that_it_exceeds() -> None:
    room = Room()
    delta(room, 9)
    delta(room, 1, more=CUT, max_chars=50)
    assert (room.judged("TK-BUD-07").verdict, room.judged("TK-BUD-02").subjects) == ("fail", 0)


def test_the_end_of_a_list_is_no_form_of_its_beginning() -> None:
    room = Room()
    delta(room, 9)
    delta(room, 0, offset=9)
    delta(room, 1, more=CUT, max_chars=50)
    assert (room.judged("TK-BUD-07").verdict, room.judged("TK-BUD-02").subjects) == ("fail", 0)


def test_a_cut_that_is_too_small_though_more_was_possible() -> None:
    room = Room()
    delta(room, 1, more=CUT, max_chars=100)
    delta(room, 5, more=CUT, max_chars=120)
    assert (room.judged("TK-BUD-02").verdict, room.judged("TK-BUD-07").subjects) == ("fail", 0)


def test_who_refuses_small_caps_counts_otherwise() -> None:
    room = Room()
    room.no("tasks_delta", "BUDGET_EXCEEDED", max_chars=40)
    delta(room, 1, more=CUT, max_chars=50)
    assert (room.judged("TK-BUD-02").verdict, room.judged("TK-BUD-07").verdict) == ("fail", "not_observed")


@pytest.mark.parametrize(
    ("tool", "result", "knob", "amount"),
    [
        ("tasks_delta", {"events": [{}, {}, {}]}, "limit", 3),
        ("tasks_delta", {"events": [{}, {}, {}]}, "max_lines", 3),
        ("tasks_context", {"plans": [{"id": "PLAN-001", "revision": 0}], "tasks": [{}, {}]}, "limit", 3),
        ("branchmind_diff", {"entries": [{"content": "a\nb\n"}, {"content": "c"}]}, "max_lines", 3),
        ("branchmind_show", {"entries": [{"content": "ä€"}, {"content": "x"}]}, "max_bytes", 6),
        ("branchmind_export", {"notes": {"entries": [{"content": "ab"}]}, "trace": {"entries": [{}]}}, "max_bytes", 2),
        ("branchmind_export", {"notes": {"entries": [{}, {}]}, "trace": {"entries": [{}]}}, "notes_limit", 2),
        ("branchmind_graph_query", {"nodes": [{}, {}], "edges": [{}, {}]}, "edges_limit", 2),
        ("branchmind_graph_query", {"nodes": [{}, {}], "edges": [{}]}, "limit", 2),
    ],
)
def test_a_cap_in_its_unit(tool: str, result: Json, knob: str, amount: int) -> None:
    for cap, verdict in ((amount, "pass"), (amount - 1, "fail")):
        room = Room()
        room.ok(tool, result, **{knob: cap})
        assert room.judged("TK-BUD-03").verdict == verdict


def test_a_cap_of_nought_says_nothing() -> None:
    room = Room()
    room.ok("tasks_delta", {"events": [{}]}, limit=0)
    assert room.judged("TK-BUD-03").verdict == "not_observed"


def paged(*pages: tuple[int, int], skew: int = 0) -> Room:
    """Seven events in pages, each of which begins at an offset and has so many; later ones are `skew` further on."""
    room = Room()
    delta(room, 7, limit=1000)
    for offset, number in pages:
        delta(room, number, start=offset + (skew if offset else 0), limit=2, offset=offset)
    return room


@pytest.mark.parametrize(
    ("pages", "skew", "verdict"),
    [
        ([(0, 2), (2, 2), (4, 2), (6, 1)], 0, "pass"),
        ([(0, 2), (2, 1), (3, 2)], 0, "fail"),
        ([(0, 2), (2, 2)], 1, "fail"),
        ([(0, 2), (2, 2)], -1, "fail"),
        ([(0, 2), (2, 0)], 0, "fail"),
        ([(0, 2), (7, 0)], 0, "not_observed"),
    ],
)
def test_pages_joined(pages: list[tuple[int, int]], skew: int, verdict: str) -> None:
    assert paged(*pages, skew=skew).judged("TK-BUD-04").verdict == verdict


def test_a_limit_of_nothing_may_be_met_by_nothing() -> None:
    """What a limit of 0 means no clause says; that it is a cap is another requirement's."""
    room = paged((0, 2), (2, 2))
    delta(room, 0, limit=0)
    assert room.judged("TK-BUD-04").verdict == "pass"
    delta(room, 0, limit=1)
    assert room.judged("TK-BUD-04").verdict == "fail"


def test_an_offset_below_nought_is_none_that_pages_have() -> None:
    """A server that takes it may begin at the beginning."""
    room = paged((0, 2), (2, 2))
    delta(room, 2, limit=2, offset=-1)
    assert room.judged("TK-BUD-04").verdict == "pass"


def test_a_page_may_be_short_that_says_that_more_follows() -> None:
    room = Room()
    delta(room, 2, limit=2)
    delta(room, 1, start=2, limit=2, offset=2, more={"pagination": {"next_offset": 3}})
    delta(room, 2, start=3, limit=2, offset=3)
    assert room.judged("TK-BUD-04").verdict == "pass"


@pytest.mark.parametrize(("said", "verdict"), [(CUT, "pass"), ({}, "fail")], ids=str)
def test_a_page_is_not_the_last_that_says_that_it_was_cut(said: dict[str, Json], verdict: str) -> None:
    room = paged((0, 2))
    delta(room, 1, start=2, limit=2, offset=2, more=said)
    assert room.judged("TK-BUD-04").verdict == verdict


@pytest.mark.parametrize(
    ("shown", "said", "verdict"),
    [
        (2, {"count": 2, "has_more": True}, "pass"),
        (2, {"has_more": False}, "fail"),
        (2, {"pagination": {"has_more": False}}, "fail"),
        (3, {"count": 3, "has_more": False}, "pass"),
        (3, {"has_more": True}, "fail"),
        (3, {"count": 2}, "fail"),
        (3, {}, "not_observed"),
    ],
)
def test_what_an_export_says_of_its_lists(shown: int, said: dict[str, Json], verdict: str) -> None:
    room = Room()
    for number, limit, more in ((3, 9, {}), (shown, 2 if shown == 2 else 8, said)):
        entries = [{"content": f"entry {place}"} for place in range(number)]
        room.ok("branchmind_export", {"notes": {"entries": entries, **more}}, target="TASK-001", notes_limit=limit)
    assert room.judged("TK-BUD-04").verdict == verdict


def test_pages_between_which_something_was_written() -> None:
    room = Room()
    delta(room, 7, limit=1000)
    delta(room, 2, limit=2)
    room.edit(1)
    delta(room, 2, start=3, limit=2, offset=2)
    assert room.judged("TK-BUD-04").subjects == 0


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (CUT, "pass"),
        ({}, "fail"),
        ({"truncated": False}, "fail"),
        ({"truncated": True}, "fail"),
        ({"truncated": True, "budget": {"used": 3}}, "fail"),
        ({"truncated": True, "budget": {"used": True, "limit": 5}}, "fail"),
        ({"truncated": True, "budget": {"used": 6, "limit": 5}}, "fail"),
    ],
    ids=str,
)
def test_a_cut_is_told(said: dict[str, Any], verdict: str) -> None:
    room = Room()
    delta(room, 5, more={"truncated": False})
    delta(room, 3, more=said, limit=3)
    assert room.judged("TK-BUD-05").verdict == verdict


def test_less_of_what_is_no_list_is_a_cut() -> None:
    room = Room()
    room.radar(1, radar={"why": "x" * 40}, truncated=False)
    room.ok("tasks_radar", {"target": {"id": "TASK-001", "revision": 1}}, task="TASK-001", max_chars=60)
    assert room.judged("TK-BUD-05").verdict == "fail"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [(CUT, "pass"), ({"next_cursor": "c"}, "pass"), ({}, "fail"), ({"truncated": False}, "fail")],
    ids=str,
)
def test_a_later_page_before_the_last_tells_of_its_cut(said: dict[str, Any], verdict: str) -> None:
    room = Room()
    delta(room, 2, start=2, more=said, limit=2, offset=2)
    delta(room, 1, start=4, more={"truncated": False}, limit=2, offset=4)
    delta(room, 1, start=3, more={"truncated": False}, limit=2, offset=3)
    # whoever asks for what is beyond the end is told of none
    delta(room, 0, more={"truncated": False}, limit=2, offset=9)
    assert room.judged("TK-BUD-05").verdict == verdict


@pytest.mark.parametrize(
    ("shown", "said", "verdict"),
    [
        (3, {}, "fail"),
        (3, {"truncated": False}, "fail"),
        (3, {"pagination": {"has_more": True}}, "not_observed"),
        (3, CUT, "not_observed"),
        (5, {}, "not_observed"),
        (0, {}, "not_observed"),
    ],
    ids=str,
)
def test_a_default_page_tells_of_its_cut(shown: int, said: dict[str, Any], verdict: str) -> None:
    room = Room()
    delta(room, shown, more=said)
    delta(room, 5, limit=9)
    assert room.judged("TK-BUD-05").verdict == verdict
    # an empty list is less for more, not the beginning of one
    assert (room.judged("TK-BUD-08").verdict == "fail") == (shown == 0)


@pytest.mark.parametrize(
    ("notes", "trace", "verdict"), [(True, True, "not_observed"), (True, False, "fail"), (False, False, "fail")]
)
def test_each_list_of_an_export_tells_of_its_cut(*, notes: bool, trace: bool, verdict: str) -> None:
    room = Room()

    def export(number: int, more: tuple[bool, bool], **limits: Json) -> None:
        parts: dict[str, Json] = {
            name: {"entries": [{"seq": place} for place in range(number)], "pagination": {"has_more": said}}
            for name, said in zip(("notes", "trace"), more, strict=True)
        }
        room.ok("branchmind_export", {**parts, "truncated": False}, target="TASK-001", **limits)

    export(3, (False, False))
    export(1, (notes, trace), notes_limit=1, trace_limit=1)
    assert room.judged("TK-BUD-05").verdict == verdict


def test_a_list_that_begins_otherwise_is_no_default_page() -> None:
    room = Room()
    delta(room, 3, start=2)
    delta(room, 5, limit=9)
    assert room.judged("TK-BUD-05").verdict == "not_observed"


def test_a_later_page_and_another_state_are_no_cut() -> None:
    room = Room()
    delta(room, 5)
    delta(room, 2, start=3, limit=3, offset=3)
    room.edit(1)
    delta(room, 1, limit=3)
    assert room.judged("TK-BUD-05").subjects == 0


@pytest.mark.parametrize(("said", "verdict"), [({"truncated": False}, "pass"), ({}, "pass"), (CUT, "fail")], ids=str)
def test_what_is_whole(said: dict[str, Any], verdict: str) -> None:
    room = Room()
    delta(room, 5, more={"truncated": False})
    delta(room, 5, more={**said, "pagination": {"limit": 9}}, limit=9)
    assert room.judged("TK-BUD-06").verdict == verdict


@pytest.mark.parametrize(("said", "verdict"), [({"truncated": False}, "pass"), (CUT, "fail")], ids=str)
def test_an_empty_list_is_whole(said: dict[str, Any], verdict: str) -> None:
    room = Room()
    delta(room, 0, more=said)
    assert room.judged("TK-BUD-06").verdict == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(200, 216, "fail"), (200, 215, "not_observed"), (200, None, "fail")]
)
def test_a_smaller_budget_shows_no_more(low: int, high: int | None, verdict: str) -> None:
    room = Room()
    larger: dict[str, Any] = {} if high is None else {"max_chars": high}
    delta(room, 5, max_chars=low)
    delta(room, 4, **larger)
    assert room.judged("TK-BUD-08").verdict == verdict


@pytest.mark.parametrize("said", [CUT, {"pagination": {"has_more": True}}], ids=str)
@pytest.mark.parametrize(("knob", "value"), [("limit", 9), ("max_chars", 999)])
def test_a_default_may_be_smaller_than_what_is_asked_for(knob: str, value: int, said: dict[str, Any]) -> None:
    room = Room()
    delta(room, 4, more=said)
    delta(room, 5, **{knob: value})
    assert room.judged("TK-BUD-08").verdict == "not_observed"


def test_a_cut_is_an_envelope() -> None:
    room = Room()
    room.call("tasks_delta", {"workspace": "w", "max_chars": 99}, {"success": True, "result": CUT})
    outcome = room.judged("TK-BUD-08")
    assert outcome.findings[0].saw == (
        "an answer that was cut lacks intent, warnings, suggestions, context, error, timestamp"
    )


def test_what_every_answer_lacks_is_no_cuts_fault() -> None:
    room = Room()
    for more in ({}, {"max_chars": 99}):
        room.call("tasks_delta", {"workspace": "w", **more}, {"success": True, "result": CUT if more else {}})
    assert room.judged("TK-BUD-08").verdict == "pass"


@pytest.mark.parametrize("cap", [{"max_chars": 99}, {}], ids=str)
def test_an_answer_cut_in_the_middle(cap: dict[str, Json]) -> None:
    room = Room()
    result = {"content": [{"type": "text", "text": '{"success": true, "resu'}]}
    room.result("tools/call", {"name": "tasks_delta", "arguments": {"workspace": "w", **cap}}, result)
    assert room.judged("TK-BUD-08").verdict == ("fail" if cap else "not_observed")


@pytest.mark.parametrize(
    ("entries", "said", "verdict"),
    [
        (["x" * 60, "y" * 60], {}, "not_observed"),
        (["x" * 60, "y" * 9], {}, "fail"),
        (["x" * 60, "y" * 9], {"truncated": True, "budget": {"used": 90, "limit": 100}}, "pass"),
    ],
)
def test_entries_that_are_shortened_are_cut(entries: list[str], said: dict[str, Any], verdict: str) -> None:
    room = Room()
    place = {"branch": "main", "doc": "notes"}
    for contents, knob in ((["x" * 60, "y" * 60], {}), (entries, {"max_chars": 900})):
        result = {**place, "entries": [{"content": each} for each in contents], **(said if knob else {})}
        room.ok("branchmind_show", result, **place, **knob)
    assert room.judged("TK-BUD-05").verdict == verdict


def test_entries_of_a_page_may_stand_the_other_way_round() -> None:
    room = Room()
    for offset, ids in ((0, (3, 2, 1)), (1, (3, 2)), (2, (3,))):
        events = [{"event_id": f"evt_{number:016}"} for number in ids]
        said = {"truncated": False, "pagination": {"has_more": False}}
        room.ok("tasks_delta", {"events": events, **said}, limit=len(ids), offset=offset)
    assert room.judged("TK-BUD-05").verdict != "fail"

"""MC-HINT-02 to -04: annotations against what the reads show."""

import pytest

from conformance.judge.windows import RESTED_US
from conformance.model.events import Json
from tests.laws.histories import Story


def tool(name: str, **hints: bool) -> Json:
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": hints}


TOOLS = [
    tool("read", readOnlyHint=True),
    tool("peek", readOnlyHint=True),
    tool("put", readOnlyHint=False, destructiveHint=False, idempotentHint=True),
    tool("purge", readOnlyHint=False, destructiveHint=True),
]


class Looks(Story):
    """A story in which `read` shows what it is told to show."""

    def __init__(self) -> None:
        super().__init__("mcp")
        self.list(TOOLS)

    def rest(self) -> "Looks":
        """Time in which what was called before can show."""
        self.t += RESTED_US
        return self

    def read(self, *shown: Json) -> "Looks":
        for each in shown:
            self.call("read", {"id": 1}, each)
        return self


def around(tool: str, before: Json, after: Json, requirement: str, *, failed: bool = False) -> str:
    told = Looks().read(before, before)
    told.call(tool, {"id": 1}, {"ok": True}, failed=failed)
    return told.read(after).judged(requirement).verdict


A, B = {"items": [1], "at": "2026-11-21T12:00:00Z"}, {"items": [1, 2], "at": "2026-11-21T12:00:05Z"}


def test_a_read_changes_nothing() -> None:
    assert around("peek", A, {**A, "at": "2026-11-21T12:00:01Z"}, "MC-HINT-02") == "pass"
    assert around("peek", A, B, "MC-HINT-02") == "warn"
    assert around("peek", A, B, "MC-HINT-02", failed=True) == "not_observed"
    assert around("put", A, B, "MC-HINT-02") == "not_observed"


@pytest.mark.parametrize(
    ("key", "first", "second", "verdict"),
    [
        ("seen_at", 1_763_726_400.25, 1_763_726_401.5, "pass"),
        ("updatedAt", 1_763_726_400_250, 1_763_726_401_500, "pass"),
        ("mtime_ns", 1_763_726_400_250_000_000, 1_763_726_401_500_000_000, "pass"),
        ("seen_at", "2026-11-21T12:00:00Z", "2026-11-21T12:00:01Z", "pass"),
        ("seen_at", 7, 8, "warn"),
        ("seen_at", 10**400, 10**400 + 1, "warn"),
        ("id", 1_763_726_400_250, 1_763_726_401_500, "warn"),
        ("format", 1_763_726_400_250, 1_763_726_401_500, "warn"),
    ],
)
def test_a_repeat_may_tell_another_time(key: str, first: Json, second: Json, verdict: str) -> None:
    """As a text or as a number from 1970; an id that was made from the clock is another id."""
    told = Looks()
    for value in (first, second):
        told.call("put", {"id": 1}, {key: value})
    assert told.judged("MC-HINT-03").verdict == verdict


def test_a_refused_call_had_nothing_to_change() -> None:
    assert around("peek", A, A, "MC-HINT-02", failed=True) == "not_observed"
    assert around("put", A, A, "MC-HINT-04", failed=True) == "not_observed"


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ({"messages": ["a", "b"], "unread": 2}, {"messages": [], "unread": 0}, "warn"),
        ({"messages": ["a", "b"]}, {"messages": ["b"]}, "warn"),
        ({"messages": ["a"], "next": "b"}, {"messages": ["a"]}, "warn"),
        ({"messages": ["a", "b"]}, {"messages": ["c"]}, "not_observed"),
        ({"messages": ["a"]}, {"messages": ["a", "b"]}, "not_observed"),
        ({"joke": "a"}, {"joke": "b"}, "not_observed"),
        ({"messages": ["a", "b"]}, {"messages": ["a", "b"]}, "not_observed"),
    ],
)
def test_a_read_that_takes_what_it_shows(first: Json, second: Json, verdict: str) -> None:
    assert Looks().read(first, second).judged("MC-HINT-02").verdict == verdict


def test_what_is_taken_by_another_call_is_not_the_reads_doing() -> None:
    told = Looks().read({"messages": ["a", "b"]})
    told.call("purge", {}, {})
    assert told.read({"messages": []}).judged("MC-HINT-02").verdict == "not_observed"


def test_a_read_of_the_calls_themselves_is_no_state() -> None:
    told = Story("mcp")
    told.list([*TOOLS, tool("get_usage", readOnlyHint=True)])
    for count in (1, 1):
        told.call("get_usage", {}, {"calls": count})
    told.call("peek", {}, {})
    told.call("get_usage", {}, {"calls": 2})
    assert told.judged("MC-HINT-02").verdict == "not_observed"


def test_the_runs_contract_knows_which_reads_show_calls() -> None:
    told = Story("tuitbot")
    told.list([tool("get_policy_status", readOnlyHint=True), tool("get_config", readOnlyHint=True)])
    for reads, calls in (("get_policy_status", "get_config"), ("get_config", "get_policy_status")):
        told.t += RESTED_US
        for count in (1, 1):
            told.accepted(reads, {}, {"calls": count})
        told.accepted(calls, {}, {})
        told.accepted(reads, {}, {"calls": 2})
    outcome = told.judged("MC-HINT-02")
    assert outcome.subjects > 0
    assert outcome.findings
    assert all("and get_config shows" in finding.saw for finding in outcome.findings)


def test_a_read_that_changes_by_itself_shows_nothing() -> None:
    told = Looks().read(A, B)
    told.call("peek", {}, {})
    assert told.read(A).judged("MC-HINT-02").verdict == "not_observed"


def test_a_call_that_may_still_be_under_way_hides_what_changed() -> None:
    told = Looks()
    told.lost("put", {"id": 9}, "time")
    told.read(A, A)
    told.call("peek", {}, {})
    assert told.read(B).judged("MC-HINT-02").verdict == "not_observed"


def test_an_answer_in_text_is_read_as_well() -> None:
    told = Looks()
    for text in ('{"items": [1]}', '{"items": [1]}'):
        told.result("tools/call", {"name": "read", "arguments": {}}, {"content": [{"type": "text", "text": text}]})
    told.call("put", {}, {})
    told.result(
        "tools/call", {"name": "read", "arguments": {}}, {"content": [{"type": "text", "text": '{"items": []}'}]}
    )
    assert told.judged("MC-HINT-04").verdict == "warn"


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ({"items": [1, 2], "n": 2}, "pass"),
        ({"items": [5], "n": 1}, "pass"),
        ({"items": [], "n": 0}, "warn"),
        ({"items": [1]}, "warn"),
        ([], "warn"),
    ],
)
def test_what_does_not_destroy_removes_nothing(after: Json, verdict: str) -> None:
    assert around("put", {"items": [1], "n": 1}, after, "MC-HINT-04") == verdict
    assert around("purge", {"items": [1], "n": 1}, after, "MC-HINT-04") == "not_observed"


def repeated(first: Json, second: Json, *, after_first: Json = A, after_second: Json = A, failed: bool = False) -> str:
    told = Looks().read(A, A)
    told.call("put", {"id": 1}, first)
    told.rest().read(after_first)
    told.call("put", {"id": 1}, second, failed=failed)
    return told.read(after_second).judged("MC-HINT-03").verdict


def test_repeating() -> None:
    assert repeated({"id": 1}, {"id": 1}, after_first=B, after_second=B) == "pass"
    assert repeated({"id": 1, "request_id": "a"}, {"id": 1, "request_id": "b"}) == "pass"


def test_a_repeat_may_find_nothing_left_to_do() -> None:
    assert repeated({"id": 1, "deleted": True}, {"id": 1, "deleted": False}) == "pass"
    assert repeated({"id": 1, "created": ["a"]}, {"id": 1, "created": []}) == "pass"
    assert repeated({"id": 1, "changed": 3}, {"id": 1, "changed": 0}) == "pass"
    assert repeated({"id": 1, "status": "created"}, {"id": 1, "status": "already exists"}) == "pass"
    assert repeated({"id": 1}, {"error": "no such id"}, failed=True) == "pass"
    assert repeated({"merged": 2, "skipped": 0}, {"merged": 0, "skipped": 2}) == "pass"
    said = {"code": "NO_EFFECT", "message": "nothing was written"}
    assert repeated({"id": 1, "warnings": []}, {"id": 1, "warnings": [said]}) == "pass"
    assert repeated({"id": 1, "warnings": []}, {"id": 1, "warnings": ["nothing was written"]}) == "pass"


def test_repeating_answers_otherwise_or_changes_more() -> None:
    assert repeated({"id": 1}, {"id": 2}) == "warn"
    assert repeated({"id": "a"}, {"id": "b"}) == "warn"
    assert repeated({"items": [{"id": 1}]}, {"items": [{"id": 1}, {"id": 2}]}) == "warn"
    assert repeated({"id": 1}, {"error": "no"}, failed=True, after_second=B) == "warn"
    assert repeated({"items": []}, {"items": [{"id": 2, "note": "nothing yet"}]}) == "warn"
    assert repeated({"warnings": []}, {"warnings": ["written once more"]}) == "warn"
    assert repeated({"merged": 2, "written": 0}, {"merged": 0, "written": 2}) == "warn"
    assert repeated({"id": 1}, {"id": 1}, after_first=A, after_second=B) == "warn"


def test_a_reader_may_be_told_the_same_in_other_words() -> None:
    told = Looks()
    for text in ("Files staged.", "Nothing new to stage."):
        told.result("tools/call", {"name": "put", "arguments": {}}, {"content": [{"type": "text", "text": text}]})
    assert told.judged("MC-HINT-03").verdict == "pass"


def test_another_write_between_is_no_repeat() -> None:
    told = Looks()
    told.call("put", {"id": 1}, {"n": 1})
    told.call("purge", {}, {})
    told.call("put", {"id": 1}, {"n": 2})
    assert told.judged("MC-HINT-03").verdict == "not_observed"


@pytest.mark.parametrize(("last", "verdict"), [({"items": [1, 2]}, "warn"), ({"items": [1]}, "pass")])
def test_what_a_repeat_adds_is_seen_though_the_read_was_made_twice_between(last: Json, verdict: str) -> None:
    told = Looks().read({"items": []}, {"items": []})
    told.call("put", {"id": 1}, {})
    told.rest().read({"items": [1]}, {"items": [1]}, {"items": [1]})
    told.call("put", {"id": 1}, {})
    assert told.read(last, last).judged("MC-HINT-03").verdict == verdict


def test_a_call_after_another_than_itself_is_no_repeat() -> None:
    told = Looks().read({"items": []}, {"items": []})
    told.call("put", {"id": 1}, {})
    told.call("purge", {}, {})
    told.read({"items": []}, {"items": []})
    told.call("put", {"id": 1}, {})
    assert told.read({"items": [1]}).judged("MC-HINT-03").verdict == "not_observed"


@pytest.mark.parametrize(
    ("tool", "said", "requirement", "verdict"),
    [
        ("put", "there is no book 1", "MC-HINT-04", "warn"),
        ("put", "NOT_FOUND", "MC-HINT-04", "warn"),
        ("put", "no book '1'", "MC-HINT-04", "warn"),
        ("put", "Unknown book: 1", "MC-HINT-04", "warn"),
        ("put", "book 1 was removed", "MC-HINT-04", "warn"),
        ("put", "no book '12'", "MC-HINT-04", "not_observed"),
        ("put", "no permission for book 1", "MC-HINT-04", "not_observed"),
        ("put", "no access 1", "MC-HINT-04", "not_observed"),
        ("put", "rate limit exceeded, try again later", "MC-HINT-04", "not_observed"),
        ("purge", "there is no book 1", "MC-HINT-04", "not_observed"),
        ("peek", "book 1 does not exist", "MC-HINT-02", "warn"),
        ("peek", "not now", "MC-HINT-02", "not_observed"),
    ],
)
def test_what_was_shown_is_not_there_any_more(tool: str, said: str, requirement: str, verdict: str) -> None:
    told = Looks().read(A, A)
    told.call(tool, {"id": 1}, {"ok": True})
    for _ in range(2):
        told.call("read", {"id": 1}, {"error": said}, failed=True)
    assert told.judged(requirement).verdict == verdict


def test_a_read_that_is_refused_once_took_nothing_away() -> None:
    told = Looks().read(A, A)
    told.call("put", {"id": 1}, {"ok": True})
    told.call("read", {"id": 1}, {"error": "not found"}, failed=True)
    assert told.read(A).judged("MC-HINT-04").verdict == "not_observed"


def test_a_read_that_is_refused_after_a_refused_call_lost_nothing_by_it() -> None:
    told = Looks().read(A, A)
    told.call("put", {"id": 1}, {"error": "no"}, failed=True)
    for _ in range(2):
        told.call("read", {"id": 1}, {"error": "not found"}, failed=True)
    assert told.judged("MC-HINT-04").verdict == "not_observed"


@pytest.mark.parametrize(("rested", "verdict"), [(True, "warn"), (False, "not_observed")])
def test_what_a_call_before_may_show_late_accuses_no_other(rested: bool, verdict: str) -> None:
    for tool, after, requirement in (
        ("peek", {"items": [1, 2]}, "MC-HINT-02"),
        ("put", {"items": []}, "MC-HINT-04"),
        ("read", {"items": []}, "MC-HINT-02"),
    ):
        told = Looks()
        told.call("purge", {}, {})
        if rested:
            told.rest()
        told.read({"items": [1]}, {"items": [1]})
        if tool != "read":
            told.call(tool, {"id": 1}, {})
        assert told.read(after).judged(requirement).verdict == verdict, tool


@pytest.mark.parametrize(
    ("before", "failed", "tool", "after", "requirement", "verdict"),
    [
        ("put", False, "put", {"items": []}, "MC-HINT-04", "warn"),
        ("peek", False, "put", {"items": []}, "MC-HINT-04", "warn"),
        ("purge", True, "put", {"items": []}, "MC-HINT-04", "warn"),
        ("purge", False, "put", {"items": []}, "MC-HINT-04", "not_observed"),
        ("peek", False, "peek", {"items": [1, 2]}, "MC-HINT-02", "warn"),
        ("purge", True, "peek", {"items": [1, 2]}, "MC-HINT-02", "warn"),
        ("put", False, "peek", {"items": [1, 2]}, "MC-HINT-02", "not_observed"),
    ],
)
def test_what_no_call_just_before_may_have_done_is_judged_at_once(
    before: str, failed: bool, tool: str, after: Json, requirement: str, verdict: str
) -> None:
    told = Looks()
    told.call(before, {"id": 2}, {}, failed=failed)
    told.read({"items": [1]}, {"items": [1]})
    told.call(tool, {"id": 1}, {})
    assert told.read(after).judged(requirement).verdict == verdict


def test_what_a_call_before_may_have_removed_late() -> None:
    told = Looks()
    told.call("purge", {}, {})
    told.read(A, A)
    told.call("put", {"id": 1}, {})
    for _ in range(2):
        told.call("read", {"id": 1}, {"error": "not found"}, failed=True)
    assert told.judged("MC-HINT-04").verdict == "not_observed"


@pytest.mark.parametrize(
    ("second", "verdict"),
    [
        ({"previous": "side", "current": "side"}, "pass"),
        ({"previous": "side", "current": "main"}, "warn"),
        ({"previous": "other", "current": "side"}, "warn"),
        ({"previous": "side", "current": "side", "made": "side"}, "warn"),
    ],
    ids=["it was there already", "toggled", "made by somebody", "one thing more"],
)
def test_a_repeat_may_tell_that_what_was_there_before_is_what_the_first_call_made(second: Json, verdict: str) -> None:
    assert repeated({"previous": "main", "current": "side"}, second) == verdict

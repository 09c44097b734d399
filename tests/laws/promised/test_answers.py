"""What holds of each answer by itself, what is listed, and that good calls are served."""

import json

import pytest

from tests.laws.promised.desk import FOLDER, Desk, note

TOOLS = json.loads((FOLDER / "tools.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        (note(1), "pass"),
        (note(1, "2"), "fail"),
        (note(1, owner="x"), "fail"),
        ({"id": "n-1"}, "fail"),
    ],
)
def test_the_shape_of_an_answer(shown, verdict):
    desk = Desk()
    desk.get(1, {"note": shown})
    assert desk.verdict("D-SHAPE") == verdict


def test_what_lacks_the_place_is_a_breach_and_a_refusal_is_no_subject():
    desk = Desk()
    desk.get(1, code="NOT_FOUND")
    assert desk.verdict("D-SHAPE") == "not_observed"
    desk.get(1, {})
    assert desk.verdict("D-SHAPE") == "fail"


def test_the_flag_of_the_result():
    for failed, verdict in ((True, "pass"), (False, "fail")):
        desk = Desk()
        desk.call("get_note", {"note_id": "n-1"}, {"error": {"code": "NOT_FOUND"}}, failed=failed)
        assert desk.verdict("D-FLAG") == verdict


def test_codes():
    for code, verdict in (("NOT_FOUND", "pass"), ("GONE", "fail"), (None, "fail")):
        desk = Desk()
        desk.refused("get_note", {"note_id": "n-1"}, code)
        assert desk.verdict("D-CODES") == verdict
    desk = Desk()
    desk.error("tools/call", {"name": "get_note", "arguments": {}}, -32602)
    desk.refused("no_such_tool", {}, "GONE")
    assert desk.verdict("D-CODES") == "not_observed"


@pytest.mark.parametrize(
    ("code", "details", "verdict"),
    [
        ("NOT_FOUND", {"retryable": False}, "pass"),
        ("NOT_FOUND", {"retryable": True}, "fail"),
        ("NOT_FOUND", {}, "fail"),
        ("REVISION_MISMATCH", {"retryable": True}, "pass"),
        ("GONE", {"retryable": True}, "not_observed"),
    ],
)
def test_retryability(code, details, verdict):
    desk = Desk()
    desk.refused("get_note", {"note_id": "n-1"}, code, details=details)
    assert desk.verdict("D-RETRY") == verdict


def test_an_argument_is_given_back():
    for shown, verdict in (("key-1", "pass"), ("key-2", "fail"), (None, "fail")):
        desk = Desk()
        desk.save(1, {"note": note(1), "request_key": shown})
        assert desk.verdict("D-ECHO") == verdict
    desk = Desk()
    desk.save(1, code="INVALID_ARGUMENT")
    desk.get(1)
    # its schema wants a text: what is made of a number is a server's own
    desk.save(1, {"note": note(1), "request_key": "7"}, given={"request_key": 7})
    assert desk.verdict("D-ECHO") == "not_observed"


def listed(change: dict[str, object], *, ended: str = "done") -> str:
    desk = Desk()
    desk.list([TOOLS[0], {**TOOLS[1], **change}, *TOOLS[2:]], ended=ended)
    return desk.verdict("D-TOOLS")


def test_the_tools_that_are_listed():
    assert listed({}) == "pass"
    assert listed({"title": "Read", "outputSchema": {"type": "object"}}) == "pass"
    assert listed({"name": "read_note"}) == "fail"
    assert listed({"annotations": {"readOnlyHint": False}}) == "fail"
    more = {"type": "object", "properties": {"note_id": {}, "more": {}}}
    assert listed({"inputSchema": more}) == "pass"
    assert listed({"inputSchema": {**more, "required": ["more"]}}) == "fail"
    assert listed({"inputSchema": {"type": "object"}}) == "fail"
    assert listed({"name": "read_note"}, ended="cut") == "not_observed"
    for odd in (None, 7, [], ["required"]):
        assert listed({"inputSchema": odd}) == "fail"
        assert listed({"inputSchema": {"properties": odd}}) == "fail"
        assert listed({"inputSchema": {**more, "required": odd}}) == ("fail" if odd == ["required"] else "pass")


@pytest.mark.parametrize(
    ("about", "verdict"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 200}, "pass"),
        ({}, "pass"),
        ({"type": "string", "description": "of the note"}, "pass"),
        ({"type": ["string", "null"], "maxLength": 200}, "pass"),
        ({"type": "string", "maxLength": 100}, "fail"),
        ({"type": "string", "minLength": 0}, "fail"),
        ({"type": "integer"}, "fail"),
        ({"type": 7}, "pass"),
        ({"type": [{}, "string"]}, "pass"),
        ({"type": "string", "maxLength": {}}, "fail"),
    ],
)
def test_the_bounds_that_are_listed(about, verdict):
    """What a listing leaves unsaid is open; what it says is what the contract says."""
    desk = Desk()
    schema = TOOLS[0]["inputSchema"]
    properties = {**schema["properties"], "title": about}
    desk.list([{**TOOLS[0], "inputSchema": {**schema, "properties": properties}}, *TOOLS[1:]])
    assert desk.verdict("D-TOOLS") == verdict


def test_good_calls_are_served():
    desk = Desk()
    desk.save(1)
    desk.get(1)
    desk.update(1, "body-a")
    assert desk.verdict("D-SERVED") == "pass"


@pytest.mark.parametrize("tool", ["save", "get", "update"])
def test_a_good_call_that_is_refused(tool):
    desk = Desk()
    desk.save(1)
    if tool == "save":
        desk.save(2, code="INVALID_ARGUMENT")
    elif tool == "get":
        desk.get(1, code="INVALID_ARGUMENT")
    else:
        desk.update(1, "body-a", code="INVALID_ARGUMENT")
    assert desk.verdict("D-SERVED") == "fail"


def test_calls_that_something_speaks_against_are_no_subject():
    desk = Desk()
    desk.credential("r", "reader")
    desk.save(1, code="FORBIDDEN", by="r")
    desk.save(2, code="FULL", conditions={"full": True})
    desk.save(3, code="INVALID_ARGUMENT", given={"title": "x" * 200})
    desk.get(7, code="NOT_FOUND")
    desk.update(1, "body-a", code="NOT_FOUND")
    assert desk.verdict("D-SERVED") == "not_observed"


def test_an_example_is_no_promise_that_a_call_works_again_or_after_another():
    """A note that was archived cannot be archived again, nor updated: what another write made of it is not known."""
    desk = Desk()
    desk.save(1)
    desk.accepted("archive_note", {"note_id": "n-1"}, {})
    desk.refused("archive_note", {"note_id": "n-1"}, "NOT_FOUND")
    desk.update(1, code="NOT_FOUND")
    assert desk.verdict("D-SERVED") == "pass"
    desk.save(2)
    desk.refused("archive_note", {"note_id": "n-2"}, "NOT_FOUND")
    assert desk.verdict("D-SERVED") == "fail"


def test_a_stale_or_a_gone_one_is_no_subject():
    desk = Desk()
    desk.save(1)
    desk.update(1, "body-a")
    desk.update(1, "body-b", code="REVISION_MISMATCH")
    desk.update(2, "body-c", code="REVISION_MISMATCH")
    desk.delete(1)
    desk.get(1, code="NOT_FOUND")
    assert desk.verdict("D-SERVED") == "pass"


def test_to_be_told_to_try_again_is_no_word_against_the_call_unless_it_is_the_only_one():
    desk = Desk()
    desk.save(1)
    desk.save(2, code="FULL")
    assert desk.verdict("D-SERVED") == "pass"
    desk = Desk()
    desk.save(2, code="FULL")
    assert desk.verdict("D-SERVED") == "fail"

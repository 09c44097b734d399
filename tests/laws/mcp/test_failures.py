"""MC-CALL-07, -12: how a failure is told."""

import json

import pytest
from msgspec import structs

from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Http, Json
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, answered, story


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Error: no such table", "warn"),
        ("❌ Error: no such table", "warn"),
        ("Database error: no such table", "warn"),
        ("ValueError: not a number", "warn"),
        ("Error executing tool read: no", "warn"),
        ("Failed to fetch the page", "warn"),
        ("Unknown tool: nothing", "warn"),
        ('{"error": "not found"}', "warn"),
        ('{"error": {"code": 5, "message": "no"}, "status": "failed"}', "warn"),
        ("all done", "pass"),
        ("errors: 0", "pass"),
        ("3 rows, 1 error", "pass"),
        ("Error handling in Python begins with try.", "pass"),
        ('{"error": null, "rows": []}', "pass"),
        ('{"error": "", "status": "ok"}', "pass"),
        ('{"error": "the last one", "rows": [1]}', "pass"),
        ('["Error: no such table"]', "pass"),
    ],
)
def test_a_failure_in_words(text: str, verdict: str) -> None:
    blocks = [{"type": "text", "text": text}]
    assert answered({"content": blocks}).judged("MC-CALL-12").verdict == verdict
    assert answered({"content": blocks, "isError": True}).judged("MC-CALL-12").verdict == "not_observed"


def test_a_failure_in_words_within_a_wrapped_result() -> None:
    text = "Error: no such table"
    told = answered({"content": [{"type": "text", "text": text}], "structuredContent": {"result": text}})
    assert told.judged("MC-CALL-12").verdict == "warn"


def test_the_callers_own_words_are_no_failure() -> None:
    blocks = [{"type": "text", "text": "Error: that is what I said"}]
    told = answered({"content": blocks}, {"message": "Error: that is what I said"}, "say")
    assert told.judged("MC-CALL-12").verdict == "pass"


@pytest.mark.parametrize(("kind", "verdict"), [("error", "pass"), ("info", "warn")])
def test_who_asks_for_an_error_may_get_one(kind: str, verdict: str) -> None:
    blocks = [{"type": "text", "text": "Error: Operation failed"}]
    told = answered({"content": blocks}, {"kind": kind}, "show")
    assert told.judged("MC-CALL-12").verdict == verdict


@pytest.mark.parametrize(
    ("tool", "held", "verdict"),
    [
        ("edit_note", {"error": True, "code": "not_found", "message": "no such heading"}, "warn"),
        ("edit_note", {"status": "error", "message": "no such heading"}, "warn"),
        ("edit_note", {"error": True, "message": "expected revision 2", "current_revision": 3}, "warn"),
        ("edit_note", {"error": "no such note", "suggestion": "use list_notes"}, "warn"),
        ("edit_note", {"error": True, "note": {"id": "n1"}, "message": "kept as it was"}, "pass"),
        ("edit_note", {"error": False, "message": "saved"}, "pass"),
        ("edit_note", {"success": False, "error": "not_found", "id": "n-99"}, "warn"),
        ("edit_note", {"error": "not_found", "id": "n-99"}, "pass"),
        ("edit_note", {"success": False, "error": "one of two", "done": ["n-1"]}, "pass"),
        ("edit_note", {"error": None, "status": "error"}, "pass"),
        ("edit_note", {"error": None, "status": "ok", "message": "saved"}, "pass"),
        ("check_build", {"status": "error", "message": "two tests failed"}, "pass"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_an_object_that_marks_itself_as_an_error(tool: str, held: Json, verdict: str, wrapped: bool) -> None:
    text = json.dumps(held)
    content = {"content": [{"type": "text", "text": text}]}
    told = answered({**content, "structuredContent": {"result": text}} if wrapped else content, GOOD, tool)
    assert told.judged("MC-CALL-12").verdict == verdict


@pytest.mark.parametrize("content", [[], [{"type": "image", "data": "", "mimeType": "image/png"}]])
def test_a_result_without_text_tells_of_no_failure(content: Json) -> None:
    told = answered({"content": content, "structuredContent": {"result": "x"}}, GOOD, "append_note")
    assert told.judged("MC-CALL-12").verdict == "pass"


@pytest.mark.parametrize(
    ("tool", "text", "verdict"),
    [
        ("append_note", "Note n-99 not found", "warn"),
        ("append_note", "The note with id 'n-99' does not exist.", "warn"),
        ("append_note", "No such note: n-99", "warn"),
        ("append_note", '"Note n-99 not found. Use list_notes to see what there is."', "warn"),
        ("append_note", "Note n-99 not found. It was made anew, with the line x in it, and is listed.", "pass"),
        ("append_note", "Note not found", "warn"),
        ("append_note", "❌ The note was not found.", "warn"),
        ("append_note", "The note does not exist", "warn"),
        ("append_note", "Notes not found", "pass"),
        ("append_note", "Title not found", "pass"),
        ("append_note", "Line 7 not found", "warn"),
        ("append_note", "Line 70 not found", "pass"),
        ("check_note", "Note not found", "pass"),
        ("append_note", "Of the notes that n-99 links to, these three could be read, and one was not found", "pass"),
        ("find_note", "Note n-99 not found", "pass"),
        ("note_exists", "n-99 does not exist", "pass"),
        ("append_note", "n-99\nnot found", "pass"),
    ],
)
def test_that_what_was_named_is_not_there_is_a_failure_of_what_neither_seeks_nor_checks(
    tool: str, text: str, verdict: str
) -> None:
    told = answered({"content": [{"type": "text", "text": text}]}, {"id": "n-99", "line": "x", "at": 7}, tool)
    assert told.judged("MC-CALL-12").verdict == verdict


def test_a_contract_with_an_envelope_says_itself_what_a_failure_is() -> None:
    told = Story("threads")
    told.connect()
    told.accepted("get_thread", {}, {"error": None, "thread_id": "th_1"})
    assert told.judged("MC-CALL-12").verdict == "not_applicable"


@pytest.mark.parametrize(
    ("status", "failed", "verdict"),
    [("failed", False, "warn"), ("failed", True, "pass"), ("ok", False, "not_observed"), ("ok", True, "not_observed")],
)
def test_an_envelope_tells_a_failure_where_its_contract_says_nothing_of_is_error(
    status: str, failed: bool, verdict: str
) -> None:
    told = story()
    told.call("read", GOOD, {"status": status}, failed=failed)
    envelope = EnvelopeRule(failure_key="status", success_values=("ok",))
    told.contract = structs.replace(told.contract, envelope=envelope)
    assert told.judged("MC-CALL-12").verdict == verdict
    told.contract = structs.replace(told.contract, envelope=structs.replace(envelope, mirrored=True))
    assert told.judged("MC-CALL-12").verdict == "not_applicable"


@pytest.mark.parametrize(
    ("code", "verdict"), [(-32603, "warn"), (-32000, "warn"), (0, "warn"), (-32602, "not_observed")]
)
def test_a_failing_tool(code: int, verdict: str) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD}, code)
    assert told.judged("MC-CALL-07").verdict == verdict


def test_a_failing_tool_with_a_result() -> None:
    assert answered({"isError": True, "content": []}).judged("MC-CALL-07").verdict == "pass"


@pytest.mark.parametrize(
    ("status", "verdict"), [(500, "warn"), (502, "not_observed"), (503, "not_observed"), (404, "not_observed")]
)
def test_a_tool_that_fails_without_any_message(status: int, verdict: str) -> None:
    """Other statuses may be those of something before the server."""
    told = story(transport="http")
    http, called = Http(method="POST", path="/mcp"), {"name": "read", "arguments": GOOD}
    told.request("tools/call", called, http=http, status=status, raw="Internal Server Error")
    assert told.judged("MC-CALL-07").verdict == verdict


@pytest.mark.parametrize("verdict_and_arguments", [("pass", None), ("warn", GOOD)])
def test_only_listed_tools_can_fail(verdict_and_arguments: tuple[str, Json]) -> None:
    told = answered({"isError": True, "content": []})
    tool = "read" if verdict_and_arguments[1] else "nothing"
    told.error("tools/call", {"name": tool, "arguments": {}}, -32603)
    assert told.judged("MC-CALL-07").verdict == verdict_and_arguments[0]


@pytest.mark.parametrize(
    ("tool", "text", "verdict"),
    [
        ("delete_book", "Could not delete: there is no book bk-7", "warn"),
        ("delete_book", "Couldn't find the book bk-7.", "warn"),
        ("renameFile", "Unable to rename a to b", "warn"),
        ("get_weather", "Cannot complete the request", "warn"),
        ("find_books", "Could not find a book of that name", "pass"),
        ("get_book", "Could not find any books", "pass"),
        ("get_note", "Cannot sleep. Counting sheep.", "pass"),
        ("get_note", "Could not get up this morning.\nAnd then I did.", "pass"),
        ("get_note", "Cannot get no satisfaction, " + "and I try, " * 30, "pass"),
        ("delete_book", "Deleted. The cover could not be deleted as it is shared.", "pass"),
    ],
)
def test_what_could_not_be_done_is_a_failure_of_what_the_tool_is_for(tool: str, text: str, verdict: str) -> None:
    told = story()
    told.result("tools/call", {"name": tool, "arguments": {}}, {"content": [{"type": "text", "text": text}]})
    assert told.judged("MC-CALL-12").verdict == verdict


@pytest.mark.parametrize(
    ("code", "message", "verdict"),
    [
        (-32000, "Rate limit exceeded, retry after 2 s", "not_observed"),
        (-32000, "boom", "warn"),
        (-32603, "Rate limit exceeded", "warn"),
    ],
)
def test_that_there_were_too_many_calls_is_no_failure_of_a_tool(code: int, message: str, verdict: str) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD}, code, message)
    assert told.judged("MC-CALL-07").verdict == verdict


def test_where_a_contract_says_how_texts_tell_failures_that_is_the_rule() -> None:
    told = story()
    for text in ("Error: no such table", "Failed to fetch the page", "all done"):
        told.call("read", GOOD, text)
    assert told.judged("MC-CALL-12").verdict == "warn"
    told.contract = structs.replace(told.contract, envelope=EnvelopeRule(failure_pattern="^Error: "))
    assert told.judged("MC-CALL-12").verdict == "not_applicable"

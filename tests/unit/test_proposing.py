"""What is recognised in the answers of a server: codes wherever they stand, states, ids that another run has not."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from conformance.contract import promises as p
from conformance.contract.making import Call, Make, State
from conformance.contracts.mcp.reach.known import Known
from conformance.contracts.mcp.reach.slots import slots
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool
from conformance.propose.contract.alone import alone
from conformance.propose.contract.candidates import candidates
from conformance.propose.contract.entities import Found, entities, with_removal, without_refused
from conformance.propose.contract.envelope import Told, message, told
from conformance.propose.contract.examples import example
from conformance.propose.contract.orders import orders
from conformance.propose.contract.states import with_state
from conformance.propose.harm import look
from conformance.propose.looking import Seen
from tests.laws.histories import Story

Asked = dict[str, Any]


def calls(*made: tuple[str, Asked, Any, bool]) -> list[Exchange]:
    """The calls of a server that no contract knows: tool, arguments, answer, and whether it failed."""
    story = Story("mcp")
    for tool, arguments, answer, failed in made:
        result = {"content": [], "structuredContent": answer, "isError": failed}
        story.result("tools/call", {"name": tool, "arguments": arguments}, result)
    return list(story.history().calls())


def seen(name: str, arguments: Asked, *made: Exchange) -> Seen:
    schema = {"type": "object", "properties": {key: {} for key in arguments}, "required": list(arguments)}
    tool = ListedTool(name, {"name": name, "inputSchema": schema})
    mine = [call for call in made if call.tool == name]
    return Seen(tool, look(tool), mine, arguments, any(call.accepted for call in mine))


FINE = [("get", {}, {"ok": True, "data": {"n": 1}}, False)] * 2


@pytest.mark.parametrize(
    ("refusal", "code", "retry", "words", "rule"),
    [
        ({"error": {"code": "GONE", "message": "no", "retryable": True}}, "/error/code", "/error/retryable", "no", ""),
        (
            {"ok": False, "error": {"message": "no", "details": {"code": "GONE", "transient": False}}},
            "/error/details/code",
            "/error/details/transient",
            "no",
            "ok",
        ),
        ({"code": "gone", "message": "it is gone"}, "/code", "", "it is gone", ""),
        ({"error": "GONE", "detail": "it is gone"}, "/error", "", "it is gone", ""),
    ],
)
def test_a_code_is_found_where_it_stands(refusal, code, retry, words, rule):
    found = told(calls(*FINE, ("get", {}, refusal, True), ("get", {}, refusal, True)))
    assert (found.code, found.retry, message(refusal, found)) == (code, retry, words)
    assert [each.lower() for each in found.codes] == ["gone"]
    assert found.rule.code(refusal) in ("GONE", "gone")
    assert found.rule.failure_key == (rule or ("error" if code == "/error/code" else None))
    assert found.rule.has_envelope


def test_a_sentence_is_no_code():
    refusal = {"error": "it is not there"}
    assert told(calls(*FINE, ("get", {}, refusal, True))).code == ""


def test_what_is_said_of_no_refusal_is_empty():
    assert message({"message": "no"}, Told(told([]).rule)) == ""


MAKE = Make(
    entity="list",
    id="/id",
    make=Call("add", {}),
    remove=Call("drop", {"id": "{{id}}"}),
    states=(State("archived", Call("archive", {"id": "{{id}}"})),),
)


@pytest.mark.parametrize(
    ("dropped", "state"),
    [([(1, False), (2, True)], "archived"), ([(1, True), (2, True)], ""), ([(2, True)], ""), ([(1, False)], "")],
)
def test_a_removal_may_need_a_state(dropped, state):
    made = [("add", {}, {"id": number}, False) for number in (1, 2)]
    moved = [("archive", {"id": 2}, {}, False)]
    tried = [("drop", {"id": number}, {}, not accepted) for number, accepted in dropped]
    # what never was there is refused for that
    tried += [("drop", {"id": 9}, {}, True)]
    found = with_state(MAKE, [calls(*made, *moved, *tried)])
    assert found.remove is not None
    assert found.remove.state == state


def test_a_state_that_was_left_or_an_entity_that_is_gone_says_nothing_of_a_removal():
    """One that was archived and taken back is as one that never was; a second removal is refused in any state."""
    left = Call("restore", {"id": "{{id}}"})
    make = structs.replace(MAKE, states=(structs.replace(MAKE.states[0], leave=left),))
    made = [("add", {}, {"id": number}, False) for number in (1, 2)]
    moved = [("archive", {"id": 1}, {}, False), ("restore", {"id": 1}, {}, False), ("archive", {"id": 2}, {}, False)]
    tried = [("drop", {"id": 1}, {}, True), ("drop", {"id": 2}, {}, False), ("drop", {"id": 2}, {}, True)]
    found = with_state(make, [calls(*made, *moved, *tried)])
    assert found.remove is not None
    assert found.remove.state == "archived"


def test_a_removal_that_was_always_refused_is_tried_in_each_state():
    made = calls(
        ("create_note", {"text": "x"}, {"note_id": "n-1"}, False),
        ("get_note", {"note_id": "n-1"}, {"note_id": "n-1"}, False),
        ("archive_note", {"note_id": "n-1"}, {}, False),
        ("delete_note", {"note_id": "n-1"}, {"code": "NOT_YET"}, True),
    )
    whole = [
        seen("create_note", {"text": "{{fresh.text}}"}, *made),
        seen("get_note", {"note_id": "{{create_note.note_id}}"}, *made),
        seen("archive_note", {"note_id": "{{create_note.note_id}}"}, *made),
        seen("delete_note", {"note_id": "{{create_note.note_id}}"}, *made),
    ]
    found, *_ = entities(whole)
    assert found.make.remove == Call("delete_note", {"note_id": "{{id}}"})
    offered = [each.promise for each in candidates(whole, [found], told(made))]
    assert p.Barred(tool="delete_note", entity="note", state="archived") in offered
    # nothing shows a state in which it may be accepted
    assert entities([each for each in whole if each.tool.name != "archive_note"])[0].make.remove is None
    refused = {"delete_note": made[-1]}
    assert without_refused(found, refused).make.remove is None
    in_state = structs.replace(found.make.remove, state="archived")
    stated = replace(found, make=structs.replace(found.make, remove=in_state))
    assert without_refused(stated, refused) is stated


def test_the_id_of_a_request_is_no_key_that_makes_a_write_repeatable():
    made = calls(
        ("plan_request", {"text": "x"}, {"requestId": "r-1"}, False),
        ("get_request", {"requestId": "r-1"}, {"requestId": "r-1", "text": "x"}, False),
        ("mark_done", {"requestId": "r-1", "clientToken": "k"}, {"requestId": "r-1"}, False),
    )
    tools = [
        seen("plan_request", {"text": "{{fresh.text}}"}, *made),
        seen("get_request", {"requestId": "{{plan_request.requestId}}"}, *made),
        seen("mark_done", {"requestId": "{{plan_request.requestId}}", "clientToken": "{{fresh.key}}"}, *made),
    ]
    found = entities(tools)
    assert found[0].make.read == Call("get_request", {"requestId": "{{id}}"})
    assert found[0].make.change == Call("mark_done", {"requestId": "{{id}}", "clientToken": "{{key}}"})
    keys = [each.promise.key for each in candidates(tools, found, told(made)) if isinstance(each.promise, p.Replayed)]
    assert keys == ["@/clientToken"]


def test_what_objects_within_arguments_hold_is_offered_as_well():
    """A key and bounds in an object that may be null; a filter that entries show."""
    more = {"type": "object", "properties": {"request_key": {"type": "string"}, "note": {"maxLength": 9}}}
    made = calls(
        ("create_note", {"text": "x"}, {"note_id": "n-1"}, False),
        ("get_note", {"note_id": "n-1"}, {"note_id": "n-1"}, False),
        ("list_notes", {}, {"notes": [{"note_id": "n-1", "status": "open", "text": "x"}]}, False),
    )
    tools = [
        seen("create_note", {"text": "{{fresh.text}}"}, *made),
        seen("get_note", {"note_id": "{{create_note.note_id}}"}, *made),
        seen("list_notes", {}, *made),
    ]
    create, listing = tools[0].tool.definition["inputSchema"], tools[2].tool.definition["inputSchema"]
    create |= {"$defs": {"More": more}}
    create["properties"]["more"] = {"anyOf": [{"$ref": "#/$defs/More"}, {"type": "null"}]}
    listing["properties"] |= {"status": {"type": "string"}, "text": {"type": "string"}}
    offered = [each.promise for each in candidates(tools, entities(tools), told(made))]
    assert p.Replayed(tool="create_note", key="@/more/request_key", gives=("/note_id",)) in offered
    assert p.Conflicting(tool="create_note", key="@/more/request_key") in offered
    assert p.Bounded(tool="create_note", argument="@/more/note", unit="characters", most=9) in offered
    filters = [each for each in offered if isinstance(each, p.Filtered)]
    assert filters == [p.Filtered(tool="list_notes", argument="@/status", entries="/notes", by="/status")]


def test_an_example_names_what_is_made_anew_or_is_doubtful():
    made = calls(
        ("create_note", {"title": "name_1"}, {"note": {"id": "n-1"}}, False),
        ("get_note", {"id": "n-1"}, {"note": {"id": "n-1"}}, False),
        ("start_job", {}, {"job": "j-1"}, False),
        ("echo", {"said": ["n-1", "x"]}, {}, False),
        ("show_job", {"job": "j-1"}, {}, False),
        ("recall", {"title": "name_1"}, {}, False),
        ("edit_file", {"old": "a"}, {}, False),
    )
    tools = [
        seen("create_note", {"title": "{{fresh.name}}"}, *made),
        seen("get_note", {"id": "{{create_note.note.id}}"}, *made),
        seen("echo", {"said": ["{{get_note.note.id}}", "x"]}, *made),
        seen("show_job", {"job": "{{list_jobs.jobs.0}}"}, *made),
        seen("recall", {"title": "{{fresh.name}}"}, *made),
        seen("edit_file", {"old": "a"}, *made),
    ]
    found = entities(tools)
    assert [each.make.entity for each in found] == ["note"]
    assert example(tools[2], found, tools).call.arguments == {"said": ["{{made.note}}", "x"]}
    assert example(tools[2], found, tools).doubt == ""
    assert "may be gone" in example(tools[3], found, tools).doubt
    assert "was made up" in example(tools[4], found, tools).doubt
    assert "changes what was there" in example(tools[5], found, tools).doubt
    assert example(tools[0], found, tools).call.arguments == {"title": "{{fresh.name}}"}


def test_a_call_that_tells_of_a_failure_is_a_doubtful_example():
    def told(text: str) -> Exchange:
        story = Story("mcp")
        result = {"content": [{"type": "text", "text": text}], "isError": False}
        story.result("tools/call", {"name": "query", "arguments": {"sql": "x"}}, result)
        return next(iter(story.history().calls()))

    bad, good = told("Database error: no such table"), told("[]")
    one = seen("query", {"sql": "x"}, bad)
    assert "in the form of a success" in example(one, [], [one]).doubt
    both = one._replace(calls=[bad, good])
    assert both.good is good
    assert example(both, [], [both]).doubt == ""
    assert "when it was tried" in example(both, [], [both], {"query": bad}).doubt


def test_an_answer_that_tells_of_a_failure_shows_no_keys_of_a_success():
    failed = calls(
        *[("get_item", {"id": each}, {"success": False, "error": "Item not found"}, False) for each in "abc"]
    )
    assert list(alone(seen("get_item", {"id": "a"}, *failed), failed)) == []
    good = calls(*[("get_item", {"id": each}, {"success": True, "item": {"n": 1}}, False) for each in "def"])
    (found, _), *_ = alone(seen("get_item", {"id": "a"}, *failed, *good), [*failed, *good])
    assert isinstance(found, p.Answer)
    assert found.schema["required"] == ["success", "item"]


def test_many_keys_are_data():
    exchanges = [calls(("env", {}, {f"KEY_{each}": "x" for each in range(number)}, False))[0] for number in (20,) * 3]
    assert [type(each).__name__ for each, _ in alone(seen("env", {}, *exchanges), exchanges)] == ["Answer"]
    exchanges = [calls(("env", {}, {f"KEY_{each}": "x" for each in range(21)}, False))[0] for _ in range(3)]
    assert list(alone(seen("env", {}, *exchanges), exchanges)) == []


def test_what_several_reads_have_in_common_is_one_promise():
    reads = [calls((f"read_{each}", {}, {"text": "a"}, False))[0] for each in "abc" for _ in range(3)]
    tools = [seen(name, {}, *reads) for name in ("read_a", "read_b", "read_c")]
    answers = [each for each in candidates(tools, [], told([]), reads) if isinstance(each.promise, p.Answer)]
    assert [each.promise.tools for each in answers] == [("read_a", "read_b", "read_c")]
    assert answers[0].why.startswith("read_a: each of 3 answers had them; read_b: ")


def test_an_etag_is_what_if_match_wants():
    known = Known()
    known.take("get_order", "read", [], {"order": {"id": "o-1", "meta": {"etag": "e1"}, "note": "x"}})
    schema = {"type": "object", "properties": {"if_match": {"type": "string"}}}
    slot = next(iter(slots(schema, {"if_match": "example"})))
    assert next(known.fitting(slot, "amend_order")) == "{{get_order.order.meta.etag}}"


def listing(*entries: Any) -> Exchange:
    story = Story("mcp")
    story.call("list_notes", {}, {"notes": list(entries)})
    return next(iter(story.history().calls("list_notes")))


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ([["a", "b", "c", "d", "e"]], [("", False)]),
        ([["e", "d", "c", "b", "a"], ["b", "a"]], [("", True)]),
        ([["a", "b", "c", "d", "e"], ["b", "a"]], []),
        ([["a", "b", "c", "d"]], []),
        ([["a", "a", "a", "a", "a", "b"]], []),
        ([[{"id": each, "title": f"t{each}"} for each in range(6)]], [("/title", False)]),
        ([[{"rank": each % 2} for each in range(9)]], []),
        ([[{"rank": each} for each in range(6)], [{"rank": "high"}]], []),
    ],
)
def test_what_orders_a_list_is_what_rises_or_falls_in_each_answer(answers, found):
    assert [(each.by, each.descending) for each, _ in orders(listing(*entries) for entries in answers)] == found


def test_of_several_that_may_order_a_list_the_usual_one_is_taken():
    entries = [{"title": f"t{each}", "score": 9 - each} for each in range(6)]
    assert [(each.by, each.descending) for each, _ in orders([listing(*entries)])] == [("/score", True)]


def found(times: int, *, limit: int = 2, **other: Any) -> tuple[Seen, list[Exchange]]:
    """A search, called so often."""
    story = Story("mcp")
    for number in range(times):
        asked = {"query": f"q{number}", "limit": limit}
        story.call("search", asked, {"query": f"q{number}", "hits": [{"id": 1}], "took": number, **other})
    exchanges = list(story.history().calls("search"))
    schema = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"maximum": 9}}}
    return seen("search", {}, *exchanges)._replace(
        tool=ListedTool("search", {"name": "search", "inputSchema": schema})
    ), exchanges


def test_what_a_read_by_itself_may_promise():
    promises = [each for each, _ in alone(*found(3))]
    assert [(type(each).__name__, each.tools if hasattr(each, "tools") else each.tool) for each in promises] == [
        ("Answer", ("search",)),
        ("Echoed", ("search",)),
        ("Capped", "search"),
    ]
    assert (promises[1].argument, promises[2].most) == ("@/query", 9)
    assert [type(each).__name__ for each, _ in alone(*found(3, query="q"))] == ["Answer", "Capped"]
    assert list(alone(*found(2))) == []


@pytest.mark.parametrize(("gone", "more", "removes"), [(2, {}, True), (1, {}, False), (2, {"why": "done"}, False)])
def test_what_is_read_no_more_after_a_call_was_removed_by_it(gone, more, removes):
    make = Make(entity="message", id="/id", make=Call("enqueue", {}), read=Call("get", {"id": "{{id}}"}))
    story = Story("mcp")
    for number in range(2):
        story.call("enqueue", {}, {"id": f"m{number}"})
        story.call("ack", {"id": f"m{number}", **more}, {})
        failed = number < gone
        shown = {"error": {"code": "NONE"}} if failed else {"id": f"m{number}"}
        story.call("get", {"id": f"m{number}"}, shown, failed=failed)
    remove = with_removal(Found(make, "", {}), story.history()).make.remove
    assert remove == (Call("ack", {"id": "{{id}}"}) if removes else None)

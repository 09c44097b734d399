"""Good calls are served, and no answer is a fault of the server's own."""

import pytest

from conformance.contract.catalogue import load
from conformance.judge.faults import declined, internal, own_faults
from conformance.judge.serving import Unsupported, all_served
from conformance.model.events import Event, Json, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History

from .events import asked, called, header, opening, plain, refusal, worker

THREADS = load("threads")


def history(*calls: list[Event], **about: object) -> History:
    events: list[Event] = [header(**about), *opening(), worker()]
    for each in calls:
        events += each
    return History.of(events, THREADS.envelope)


def get(call: int, arguments: Json, answer: Json) -> list[Event]:
    return called(call, "get_thread", arguments, answer, call * 10)


def test_one_subject_for_each_tool_and_way_of_calling_it() -> None:
    run = history(
        get(1, {"a": 1}, {}),
        get(2, {"a": 2}, {}),
        get(3, {"a": 1, "b": 2}, {}),
        called(4, "ack_read", {"a": 1}, {}, 40),
    )
    assert [each.ok for each in all_served(run.calls())] == [True, True, True]


def test_a_good_call_that_is_refused_once_is_a_breach_of_its_way_and_spoils_the_others() -> None:
    run = history(get(1, {"a": 1}, {}), get(2, {"a": 2}, refusal("NO")), get(3, {"a": 3}, refusal("NO")))
    (found,) = all_served(run.calls())
    assert (found.ok, found.calls, found.spoils) == (False, (2,), (3,))
    assert 'get_thread was refused with NO ("no")' in found.saw


def test_silence_is_no_subject() -> None:
    assert list(all_served(history(asked(1, "get_thread", {}, 1)).calls())) == []


def test_what_the_statement_leaves_out_is_known() -> None:
    left_out = {"unsupported": {"tools": {"ack_read": "read only"}, "parameters": {"read_messages.limit": "no pages"}}}
    run = history(
        called(1, "ack_read", {}, {}, 1),
        called(2, "read_messages", {"limit": 1}, {}, 9),
        called(3, "read_messages", {}, {}, 20),
        statement=left_out,
    )
    unsupported = Unsupported(run)
    assert [unsupported.concerns(call) for call in run.calls()] == [True, True, False]


def answered(payload: Json) -> Exchange:
    run = history(
        [*asked(1, "get_thread", {"thread_id": "SELECT 1 FROM x WHERE y"}, 1),
         Message(connection="c1", direction="in", call=1, payload=payload, t=5)]
    )  # fmt: skip
    found = run.find(1)
    assert found is not None
    return found


def envelope(code: str, message: str = "no") -> Json:
    error = {"error": {"code": code, "message": message, "request_id": "r"}}
    return {"jsonrpc": "2.0", "id": 1, "result": {"content": [], "structuredContent": error, "isError": True}}


INTERNAL = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "oops"}}
INVALID = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "title is required"}}


@pytest.mark.parametrize(
    ("sent", "said", "breaches"),
    [
        ("/srv/app/x.json", "cannot read /srv/app/x.json.", 0),
        ("/srv/app/x.json", "cannot read /srv/app/y.json.", 1),
        ("C:\\app\\x.json", "'C:\\\\app\\\\x.json' is not there", 0),
        ("C:\\app\\x.json", "C:\\app\\x.json is not there.", 0),
        ("C:\\app\\x.json", "C:\\app\\y.json is not there.", 1),
    ],
)
def test_what_the_caller_sent_itself_is_nothing_of_the_inside(sent: str, said: str, breaches: int) -> None:
    error = {"error": {"code": "NOT_FOUND", "message": said, "request_id": "r"}}
    run = history(get(1, {"file": sent}, error))
    assert [each.ok for each in own_faults(run.calls(), THREADS)].count(False) == breaches


@pytest.mark.parametrize(
    ("payload", "inside"),
    [
        (INTERNAL, "an internal error"),
        (envelope("INTERNAL"), "the code INTERNAL"),
        (envelope("CONFLICT", 'Traceback (most recent call last):\n  File "/x.py"'), "a stack trace"),
        (envelope("CONFLICT", "insert into messages (body) values ($1)"), "a statement of its database"),
        (envelope("CONFLICT", "cannot read /srv/app/data/x.json"), "a path"),
        (envelope("CONFLICT", "KeyError: 'title'"), "a type of its own"),
    ],
)
def test_faults_of_the_servers_own(payload: Json, inside: str) -> None:
    (found,) = own_faults([answered(payload)], THREADS)
    assert not found.ok
    assert inside in found.saw


@pytest.mark.parametrize(
    "payload",
    [INVALID, envelope("CONFLICT"), envelope("VALIDATION_ERROR", "thread_id SELECT 1 FROM x WHERE y is unknown")],
)
def test_a_refusal_in_the_contracts_words_is_none(payload: Json) -> None:
    call = answered(payload)
    assert [each.ok for each in own_faults([call], THREADS)] == [True]
    assert declined(call)
    assert not internal(call)


@pytest.mark.parametrize(
    ("status", "is_declined"), [(422, True), (403, True), (404, False), (429, False), (500, False)]
)
def test_http_statuses_without_a_code(status: int, is_declined: bool) -> None:
    events = [header(), *opening("http", "http"), *plain(1, "get_thread", {}, {"oops": 1}, status, 1)]
    (call,) = History.of(events, THREADS.envelope).calls()
    assert declined(call) is is_declined


def test_a_contracts_own_code_is_no_internal_error_whatever_the_status() -> None:
    events = [header(), *opening("http", "http"), *plain(1, "get_thread", {}, refusal("WAKE_FAILED"), 502, 1)]
    (call,) = History.of(events, THREADS.envelope).calls()
    assert not internal(call, THREADS)
    assert [each.ok for each in own_faults([call], THREADS)] == [True]

"""Events are put together into exchanges: what was accepted, what refused, what nobody knows."""

import pytest

from conformance.contract.catalogue import load
from conformance.model.events import Event, Http, Instance, Json, Killed, Message, Step, Unanswered
from conformance.model.history import History

from .events import answered, asked, called, opening, plain, refusal, worker

RULE = load("threads").envelope


def history(*events: object) -> History:
    return History.of(events, RULE)  # type: ignore[arg-type]


def test_an_answer_with_its_envelope_is_accepted() -> None:
    found = history(*opening(), worker(), *called(1, "get_thread", {"thread_id": "x"}, {"thread_id": "x"}, 10))
    (exchange,) = found.exchanges
    assert exchange.accepted
    assert exchange.given == {"thread_id": "x"}
    assert exchange.argument("thread_id") == "x"
    assert exchange.credential.claims == {"agent_id": "w"}
    assert (exchange.sent, exchange.received) == (10, 15)


def test_an_error_in_the_envelope_is_a_refusal_with_its_code() -> None:
    (exchange,) = history(*opening(), *called(1, "get_thread", {}, refusal("NOT_FOUND"), 10)).exchanges
    assert exchange.refused
    assert not exchange.accepted
    assert exchange.code == "NOT_FOUND"


def test_a_text_block_is_an_envelope_too() -> None:
    result = {"content": [{"type": "text", "text": '{"thread_id": "x"}'}]}
    reply = Message(
        connection="c1", direction="in", call=1, payload={"jsonrpc": "2.0", "id": 1, "result": result}, t=12
    )
    (exchange,) = history(*opening(), *asked(1, "get_thread", {}, 10), reply).exchanges
    assert exchange.given == {"thread_id": "x"}


def test_a_protocol_error_is_a_refusal_without_a_code() -> None:
    payload = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}}
    reply = Message(connection="c1", direction="in", call=1, payload=payload, t=12)
    (exchange,) = history(*opening(), *asked(1, "get_thread", {}, 10), reply).exchanges
    assert exchange.refused
    assert exchange.code is None
    assert exchange.protocol_code == -32602


def test_without_an_answer_a_call_is_neither_accepted_nor_refused() -> None:
    late = answered(1, {"thread_id": "x"}, 99)
    found = history(
        *opening(), *asked(1, "get_thread", {}, 10), Unanswered(call=1, connection="c1", why="time", t=50), late
    )
    (exchange,) = found.exchanges
    assert not exchange.accepted
    assert not exchange.refused
    assert exchange.unanswered == "time"
    assert exchange.extras == [late]


def test_a_second_answer_and_an_answer_to_nothing_are_kept() -> None:
    again = answered(1, {"thread_id": "y"}, 20)
    stray = Message(connection="c1", direction="in", payload={"jsonrpc": "2.0", "id": 77, "result": {}}, t=21)
    found = history(*opening(), *called(1, "get_thread", {}, {"thread_id": "x"}, 10), again, stray)
    assert found.exchanges[0].given == {"thread_id": "x"}
    assert found.exchanges[0].extras == [again]
    assert found.strays == [stray]


def test_a_notification_is_no_answer() -> None:
    note = Message(connection="c1", direction="in", call=1, payload={"method": "notifications/progress"}, t=12)
    events = [*opening(), *asked(1, "get_thread", {}, 10), note, answered(1, {"thread_id": "x"}, 15)]
    (exchange,) = history(*events).exchanges
    assert exchange.received == 15
    assert exchange.extras == [note]


@pytest.mark.parametrize("payload", [None, 5, "x", [1], {"jsonrpc": "2.0", "id": 1}, {"id": 1, "result": [1]}])
def test_an_answer_of_any_form_is_taken(payload: object) -> None:
    reply = Message(connection="c1", direction="in", call=1, payload=payload, t=12)
    (exchange,) = history(*opening(), *asked(1, "get_thread", {}, 10), reply).exchanges
    assert exchange.refused
    assert exchange.given == {}


def test_over_plain_http_the_path_names_the_method_and_the_body_is_the_envelope() -> None:
    found = history(
        *opening("http", "http"), *plain(1, "get_thread", {"thread_id": "x"}, refusal("FORBIDDEN"), 403, 10)
    )
    (exchange,) = found.calls("get_thread")
    assert exchange.code == "FORBIDDEN"
    assert exchange.status == 403
    assert exchange.argument("thread_id") == "x"


def test_an_http_error_without_an_envelope_is_a_refusal() -> None:
    (exchange,) = history(*opening("http", "http"), *plain(1, "get_thread", {}, {"detail": "x"}, 500, 10)).exchanges
    assert exchange.refused
    assert exchange.code is None


def test_a_step_without_a_message_is_no_exchange() -> None:
    assert not history(*opening(), Step(call=1, connection="c1", instance="main", stimulus="s")).exchanges


def test_calls_at_a_store_whose_server_was_killed_are_kept_apart() -> None:
    story = history(
        *opening(),
        *called(1, "get_thread", {}, {"thread_id": "x"}, 10),
        Killed(instance="main", again="i1", means="SIGKILL", t=20),
        Instance(id="i1"),
        *called(2, "get_thread", {}, {"thread_id": "x"}, 30, instance="i1"),
        *called(3, "get_thread", {}, {"thread_id": "y"}, 40, instance="i2"),
    )
    assert [call.call for call in story.exchanges] == [1, 3]
    assert [call.call for call in story.calls("get_thread")] == [1, 3]
    assert [call.call for call in story.again] == [2]
    found = story.find(2)
    assert found is not None
    assert found.given == {"thread_id": "x"}
    part = story.of_calls([*story.exchanges[:1], *story.again])
    assert [call.call for call in part.calls("get_thread")] == [1, 2]
    assert part.find(3) is None
    assert part.connections is story.connections


def limited(call: int, code: int, message: str, t: int, **step: object) -> list[Event]:
    error = {"jsonrpc": "2.0", "id": call, "error": {"code": code, "message": message}}
    reply = Message(connection="c1", direction="in", call=call, payload=error, t=t + 5)
    return [*asked(call, "get_thread", {"thread_id": "x"}, t, **step), reply]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "message", "limit"),
    [
        (-32000, "Rate limit exceeded for client: global", True),
        (-32029, "Too many requests", True),
        (429, "request was throttled", True),
        (-32000, "the server is not ready", False),
        (-32602, "Unknown tool: rate limit", False),
        (-32603, "API rate limit exceeded", False),
        (-32000, "", False),
    ],
)
def test_an_error_of_a_limit(code: int, message: str, limit: bool) -> None:
    (exchange,) = history(*opening(), *limited(1, code, message, 10)).exchanges
    assert exchange.limited is limit
    assert exchange.turned_away is limit


@pytest.mark.parametrize(
    ("status", "body", "limit"),
    [(429, None, True), (429, {"error": {"code": "RATE_LIMITED"}}, False), (503, None, False), (200, {}, False)],
)
def test_a_status_of_a_limit_over_a_plain_binding(status: int, body: Json, limit: bool) -> None:
    events = plain(1, "get_thread", {"thread_id": "x"}, body, status, 10)
    if body is None:
        events[-1] = Message(connection="c1", direction="in", call=1, raw="<h1>", http=Http(status=status), t=15)
    (exchange,) = history(*opening(binding="http"), *events).exchanges
    assert exchange.limited is limit


def test_what_a_limit_turned_away_counts_until_it_is_made_again() -> None:
    away, x = limited(1, -32000, "Rate limit exceeded", 10), {"thread_id": "x"}
    alike = called(2, "get_thread", x, x, 20)
    assert [call.call for call in history(*opening(), worker(), *away, *alike).exchanges] == [1, 2]
    again = limited(3, -32000, "Rate limit exceeded", 30, instead_of=1)
    assert [call.call for call in history(*opening(), worker(), *away, *alike, *again).exchanges] == [2, 3]
    served = called(4, "get_thread", x, x, 40, instead_of=3)
    story = history(*opening(), worker(), *away, *alike, *again, *served)
    assert [call.call for call in story.exchanges] == [2, 4]
    assert [call.call for call in story.calls("get_thread")] == [2, 4]
    assert story.find(1) is not None, "the record has it"


@pytest.mark.parametrize("number", [1, 7])
def test_what_was_answered_is_made_again_by_nothing(number: int) -> None:
    """A transcript may say so: it is a stranger's."""
    x: Json = {"thread_id": "x"}
    twice = (*called(1, "get_thread", x, x, 10), *called(2, "get_thread", x, x, 20, instead_of=number))
    assert [call.call for call in history(*opening(), worker(), *twice).exchanges] == [1, 2]

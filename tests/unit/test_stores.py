"""A process that ended is followed by another, of whose store nothing is known."""

from conformance.model.events import Agreed, Effect, Event, Instance, Json, Message, Opened
from conformance.model.history import History
from tests.unit.events import asked, opening

X: Json = {"thread_id": "x"}


def another(connection: str, t: int, process: int = 2) -> list[Event]:
    return [
        Opened(connection=connection, transport="stdio", instance="main", process=process, t=t),
        Agreed(connection=connection, revision="2026-07-28", t=t),
    ]


def told(
    call: int, arguments: Json, connection: str, *, refused: bool = False, process: int | None = None
) -> list[Event]:
    result = {"content": [{"type": "text", "text": "{}"}], "structuredContent": arguments, "isError": refused}
    answer: Json = {"jsonrpc": "2.0", "id": call, "result": result}
    return [
        *asked(call, "get_thread", arguments, call * 10, connection=connection),
        Message(connection=connection, direction="in", call=call, payload=answer, process=process, t=call * 10 + 5),
    ]


def after(*more: Event, process: int = 2) -> History:
    return History.of([*opening("stdio"), *told(1, X, "c1"), *another("c2", 20, process), *more])


def test_what_the_next_process_serves_is_of_another_store() -> None:
    story = after(*told(3, X, "c2"))
    assert [call.instance for call in story.exchanges] == ["main", "main (process 2)"]
    assert story.instances["main (process 2)"] == Instance(id="main")


def test_a_refusal_of_what_only_the_former_was_told_says_nothing() -> None:
    story = after(*told(3, X, "c2", refused=True), *told(4, {"thread_id": "y"}, "c2", refused=True))
    assert [call.call for call in story.calls("get_thread")] == [1, 4]
    assert [call.call for call in story.exchanges] == [1, 3, 4], "its form is judged"


def test_what_the_process_itself_was_told_counts() -> None:
    story = after(*told(3, X, "c2"), *told(4, X, "c2", refused=True))
    assert [call.call for call in story.calls("get_thread")] == [1, 3, 4]


def test_of_one_process_all_counts() -> None:
    story = after(*told(3, X, "c2", refused=True), process=1)
    assert [call.instance for call in story.calls("get_thread")] == ["main", "main"]


def test_a_connection_may_lead_to_one_process_after_another() -> None:
    story = after(*told(3, {"thread_id": "y"}, "c1", process=2), *told(4, X, "c1", refused=True, process=2))
    assert [(call.instance, call.process) for call in story.exchanges] == [
        ("main", 1),
        ("main (process 2)", 2),
        ("main (process 2)", 2),
    ]
    assert [call.call for call in story.calls("get_thread")] == [1, 3]


def test_an_effect_is_of_the_store_that_its_call_reached() -> None:
    story = after(
        *told(3, X, "c1", process=2),
        *(Effect(instance="main", call=call, kind="wake", data={}, t=40) for call in (1, 3)),
    )
    assert [effect.instance for effect in story.effects] == ["main", "main (process 2)"]

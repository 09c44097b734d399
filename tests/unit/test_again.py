"""Which stimuli are driven once more: those that a process took with it when it ended."""

import pytest

from conformance.drive.again import ENDED, cut_off
from conformance.model.events import Agreed, Closed, Event, Message, Opened, Unanswered
from conformance.model.history import History
from tests.unit.events import asked, opening


def one(call: int = 1, connection: str = "c1", process: int | None = None) -> list[Event]:
    answer = {"jsonrpc": "2.0", "id": call, "result": {"content": [], "isError": True}}
    return [
        *asked(call, "get_thread", {}, call * 10, connection=connection),
        Message(connection=connection, direction="in", call=call, payload=answer, process=process, t=call * 10 + 5),
    ]


def next_one(process: int, t: int = 90) -> list[Event]:
    name = f"c{process}"
    return [
        Opened(connection=name, transport="stdio", instance="main", process=process, t=t),
        Agreed(connection=name, revision="2026-07-28", t=t),
    ]


def story(*events: Event) -> History:
    return History.of([*opening("stdio"), *events])


def drives(history: History) -> bool:
    return cut_off(history.exchanges[0].stimulus, history)


def test_one_whose_process_was_followed_by_another() -> None:
    assert drives(story(*one(), *next_one(2)))
    assert drives(story(*one(), *one(2, process=2)))


def test_not_one_that_the_latest_process_served() -> None:
    assert not drives(story(*one()))
    assert not drives(story(*next_one(2, t=5), *one(1, "c2")))


@pytest.mark.parametrize(("by", "driven"), [("server", True), ("suite", False)])
def test_one_whose_own_connection_the_server_ended(by: str, driven: bool) -> None:
    lost = Unanswered(call=1, connection="c1", why="lost", t=15)
    assert drives(story(*asked(1, "get_thread", {}, 10), lost, Closed(connection="c1", by=by, t=16))) == driven


@pytest.mark.parametrize(("ended", "driven"), [(ENDED, True), (ENDED + 1, False)])
def test_none_where_processes_end_again_and_again(ended: int, driven: bool) -> None:
    assert drives(story(*one(), *next_one(ended + 1))) == driven

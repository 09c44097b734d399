"""What to do about a set-up that could not go on."""

import pytest

from conformance.model.events import Message, Stimulus
from conformance.model.history import History
from conformance.model.verdict import Outcome, Verdict
from conformance.report.gaps import gaps
from tests.unit.events import asked, opening


@pytest.mark.parametrize(("process", "todo"), [(None, "say in conformance.toml"), (2, "the server ended in this run")])
def test_a_refusal_by_another_process_may_be_of_what_the_former_was_told(process: int | None, todo: str) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": True}}
    story = History.of(
        [
            *opening("http"),
            *asked(1, "get_thread", {"thread_id": "x"}, 10, connection="c1"),
            Message(connection="c1", direction="in", call=1, payload=answer, process=process, t=15),
            Stimulus(name="threads.reads", exercises=("TH-MSG-06",), state="stuck", why="no thread", call=1, t=20),
        ]
    )
    outcome = Outcome(id="TH-MSG-06", level="MUST", verdict=Verdict.NOT_OBSERVED, reason="set-up failed: no thread")
    (gap,) = gaps([outcome], story)
    assert gap.todo.startswith(todo)

"""What random histories are said to break is what the run breaks with the calls that are kept of them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.certify import contract_of
from conformance.histories import fuzzing, replaying
from conformance.histories.conversation import Conversation, Said, Store, write
from conformance.histories.fuzzing import Budget, Fuzzing
from conformance.histories.trying import Trial
from conformance.model.verdict import Finding
from tests.laws.threads.scene import scene

RULE = "TH-ERR-NOT_FOUND"
TOOLS = ("noise", "good", "bad", "noise")
Stands = Callable[[list[str], int], bool]
"""By the calls that are kept, and how often any were tried."""
WHOLE = Conversation(
    suite="0",
    contract="threads",
    stores={"main": Store()},
    calls=tuple(Said(id=number, store="main", tool=tool) for number, tool in enumerate(TOOLS, 1)),
)


class Shown:
    """Stands in for trying: `bad` breaks the rule by itself, as often as it may, and `stands` says when in the run."""

    apart = True
    played = 0

    def __init__(self, times: int, stands: Stands) -> None:
        self.kept: list[Trial] = []
        self.calls = 0
        self._times = times
        self._stands = stands

    async def of(self, conversation: Conversation) -> list[Trial]:
        """What it shows."""
        self.calls += 1
        tools = tuple(str(said.tool) for said in conversation.calls)
        if self.calls > self._times or "bad" not in tools:
            return []
        judged: Any = SimpleNamespace(history=scene().history())
        kinds = {RULE: [("it broke", "", ("bad",), "")]}
        return [Trial({RULE: Finding(requirement=RULE, saw="")}, kinds, judged, [tool.encode() for tool in tools])]

    def broken(self, *besides: Trial) -> set[str]:
        """As the run is judged before, and with a history in it."""
        stands = [self._stands([line.decode() for line in trial.lines], self.calls) for trial in besides]
        return {RULE} if any(stands) else set()

    def keep(self, trial: Trial) -> None:
        """In the transcript."""
        self.kept.append(trial)


@pytest.mark.parametrize(
    ("times", "stands", "kept", "line"),
    [
        (99, lambda tools, calls: "bad" in tools, ["bad"], f"broken {RULE} in 1 call;"),
        (99, lambda tools, calls: "good" in tools, list(TOOLS), f"broken {RULE} in 4 calls;"),
        (
            1,
            lambda tools, calls: "bad" in tools,
            list(TOOLS),
            f"broken {RULE} in 4 calls (which did not show it when made again);",
        ),
        (99, lambda tools, calls: False, [], "nothing broken"),
        (99, lambda tools, calls: calls == 1, [], "nothing broken"),
    ],
    ids=["shrunk", "only as it was", "not again", "not in the run", "not after what was tried"],
)
def test_what_is_kept_breaks_it_in_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, stands: Stands, kept: list[str], line: str
) -> None:
    write(WHOLE, tmp_path / "threads" / "before.json")
    trying = Shown(times, stands)
    monkeypatch.setattr(fuzzing, "Trying", lambda bench, contract, about: trying)
    monkeypatch.setattr(fuzzing, "of_calls", lambda *_, **__: WHOLE)
    for module in (fuzzing, replaying):
        monkeypatch.setattr(module, "play_of", lambda conversation, unmet=None: conversation)
    bench: Any = SimpleNamespace(session=SimpleNamespace(recorder=SimpleNamespace(history=scene().history())))
    tried = Fuzzing(contract_of("threads"), Budget(calls=1), 1, tmp_path)
    asyncio.run(tried.run(bench))
    assert [line.decode() for trial in trying.kept for line in trial.lines] == kept
    assert [said.tool for found in tried.told.found.values() for said in found.calls] == kept
    assert line in tried.told.line


def test_no_call_is_left_out_from_whose_answer_another_takes_something(monkeypatch: pytest.MonkeyPatch) -> None:
    def play_of(conversation: Conversation, unmet: list[str]) -> Conversation:
        unmet.extend(["call 2"] if "good" not in {said.tool for said in conversation.calls} else [])
        return conversation

    monkeypatch.setattr(replaying, "play_of", play_of)
    trying: Any = Shown(99, lambda tools, calls: True)
    shrunk, _ = asyncio.run(replaying.smallest(WHOLE, RULE, trying))
    assert [said.tool for said in shrunk.calls] == ["good", "bad"]

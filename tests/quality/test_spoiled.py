"""No answer and no argument, of whatever type, makes a law or a stimulus fall over: runs that are spoiled at random.

A bounded number of runs, the same each time. For longer, with others each time: SPOILED_RUNS=20 pytest …
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conformance.certify import Options, certify
from conformance.contract.catalogue import load
from conformance.drive import target
from conformance.drive.installed import of_installed
from conformance.drive.library import import_stimuli
from conformance.drive.loading import checked
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Json
from conformance.model.transcript import Lines
from conformance.model.verdict import Verdict
from tests.recordings import Recorded

STRANGE: tuple[Json, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, "", "x", "s:0", "TASK-001"),
    *([], [None], [[]], {}, {"id": []}, {"a": {}}, [{"id": {}}], [1, {"content": 5}]),
)
SHARES = (0.05, 0.02)
"""Of the values, how many are something else."""
RUNS = int(os.environ.get("SPOILED_RUNS", "1"))
"""Runs of each contract, and shares by which its record is spoiled."""
NAMED = ("threads", "tuitbot@convergence", "tasks", "invocation", "mcp", *(("tuitbot@session-05",) if RUNS > 1 else ()))
"""The later edition of tuitbot has all tools of the first."""
OF_A_RUN = (0.005, 0.03, 0.1)
"""Shares of which a run has one."""
INSTEAD: tuple[dict[str, Json], ...] = (
    {"error": {"code": -32603, "message": "x"}},
    *({"result": result} for result in ({}, {"content": []}, {"content": [], "structuredContent": {}})),
    *({"result": {"content": [{"type": "text", "text": text}]}} for text in ("", "x", "{}", "[]", "null")),
    {"result": {"content": [{"type": "text", "text": "x"}], "isError": True}},
)
"""Answers of another kind."""
DATA = 3
"""Levels of an answer below which its envelope ends, and what it tells begins."""


@pytest.mark.parametrize("contract", ["threads", "tuitbot", "tasks", "invocation", "mcp"])
def test_no_law_falls_over(contract: str, recorded: Recorded) -> None:
    path = recorded(contract)
    known = load(contract)
    import_laws(known)
    for share in SHARES[:RUNS]:
        drawn = Random(f"{contract} {share}")
        judged = judge(list(Lines([*spoiled(path, drawn, share)])), known)
        assert [each.reason for each in judged.outcomes if each.verdict is Verdict.ERROR] == []
        # what was spoiled is judged, and found
        assert any(each.verdict is Verdict.FAIL for each in judged.outcomes)


class Spoiled:
    """An in-process server that gives a share of the values in its answers otherwise, or an answer of another kind."""

    def __init__(self, server: Any, drawn: Random, share: float) -> None:
        self._server = server
        self._drawn = drawn
        self._share = share

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def open(self, *words: Any, **more: Any) -> "Spoiled":
        """It is its own entry point as well."""
        return Spoiled(self._server.open(*words, **more), self._drawn, self._share)

    async def handle(self, message: Any, *words: Any) -> Json:
        """One message in, its answer out."""
        answer: Any = await self._server.handle(message, *words)
        if message.get("method") != "tools/call" or not isinstance(answer, dict) or "result" not in answer:
            return answer
        if self._drawn.random() < self._share / 3:
            return {"jsonrpc": "2.0", "id": message["id"], **self._drawn.choice(INSTEAD)}
        shown = otherwise(json.loads(json.dumps(answer["result"].get("structuredContent"))), self._drawn, self._share)
        return {**answer, "result": with_data(answer["result"], shown)}


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("turn", range(RUNS))
def test_no_stimulus_falls_over(named: str, turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = turn if RUNS == 1 else int.from_bytes(os.urandom(4))
    drawn = Random(f"{named} {seed}")
    real = target.entry
    statement = of_installed(f"reference:{named}")
    statement.pop("store", None)
    monkeypatch.setattr(target, "entry", lambda name: Spoiled(real(name), drawn, drawn.choice(OF_A_RUN)))
    about, _, edition = named.partition("@")
    library = sorted(plan.name for plan in import_stimuli(load(about, edition or None)))
    # the protocol's own stimuli are driven in the run of mcp
    options = Options(seed=1) if RUNS > 1 else Options(seed=1, stimuli=library)
    report = certify(checked(statement, "a test"), options)
    assert {each.id: each.reason for each in report.requirements if each.verdict == "error"} == {}, f"seed {seed}"
    assert any(each.verdict == "fail" for each in report.requirements)


def with_data(result: dict[str, Json], shown: Json) -> dict[str, Json]:
    """A result that shows this, in both of its forms."""
    return {**result, "structuredContent": shown, "content": [{"type": "text", "text": json.dumps(shown)}]}


def spoiled(path: Path, drawn: Random, share: float) -> Iterator[bytes]:
    """The lines of a record, with other values in arguments and answers."""
    for line in path.read_bytes().splitlines():
        event = json.loads(line)
        message = event.get("payload")
        if event["event"] == "message" and isinstance(message, dict):
            if event["direction"] == "out" and message.get("method") == "tools/call":
                params = message["params"]
                params["arguments"] = otherwise(params.get("arguments"), drawn, share, DATA - 1)
            elif isinstance(message.get("result"), dict) and "structuredContent" in message["result"]:
                shown = otherwise(message["result"]["structuredContent"], drawn, share)
                message["result"] = with_data(message["result"], shown)
        event.pop("link", None)
        yield json.dumps(event).encode()


def otherwise(value: Json, drawn: Random, share: float, level: int = 1) -> Json:
    """The value with others in it, or without some of its parts."""
    if level >= DATA and drawn.random() < share:
        return drawn.choice(STRANGE)
    if isinstance(value, list):
        return [otherwise(each, drawn, share, level + 1) for each in value]
    if isinstance(value, dict):
        kept = {name: otherwise(each, drawn, share, level + 1) for name, each in value.items()}
        if kept and drawn.random() < share:
            del kept[drawn.choice(list(kept))]
        return kept
    return value

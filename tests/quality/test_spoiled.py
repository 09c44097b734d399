"""No answer and no argument, of whatever type, makes a law fall over: recorded runs, spoiled at random."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from conformance.cli.main import main
from conformance.contract.catalogue import load
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Json
from conformance.model.transcript import Lines
from conformance.model.verdict import Verdict

STRANGE: tuple[Json, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, "", "x", "s:0", "TASK-001"),
    *([], [None], [[]], {}, {"id": []}, {"a": {}}, [{"id": {}}], [1, {"content": 5}]),
)
SHARES = (0.02, 0.05)
"""Of the values, how many are something else."""
DATA = 3
"""Levels of an answer below which its envelope ends, and what it tells begins."""


@pytest.mark.parametrize("contract", ["threads", "tuitbot", "tasks", "invocation", "mcp"])
def test_no_law_falls_over(contract: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    main(["run", "--target", f"reference:{contract}", "--seed", "1", "--transcript", str(path)])
    known = load(contract)
    import_laws(known)
    for share in SHARES:
        drawn = Random(f"{contract} {share}")
        judged = judge(list(Lines([*spoiled(path, drawn, share)])), known)
        assert [each.reason for each in judged.outcomes if each.verdict is Verdict.ERROR] == []
        # what was spoiled is judged, and found
        assert any(each.verdict is Verdict.FAIL for each in judged.outcomes)


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
                result = message["result"]
                result["structuredContent"] = otherwise(result["structuredContent"], drawn, share)
                result["content"] = [{"type": "text", "text": json.dumps(result["structuredContent"])}]
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

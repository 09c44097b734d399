"""Judging: how long it takes beside decoding and beside jsonschema, and how much memory."""

import math
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import msgspec
from jsonschema import Draft202012Validator
from multiply import multiply
from rows import CONTRACTS, recorded, row, timed

from conformance import collector
from conformance.certify import contract_of
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.chain import Chain
from conformance.model.events import Json
from conformance.model.history import History

ROUNDS = 5
LARGE = 200_000_000
"""Octets of a transcript that does not fit into what is kept."""


def judging() -> None:
    """Recorded traffic, judged again as the command does it; beside it the same lines decoded, each let go at once."""
    collector.seldom()
    for contract in CONTRACTS:
        about = contract_of(contract)
        import_laws(about)
        recorder, _ = recorded(contract)
        decode = msgspec.json.Decoder().decode
        # the least of several rounds: whatever else the machine does only adds to it
        decoding = judging_took = math.inf
        for _ in range(ROUNDS):
            decoding = min(decoding, timed(lambda: deque(map(decode, recorder.lines), 0), time.process_time))
            judging_took = min(judging_took, timed(lambda: judge(recorder.events(), about), time.process_time))
        count = f"{recorder.calls} exchanges, {sum(map(len, recorder.lines)) / 1e6:.1f} MB"
        row(
            f"judging {contract}: exchanges a second",
            recorder.calls / judging_took,
            20_000,
            at_least=True,
            detail=count,
        )
        row(f"judging {contract}: times the cost of decoding", judging_took / decoding, 4, "×")


def checking() -> None:
    """A check of the judge's, beside what a test of one's own would make of each: one call of jsonschema."""
    for contract in CONTRACTS:
        about = contract_of(contract)
        import_laws(about)
        recorder, _ = recorded(contract)
        judged = judge(recorder.events(), about)
        checks = sum(outcome.subjects for outcome in (*judged.outcomes, *judged.foundation))
        pairs = list(_validated(judged.history))
        judging_took = validating = math.inf
        for _ in range(ROUNDS):
            judging_took = min(judging_took, timed(lambda: judge(recorder.events(), about), time.process_time))
            validating = min(
                validating,
                timed(lambda: [validator.is_valid(value) for validator, value in pairs], time.process_time),
            )
        row(
            f"checking {contract}: checks in the time of one by jsonschema",
            (validating / len(pairs)) / (judging_took / checks),
            1,
            "×",
            at_least=True,
            detail=f"{checks} checks at {judging_took / checks * 1e6:.1f} µs; {len(pairs)} by jsonschema at "
            f"{validating / len(pairs) * 1e6:.1f} µs",
        )


def _validated(history: History) -> Iterator[tuple[Draft202012Validator, Json]]:
    """Each call's arguments with its tool's inputSchema, each result with its outputSchema; a validator a schema."""
    listed: dict[str, tuple[Draft202012Validator, Draft202012Validator | None]] = {}
    for tool in (tool for listing in history.listings for tool in listing.tools):
        shown = tool.get("outputSchema")
        output = Draft202012Validator(shown) if shown is not None else None
        listed[tool["name"]] = Draft202012Validator(tool["inputSchema"]), output
    for call in history.calls(*listed):
        asked, answered = listed[call.tool or ""]
        yield asked, call.arguments
        if answered is not None and call.result is not None and "structuredContent" in call.result:
            yield answered, call.result["structuredContent"]


def memory() -> None:
    """The most memory that judging takes, of a run and of one that goes on far beyond what is kept."""
    for contract in CONTRACTS:
        recorder, _ = recorded(contract)
        with tempfile.TemporaryDirectory() as folder:
            small, large = Path(folder) / "small.jsonl", Path(folder) / "large.jsonl"
            chain = Chain()
            small.write_bytes(b"".join(chain.linked(line) + b"\n" for line in recorder.lines))
            multiply(small, large, LARGE)
            for path in (small, large):
                octets = path.stat().st_size / 1e6
                row(f"memory: judging {contract}, {path.stem}", resident(path), 1_000, " MB", detail=f"{octets:.0f} MB")


def resident(path: Path) -> float:
    """The megabytes that a process takes at most which judges a transcript."""
    words = (
        "import sys; from pathlib import Path; from conformance.certify import Options, rejudge;"
        "from conformance.fleet.memory import peak;"
        "from conformance import collector; collector.seldom(); rejudge(Path(sys.argv[1]), Options()); print(peak())"
    )
    said = subprocess.run([sys.executable, "-c", words, str(path)], capture_output=True, check=True, text=True)
    return int(said.stdout) / 1024 / 1024

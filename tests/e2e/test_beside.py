"""conformance run --beside: an installed target is told the same calls, however the server is reached.

BESIDE=all: each contract over each transport.
"""

import json
import os
from pathlib import Path

import pytest

from conformance.cli.main import main
from conformance.prove.runs import Subject, run

ONLY = {
    "threads": ["TH-MSG-*", "TH-IDEM-*", "TH-ACK-*", "TH-AUTH-*"],
    "tasks": ["TK-REV-*", "TK-SRV-02"],
    "tuitbot": ["TB-SRV-02", "TB-POL-03"],
}


EVERY = [(contract, transport) for contract in sorted(ONLY) for transport in ("in-process", "stdio", "http")]
FEW = [*((contract, "in-process") for contract in sorted(ONLY)), ("threads", "stdio"), ("tuitbot", "http")]
"""Each contract, and each transport."""
WAYS = EVERY if os.environ.get("BESIDE") == "all" else FEW


@pytest.mark.parametrize(("contract", "transport"), WAYS)
def test_the_reference_beside_itself_differs_in_nothing(contract: str, transport: str) -> None:
    report = run(Subject(contract, "reference"), transport, beside="reference", only=ONLY[contract])
    assert report.beside is not None
    assert (report.broken, report.beside.differing, report.beside.cut) == (False, (), "")
    assert report.beside.alike > 100
    assert {why.partition(",")[0] for why in report.beside.left_out} <= {
        "calls overlapped",
        "the model's protocol refused the call",
    }


def test_a_difference_that_a_clause_decides_is_a_finding_of_it() -> None:
    alone, beside = (
        run(Subject("tasks", "reference"), deviations=("TK-SRV-02:exported",), only=["TK-SRV-02"], **more)
        for more in ({}, {"beside": "reference"})
    )
    broken, more = (next(each for each in one.requirements if each.id == "TK-SRV-02") for one in (alone, beside))
    assert (more.verdict, more.breaches > broken.breaches) == ("fail", True)


def test_a_difference_is_told_and_fails_nothing(tmp_path: Path, capsys) -> None:
    """A closed thread is moved, which another requirement judges: the code alone tells nothing of its clause."""
    made = tmp_path / "run.jsonl"
    words = ["--only", "TH-THR-01", "--format", "json"]
    target = ["run", "--target", "reference:threads+TH-STAT-05", "--beside", "reference"]
    moves = ["--stimulus", "threads.threads_are_moved_where_they_may_not_go"]
    code = main([*target, *moves, *words, "--transcript", str(made)])
    live = json.loads(capsys.readouterr().out)
    assert main(["judge", str(made), *words]) == code == 0
    assert json.loads(capsys.readouterr().out)["beside"] == live["beside"]
    told = {(one["tool"], one["ours"], one["theirs"]) for one in live["beside"]["differing"]}
    assert ("update_thread_status", "success", "refused with CONFLICT") in told


def test_who_is_no_model(capsys) -> None:
    assert main(["run", "--target", "reference:threads", "--beside", "nobody"]) == 2
    assert "no target is named 'nobody'" in capsys.readouterr().err
    assert main(["run", "--target", "reference:mcp", "--beside", "reference"]) == 2
    assert "cannot be compared" in capsys.readouterr().err

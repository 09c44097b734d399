"""The published kill matrices are whole: a requirement without a killer does not land."""

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.contract.catalogue import load
from conformance.contract.registry import installed
from conformance.drive.target import entry
from conformance.prove.runs import Subject, subjects_of

ROOT = Path(__file__).parents[2]
CONTRACTS = installed()
SUBJECTS = list(subjects_of("reference", CONTRACTS, ()))
"""Every edition of every contract."""


def published(trial: str, subject: Subject) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "reports" / f"{trial}-{subject.title}.json").read_text())
    return found


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.title)
def test_every_requirement_is_proved(subject: Subject) -> None:
    matrix = published("kill-matrix", subject)
    proved = {
        row["requirement"]
        for row in matrix["rows"]
        if row["reference"] == "pass" and row["deviated"] in ("fail", "warn") and row["root"] and row["subjects"] > 0
    }
    contract = load(subject.contract, subject.edition)
    judged = {r.id for r in contract.requirements.values() if r.seen != "reference" and r.is_of(contract.edition)}
    assert judged - proved == set()
    assert matrix["unproved"] == []


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_requirement_is_of_an_edition_that_is_proved(contract: str) -> None:
    editions = {load(each.contract, each.edition).edition for each in SUBJECTS if each.contract == contract}
    for about in load(contract).requirements.values():
        assert any(about.is_of(edition) for edition in editions), about.id


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.title)
def test_no_muted_tool_conforms(subject: Subject) -> None:
    """One row a tool, and none that conforms: by the published report of the trial."""
    trial = published("mute", subject)
    assert {row["tool"] for row in trial["rows"]} == set(entry("reference").mutes(subject.contract, subject.edition))
    assert [row["tool"] for row in trial["rows"] if row["exit"] == 0] == []


@pytest.mark.parametrize("contract", sorted(set(CONTRACTS) - {"mcp"}))
def test_every_mutant_is_killed_or_explained(contract: str) -> None:
    """By the published report of the trial; what is open or equivalent is so for a reason."""
    rows = json.loads((ROOT / "reports" / f"mutants-{contract}.json").read_text())["rows"]
    assert len(rows) >= 150
    assert {row["outcome"] for row in rows} <= {"killed", "equivalent", "open"}
    assert [row["id"] for row in rows if not row["by"] and len(row["reason"]) < 20] == []


@pytest.mark.parametrize("contract", ["threads", "invocation"])
def test_every_change_on_the_wire_is_noticed_or_explained(contract: str) -> None:
    """By the published report of the trial."""
    rows = json.loads((ROOT / "reports" / f"proxy-{contract}.json").read_text())["rows"]
    assert len(rows) >= 60
    assert [row["breakage"] for row in rows if row["outcome"] == "missed"] == []
    known = entry("reference").known_breakages(contract)
    for row in rows:
        assert row["outcome"] in {"noticed", "missed", "no occasion", "equivalent", "open"}
        assert bool(row["by"]) is (row["outcome"] == "noticed"), row["breakage"]
        assert bool(row["acted"]) is (row["outcome"] != "no occasion"), row["breakage"]
        if row["outcome"] in {"equivalent", "open"}:
            assert known[row["breakage"]] == {"outcome": row["outcome"], "reason": row["reason"]}
    assert set(known) <= {row["breakage"] for row in rows if not row["by"]}, "what is explained is not noticed"

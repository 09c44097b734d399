"""The published kill matrices are whole: a requirement without a killer does not land."""

import json
from pathlib import Path

import pytest

from conformance.contract.catalogue import CONTRACTS, load

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_requirement_is_proved(contract: str) -> None:
    matrix = json.loads((ROOT / "reports" / f"kill-matrix-{contract}.json").read_text())
    proved = {
        row["requirement"]
        for row in matrix["rows"]
        if row["reference"] == "pass" and row["deviated"] in ("fail", "warn") and row["root"] and row["subjects"] > 0
    }
    judged = {
        r.id
        for r in load(contract).requirements.values()
        if r.seen != "reference" and "convergence" not in r.applies.editions
    }
    assert judged - proved == set()
    assert matrix["unproved"] == []

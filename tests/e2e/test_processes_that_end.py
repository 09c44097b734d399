"""A process that ends takes its store with it: what was lost so is held against nothing but its end."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.driving import Driven, over_http, over_stdio

KEY = Path(__file__).parents[2] / "fixtures" / "keys" / "reference-test-key.json"


def auth(contract: str) -> dict[str, Any]:
    return {"signing_key": str(KEY), "issuer": "https://issuer.example", "audience": f"{contract}.reference"}


def holds(run: Driven) -> None:
    """It is accused of its end alone, and judged by what the next process shows."""
    assert {requirement for requirement in run.found() if not requirement.startswith("MC-")} == set()
    assert any("ended with status 1" in finding.saw for r in run.report.foundation for finding in r.findings)
    assert {connection.process for connection in run.history.connections.values()} == {1, 2}
    assert run.verdicts("pass")


@pytest.mark.parametrize(
    ("contract", "number", "only"),
    [
        ("tasks", 150, ["TK-FLOW-01", "TK-FLOW-05", "TK-SRV-02"]),
        ("invocation", 80, ["IR-PAGE-01", "IR-CACHE-01", "IR-COR-02"]),
        ("threads", 40, ["TH-TRIG-02", "TH-MSG-06", "TH-IDEM-05"]),
    ],
)
def test_over_stdio(contract: str, number: int, only: list[str], tmp_path: Path) -> None:
    words = (str(tmp_path / "flag"), str(number), contract)
    more: dict[str, Any] = {"contract": contract, "only": only}
    if contract != "tasks":
        words, more = (*words, "--test-conditions"), {**more, "auth": auth(contract)}
    holds(over_stdio(tmp_path, "dies_once", *words, **more))


def test_over_http(tmp_path: Path) -> None:
    words = (str(tmp_path / "flag"), "150", "{port}", "tasks")
    only = ["TK-FLOW-01", "TK-FLOW-05", "TK-SRV-02"]
    holds(over_http(tmp_path, "ends_once", *words, url="http://127.0.0.1:{port}/mcp", contract="tasks", only=only))

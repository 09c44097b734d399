"""A process that ends takes its store with it: what was lost so is held against nothing but its end."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.driving import Driven, over_http, over_stdio

KEY = Path(__file__).parents[2] / "fixtures" / "keys" / "reference-test-key.json"


def auth(contract: str) -> dict[str, Any]:
    return {"signing_key": str(KEY), "issuer": "https://issuer.example", "audience": f"{contract}.reference"}


URL = "http://127.0.0.1:{port}/mcp"
# what a request meets that was sent to a process that ends, by how much of it was read
UNDER_WAY = {
    "",
    "the server closed the connection before its response was whole",
    "the connection broke (ReadError)",
    "the connection broke (WriteError)",
}


def told(run: Driven) -> None:
    """Its status is named."""
    assert any("ended with status 1" in finding.saw for r in run.report.foundation for finding in r.findings)


def holds(run: Driven) -> None:
    """It is accused of its end alone, and judged by what the next process shows."""
    assert {requirement for requirement in run.found() if not requirement.startswith("MC-")} == set()
    assert {call.process for call in run.history.exchanges} == {1, 2}
    assert run.verdicts("pass")
    left = {r.id: r.reason for r in run.report.requirements if r.verdict == "not_observed"}
    assert not left, "what was under way is done once more"
    assert len({stimulus.name for stimulus in run.history.stimuli}) == len(run.history.stimuli), "and told once"


@pytest.mark.parametrize(
    ("contract", "number", "only"),
    [
        ("tasks", 90, ["TK-FLOW-01", "TK-FLOW-05"]),
        ("invocation", 30, ["IR-PAGE-01", "IR-COR-02"]),
        ("threads", 40, ["TH-TRIG-02", "TH-MSG-06", "TH-IDEM-05"]),
    ],
)
def test_over_stdio(contract: str, number: int, only: list[str], tmp_path: Path) -> None:
    words = (str(tmp_path / "flag"), str(number), contract)
    more: dict[str, Any] = {"contract": contract, "only": only}
    if contract != "tasks":
        words, more = (*words, "--test-conditions"), {**more, "auth": auth(contract)}
    run = over_stdio(tmp_path, "dies_once", *words, **more)
    holds(run)
    told(run)


def test_over_http(tmp_path: Path) -> None:
    words = (str(tmp_path / "flag"), "90", "{port}", "tasks")
    only = ["TK-FLOW-01", "TK-FLOW-05"]
    run = over_http(tmp_path, "ends_once", *words, url=URL, contract="tasks", only=only)
    holds(run)
    told(run)


@pytest.mark.parametrize(
    ("contract", "number", "only"),
    [
        ("tasks", 150, ["TK-FLOW-01", "TK-FLOW-05", "TK-SRV-02"]),
        ("threads", 40, ["TH-TRIG-02", "TH-TRIG-05", "TH-MSG-06", "TH-IDEM-05"]),
    ],
)
def test_over_http_where_somebody_else_starts_it_again(
    contract: str, number: int, only: list[str], tmp_path: Path
) -> None:
    words = (str(tmp_path / "flag"), str(number), "{port}", contract, "--test-conditions")
    more: dict[str, Any] = {}
    if contract == "threads":
        more = {"auth": auth(contract), "conditions": {"means": "meta"}}
    run = over_http(tmp_path, "supervised", *words, url=URL, contract=contract, only=only, **more)
    holds(run)
    left = {call.detail.split(";")[0] for call in run.history.exchanges if call.unanswered}
    assert left <= UNDER_WAY, "what had not left yet is asked of the next one"

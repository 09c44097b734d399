"""A server is killed while it writes and started again on its store: over stdio, over HTTP, and where it cannot be."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model import transcript
from conformance.model.events import Killed
from conformance.model.history import History
from conformance.report.model import Report, RequirementResult

DURING = "the_server_is_killed_while_it_writes"
TRIES = 8
"""Runs of which one has calls under way when the server is killed: on a busy machine all may be answered by then."""
REQUIREMENT = {"threads": "TH-SRV-05", "tasks": "TK-SRV-04"}


def stated(contract: str, transport: str, *deviations: str, **other: Any) -> dict[str, Any]:
    """The reference's statement, with other tables in the place of its own."""
    return {**entry("reference").statement(contract, transport=transport, deviations=deviations), **other}


def judged(statement: Mapping[str, Any], path: Path | None = None, stimulus: str = DURING) -> Report:
    """A run of one stimulus, the protocol judged beside it."""
    stimuli = [f"{statement['contract']}.{stimulus}"]
    return certify(checked(dict(statement), "the reference"), Options(seed=1, stimuli=stimuli, transcript=path))


def result(report: Report) -> RequirementResult:
    return next(each for each in report.requirements if each.id in REQUIREMENT.values())


@pytest.mark.parametrize(("contract", "transport"), [("threads", "stdio"), ("tasks", "stdio"), ("threads", "http")])
def test_the_reference_goes_on_where_it_was_killed(contract: str, transport: str, tmp_path: Path) -> None:
    for number in range(TRIES):
        path = tmp_path / f"{number}.jsonl"
        report = judged(stated(contract, transport), path)
        found = result(report)
        assert (found.verdict, found.reason) == ("pass", "")
        assert not [each.id for each in (*report.requirements, *report.foundation) if each.verdict in ("fail", "warn")]
        history = History.of(transcript.read(path))
        flying = [call for call in history.exchanges if call.unanswered is not None]
        if flying:
            break
    (killed,) = history.killed
    assert isinstance(killed, Killed)
    assert killed.means == "SIGKILL"
    assert {call.unanswered for call in flying} == {"killed"}
    assert all(call.instance == killed.instance and "signal SIGKILL" in call.detail for call in flying)
    assert {call.instance for call in history.again} == {killed.again}
    ends = [c.closed for c in history.connections.values() if c.instance == killed.instance]
    assert [(end.by, end.why, end.left) for end in ends if end is not None] == [
        ("suite", "its server was killed", ())
    ] * len(ends)
    if transport == "stdio":
        assert [end.exit for end in ends if end is not None] == [-signal.SIGKILL] * len(ends)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_server_that_loses_its_last_write_is_found(transport: str) -> None:
    report = judged(
        stated("threads", transport, "TH-SRV-05"), stimulus="the_server_is_killed_as_soon_as_it_has_answered"
    )
    assert result(report).verdict == "fail"
    assert [finding.requirement for finding in report.roots] == ["TH-SRV-05"]


def test_a_server_that_keeps_nothing_is_found() -> None:
    report = judged(stated("tasks", "stdio", store={"kept": True}))
    found = result(report)
    assert found.verdict == "fail"
    assert any("NOT_INITIALIZED" in finding.saw for finding in found.findings)


def test_the_folder_of_a_store_may_stand_in_the_command_itself() -> None:
    command = [sys.executable, "-m", "reference_server", "tasks", "--test-conditions", "--store", "{tmp}/s"]
    endpoint = {"transport": "stdio", "command": command}
    report = judged(stated("tasks", "stdio", endpoint=[endpoint], store={"kept": True}))
    assert result(report).verdict == "pass"


def test_of_a_store_that_is_not_claimed_nothing_is_asked() -> None:
    for store in ({}, {"kept": False}):
        found = result(judged(stated("tasks", "in-process", store=store)))
        assert found.verdict == "not_applicable"
        assert "[store]" in found.reason


def test_a_server_that_the_suite_did_not_start_is_not_killed() -> None:
    statement = stated("threads", "http")
    command = statement["endpoint"][0]["command"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            address = server.stderr.readline().removeprefix("listening on ").strip()
            endpoint = {"transport": "http", "url": f"{address}/mcp"}
            found = result(judged({**statement, "endpoint": [endpoint]}))
            assert server.poll() is None
        finally:
            server.terminate()
    assert found.verdict == "not_observed"
    assert "cannot kill the server, as it did not start it" in found.reason


def test_a_server_that_does_not_start_with_its_store_is_not_judged_by_it() -> None:
    report = judged(stated("tasks", "stdio", store={"kept": True, "args": ["--store", os.devnull + "/s"]}))
    found = result(report)
    assert found.verdict == "not_observed"
    assert "with its store" in found.reason

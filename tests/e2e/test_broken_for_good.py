"""A server that bad calls have broken: what shows it does not depend on which stimulus made the first of them."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.certify import Options, driven
from conformance.contract.catalogue import load
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.laws.going_on import the_server_goes_on
from conformance.drive.library import import_stimuli
from conformance.drive.loading import checked
from conformance.model.history import History
from tests.e2e.catalogue.run import SERVER
from tests.e2e.driving import Driven, over_stdio

GOING_ON = "mcp.a_good_call_follows_a_refused_one"
BREAKING = "mcp.an_unknown_tool_is_called"


async def _breaks(bench: McpBench) -> None:
    await bench.call("echo", {"text": 1})


def test_a_broken_server_is_called_in_a_process_of_its_own() -> None:
    contract = load("mcp")
    plans = {plan.name: plan for plan in import_stimuli(contract)}
    endpoint = {
        "transport": "stdio",
        "command": [sys.executable, str(SERVER), "the server breaks after a bad call", "stdio"],
    }
    statement = checked({"contract": "mcp", "endpoint": [endpoint], "calls": {"harmless": "all"}}, "a broken server")
    recorder = driven(statement, contract, [replace(plans[BREAKING], run=_breaks), plans[GOING_ON]], Options(seed=1))
    history = History.of(recorder.events())
    # nothing was accepted before the call that broke the first process
    assert not history.calls("echo")[0].accepted
    assert any(not each.ok for each in the_server_goes_on(history, contract))


def notes(folder: Path, how: str, tool: str) -> Driven:
    # two calls of those that are never answered are waited for to the end, and many more are made
    limits = {"call_timeout_s": 0.5 if how == "silence" else 10.0}
    return over_stdio(folder, "breaks_for_good", how, tool, calls={"harmless": "all"}, limits=limits)


def test_a_server_that_refuses_and_goes_on_is_blamed_for_nothing(tmp_path: Path) -> None:
    run = notes(tmp_path, "error", "none")
    assert run.found() == set()
    judged = {each.id: each.subjects for each in run.report.requirements}
    assert judged["MC-CALL-09"] > 20


@pytest.mark.parametrize("how", ["error", "internal", "silence"])
@pytest.mark.parametrize("tool", ["list_notes", "add_note", "read_note", "delete_note"])
def test_whichever_tool_breaks_it_and_however_it_fails(tmp_path: Path, tool: str, how: str) -> None:
    assert "MC-CALL-09" in notes(tmp_path, how, tool).found()


def test_a_tool_that_breaks_itself_alone(tmp_path: Path) -> None:
    assert "MC-CALL-09" in notes(tmp_path, "alone", "list_notes").found()


@pytest.mark.parametrize(("most", "found"), [(65_536, {"MC-RPC-01", "MC-CALL-09"}), (200_000, set())])
def test_a_long_message_ends_a_server_that_reads_short_lines(tmp_path: Path, most: int, found: set[str]) -> None:
    assert over_stdio(tmp_path, "reads_short_lines", str(most)).found() == found


def test_good_calls_are_repeated_once_the_annotations_were_looked_at() -> None:
    """Before the store is filled; and a server that a bad call breaks shows nothing after it."""
    names = [plan.name for plan in import_stimuli(load("mcp")) if plan.first and plan.good_calls]
    assert names == ["mcp.every_call_is_looked_at_through_a_read", "mcp.bad_calls_come_between_good_ones"]

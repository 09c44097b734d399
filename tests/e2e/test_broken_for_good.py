"""A server that bad calls have broken: what shows it does not depend on which stimulus made the first of them."""

import sys
from dataclasses import replace

from conformance.certify import Options, driven
from conformance.contract.catalogue import load
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.laws.going_on import the_server_goes_on
from conformance.drive.library import import_stimuli
from conformance.drive.loading import checked
from conformance.model.history import History
from tests.e2e.catalogue.run import SERVER

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

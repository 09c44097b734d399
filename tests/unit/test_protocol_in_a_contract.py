"""A run of a contract judges and drives the protocol that it is served over, and a selection what it needs."""

from functools import cache

import pytest

from conformance.certify import Options, certify, rejudge
from conformance.drive.errors import UsageError
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.verdict import Verdict
from conformance.report.model import Report
from tests.recordings import Recorded

UNSEEN = (Verdict.NOT_OBSERVED, Verdict.FAIL, Verdict.WARN, Verdict.ERROR, Verdict.BLOCKED)

NO_READS = {"invocation": {"MC-HINT-02"}}
"""Its reads show the calls themselves, which is no state that a call could change."""


@cache
def report(contract: str, *only: str, stimuli: tuple[str, ...] = ()) -> Report:
    statement = checked(dict(entry("reference").statement(contract)), "the reference")
    return certify(statement, Options(seed=1, only=only, stimuli=stimuli))


@pytest.mark.parametrize("contract", ["threads", "tasks", "tuitbot", "invocation"])
def test_the_whole_protocol_is_judged_and_holds(contract: str, recorded: Recorded) -> None:
    found = rejudge(recorded(contract), Options())
    unseen = {result.id: result.reason for result in found.foundation if result.verdict in UNSEEN}
    assert unseen.keys() == NO_READS.get(contract, set())
    assert found.conformant


def test_a_selection_of_the_contract_drives_no_protocol() -> None:
    found = report("threads", "TH-ENV-01")
    unknown = next(result for result in found.foundation if result.id == "MC-RPC-06")
    assert (unknown.verdict, unknown.reason) == (Verdict.NOT_OBSERVED, "this run made no call that tests it")


def test_a_selection_of_the_protocol_drives_good_calls_and_no_more(recorded: Recorded) -> None:
    found = report("threads", "MC-CALL-04")
    assert [(result.id, result.verdict) for result in found.requirements] == [("MC-CALL-04", Verdict.PASS)]
    assert found.requirements[0].subjects > 50
    assert found.calls < rejudge(recorded("threads"), Options()).calls / 2


def test_a_stimulus_of_the_protocol_can_be_named() -> None:
    found = report("threads", stimuli=("mcp.tools_are_called_with_bad_arguments",))
    assert "MC-CALL-04" in {result.id for result in found.requirements if result.verdict is Verdict.PASS}
    with pytest.raises(UsageError, match="no stimulus"):
        report("threads", stimuli=("mcp.tools_are_called",))


def test_a_stimulus_that_needs_no_good_calls_is_driven_alone() -> None:
    assert report("threads", "MC-RPC-06").calls < 12

"""The stimuli at the reference: every requirement has a subject and passes, and each deviation shows."""

import asyncio
from pathlib import Path

import pytest

from conformance.contract.catalogue import load
from conformance.drive.library import bench_of, import_stimuli
from conformance.drive.recorder import Recorder
from conformance.drive.runner import Run, drive
from conformance.drive.statement import Statement
from conformance.drive.target import entry
from conformance.judge.judge import Judged, judge
from conformance.judge.library import import_laws

MCP = load("mcp").requirements
BOUND = {r.id for r in MCP.values() if r.applies.transports}
"""They hold for a transport."""
SHOWN_ELSEWHERE = {d["requirement"] for d in entry("reference").deviations("mcp") if d["transport"] is not None}
"""The reference deviates from these over a transport alone."""


def judged(*deviations: str, calls: dict[str, object] | None = None, only: str = "") -> Judged:
    contract = load("mcp")
    import_laws(contract)
    document = entry("reference").statement("mcp", deviations=deviations)
    document["limits"] = {"call_timeout_s": 1}
    statement = Statement.model_validate({**document, **({"calls": calls} if calls is not None else {})})
    recorder = Recorder(contract.envelope)
    stimuli = [plan for plan in import_stimuli(contract) if not only or only in plan.exercises]
    run = Run(
        contract=contract,
        stimuli=stimuli,
        benches={contract.name: bench_of(contract)},
        seed=1,
        started_at="",
        suite="0",
        base=Path(),
        default_role="orchestrator",
    )
    assert asyncio.run(drive(statement, run, recorder))
    return judge(recorder.events(), contract)


def test_the_reference_passes_with_subjects() -> None:
    found = judged()
    assert {o.id: o.verdict for o in found.outcomes if o.verdict != "pass"} == dict.fromkeys(BOUND, "not_applicable")
    assert all(o.subjects for o in found.outcomes if o.id not in BOUND)
    assert not [s for s in found.history.stimuli if s.state != "done"]


@pytest.mark.parametrize("identifier", sorted(set(MCP) - SHOWN_ELSEWHERE))
def test_its_deviation_is_found(identifier: str) -> None:
    found = judged(identifier, only=identifier)
    outcome = found.outcome(identifier)
    assert outcome is not None
    assert outcome.verdict == ("fail" if outcome.level == "MUST" else "warn")
    others = {o.id for o in found.outcomes if o.verdict in ("fail", "warn", "error")} - {identifier}
    # A call that hangs gets no answer; an internal error in place of an answer breaks what is asked of that answer.
    assert others <= {"MC-CALL-10": {"MC-RPC-01"}, "MC-CALL-09": {"MC-CALL-05", "MC-CALL-07"}}.get(identifier, set())


def test_nothing_is_called_that_may_not_be() -> None:
    found = judged(calls={"harmless": "none"})
    assert {call.tool for call in found.history.calls()} == {"no_such_tool_of_this_server"}
    assert found.outcome("MC-CALL-04").verdict == "not_observed"  # type: ignore[union-attr]  # it is one of the contract's
    found = judged(calls={"harmless": "read-only"})
    writes = {
        "create_thread",
        "post_message",
        "ack_read",
        "update_thread_status",
        "heartbeat_session",
        "trigger_participant",
    }
    assert not {call.tool for call in found.history.calls()} & writes
    found = judged(calls={"harmless": ["get_thread"]})
    assert {call.tool for call in found.history.calls()} == {"get_thread", "no_such_tool_of_this_server"}

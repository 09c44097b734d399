"""Drives some of a contract's stimuli at the reference in process, and judges what they bring about."""

import asyncio
from functools import lru_cache
from pathlib import Path

from conformance.contract.catalogue import load
from conformance.drive.library import bench_of, import_stimuli
from conformance.drive.recorder import Recorder
from conformance.drive.runner import Run, drive
from conformance.drive.statement import Statement
from conformance.drive.target import entry
from conformance.judge.judge import Judged, judge
from conformance.judge.library import import_laws


@lru_cache(maxsize=8)  # a run of tasks holds 27 MB, and those of a file follow one another
def driven(contract_name: str, *modules: str, deviation: str = "", edition: str | None = None) -> Judged:
    """Judges the reference, or a deviation of it, by the stimuli of these modules alone."""
    contract = load(contract_name, edition)
    import_laws(contract)
    stimuli = [plan for plan in import_stimuli(contract) if plan.run.__module__.rpartition(".")[2] in modules]
    document = entry("reference").statement(contract_name, edition=edition)
    if deviation:
        document["endpoint"][0]["target"] += f"+{deviation}"
    recorder = Recorder(contract.envelope)
    run = Run(
        contract=contract,
        stimuli=stimuli,
        benches={contract.name: bench_of(contract)},
        seed=1,
        started_at="2026-11-21T12:00:00Z",
        suite="0",
        base=Path(),
        default_role="orchestrator",
    )
    assert asyncio.run(drive(Statement.model_validate(document), run, recorder))
    judged = judge(recorder.events(), contract)
    wrong = [f"{plan.name} {plan.state}: {plan.why}" for plan in judged.history.stimuli if plan.state != "done"]
    assert not wrong or deviation, wrong
    return judged

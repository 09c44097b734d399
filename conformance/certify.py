"""The main job: drive a target, judge what was recorded, build the report. Every front end calls this."""

import asyncio
import contextlib
import random
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO

from conformance import __version__
from conformance.contract.catalogue import CONTRACTS, Contract, UnknownContractError, load
from conformance.drive.errors import UsageError
from conformance.drive.library import bench_of, default_role, import_stimuli
from conformance.drive.recorder import Recorder
from conformance.drive.runner import Progress, Run, drive
from conformance.drive.statement import Statement
from conformance.drive.stimulus import StimulusPlan
from conformance.judge.cascade import Claims
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model import transcript
from conformance.model.events import Header
from conformance.model.requirement import Level
from conformance.report.build import build
from conformance.report.model import Report


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is to be made and what of it is to be told."""

    only: Sequence[str] = ()
    """Requirement ids or patterns such as TH-IDEM-*; none: all."""
    level: Level | None = None
    """MUST: leave out what is only recommended."""
    seed: int | None = None
    base: Path = Path()
    """Where relative paths of the statement begin."""
    command: str = ""
    transcript: Path | None = None
    progress: Progress | None = None


def contract_of(name: str) -> Contract:
    """A contract by name; UsageError where there is none."""
    try:
        return load(name)
    except UnknownContractError as error:
        raise UsageError(str(error), "contract", todo=f"contracts of this version: {', '.join(CONTRACTS)}") from error


def selected(contract: Contract, only: Iterable[str], level: Level | None = None) -> tuple[str, ...]:
    """The ids that a selection means, in the contract's order; UsageError for one that means none."""
    patterns = [pattern for given in only for pattern in given.split(",") if pattern]
    for pattern in patterns:
        if not any(fnmatchcase(identifier, pattern) for identifier in contract.requirements):
            raise UsageError(
                f"{contract.name} has no requirement {pattern}", "--only", nearest(pattern, contract.requirements)
            )
    return tuple(
        r.id
        for r in contract.requirements.values()
        if (not patterns or any(fnmatchcase(r.id, pattern) for pattern in patterns))
        and (level is None or r.level == level)
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """What may have been meant."""
    import difflib  # noqa: PLC0415 -- only for an error's text

    found = difflib.get_close_matches(name.upper(), list(known), n=3, cutoff=0.4)
    return f"nearest: {', '.join(found)}" if found else "conformance requirements lists them"


def certify(statement: Statement, options: Options) -> Report:
    """Drives a target and judges it; UsageError where there is nothing to drive."""
    contract = contract_of(statement.contract)
    wanted = selected(contract, options.only, options.level)
    import_laws(contract)
    plans = _fitting(import_stimuli(contract), wanted)
    run = Run(
        contract=contract,
        stimuli=plans,
        bench=bench_of(contract),
        seed=options.seed if options.seed is not None else random.SystemRandom().randrange(2**31),
        started_at=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        suite=__version__,
        base=options.base,
        command=options.command,
        default_role=default_role(contract),
        progress=options.progress,
    )
    with _sink(options.transcript) as sink:
        recorder = Recorder(contract.envelope, sink)
        asyncio.run(_interruptible(statement, run, recorder))
    judged = judge(recorder.events(), contract, claims=claims(statement))
    return build(judged, contract, wanted)


def rejudge(path: Path, options: Options) -> Report:
    """Judges a recorded run: the verdicts that the live run had. TranscriptError where the file is none."""
    header = transcript.header(path)
    contract = contract_of(header.contract)
    wanted = selected(contract, options.only, options.level)
    import_laws(contract)
    return build(judge(transcript.read(path), contract, claims=_recorded_claims(header)), contract, wanted)


def claims(statement: Statement) -> Claims:
    """What a statement says beforehand; UsageError where it names a requirement that is none."""
    contract = contract_of(statement.contract)
    for known in (*statement.known_failure, *statement.known_flaky):
        if known.id not in contract.requirements:
            raise UsageError(
                f"{contract.name} has no requirement {known.id}",
                "known_failure",
                nearest(known.id, contract.requirements),
            )
    return Claims(
        failing={known.id: known.reason for known in statement.known_failure},
        wavering={known.id: known.reason for known in statement.known_flaky},
    )


def _recorded_claims(header: Header) -> Claims:
    def named(key: str) -> dict[str, str]:
        rows = header.statement.get(key, [])
        return {row["id"]: row["reason"] for row in rows} if isinstance(rows, list) else {}

    return Claims(failing=named("known_failure"), wavering=named("known_flaky"))


def _fitting(plans: Sequence[StimulusPlan], wanted: Sequence[str]) -> Sequence[StimulusPlan]:
    chosen = set(wanted)
    return [plan for plan in plans if chosen.intersection(plan.exercises)]


async def _interruptible(statement: Statement, run: Run, recorder: Recorder) -> None:
    """Ctrl-C and SIGTERM end the run; what was recorded until then is judged and reported as incomplete."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        # Outside the main thread, and where signals are not to be had, a run simply cannot be interrupted so.
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(name, lambda: task.cancel() if task is not None else None)
    await drive(statement, run, recorder)


@contextlib.contextmanager
def _sink(path: Path | None) -> Iterator[BinaryIO | None]:
    if path is None:
        yield None
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("wb")
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--transcript", error.strerror or "") from error
    with file:
        yield file

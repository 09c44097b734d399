"""The main job: drive a target, judge what was recorded, build the report. Every front end calls this."""

import asyncio
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from msgspec import structs

from conformance import __version__
from conformance.contract.catalogue import Contract, ContractError, UnknownContractError, UnknownEditionError, load
from conformance.contract.registry import named
from conformance.drive.agreement import agree, faults
from conformance.drive.credentials import prove
from conformance.drive.errors import UsageError
from conformance.drive.library import bench_of, default_role, import_stimuli
from conformance.drive.masking import Masking
from conformance.drive.model import Model
from conformance.drive.process import none_left
from conformance.drive.recorder import Recorder
from conformance.drive.revisions import HANDSHAKE
from conformance.drive.runner import Progress, Run, documents, drive, header, register
from conformance.drive.sink import opened
from conformance.drive.statement import Statement
from conformance.drive.stimulus import StimulusPlan
from conformance.drive.until import interruptible
from conformance.drive.wire.between import Between
from conformance.histories.conversation import Conversation
from conformance.histories.fuzzing import Budget, fuzz_plan
from conformance.histories.keeping import keep
from conformance.histories.plan import plan_of
from conformance.histories.replaying import shrink_plan
from conformance.judge.library import import_laws
from conformance.judging import JUDGED_A_SECOND, JUDGING_S, judge_run
from conformance.model import transcript
from conformance.model.events import Header
from conformance.model.history import WHOLE_BYTES, History
from conformance.model.parts import Parts
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
    stimuli: Sequence[str] = ()
    """Only these are driven, whatever the requirements ask for; none: those that exercise the requirements."""
    protocol: bool = True
    """Whether a whole run of a contract drives and judges its protocol as well."""
    sweeps: bool = True
    """Whether stimuli that sweep over tools and parameters are driven; a trial of the suite leaves them out."""
    races: bool = True
    """Whether calls that are to overlap do; a trial of the suite makes them one after another."""
    contract: str | None = None
    """The name of the contract that a record is judged by; None: that of its header."""
    edition: str | None = None
    """Of that contract."""
    beside: str = ""
    """An installed target that is told the same calls, as a model to compare answers with."""
    strict: bool = False
    """Whether a SHOULD or MAY that is missed counts as broken."""
    named: str = "the statement"
    """What to call the statement in an error."""
    text: str = ""
    """The text of its file, for the lines of what is wrong with it."""
    judging_s: float | None = None
    """How long judging may take; None: what its size needs, and some more."""
    seed: int | None = None
    base: Path = Path()
    """Where relative paths of the statement begin."""
    command: str = ""
    transcript: Path | None = None
    conversations: Path | None = None
    """The folder in which the conversation of each root finding is kept."""
    fuzz: Budget | None = None
    """What random histories may take after the stimuli; None: there are none."""
    progress: Progress | None = None
    between: Between | None = None
    """Who stands between the suite and the target, as a trial of the suite wants it; None: nobody does."""


def contract_of(reference: str, edition: str | None = None, base: Path = Path()) -> Contract:
    """An edition of a contract by its name, the path of its folder (from `base`) or MODULE:NAME.

    UsageError where there is none. Afterwards it is known by its name.
    """
    try:
        return load(named(reference, base), edition)
    except UnknownContractError as error:
        raise UsageError(str(error), "contract", todo="`conformance requirements` lists those installed") from error
    except ContractError as error:
        raise UsageError(f"{reference} is not a contract as it should be", why=str(error)) from error
    except UnknownEditionError as error:
        raise UsageError(str(error), "edition", todo="name one of these, or none") from error


def found_anywhere(about: Contract) -> str:
    """What names a contract to another process, wherever that is started: its folder, where it is not installed."""
    return str(about.folder.resolve()) if about.digest else about.name


def selected(contract: Contract, only: Iterable[str], level: Level | None = None) -> tuple[str, ...]:
    """The ids that a selection means, in the contract's order; UsageError for a pattern that means none.

    A requirement of the contract's protocol is meant only where it is named.
    """
    patterns = [pattern for given in only for pattern in given.split(",") if pattern]
    protocol = load(contract.protocol).requirements if contract.protocol is not None and patterns else {}
    known = {**contract.requirements, **protocol}
    meant = set[str]()
    for pattern in patterns:
        found = {pattern} if pattern in known else {name for name in known if fnmatchcase(name, pattern)}
        if not found:
            raise UsageError(f"{contract.name} has no requirement {pattern}", "--only", nearest(pattern, known))
        meant |= found
    return tuple(
        r.id for r in known.values() if (not patterns or r.id in meant) and (level is None or r.level == level)
    )


def nearest(
    name: str, known: Iterable[str], *, otherwise: str = "conformance requirements lists them", fold: bool = True
) -> str:
    """What may have been meant; otherwise what to look at."""
    import difflib  # noqa: PLC0415 -- only for an error's text

    found = difflib.get_close_matches(name.upper() if fold else name, list(known), n=3, cutoff=0.4)
    return f"nearest: {', '.join(found)}" if found else otherwise


def certify(statement: Statement, options: Options) -> Report:
    """Drives a target and judges it; UsageError where there is nothing to drive."""
    contract = contract_of(statement.contract, statement.edition)
    agree(statement, contract, options.named, options.text)
    wanted = _wanted(contract, options)
    plans = [plan for plan in _driven(contract, wanted, options) if options.sweeps or not plan.sweep]
    return _certified(statement, contract, wanted, plans, options)


def _certified(
    statement: Statement,
    contract: Contract,
    wanted: tuple[str, ...] | None,
    plans: Sequence[StimulusPlan],
    options: Options,
) -> Report:
    import_laws(contract)
    budget = options.fuzz
    if budget is not None:
        seed = options.seed if options.seed is not None else random_seed()
        options = replace(options, seed=seed)
        plans = [*plans, fuzz_plan(contract, budget, seed, told_of(contract, options))]
    recorder = driven(statement, contract, plans, options)
    recorder.forget()
    head = next(iter(recorder.events()))
    assert isinstance(head, Header), "a run begins with its header"
    large = sum(map(len, recorder.lines)) > WHOLE_BYTES
    parts = Parts.of(recorder.lines) if large else None
    asked = None if wanted is None or options.protocol else {*wanted, *contract.foundation}
    limit_s = options.judging_s or JUDGING_S
    judged = judge_run(recorder.events(), head, contract, limit_s=limit_s, parts=parts, only=asked)
    strict, protocol, record = options.strict, options.protocol, recorder.record
    report = build(judged, contract, wanted, strict=strict, protocol=protocol, record=record, fault=recorder.fault)
    if options.conversations is not None:
        keep(report.roots, judged.history, contract, recorder.events, options.conversations)
    return report


def told_of(contract: Contract, options: Options) -> set[str] | None:
    """The requirements that random histories may break; None: all. They are told of beside a selection."""
    return None if options.protocol else {*contract.requirements, *contract.foundation}


def random_seed() -> int:
    """A seed where none is asked for."""
    return random.SystemRandom().randrange(2**31)


def driven(
    statement: Statement,
    contract: Contract,
    plans: Sequence[StimulusPlan],
    options: Options,
    kept: dict[str, Any] | None = None,
) -> Recorder:
    """What happened when these stimuli were run; UsageError where there is nothing to drive.

    `kept` takes what the stimuli keep for one another.
    """
    run = Run(
        contract=contract,
        stimuli=plans,
        benches={name: bench_of(contract_of(name)) for name in {contract.name, *(plan.contract for plan in plans)}},
        seed=options.seed if options.seed is not None else random_seed(),
        started_at=_now(),
        suite=__version__,
        base=options.base,
        command=options.command,
        default_role=default_role(contract, statement),
        progress=options.progress,
        model=Model(options.beside, contract, statement) if options.beside else None,
        between=options.between,
        races=options.races,
        kept={} if kept is None else kept,
    )
    limits = statement.limits
    recorder = Recorder(contract.envelope, most=limits.max_run_bytes, most_values=limits.max_run_values)
    try:
        register(statement, run.base, recorder)
        prove(statement.auth, run.base, run.default_role)
        dict(documents(statement, run.base))
        with none_left():
            asyncio.run(_interruptible(statement, run, recorder, options.transcript))
    except UsageError as error:
        error.shown(recorder.masking.text)
        raise
    return recorder


def recording(statement: Statement, base: Path) -> tuple[Header, Masking]:
    """The first line of a record of others' calls, and what is masked in it; UsageError as for a run."""
    contract = contract_of(statement.contract, statement.edition)
    agree(statement, contract, "the statement")
    recorder = Recorder(contract.envelope)
    register(statement, base, recorder)
    run = Run(contract=contract, stimuli=(), benches={}, seed=0, started_at=_now(), suite=__version__, base=base)
    return structs.replace(header(statement, run), tapped=True), recorder.masking


def replayed(
    conversation: Conversation, statement: Statement, options: Options, shrunk: list[Conversation] | None = None
) -> Report:
    """Makes the calls of a conversation again and judges what it was found to break, or what is selected.

    Where `shrunk` is given, it takes the fewest of them that break it, and these are what is judged.
    UsageError where it is of another contract than the target, or has no calls.
    """
    contract = contract_of(statement.contract, statement.edition)
    agree(statement, contract, options.named, options.text)
    if conversation.contract != contract.name:
        what = f"the conversation is of the contract {conversation.contract}, the target of {contract.name}"
        raise UsageError(what, options.named, todo=f"name a target of {conversation.contract}")
    if not conversation.calls:
        raise UsageError("the conversation has no calls", todo="what was found shows without any: run the suite again")
    only = options.only or (() if options.level else conversation.requirements)
    wanted = selected(contract, only, options.level) if only or options.level else None
    import_laws(contract)
    plan = plan_of(conversation, contract) if shrunk is None else shrink_plan(conversation, contract, shrunk)
    if conversation.protocol in HANDSHAKE and statement.protocol == "auto":
        statement = statement.model_copy(update={"protocol": conversation.protocol})
    return _certified(statement, contract, wanted, [plan], options)


def rejudge(path: Path, options: Options) -> Report:
    """Judges a recorded run: the verdicts that the live run had. TranscriptError where the file is none."""
    return history_of(path, options)[0]


def history_of(path: Path, options: Options) -> tuple[Report, History, Contract]:
    """The same, with the history that was judged, and its contract."""
    header, size = _headed(transcript.header(path), options), path.stat().st_size
    contract = load(header.contract, header.edition)
    if wrong := "; ".join(faults(header.statement, header.settings, contract)):
        raise transcript.TranscriptError(path, 1, f"the statement in the header is not valid: {wrong}")
    wanted = _wanted(contract, options)
    import_laws(contract)
    reading = transcript.Reading(path, header)
    parts = transcript.parts(path, WHOLE_BYTES)
    limit_s = options.judging_s or JUDGING_S + size / JUDGED_A_SECOND
    judged = judge_run(reading, header, contract, limit_s=limit_s, parts=parts)
    strict, protocol, record = options.strict, options.protocol, reading.record
    notes = []
    if header.contract == contract.name and header.digest != contract.digest:
        notes.append(f"the contract {contract.name} was changed since the run was recorded: verdicts may differ")
    report = build(judged, contract, wanted, strict=strict, protocol=protocol, record=record, notes=notes)
    return report, judged.history, contract


def _headed(header: Header, options: Options) -> Header:
    """The header of a record, with the contract that it is judged by: its own, or another one that is named.

    What a tap recorded, and what of a server that no contract knew, may be judged by any contract.
    """
    wanted = options.contract or header.contract
    own = wanted == header.contract
    try:
        contract = load(wanted, options.edition or (header.edition if own else None))
    except UnknownContractError as error:
        todo = "name its folder: --contract ./contract"
        raise UsageError(f"the run is of the contract {header.contract}", why=str(error), todo=todo) from error
    except UnknownEditionError as error:
        raise UsageError(str(error), "edition", todo="judge it with a version of the suite that has it") from error
    if own and contract.edition == (header.edition or contract.edition):
        return header
    if not header.tapped and header.contract not in ("", contract.protocol):
        what = f"the run is of the contract {header.contract}, and {contract.name} {contract.edition} is named"
        raise UsageError(what, "--contract", todo=f"name the folder of {header.contract}, or leave out --contract")
    return structs.replace(header, contract=contract.name, edition=contract.edition, digest=contract.digest)


def _wanted(contract: Contract, options: Options) -> tuple[str, ...] | None:
    """The requirements that a run is about; None: all. UsageError where the selection is empty."""
    if not options.only and options.level is None and not options.stimuli:
        return None
    wanted = selected(contract, options.only or (["*"] if options.stimuli else []), options.level)
    if options.stimuli and not options.only:
        exercised = {name for plan in named_stimuli(contract, options.stimuli) for name in plan.exercises}
        wanted = tuple(name for name in wanted if name in exercised)
    if not wanted:
        given = [*options.only, *([f"--level {options.level}"] if options.level else [])]
        raise UsageError(
            "the selection is empty: no requirement meets all of it",
            " ".join(given),
            todo=f"`conformance requirements --contract {contract.named}` lists the requirements with their levels",
        )
    return wanted


def _driven(contract: Contract, wanted: Sequence[str] | None, options: Options) -> Sequence[StimulusPlan]:
    """The stimuli of a run: those named, else those that exercise what is wanted, else all."""
    if options.stimuli:
        return _with_good_calls(contract, named_stimuli(contract, options.stimuli))
    if wanted is None:
        return _plans(contract) if options.protocol else import_stimuli(contract)
    chosen = set(wanted)
    return _with_good_calls(contract, [plan for plan in _plans(contract) if chosen.intersection(plan.exercises)])


def _plans(contract: Contract) -> Sequence[StimulusPlan]:
    """The stimuli of a contract, and of the protocol that it is served over."""
    beneath = import_stimuli(load(contract.protocol)) if contract.protocol is not None else ()
    return [*import_stimuli(contract), *beneath]


def _with_good_calls(contract: Contract, plans: Sequence[StimulusPlan]) -> Sequence[StimulusPlan]:
    """With the stimuli that show which calls are accepted, where one wants to repeat such calls.

    Of the contract itself those that all else rests on; those of the protocol that come before all others of it.
    """
    wanting = {plan.contract for plan in plans if plan.good_calls}
    roots = set(contract.roots) if wanting - {contract.name} else set()
    good = [plan for plan in import_stimuli(contract) if roots.intersection(plan.exercises)]
    good += [plan for plan in _plans(contract) if plan.first and plan.contract in wanting and plan not in good]
    return [*(plan for plan in good if plan not in plans), *plans]


def named_stimuli(contract: Contract, names: Sequence[str]) -> Sequence[StimulusPlan]:
    """Stimuli by their names; UsageError for a name that no stimulus has."""
    plans = {plan.name: plan for plan in _plans(contract)}
    wanted = [name for given in names for name in given.split(",") if name]
    for name in wanted:
        if name not in plans:
            near = nearest(name, plans, otherwise="the reproduce line of a finding names some", fold=False)
            raise UsageError(f"{contract.name} has no stimulus {name}", "--stimulus", near)
    return [plans[name] for name in dict.fromkeys(wanted)]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def _interruptible(statement: Statement, run: Run, recorder: Recorder, path: Path | None) -> None:
    """Ctrl-C, SIGTERM and a terminal that is closed end the run; what was recorded is judged, as an incomplete run.

    The file is opened once signals are waited for, and its first line written with it: whatever ends the suite leaves
    a file that can be judged.
    """
    interruptible()
    with opened(path) as recorder.sink:
        await drive(statement, run, recorder)

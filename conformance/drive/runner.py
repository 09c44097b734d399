"""Runs a contract's stimuli side by side against a target, and leaves a whole transcript however the run ends."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.contract.catalogue import Contract
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError, StuckError, UsageError
from conformance.drive.recorder import Recorder
from conformance.drive.session import Session
from conformance.drive.statement import Statement
from conformance.drive.stimulus import StimulusPlan
from conformance.model.events import Document, Header, Instance, Json, Limits, Stimulus

Progress = Callable[[str, int, int], None]
"""Told after each stimulus: its name, how many are over, how many there are."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run needs besides its target's statement."""

    contract: Contract
    stimuli: Sequence[StimulusPlan]
    bench: Callable[..., Bench]
    """The contract's own kind of bench."""
    seed: int
    started_at: str
    suite: str
    base: Path
    command: str = ""
    default_role: str | None = None
    progress: Progress | None = None


async def drive(statement: Statement, run: Run, recorder: Recorder) -> bool:
    """Drives a target; whether the run was whole. UsageError where there is nothing to drive."""
    recorder.write(header(statement, run))
    recorder.write(Instance(id="main", profile=statement.endpoint[0].profile or statement.settings.get("profile")))
    for name, document in documents(statement, run.base):
        recorder.write(Document(name=name, content=document))
    session = Session(statement, run.contract, recorder, seed=run.seed, base=run.base, default_role=run.default_role)
    reason = ""
    try:
        async with session.held():
            try:
                async with asyncio.timeout(statement.limits.run_timeout_s):
                    await _Runner(session, run).all()
            except TimeoutError:
                reason = f"the run's time limit of {statement.limits.run_timeout_s:g} s passed"
            except asyncio.CancelledError:
                reason = "interrupted"
    finally:
        recorder.close(complete=not reason, reason=reason or session.gave_up)
    return not reason


def header(statement: Statement, run: Run) -> Header:
    """The transcript's first line; keys and tokens are left out of the statement."""
    shown = statement.model_dump(mode="json", exclude={"auth": {"signing_key", "tokens"}}, exclude_defaults=True)
    first = statement.endpoint[0]
    return Header(
        suite=run.suite,
        contract=run.contract.name,
        edition=statement.edition or run.contract.edition,
        profiles=tuple(statement.profiles),
        target=statement.name
        or first.target
        or first.url
        or (first.command if isinstance(first.command, str) else " ".join(first.command or [])),
        statement=shown,
        settings=statement.settings,
        limits=Limits(
            call_timeout_ms=round(statement.limits.call_timeout_s * 1000),
            max_answer_bytes=statement.limits.max_answer_bytes,
        ),
        seed=run.seed,
        command=run.command,
        started_at=run.started_at,
    )


def documents(statement: Statement, base: Path) -> Iterator[tuple[str, Json]]:
    """What the target publishes besides its tools; UsageError where a file that it names is none."""
    for name, given in statement.documents.items():
        if not isinstance(given, str):
            yield name, given
            continue
        path = base / given
        try:
            yield name, json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            why = (error.strerror or "") if isinstance(error, OSError) else f"it is no JSON: {error}"
            raise UsageError(f"the document {name} cannot be read", str(path), why, "documents names it") from error


class _Runner:
    def __init__(self, session: Session, run: Run) -> None:
        self._session = session
        self._run = run
        self._over = 0
        self._plans: list[tuple[StimulusPlan, int]] = [
            (plan, endpoint) for plan in run.stimuli for endpoint in self._endpoints(plan)
        ]

    def _endpoints(self, plan: StimulusPlan) -> list[int]:
        """The endpoints at which a stimulus is run: the first that fits, or each."""
        fitting = [
            number
            for number, about in enumerate(self._session.statement.endpoint)
            if about.binding in plan.bindings and (not plan.transports or about.transport in plan.transports)
        ]
        return fitting if plan.every_endpoint else fitting[:1]

    async def all(self) -> None:
        """First the server's list of tools, then the stimuli at once, then those that want to be alone."""
        if not await self._greeted():
            return
        alone = [(p, e) for p, e in self._plans if p.last or self._session.alone(p.needs)]
        async with asyncio.TaskGroup() as group:
            for plan, endpoint in self._plans:
                if (plan, endpoint) not in alone:
                    group.create_task(self._one(plan, endpoint))
        for plan, endpoint in alone:
            await self._one(plan, endpoint)

    async def _greeted(self) -> bool:
        """Whether the server lets a connection begin. What it lists then is part of every run over MCP."""
        bench = self._bench("suite.greeting", 0)
        try:
            connection = await self._session.connection(0, "main", bench.stimulus)
            if connection.wire.binding == "mcp":
                await bench.tools()
        except StuckError as error:
            for plan, _ in self._plans:
                self._note(plan, "stuck", str(error))
            return False
        return True

    def _bench(self, stimulus: str, endpoint: int) -> Bench:
        return self._run.bench(self._session, stimulus, endpoint, "main")

    async def _one(self, plan: StimulusPlan, endpoint: int) -> None:
        state, why = "done", ""
        try:
            missing = [name for name in plan.needs if not self._session.can(name)]
            if missing:
                raise SkipError(f"the target cannot bring about the condition {', '.join(missing)}")
            bench = self._bench(plan.name, endpoint)
            if plan.fresh:
                bench = await bench.fresh(**plan.settings)
            await plan.run(bench)
        except SkipError as error:
            state, why = "skipped", str(error)
        except StuckError as error:
            state, why = "stuck", str(error)
        except Exception as error:  # noqa: BLE001 -- a stimulus meets hostile answers: its crash is our error, and said so
            state, why = "error", f"{type(error).__name__}: {error}"
        finally:
            with contextlib.suppress(SkipError):
                await self._session.undo(plan.name)
        self._note(plan, state, why)
        self._over += 1
        if self._run.progress is not None:
            self._run.progress(plan.name, self._over, len(self._plans))

    def _note(self, plan: StimulusPlan, state: str, why: str) -> None:
        recorder = self._session.recorder
        recorder.write(Stimulus(name=plan.name, exercises=plan.exercises, state=state, why=why, t=recorder.now()))

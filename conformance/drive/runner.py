"""Runs a contract's stimuli side by side against a target, and leaves a whole transcript however the run ends."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from conformance.contract.catalogue import Contract
from conformance.drive import wellformed
from conformance.drive.again import between, cut_off
from conformance.drive.bench import Bench
from conformance.drive.command_line import hidden
from conformance.drive.errors import SkipError, StuckError, UnsupportedError, UsageError
from conformance.drive.frames import NESTED
from conformance.drive.model import Model
from conformance.drive.private import of_header, of_key, of_statement, without
from conformance.drive.recorder import Recorder
from conformance.drive.secrets import resolved, text_of
from conformance.drive.session import Session
from conformance.drive.statement import Endpoint, Statement
from conformance.drive.stimulus import StimulusPlan, Told
from conformance.drive.wire.between import Between
from conformance.model.depth import too_deep
from conformance.model.events import Document, Header, Instance, Json, Limits, Stimulus

Progress = Callable[[str, int, int], None]
"""Told after each stimulus: its name, how many are over, how many there are."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run needs besides its target's statement."""

    contract: Contract
    stimuli: Sequence[StimulusPlan]
    benches: Mapping[str, Callable[..., Bench]]
    """The kind of bench of each contract that a stimulus is of."""
    seed: int
    started_at: str
    suite: str
    base: Path
    command: str = ""
    default_role: str | None = None
    progress: Progress | None = None
    model: Model | None = None
    """Told the same calls when the run is over; None: nobody is."""
    between: Between | None = None
    """Who stands between the suite and the target; None: nobody does."""
    races: bool = True
    """Whether calls that are to overlap do."""
    kept: dict[str, Any] = field(default_factory=dict)
    """What stimuli find out for those that come after them, and for whoever began the run."""


async def drive(statement: Statement, run: Run, recorder: Recorder) -> bool:
    """Drives a target; whether the run was whole. UsageError where there is nothing to drive."""
    recorder.write(header(statement, run))
    recorder.write(Instance(id="main", profile=statement.profile_of(0)))
    for name, document in documents(statement, run.base):
        recorder.write(Document(name=name, content=document))
    role = run.default_role
    session = Session(
        statement,
        run.contract,
        recorder,
        seed=run.seed,
        base=run.base,
        default_role=role,
        kept=run.kept,
        between=run.between,
        races=run.races,
    )
    runner, reason = _Runner(session, run), ""
    clock = asyncio.get_running_loop().time
    try:
        async with session.held():
            session.until = clock() + statement.limits.run_timeout_s
            try:
                async with asyncio.timeout_at(session.until) as limit:
                    recorder.filled = lambda: limit.reschedule(clock())
                    await runner.all()
            except TimeoutError:
                reason = recorder.full or f"the run's time limit of {statement.limits.run_timeout_s:g} s passed"
            except asyncio.CancelledError:
                reason, session.until = "interrupted", clock()
            except UsageError as error:
                reason, session.until = str(error), clock()
                raise
        if run.model is not None:
            try:
                await _modelled(run.model, recorder)
            except asyncio.CancelledError:
                reason = "interrupted"
    finally:
        recorder.filled = None
        reason = reason or session.gave_up or recorder.barred
        runner.cut(reason)
        recorder.close(complete=not reason, reason=reason)
    return not reason


async def _modelled(model: Model, recorder: Recorder) -> None:
    """Has the model told what was done, and writes down how far that went."""
    why = await model.follow(recorder)
    state = "cut" if why else "done"
    recorder.write(Stimulus(name="suite.model", exercises=(), state=state, why=why, t=recorder.now()))


def register(statement: Statement, base: Path, recorder: Recorder) -> None:
    """Has everything masked that the statement holds or names; UsageError where it names what is not there."""
    masking = recorder.masking
    for value, name, named in of_statement(statement.model_dump(mode="json", exclude_defaults=True)):
        masking.add(value, name, named=named)
    for endpoint in statement.endpoint:
        for name, given in endpoint.headers.items():
            value = resolved(given, base)
            for found, about, named in of_header(name, value):
                masking.add(found, about, named=named or value != given)
            if wrong := wellformed.header(name, value):
                raise UsageError(wrong, "headers", todo=f"{given} gives it" if value != given else "")
    for token in statement.auth.tokens:
        masking.add(resolved(token.token, base), f"token of {token.role}")
    if isinstance(statement.auth.signing_key, str):
        text = text_of(base / statement.auth.signing_key, "auth.signing_key names a JWK or PEM file")
        for value, name, named in of_key(text):
            masking.add(value, name, named=named)


def header(statement: Statement, run: Run) -> Header:
    """The transcript's first line; the statement and the command have placeholders for what is to be hidden."""
    data = statement.model_dump(mode="json", exclude={"auth": {"signing_key", "tokens"}}, exclude_defaults=True)
    shown = without(data)
    first = Endpoint.model_validate(shown["endpoint"][0])
    return Header(
        suite=run.suite,
        contract=run.contract.name,
        digest=run.contract.digest,
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
        command=hidden(run.command),
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
            text = path.read_bytes()
            document = json.loads(text)
            if too_deep(text, document):
                raise ValueError(NESTED)
            yield name, document
        except (OSError, ValueError, RecursionError) as error:
            why = (error.strerror or "") if isinstance(error, OSError) else f"it is no JSON: {error}"
            raise UsageError(f"the document {name} cannot be read", str(path), why, "documents names it") from error


Plans = Sequence[tuple[StimulusPlan, int]]
"""Stimuli, each with the endpoint at which it is run."""


def _holder(stimulus: str, endpoint: int) -> str:
    """Whose the servers are that a stimulus has started at an endpoint."""
    return f"{stimulus} at {endpoint}"


class _Went(NamedTuple):
    """How a stimulus went."""

    plan: StimulusPlan
    endpoint: int
    state: str
    said: Told
    call: int | None


class _Part(NamedTuple):
    """The stimuli of one contract: those that others build on, those at once, then those that want to be alone."""

    first: Plans
    together: Plans
    alone: Plans

    @classmethod
    def of(cls, plans: Plans, session: Session) -> "_Part":
        """Each where it belongs, in the order given; what repeats good calls after what does not."""
        alone = [(p, e) for p, e in plans if not p.first and (p.last or session.alone(p.needs))]
        first = [(p, e) for p, e in plans if p.first]
        together = [each for each in plans if each not in first and each not in alone]
        return cls(sorted(first, key=_repeats), together, sorted(alone, key=_repeats))


def _repeats(planned: tuple[StimulusPlan, int]) -> bool:
    """Whether it repeats good calls, which may take long: what asks for little comes before."""
    return planned[0].good_calls


async def driven(plan: StimulusPlan, bench: Bench) -> Any:
    """Drives a stimulus. One that cannot go on has what it called looked at in the end as well."""
    try:
        given = await plan.run(bench)
    except (SkipError, StuckError):
        await bench.over()
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        # a group of tasks takes one that ends so for done, and what it did not come to would be told by nobody
        raise RuntimeError("it was cancelled, and nobody had asked for that") from error
    await bench.over()
    return given


class _Runner:
    def __init__(self, session: Session, run: Run) -> None:
        self._session = session
        self._run = run
        self._over = 0
        self._waiting: dict[tuple[StimulusPlan, int], None] = {}
        """Stimuli that are not over, each with the endpoint at which it is run, in order."""
        self._doubtful: list[_Went] = []
        """Those that may be driven again: whether they are is known when others are over."""
        for plan in run.stimuli:
            for endpoint in self._endpoints(plan):
                self._waiting[plan, endpoint] = None

    def _endpoints(self, plan: StimulusPlan) -> list[int]:
        """The endpoints at which a stimulus is run: each that fits, or the one that can give it what it needs."""
        fitting = [
            number
            for number, about in enumerate(self._session.statement.endpoint)
            if about.binding in plan.bindings and (not plan.transports or about.transport in plan.transports)
        ]
        if plan.every_endpoint:
            return fitting
        if plan.kept:
            able = [number for number in fitting if self._session.target.keeps(number)]
            return (able or fitting)[:1]
        wants_its_own = plan.fresh or not all(map(self._session.toggles, plan.needs))
        able = [number for number in fitting if self._session.provides(number, plan.settings)] if wants_its_own else []
        return (able or fitting)[:1]

    async def all(self) -> None:
        """First the server's list of tools, then the contract's own stimuli, then those of its protocol.

        The latter repeat good calls that the former were seen to make.
        """
        if not await self._greeted():
            return
        plans = list(self._waiting)
        own = _Part.of([(p, e) for p, e in plans if p.contract == self._run.contract.name], self._session)
        beneath = _Part.of([(p, e) for p, e in plans if p.contract != self._run.contract.name], self._session)
        await self._in_turn(own.first)
        async with asyncio.TaskGroup() as group:
            # those with servers of their own wait for these to start and end: what comes next goes on meanwhile
            apart = [] if own.alone else [(p, e) for p, e in own.together if p.kept]
            for plan, endpoint in apart:
                group.create_task(self._one(plan, endpoint))
            await self._at_once([each for each in own.together if each not in apart])
            await self._in_turn(own.alone)
            await self._again()
            await self._in_turn(beneath.first)
            await self._at_once(beneath.together)
        await self._in_turn(beneath.alone)
        await self._again()

    async def _again(self) -> None:
        """Drives those once more that a process took with it when it ended; the others stay as they are."""
        while self._doubtful:
            went = self._doubtful.pop(0)
            if cut_off(went.plan.name, self._session.recorder.history):
                await self._one(went.plan, went.endpoint, again=True)
            else:
                self._over_with(went)

    async def _in_turn(self, plans: Plans) -> None:
        for plan, endpoint in plans:
            await self._one(plan, endpoint)

    async def _at_once(self, plans: Plans) -> None:
        async with asyncio.TaskGroup() as group:
            for plan, endpoint in plans:
                group.create_task(self._one(plan, endpoint))

    def cut(self, why: str) -> None:
        """Writes down the stimuli that the end of the run left undone."""
        for went in self._doubtful:
            self._over_with(went)
        for plan, _ in list(self._waiting):
            self._note(plan, "cut", Told(why))

    async def _greeted(self) -> bool:
        """Whether the server lets a connection begin. What it lists then is part of every run over MCP."""
        bench = self._bench(self._run.benches[self._run.contract.name], "suite.greeting", 0)
        try:
            connection = await self._session.connection(0, "main", bench.stimulus)
            if connection.wire.binding == "mcp":
                await bench.tools()
        except StuckError as error:
            for plan, _ in list(self._waiting):
                self._note(plan, "stuck", Told(str(error)), error.call)
            self._waiting.clear()
            return False
        return True

    def _bench(self, kind: Callable[..., Bench], stimulus: str, endpoint: int) -> Bench:
        instance = self._session.instances.found(endpoint)
        return kind(self._session, stimulus, endpoint, instance, holder=_holder(stimulus, endpoint))

    async def _one(self, plan: StimulusPlan, endpoint: int, *, again: bool = False) -> None:
        state, said, call = "done", Told(""), None
        try:
            missing = [name for name in plan.needs if not self._session.can(name)]
            if missing:
                lacks = ", ".join(missing)
                raise SkipError(
                    f"the target cannot bring about {lacks}; say how under [conditions] in conformance.toml"
                )
            bench = replace(self._bench(self._run.benches[plan.contract], plan.name, endpoint), again=again)
            if plan.fresh:
                bench = await bench.fresh(**plan.settings)
            elif plan.kept:
                self._session.gate.first.add(plan.name)
                bench = bench.kept()
            given = await driven(plan, bench)
            said = given if isinstance(given, Told) else Told(given if isinstance(given, str) else "")
        except UnsupportedError as error:
            state, said = "unsupported", Told(str(error))
        except SkipError as error:
            state, said = "skipped", Told(str(error))
        except StuckError as error:
            state, said, call = "stuck", Told(str(error)), error.call
        except Exception as error:  # noqa: BLE001 -- a stimulus meets hostile answers: its crash is our error, and said so
            state, said = "error", Told(f"{type(error).__name__}: {error}")
        finally:
            with contextlib.suppress(SkipError):
                await self._session.undo(plan.name)
        await self._session.servers.over(_holder(plan.name, endpoint))
        went = _Went(plan, endpoint, state, said, call)
        if not again and self._is_doubtful(went):
            self._doubtful.append(went)
        else:
            self._over_with(went)

    def _is_doubtful(self, went: _Went) -> bool:
        """Whether a process may have taken it with it. What goes through every tool goes on from there."""
        if went.state == "done" and not went.plan.sweep:
            return between(went.plan.name, self._session.recorder.history)
        return went.state == "stuck"

    def _over_with(self, went: _Went) -> None:
        plan = went.plan
        self._waiting.pop((plan, went.endpoint))
        self._note(plan, went.state, went.said, went.call)
        self._over += 1
        if self._run.progress is not None:
            self._run.progress(plan.name, self._over, self._over + len(self._waiting))

    def _note(self, plan: StimulusPlan, state: str, said: Told, call: int | None = None) -> None:
        recorder = self._session.recorder
        recorder.write(
            Stimulus(
                name=plan.name,
                exercises=plan.exercises,
                state=state,
                why=said.why,
                call=call,
                sweep=plan.sweep,
                kept=dict(said.kept),
                t=recorder.now(),
            )
        )

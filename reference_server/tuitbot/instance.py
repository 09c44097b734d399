"""One instance of the tuitbot: its world, its store, its tools."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import perf_counter_ns

from msgspec.structs import replace

from reference_server.application import Answer, Json, Request, Tool, UnknownToolError
from reference_server.conditions import Clock
from reference_server.tuitbot.conditions import Conditions
from reference_server.tuitbot.config import Config
from reference_server.tuitbot.editions import SESSION_05, Edition
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.session import FAULTLESS, Session, session
from reference_server.tuitbot.store import seed as store_seed
from reference_server.tuitbot.store.database import DatabaseFailureError
from reference_server.tuitbot.store.mutations import Status
from reference_server.tuitbot.store.telemetry import EndpointCall, ToolCall
from reference_server.tuitbot.tools.catalogue import catalogue, entry
from reference_server.tuitbot.tools.definition import ToolDefinition
from reference_server.tuitbot.tools.envelope import Envelopes
from reference_server.tuitbot.tools.outcome import Failure, Outcome, Success
from reference_server.tuitbot.tools.pipeline import Pipeline
from reference_server.tuitbot.workflow.auditing import note_mutation
from reference_server.tuitbot.workflow.bookkeeping import count_for_account
from reference_server.tuitbot.x import seed as world_seed

NS_PER_MS = 1_000_000


class Tuitbot:
    """An `Application`. Its collaborators can be replaced one by one."""

    def __init__(self, settings: Mapping[str, Json] | None = None, edition: Edition = SESSION_05) -> None:
        """ValueError: settings that do not fit."""
        self.edition = edition
        self.catalogue = catalogue(edition)
        self.config = Config.of(settings, edition)
        self.clock = Clock()
        self.world = world_seed.seeded(self.clock)
        self.store = store_seed.seeded(self.clock)
        self.envelopes = Envelopes(self.config)
        self.served: dict[str, ToolDefinition] = {
            name: definition
            for name, definition in self.catalogue.items()
            if self.config.profile in definition.profiles
        }
        self.pipeline = Pipeline(self.catalogue, tuple(self.served), guards=edition.guards)

    @property
    def tools(self) -> Sequence[Tool]:
        """The profile's tools by name."""
        return self.listed()

    def listed(self) -> list[Tool]:
        """What tools/list shows."""
        return [definition.tool for definition in self.served.values()]

    def find(self, tool: str) -> ToolDefinition | None:
        """The tool that a call means; None: the profile has none of that name."""
        return self.served.get(tool)

    def manifest(self) -> list[dict[str, Json]]:
        """What this server publishes about the tools of all its profiles."""
        return [entry(definition) for definition in self.catalogue.values()]

    async def call(self, request: Request) -> Answer:
        """Answers in the envelope; `UnknownToolError` for a tool outside the profile."""
        definition = self.find(request.tool)
        if definition is None:
            raise UnknownToolError(request.tool)
        started = perf_counter_ns()
        try:
            given = Conditions.of(request.conditions) if request.conditions else FAULTLESS
        except ValueError as error:
            return self._answer(
                definition, request.arguments, Failure(ErrorCode.VALIDATION_ERROR, str(error)), started, None
            )
        self.clock.advance(given.clock)
        if not self.edition.guards:
            given = replace(given, backend=None)
        opened = session(self.config, self.clock, self.world, self.store, given)
        outcome = self.pipeline.run(definition, request.arguments, opened)
        return self._answer(definition, request.arguments, outcome, started, opened)

    def _answer(
        self, definition: ToolDefinition, arguments: Json, outcome: Outcome, started: int, opened: Session | None
    ) -> Answer:
        elapsed = perf_counter_ns() - started
        envelope = self.envelopes.wrap(outcome, elapsed // NS_PER_MS)
        if opened is not None:
            self._note(definition, outcome, elapsed / NS_PER_MS, opened)
            self._audit(definition, arguments, outcome, elapsed // NS_PER_MS, opened)
        return Answer(envelope, isinstance(outcome, Failure), opened.line.effects() if opened else ())

    def _note(self, definition: ToolDefinition, outcome: Outcome, latency_ms: float, opened: Session) -> None:
        """Telemetry is kept where that is possible; that it is not fails no call."""
        try:
            telemetry = opened.ctx.db.telemetry
        except DatabaseFailureError:
            return
        now = self.clock.now()
        failed = isinstance(outcome, Failure)
        decision = ("denied" if outcome.denied else None) if isinstance(outcome, Failure) else outcome.held_back
        telemetry.tools.append(
            ToolCall(
                definition.name,
                definition.category,
                now,
                latency_ms,
                outcome.code.value if isinstance(outcome, Failure) else None,
                decision,
            )
        )
        for call in opened.line.calls:
            telemetry.endpoints.append(EndpointCall(call.operation, call.mutation, call.failure is not None, now))
        if not definition.mutation and not failed:
            count_for_account(opened.ctx, definition.name)

    def _audit(
        self, definition: ToolDefinition, arguments: Json, outcome: Outcome, elapsed_ms: int, opened: Session
    ) -> None:
        """Gated mutations that came to their act are kept, where that is possible; that it is not fails no call."""
        if not definition.gated or not opened.has_store or not isinstance(arguments, dict):
            return
        with suppress(DatabaseFailureError):
            match outcome:
                case Success(data, None):
                    note_mutation(opened.ctx, definition.name, arguments, "success", elapsed_ms, result=data)
                case Failure(denied=False, repeated=repeated, message=message):
                    status: Status = "duplicate" if repeated else "failure"
                    note_mutation(opened.ctx, definition.name, arguments, status, elapsed_ms, error=message)

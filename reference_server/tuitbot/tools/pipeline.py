"""The way of one call: schema, values, length, scraper, gate, X client, LLM, database, repetition, then the act."""

from collections.abc import Mapping

import jsonschema_rs
import msgspec

from reference_server.application import Json
from reference_server.tuitbot.codes import CODES, LayerError, code_of
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.toolkit.errors import (
    ScraperMutationBlockedError,
    ThreadPartialFailureError,
    XNotConfiguredError,
    XRateLimitedError,
)
from reference_server.tuitbot.tools.definition import Arguments, Call, Services, ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure, Outcome, Success
from reference_server.tuitbot.tools.serialise import SerialisationError
from reference_server.tuitbot.workflow.bookkeeping import record_done, record_held_back
from reference_server.tuitbot.workflow.errors import LlmNotConfiguredError, RepeatedMutationError
from reference_server.tuitbot.workflow.policy.decision import Allow, Deny, DryRun, RouteToApproval
from reference_server.tuitbot.workflow.policy.gate import PolicyGate
from reference_server.tuitbot.workflow.repetition import Repetition
from reference_server.tuitbot.workflow.reply_safety import ReplySafety


class ArgumentsError(Exception):
    """The arguments break the input schema."""


class Pipeline:
    """Every step is a method of its own; `catalogue` holds the tools that an approved item may do."""

    def __init__(
        self, catalogue: Mapping[str, ToolDefinition], profile_tools: tuple[str, ...], *, guards: bool = False
    ) -> None:
        """`guards`: a mutation that repeats another is refused."""
        self.catalogue = dict(catalogue)
        self.profile_tools = profile_tools
        self.gate = PolicyGate()
        self.safety = ReplySafety()
        self.repetition = Repetition() if guards else None

    def run(self, definition: ToolDefinition, arguments: Json, session: Session) -> Outcome:
        """What the call comes to; nothing is raised."""
        try:
            self.validate(definition, arguments)
            bound = definition.bound.bind(arguments)
            self.check(definition, bound)
            self.reach(definition, session)
            if definition.gated and session.has_store and (held := self.ask_gate(definition, arguments, session)):
                return held
            self.require(definition, session)
            data = self.make(definition, bound, session)
            self.settle(definition, arguments, data, session)
            session.serialiser.check(data)
        except ArgumentsError as error:
            return Failure(ErrorCode.VALIDATION_ERROR, str(error))
        except SerialisationError as error:
            return Failure(ErrorCode.SERIALIZATION_ERROR, str(error))
        except tuple(CODES) as error:
            return self.failure(error)
        return Success(data)

    def validate(self, definition: ToolDefinition, arguments: Json) -> None:
        """ArgumentsError: they break the input schema, or hold text that is no Unicode."""
        try:
            msgspec.json.encode(arguments)
            definition.validator.validate(arguments)
        except jsonschema_rs.ValidationError as error:
            where = "/".join(str(part) for part in error.instance_path)
            raise ArgumentsError(f"arguments{'/' if where else ''}{where}: {error.message}") from error
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise ArgumentsError(f"arguments: {error}") from error

    def check(self, definition: ToolDefinition, bound: Arguments) -> None:
        """Values and length."""
        definition.check(bound)

    def reach(self, definition: ToolDefinition, session: Session) -> None:
        """Refuses what a scraper cannot do."""
        if definition.guarded and session.scraping:
            raise ScraperMutationBlockedError("X is reached by a scraper, which may change nothing")

    def ask_gate(self, definition: ToolDefinition, arguments: Arguments, session: Session) -> Outcome | None:
        """What the gate answers in the tool's place; None where it lets the tool go on."""
        ctx = session.ctx
        match self.gate.evaluate(ctx, definition.name, arguments):
            case Allow():
                return None
            case RouteToApproval(queue_id, reason, rule_id):
                record_held_back(ctx, definition.name, "routed", reason)
                routed = {"routed_to_approval": True, "approval_queue_id": queue_id, "reason": reason}
                return Success({**routed, "matched_rule_id": rule_id}, "routed_to_approval")
            case DryRun(would_execute, params, rule_id):
                record_held_back(ctx, definition.name, "dry_run", rule_id)
                shown = {"dry_run": True, "would_execute": would_execute, "params": params}
                return Success({**shown, "matched_rule_id": rule_id}, "dry_run")
            case Deny(code, message, reset_at):
                record_held_back(ctx, definition.name, "denied", message)
                return Failure(code, message, reset_at=reset_at, denied=True)

    def require(self, definition: ToolDefinition, session: Session) -> None:
        """Refuses where something is away that the tool declares, also where this call would not have needed it."""
        if definition.requires_x_client and not session.x_available:
            raise XNotConfiguredError("no X client is configured")
        if definition.requires_llm and session.ctx.llm is None:
            raise LlmNotConfiguredError("no LLM provider is configured")
        if definition.requires_db and session.has_store and not definition.asks_gate:
            session.ctx.db.ping()

    def make(self, definition: ToolDefinition, bound: Arguments, session: Session) -> Json:
        """Does it; a gated mutation of X not twice within half a minute."""
        if self.repetition is None or not (definition.gated and definition.guarded):
            return self.act(definition, bound, session)
        with self.repetition.once(session.ctx, definition.name, bound):
            return self.act(definition, bound, session)

    def act(self, definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        """Does it."""

        def execute(tool: str, params: Mapping[str, Json]) -> Json:
            return self.execute(tool, params, session)

        services = Services(self.safety, session.topics, execute, self.profile_tools, session.x_available, self.gate)
        return definition.act(Call(bound, session.ctx, services, approved))

    def execute(self, tool: str, params: Mapping[str, Json], session: Session) -> Json:
        """Does what a person approved: the gate is not asked again, and no limit counts it."""
        definition = self.catalogue[tool]
        data = self.act(definition, definition.bound.bind(params), session, approved=True)
        record_done(session.ctx, tool, params, data)
        return data

    def settle(self, definition: ToolDefinition, arguments: Arguments, data: Json, session: Session) -> None:
        """Remembers a gated mutation that was done, and counts it."""
        if definition.gated and session.has_store:
            record_done(session.ctx, definition.name, arguments, data)
            if definition.did_something(data):
                self.gate.limits.count(session.ctx, definition.name)

    def failure(self, error: LayerError) -> Failure:
        """An error of the layers below, as it is answered."""
        data: Json = None
        if isinstance(error, ThreadPartialFailureError):
            data = {"posted_tweet_ids": error.posted_tweet_ids, "failed_at_index": error.failed_at_index}
        reset_at = error.reset_at if isinstance(error, XRateLimitedError) else None
        return Failure(code_of(error), str(error), data, reset_at, repeated=isinstance(error, RepeatedMutationError))

"""What a tool is: everything that listing, manifest and a call need to know of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import jsonschema_rs

from reference_server.application import Json, Tool
from reference_server.tuitbot.editions import Edition, Profile
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.parameters import Parameter, Parameters
from reference_server.tuitbot.workflow.approvals import Execute
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.gate import PolicyGate
from reference_server.tuitbot.workflow.reply_safety import ReplySafety
from reference_server.tuitbot.workflow.topics import TopicAnalysis

Arguments = Mapping[str, Json]
EVERYWHERE: Final[tuple[Profile, ...]] = ("workflow", "api", "readonly", "api-readonly", "write", "admin")
READING: Final[tuple[Profile, ...]] = ("workflow", "api", "api-readonly", "write", "admin")
WRITING: Final[tuple[Profile, ...]] = ("workflow", "api", "write", "admin")
WORKFLOW: Final[tuple[Profile, ...]] = ("workflow", "write", "admin")
OWN: Final[tuple[Profile, ...]] = ("api", "api-readonly")
LATER: Final[tuple[Profile, ...]] = ("write", "admin")
"""Profiles of both editions in which a tool is served. Those of the later edition alone have no others."""

X_CODES: Final = (
    ErrorCode.X_RATE_LIMITED,
    ErrorCode.X_AUTH_EXPIRED,
    ErrorCode.X_FORBIDDEN,
    ErrorCode.X_ACCOUNT_RESTRICTED,
    ErrorCode.X_NETWORK_ERROR,
    ErrorCode.X_NOT_CONFIGURED,
    ErrorCode.X_API_ERROR,
)
GATE_CODES: Final = (
    ErrorCode.POLICY_ERROR,
    ErrorCode.POLICY_DENIED_BLOCKED,
    ErrorCode.POLICY_DENIED_RATE_LIMITED,
    ErrorCode.POLICY_DENIED_HARD_RULE,
    ErrorCode.POLICY_DENIED_USER_RULE,
)
ALWAYS: Final = (ErrorCode.VALIDATION_ERROR, ErrorCode.SERIALIZATION_ERROR)
"""A closed schema can be broken even where it is empty; any result may fail to serialise."""


@dataclass(frozen=True, slots=True)
class Services:
    """Collaborators of one call besides its context."""

    safety: ReplySafety
    topics: TopicAnalysis
    execute: Execute
    tools: Sequence[str]
    """Names that this instance serves."""
    x_available: bool
    gate: PolicyGate


@dataclass(frozen=True, slots=True)
class Call:
    """One call, its arguments bound: every parameter has a value."""

    arguments: Arguments
    ctx: WorkflowContext
    services: Services
    approved: bool = False
    """A person agreed to it in the approval queue."""

    def __getitem__(self, parameter: str) -> Json:
        return self.arguments[parameter]


def nothing_to_check(_: Arguments) -> None:
    """Whatever the schema allows is good."""


def always_done(_: Json) -> bool:
    """A result is a deed."""
    return True


@dataclass(frozen=True)
class ToolDefinition:
    """One tool of the contract."""

    name: str
    description: str
    category: str
    act: Callable[[Call], Json]
    """Does it; what it returns is the envelope's data."""
    parameters: Sequence[Parameter] = ()
    check: Callable[[Arguments], None] = nothing_to_check
    """Raises for values that the schema allows and the tool refuses."""
    profiles: tuple[Profile, ...] = READING
    mutation: bool = False
    requires_x_client: bool = False
    requires_llm: bool = False
    requires_db: bool = False
    gated: bool = False
    """Asks the policy gate first, where the profile has one."""
    guarded: bool = False
    """Is refused where X is reached by a scraper; the later edition alone has that guard."""
    asks_gate: bool = False
    """Asks the gate what it would decide, without effect."""
    calls_x: bool = False
    """Answers X's failures under their own codes."""
    codes: tuple[ErrorCode, ...] = ()
    """Codes besides those that follow from the rest."""
    shown_by: tuple[str, ...] = ()
    """Reads that show what it changes."""
    state: bool = True
    """Of a read: equal calls answer alike while nothing is changed, whatever the time."""
    destructive: bool = False
    did_something: Callable[[Json], bool] = always_done
    """Whether a result counts against the limits."""

    def of(self, edition: Edition) -> "ToolDefinition | None":
        """As an edition has it; None where none of its profiles serves it."""
        profiles = tuple(each for each in edition.profiles if each in self.profiles)
        if not profiles:
            return None
        kept: dict[str, Any] = {
            "profiles": profiles,
            "parameters": tuple(each for each in self.parameters if each.since in (None, edition.name)),
            "guarded": self.guarded and edition.guards,
            "codes": tuple(code for code in self.codes if code not in edition.left_out),
        }
        return replace(self, **{**kept, **edition.changes.get(self.name, {})})

    def shown_in(self, tools: Collection[str]) -> "ToolDefinition":
        """With those reads alone that an edition has."""
        return replace(self, shown_by=tuple(each for each in self.shown_by if each in tools))

    @cached_property
    def bound(self) -> Parameters:
        """The parameters together."""
        return Parameters(self.parameters)

    @cached_property
    def input_schema(self) -> dict[str, Json]:
        """JSON Schema 2020-12 of the arguments."""
        return self.bound.schema()

    @cached_property
    def validator(self) -> jsonschema_rs.Draft202012Validator:
        """The input schema, compiled; its messages do not repeat what was sent."""
        return jsonschema_rs.Draft202012Validator(self.input_schema, mask="the value")

    @cached_property
    def possible_error_codes(self) -> tuple[ErrorCode, ...]:
        """What it can answer, in the catalogue's order."""
        codes = {*ALWAYS, *self.codes}
        if self.calls_x:
            codes.update(X_CODES)
        if self.requires_x_client:
            codes.add(ErrorCode.X_NOT_CONFIGURED)
        if self.requires_llm:
            codes.update((ErrorCode.LLM_NOT_CONFIGURED, ErrorCode.LLM_ERROR))
        if self.gated:
            # asked first, the gate answers for a database that is away
            codes.update(GATE_CODES)
        elif self.asks_gate:
            codes.add(ErrorCode.POLICY_ERROR)
        elif self.requires_db:
            codes.add(ErrorCode.DB_ERROR)
        if self.guarded:
            codes.add(ErrorCode.SCRAPER_MUTATION_BLOCKED)
        return tuple(code for code in ErrorCode if code in codes)

    @cached_property
    def tool(self) -> Tool:
        """As tools/list shows it."""
        annotations: dict[str, Json] = {"readOnlyHint": not self.mutation, "openWorldHint": self.requires_x_client}
        if self.mutation:
            # where approval is asked for, each repeat is queued once more
            annotations |= {"destructiveHint": self.destructive, "idempotentHint": False}
        return Tool(self.name, self.description, self.input_schema, annotations=annotations)

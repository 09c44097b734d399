"""What a tool is: everything that listing, manifest and a call need to know of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import jsonschema_rs

from reference_server.application import Json, Tool
from reference_server.tuitbot.config import Profile
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.parameters import Parameter, Parameters
from reference_server.tuitbot.workflow.approvals import Execute
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.reply_safety import ReplySafety
from reference_server.tuitbot.workflow.topics import TopicAnalysis

Arguments = Mapping[str, Json]
BOTH: Final[tuple[Profile, ...]] = ("workflow", "api")
WORKFLOW: Final[tuple[Profile, ...]] = ("workflow",)
API: Final[tuple[Profile, ...]] = ("api",)

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
    profiles: tuple[Profile, ...] = BOTH
    mutation: bool = False
    requires_x_client: bool = False
    requires_llm: bool = False
    requires_db: bool = False
    gated: bool = False
    """Asks the policy gate first, where the profile has one."""
    calls_x: bool = False
    """Answers X's failures under their own codes."""
    codes: tuple[ErrorCode, ...] = ()
    """Codes besides those that follow from the rest."""
    shown_by: tuple[str, ...] = ()
    """Reads that show what it changes."""
    state: bool = True
    """Of a read: equal calls answer alike while nothing is changed, whatever the time."""
    destructive: bool = False
    idempotent: bool = False
    did_something: Callable[[Json], bool] = always_done
    """Whether a result counts against the limits."""

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
        elif self.requires_db:
            codes.add(ErrorCode.DB_ERROR)
        return tuple(code for code in ErrorCode if code in codes)

    @cached_property
    def tool(self) -> Tool:
        """As tools/list shows it."""
        annotations: dict[str, Json] = {"readOnlyHint": not self.mutation, "openWorldHint": self.requires_x_client}
        if self.mutation:
            annotations |= {"destructiveHint": self.destructive, "idempotentHint": self.idempotent}
        return Tool(self.name, self.description, self.input_schema, annotations=annotations)

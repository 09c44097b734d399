"""A tool as the registry knows it: its name, versions, effect, schemas, policies, scopes and redaction rules."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal

from reference_server.application import Json
from reference_server.invocation.policies import Policies

LOCAL_NAME: Final = re.compile(r"local::[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
MCP_NAME: Final = re.compile(r"(mcp::[A-Za-z0-9_-]+)::[A-Za-z0-9_.-]+")
LOCAL: Final = "local"


class Effect(StrEnum):
    """What an execution may do to the world."""

    PURE = "Pure"
    IDEMPOTENT_WRITE = "IdempotentWrite"
    NON_IDEMPOTENT_WRITE = "NonIdempotentWrite"
    EXTERNAL_SIDE_EFFECTS = "ExternalSideEffects"


@dataclass(frozen=True, slots=True)
class Failing:
    """How a tool fails that never succeeds."""

    error_class: str
    code: str


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool, in all its versions."""

    name: str
    effect: Effect
    input_schema: dict[str, Json]
    output_schema: dict[str, Json]
    versions: tuple[str, ...] = ("1.0.0",)
    policies: Policies = field(default_factory=Policies)
    required_scopes: tuple[str, ...] = ()
    redaction_rules: tuple[str, ...] = ()
    """JSON Pointers into /input and /output; `*` stands for every item of a list."""
    cache: Literal["kept", "allowed", "never"] = "allowed"
    """Whether outputs of a Pure tool may be kept, and whether this runtime keeps them. Others are never kept."""
    fails: Failing | None = None

    @property
    def origin(self) -> str:
        """Who serves it."""
        return origin_of(self.name)

    @property
    def may_be_cached(self) -> bool:
        """Whether the contract lets outputs be kept."""
        return self.effect is Effect.PURE and self.cache != "never"

    def described(self, circuit_state: str = "closed") -> dict[str, Json]:
        """The tool as describe_tools shows it."""
        return {
            "name": self.name,
            "origin": self.origin,
            "versions": list(self.versions),
            "effect": self.effect.value,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "requiredScopes": list(self.required_scopes),
            "policies": self.policies.snapshot(circuit_state),
            "redactionRules": list(self.redaction_rules),
        }


def well_formed(name: str) -> bool:
    """Whether a toolName is fully qualified."""
    return LOCAL_NAME.fullmatch(name) is not None or MCP_NAME.fullmatch(name) is not None


def origin_of(name: Json) -> str:
    """The origin that a toolName implies; local where it is malformed."""
    match = MCP_NAME.fullmatch(name) if isinstance(name, str) else None
    return match[1] if match else LOCAL

"""The statement of implementation: what a target says of itself, as conformance.toml holds it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Json = Any


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Endpoint(_Table):
    """One way to reach the target. Several endpoints of one server are compared with each other."""

    transport: Literal["stdio", "http", "in-process"]
    binding: Literal["mcp", "http"] = Field("mcp", description="mcp, or http for a contract's plain HTTP binding")
    command: str | list[str] | None = Field(None, description="starts the server; a string is split as a shell would")
    url: str | None = Field(None, description="http(s)://…; {listening} is what the started server says it listens on")
    target: str | None = Field(None, description="in-process only: entry point and contract, reference:threads")
    env: dict[str, str] = Field(default_factory=dict, description="added to the environment of the command")
    headers: dict[str, str] = Field(default_factory=dict, description="sent with every HTTP request; env:NAME is read")
    profile: str | None = Field(None, description="the profile that this endpoint serves")

    @model_validator(mode="after")
    def _reachable(self) -> "Endpoint":
        needs = {"stdio": self.command, "http": self.url, "in-process": self.target}[self.transport]
        if not needs:
            missing = {"stdio": "command", "http": "url", "in-process": "target"}[self.transport]
            message = f"an endpoint of transport {self.transport!r} needs {missing!r}"
            raise ValueError(message)
        return self


class Token(_Table):
    """A token that the target's operator provides, for targets whose keys stay secret."""

    role: str
    token: str = Field(description="env:NAME or file:PATH; a literal is accepted, and masked")
    claims: dict[str, Json] = Field(default_factory=dict, description="agent_id, workspace_id, session_id …")


class Auth(_Table):
    """How to obtain tokens: a signing key made for tests, or one token a role."""

    signing_key: str | dict[str, Json] | None = Field(None, description="path of a JWK or PEM file, or the JWK itself")
    algorithm: str = "EdDSA"
    issuer: str | None = None
    audience: str | None = None
    tokens: list[Token] = Field(default_factory=list)


class StartCondition(_Table):
    """Brought about by a process of its own: `{value}` in args and env is the wanted value."""

    args: list[str] = Field(default_factory=list)
    env: dict[str, str] = Field(default_factory=dict)


class CommandCondition(_Table):
    """Brought about by a command and ended by another; `{value}` is the wanted value."""

    on: str | list[str]
    off: str | list[str] | None = None


class Conditions(_Table):
    """How to bring about conditions. What is not listed cannot be, and leaves its requirements not observed."""

    means: Literal["meta"] | None = Field(None, description="meta: the server honours _meta dev.conformance/conditions")
    honours: list[str] | None = Field(None, description="with meta: the names that it honours; none given: all")
    start: dict[str, StartCondition] = Field(default_factory=dict)
    command: dict[str, CommandCondition] = Field(default_factory=dict)


class Example(_Table):
    """A call that works, for tools whose arguments no schema can tell. `{{tool.key}}` is an earlier answer's."""

    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)


class Calls(_Table):
    """Which calls may be made without harm. A contract's own stimuli are always harmless to a test store."""

    harmless: Literal["all", "read-only", "none"] | list[str] = Field(
        "read-only", description="all; read-only: tools annotated readOnlyHint; or tool names"
    )
    examples: list[Example] = Field(default_factory=list)


class Known(_Table):
    """A requirement known to fail, or to waver, with the reason. A stale entry fails the run."""

    id: str
    reason: str = Field(min_length=1)
    url: str | None = None


class Limits(_Table):
    """What the suite allows before it goes on without an answer."""

    call_timeout_s: float = Field(10.0, gt=0, le=3600)
    start_timeout_s: float = Field(20.0, gt=0, le=3600)
    run_timeout_s: float = Field(600.0, gt=0, le=86_400)
    max_answer_bytes: int = Field(8_000_000, ge=1024)
    concurrency: int = Field(48, ge=1, le=256)


class Statement(_Table):
    """The whole of conformance.toml."""

    contract: str
    edition: str | None = None
    name: str | None = Field(None, description="what to call the target in the report")
    protocol: str = Field("auto", description="auto, or a revision of MCP such as 2025-11-25")
    profiles: list[str] = Field(default_factory=list)
    endpoint: list[Endpoint] = Field(min_length=1)
    auth: Auth = Auth()
    settings: dict[str, Json] = Field(default_factory=dict, description="quotas, limits, retention … that it claims")
    conditions: Conditions = Conditions()
    calls: Calls = Calls()
    documents: dict[str, Json] = Field(
        default_factory=dict,
        description="published documents by name (manifest): a path, or the document itself",
    )
    known_failure: list[Known] = Field(default_factory=list)
    known_flaky: list[Known] = Field(default_factory=list)
    limits: Limits = Limits()

"""The statement of implementation: what a target says of itself, as conformance.toml holds it."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from conformance.drive import revisions, wellformed

Json = Any


def _that(wrong: Callable[[Any], str]) -> AfterValidator:
    """Refuses a value of which `wrong` says why it is none."""

    def check(value: Any) -> Any:
        if said := wrong(value):
            raise ValueError(said)
        return value

    return AfterValidator(check)


Command = Annotated[str | list[str], _that(wellformed.command)]
Words = Annotated[list[str], _that(lambda words: "a word holds no NUL" if any("\0" in each for each in words) else "")]
Variables = Annotated[dict[str, str], _that(wellformed.variables)]
Headers = Annotated[dict[str, str], _that(wellformed.headers)]
Harmless = Annotated[Literal["all", "read-only", "none"] | list[str], _that(wellformed.harmless)]
Url = Annotated[str, _that(wellformed.url)]
Path = Annotated[str, _that(lambda path: "" if path and "\0" not in path else "a path is expected")]
ALGORITHMS = (
    "EdDSA", "ES256", "ES384", "ES512", "ES256K", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "HS256",
    "HS384", "HS512",
)  # fmt: skip
Algorithm = Annotated[str, _that(lambda name: "" if name in ALGORITHMS else f"it is one of {', '.join(ALGORITHMS)}")]

REVISIONS = ("auto", *revisions.STATELESS, *revisions.HANDSHAKE)
Revision = Annotated[str, _that(lambda name: "" if name in REVISIONS else f"one of {', '.join(REVISIONS)} is expected")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Endpoint(_Table):
    """One way to reach the target. Several endpoints of one server are compared with each other."""

    transport: Literal["stdio", "http", "in-process"]
    binding: Literal["mcp", "http"] = Field("mcp", description="mcp, or http for a contract's plain HTTP binding")
    command: Command | None = Field(
        None,
        description=(
            "starts the server; a string is split as a shell would. {tmp} is a new folder for each process, "
            "{files} the run's folder with the files of {{files.KIND}}, {port} a free port"
        ),
    )
    url: Url | None = Field(None, description="http(s)://…; {listening} is what the started server says it listens on")
    target: str | None = Field(None, description="in-process only: entry point and contract, reference:threads")
    env: Variables = Field(default_factory=dict, description="added to the environment of the command")
    cwd: Path | None = Field(None, description="where the command is started; {tmp} is a new folder for each process")
    headers: Headers = Field(default_factory=dict, description="sent with every HTTP request; env:NAME is read")
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

    signing_key: Path | dict[str, Json] | None = Field(None, description="path of a JWK or PEM file, or the JWK itself")
    algorithm: Algorithm | None = Field(
        None,
        description="by which the key signs; else its own, or that of its kind: EdDSA, ES256, RS256 …",
    )
    issuer: str | None = None
    audience: str | None = None
    roles: dict[str, str] = Field(
        default_factory=dict, description='the server\'s names of roles: worker = "participant"'
    )
    claim_names: dict[str, str] = Field(
        default_factory=dict, description='the server\'s names of claims: agent_id = "sub"'
    )
    fixed: dict[str, Json] = Field(
        default_factory=dict,
        description='claims that every token has: workspace_id = "wk-main" for a server bound to one workspace',
    )
    tokens: list[Token] = Field(default_factory=list)
    challenges: bool = Field(
        False,
        description="over HTTP the server itself asks for a token, as MCP's authorization says: 401 without a good one",
    )


class StartCondition(_Table):
    """Brought about by a process of its own: `{value}` in args and env is the wanted value."""

    args: Words = Field(default_factory=list)
    env: Variables = Field(default_factory=dict)


class CommandCondition(_Table):
    """Brought about by a command and ended by another; `{value}` is the wanted value."""

    on: Command
    off: Command | None = None


class Conditions(_Table):
    """How to bring about conditions. What is not listed cannot be, and leaves its requirements not observed."""

    means: Literal["meta"] | None = Field(None, description="meta: the server honours _meta dev.conformance/conditions")
    honours: list[str] | None = Field(None, description="with meta: the names that it honours; none given: all")
    start: dict[str, StartCondition] = Field(default_factory=dict)
    command: dict[str, CommandCondition] = Field(default_factory=dict)


class Store(_Table):
    """Whether what was accepted outlives the server. The suite kills a server of its own, and starts it again."""

    kept: bool = Field(
        False, description="what was accepted is there after the server was killed and started again by its command"
    )
    args: Words = Field(
        default_factory=list,
        description="added to that command; {tmp}, there and in the command, is then one folder for all its starts",
    )
    env: Variables = Field(default_factory=dict, description="added to its environment, likewise")


class Example(_Table):
    """A call that works, for tools whose arguments no schema can tell.

    `{{tool.key}}` is a value of an earlier answer, `{{tool.list.0.key}}` one that lies deeper in it; `{{claims.key}}`
    is the caller's; `{{fresh.name}}` a new text each time; `{{files.text}}` the path of a file that the run makes.
    """

    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)


class Calls(_Table):
    """Which calls may be made without harm. A contract's own stimuli are always harmless to a test store."""

    harmless: Harmless = Field(
        "read-only",
        description="all, but for tools that end processes of the machine; read-only: tools annotated readOnlyHint; "
        "none; or names of tools, read-only or all among them",
    )
    skip: list[str] = Field(default_factory=list, description="tools that are not called, whatever harmless says")
    min_tools: float = Field(
        0,
        ge=0,
        le=100,
        description="percent of the tools that have to accept a call; with fewer the run is inconclusive",
    )
    examples: list[Example] = Field(default_factory=list)


class Known(_Table):
    """A requirement known to fail, or to waver, with the reason. A stale entry fails the run.

    With `tools` or `codes` only what was seen of these tools, or answered with these codes, is known.
    """

    id: str
    reason: str = Field(min_length=1)
    url: str | None = None
    tools: list[str] = Field(default_factory=list)
    codes: list[str] = Field(default_factory=list)


class Unobservable(_Table):
    """A requirement that cannot be observed on this target, with the reason. It is printed with the claim."""

    id: str
    reason: str = Field(min_length=1)


class Unsupported(_Table):
    """What the target leaves out of the contract, each with the reason. It is printed with the claim."""

    tools: dict[str, str] = Field(default_factory=dict, description="by name")
    parameters: dict[str, str] = Field(default_factory=dict, description="by tool and name: read_messages.limit")
    options: dict[str, str] = Field(default_factory=dict, description="names that [choices] would have")


class Limits(_Table):
    """What the suite allows before it goes on without an answer."""

    call_timeout_s: float = Field(10.0, gt=0, le=3600)
    start_timeout_s: float = Field(20.0, gt=0, le=3600)
    run_timeout_s: float = Field(600.0, gt=0, le=86_400)
    max_answer_bytes: int = Field(8_000_000, ge=1024, le=32_000_000, description="of one message")
    max_unasked_frames: int = Field(
        20_000, ge=1, le=1_000_000, description="messages of one connection that answer no call; then it is closed"
    )
    max_unasked_bytes: int = Field(32_000_000, ge=1024, le=1_000_000_000, description="of these together")
    max_run_bytes: int = Field(
        128_000_000, ge=1_000_000, le=10_000_000_000, description="of the transcript; then the run ends"
    )
    max_run_values: int = Field(
        4_000_000, ge=10_000, le=1_000_000_000, description="JSON values of the transcript; then the run ends"
    )
    concurrency: int = Field(48, ge=1, le=256)
    servers: int = Field(
        16,
        ge=1,
        le=1024,
        description="that are started for single tests, at once; a test that began gets all that it needs",
    )


class Judged(BaseModel):
    """The parts of a statement that a transcript is judged by."""

    calls: Calls = Calls()
    choices: dict[str, Json] = Field(default_factory=dict)
    store: Store = Store()
    unsupported: Unsupported = Unsupported()
    unobservable: list[Unobservable] = Field(default_factory=list)
    known_failure: list[Known] = Field(default_factory=list)
    known_flaky: list[Known] = Field(default_factory=list)


JUDGED_BY = frozenset(Judged.model_fields)


class Statement(_Table):
    """The whole of conformance.toml."""

    contract: str
    edition: str | None = None
    name: str | None = Field(None, description="what to call the target in the report")
    protocol: Revision = Field("auto", description="auto, or a revision of MCP such as 2025-11-25")
    profiles: list[str] = Field(default_factory=list)
    endpoint: list[Endpoint] = Field(min_length=1)
    auth: Auth = Auth()
    settings: dict[str, Json] = Field(default_factory=dict, description="quotas, limits, retention … that it claims")
    conditions: Conditions = Conditions()
    store: Store = Store()
    calls: Calls = Calls()
    documents: dict[str, Json] = Field(
        default_factory=dict,
        description="published documents by name (manifest): a path, or the document itself",
    )
    choices: dict[str, Json] = Field(default_factory=dict, description="what the contract leaves open: names, ranges")
    unsupported: Unsupported = Unsupported()
    unobservable: list[Unobservable] = Field(default_factory=list)
    known_failure: list[Known] = Field(default_factory=list)
    known_flaky: list[Known] = Field(default_factory=list)
    limits: Limits = Limits()

    def profile_of(self, endpoint: int) -> str | None:
        """The profile that an endpoint serves: its own, else the one that [settings] names or that the run is about."""
        own = self.endpoint[endpoint].profile or self.settings.get("profile")
        alone = self.profiles[0] if len(self.profiles) == 1 else None
        return own if isinstance(own, str) else alone

    def shares(self, endpoint: int, other: int) -> bool:
        """Whether two endpoints lead to one store: to one server behind HTTP, or to one server in this process."""
        here, there = self.endpoint[endpoint], self.endpoint[other]
        if endpoint == other:
            return True
        if here.profile != there.profile or here.transport != there.transport:
            return False
        if here.transport == "http":
            return here.command is None or there.command is None or here.command == there.command
        return here.target is not None and here.target == there.target

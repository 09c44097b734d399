"""What a transcript holds: one event a line, in the order in which things happened. Laws see nothing else.

Times are microseconds since the run began, read from a monotonic clock. Secrets are masked before an event exists.
"""

from typing import Any

from msgspec import Struct, field

Json = Any
"""A JSON value: dict, list, str, int, float, bool or None."""

FORMAT = 1
"""Version of the transcript's form; a judge refuses a newer one."""


class Limits(Struct, frozen=True):
    """What the driver allowed a call: beyond either it stopped waiting and wrote down why."""

    call_timeout_ms: int
    max_answer_bytes: int


class Header(Struct, frozen=True, tag="header", tag_field="event", kw_only=True, omit_defaults=True):
    """First line: what was to be judged, what the target says of itself, and the limits of the run."""

    format: int = FORMAT
    suite: str
    contract: str
    digest: str = ""
    """Of the contract's folder; empty for a contract that is installed with its version."""
    edition: str | None = None
    profiles: tuple[str, ...] = ()
    target: str
    statement: dict[str, Json]
    """The statement of implementation, without secrets."""
    settings: dict[str, Json] = field(default_factory=dict)
    """What the target claims: quotas, limits, retention, timeouts, mode."""
    limits: Limits
    seed: int = 0
    command: str = ""
    """What was typed to start the run: a finding is reproduced by it with --only added."""
    tapped: bool = False
    """Whether the calls are those of clients of others, which a tap recorded."""
    started_at: str
    """RFC 3339, UTC."""


NAMED = "named in requests"
"""How an instance is made by a server that says it keeps the stores of several apart, by the request's _meta."""


class Instance(Struct, frozen=True, tag="instance", tag_field="event", kw_only=True, omit_defaults=True):
    """One store. State, ids, revisions and clocks are compared within an instance only."""

    id: str
    profile: str | None = None
    settings: dict[str, Json] = field(default_factory=dict)
    means: str = "as found"
    """How it was started: as found, own process, or told apart by the request's _meta."""


class Killed(Struct, frozen=True, tag="killed", tag_field="event", kw_only=True, omit_defaults=True):
    """The suite killed the server of an instance: what is served from then on is served by one started on its store.

    What was answered over the instance's connections was answered before.
    """

    instance: str
    again: str
    """The instance by whose name the store is known from then on."""
    means: str
    """SIGKILL, or let go of, in process."""
    t: int


class Opened(Struct, frozen=True, tag="opened", tag_field="event", kw_only=True, omit_defaults=True):
    """A connection begins. `binding` is mcp or http (a contract's plain HTTP binding)."""

    connection: str
    transport: str
    binding: str = "mcp"
    instance: str
    endpoint: int = 0
    """Which of the statement's endpoints it leads to, counted from 0."""
    path: str | None = None
    """Over plain HTTP: the path under which the endpoint has the contract's methods."""
    asked: str | None = None
    """The revision of MCP that was asked for."""
    process: int = 1
    """Which of the processes that serve the instance, counted from 1: another one begins where one has ended."""
    t: int


class Agreed(Struct, frozen=True, tag="agreed", tag_field="event", kw_only=True, omit_defaults=True):
    """Both sides settled on a revision; the server introduced itself."""

    connection: str
    revision: str
    server: dict[str, Json] = field(default_factory=dict)
    capabilities: dict[str, Json] = field(default_factory=dict)
    t: int


class Closed(Struct, frozen=True, tag="closed", tag_field="event", kw_only=True, omit_defaults=True):
    """A connection ends: by whom (suite, server), why, and the exit status of the process if it had one.

    What a tap recorded is ended by server or client.
    """

    connection: str
    by: str
    why: str = ""
    exit: int | None = None
    lingered_ms: int | None = None
    """How long the process went on after its stdin was closed; None where nothing was closed by us."""
    allowed_ms: int | None = None
    """How long it was given to end by itself; None where it was not asked to."""
    forced: str = ""
    """The signal that it took to end the process; empty where it ended by itself."""
    tail: str = ""
    """The last of what the process wrote to stderr."""
    left: tuple[str, ...] = ()
    """Commands of the processes that the server left behind. They were ended too."""
    unkept: int = 0
    """Frames beyond the limit on those that nobody asked for: they were counted and not written down."""
    t: int


class Credential(Struct, frozen=True, tag="credential", tag_field="event", kw_only=True, omit_defaults=True):
    """Who calls, and what is wrong with the proof of it; never the token."""

    name: str
    role: str
    claims: dict[str, Json] = field(default_factory=dict)
    defect: str | None = None
    """None: the token is good. Else missing (there is none), garbage, expired, not_yet, signature, alg_none, algorithm,
    audience, issuer, or missing:<claim>."""


class Step(Struct, frozen=True, tag="step", tag_field="event", kw_only=True, omit_defaults=True):
    """A call is about to be made: by which stimulus, as whom, under which conditions."""

    call: int
    connection: str
    instance: str
    stimulus: str
    label: str = ""
    """Pairs a call with its like elsewhere; only laws that compare so read it."""
    credential: str | None = None
    conditions: dict[str, Json] = field(default_factory=dict)
    instead_of: int | None = None
    """The call that is made again by this one: a limit on requests had turned it away, and nobody had looked at it."""


class Http(Struct, frozen=True, omit_defaults=True):
    """The HTTP side of a message: a request has method and path, a response has status."""

    method: str | None = None
    path: str | None = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Message(Struct, frozen=True, tag="message", tag_field="event", kw_only=True, omit_defaults=True):
    """One frame as it came, either way. `payload` is its JSON value; bytes that are no JSON are in `raw`."""

    connection: str
    direction: str
    """out (ours) or in (the server's)."""
    call: int | None = None
    """The call that it makes, answers or belongs to; None: it belongs to no call that was made."""
    aside: int | None = None
    """Numbers what we send beside the calls (a notification, an answer to a request of the server's, a GET or DELETE),
    and what comes back to it. The frames of a GET's stream have no `http`, what answers the request itself has it."""
    payload: Json = None
    raw: str | None = None
    """Set where the frame is no JSON value: its beginning, with what cannot be decoded replaced."""
    size: int | None = None
    """Bytes of the frame, given with `raw`."""
    fault: str | None = None
    """What keeps the frame from being a JSON value, given with `raw`."""
    http: Http | None = None
    late_ms: int = 0
    """Of the time until an answer, what did not count: the suite itself was late, which is given where that passed the
    limit, or the request was turned away, and left again later."""
    process: int | None = None
    """Which of the processes it came from, where another one had taken the place of the connection's own."""
    t: int


class Flight(Struct, frozen=True, tag="flight", tag_field="event", kw_only=True, omit_defaults=True):
    """Calls that were made to be under way at once, when they were over.

    `together`: these were on their way at one time, their bytes gone and no byte of an answer to any arrived here;
    others that were made with them may have been answered by then. Else it is all that were made, no two of them so.
    """

    calls: tuple[int, ...]
    together: bool
    t: int


class Unanswered(Struct, frozen=True, tag="unanswered", tag_field="event", kw_only=True, omit_defaults=True):
    """The driver stopped waiting for a call's answer.

    time; size; lost: the connection went away; excess: it was closed, as the server said too much that answers no call;
    cancelled: the caller had told the server that it wants no answer any more; killed: the suite had killed the server.
    """

    call: int
    connection: str
    why: str
    detail: str = ""
    t: int


class Listing(Struct, frozen=True, tag="listing", tag_field="event", kw_only=True, omit_defaults=True):
    """A whole tools/list, all its pages joined in order; `ended` is why it stopped: done, repeats, endless, failed."""

    connection: str
    instance: str
    tools: list[Json]
    calls: tuple[int, ...] = ()
    ended: str = "done"
    t: int


class Document(Struct, frozen=True, tag="document", tag_field="event", kw_only=True, omit_defaults=True):
    """What the target publishes besides tools: its manifest, its OpenAPI document."""

    name: str
    content: Json
    call: int | None = None
    t: int = 0


class Condition(Struct, frozen=True, tag="condition", tag_field="event", kw_only=True, omit_defaults=True):
    """A circumstance was brought about, or ended, by a command of the target's; others are named by each step."""

    name: str
    value: Json
    instance: str
    state: str
    """on, off or failed."""
    means: str = ""
    detail: str = ""
    t: int


class Effect(Struct, frozen=True, tag="effect", tag_field="event", kw_only=True, omit_defaults=True):
    """What the world behind the server saw, as the target reported it with the answer to `call`."""

    instance: str
    call: int
    kind: str
    data: dict[str, Json] = field(default_factory=dict)
    t: int


class Stimulus(Struct, frozen=True, tag="stimulus", tag_field="event", kw_only=True, omit_defaults=True):
    """How a stimulus went. No law reads it; the report says with it why nothing was observed.

    done, where `why` says what it did not come to, or what it did; skipped: a condition that the target cannot bring
    about; unsupported: something that the target's statement says it does not support; stuck: an answer lacked what it
    needed to go on; cut: the run ended first; error: our own.
    """

    name: str
    exercises: tuple[str, ...]
    state: str
    why: str = ""
    call: int | None = None
    """stuck: the call whose answer it could not go on from."""
    sweep: bool = False
    """Whether it went through every tool and parameter: the report counts its calls apart."""
    kept: dict[str, str] = field(default_factory=dict)
    """By requirement, the file in which the calls of what it found are kept, for conformance replay."""
    t: int


class Modelled(Struct, frozen=True, tag="modelled", tag_field="event", kw_only=True, omit_defaults=True):
    """What a model, a server that is known to keep the contract, answers to a call of the run.

    It was told the same calls in the order in which they were sent, each in its own names for what is there.
    """

    call: int
    model: str
    """Its name: that of an installed target."""
    response: Json
    """The JSON-RPC message."""
    t: int


class Footer(Struct, frozen=True, tag="footer", tag_field="event", kw_only=True, omit_defaults=True):
    """Last line. Without it the file was cut short; with `complete` false the run was."""

    complete: bool
    reason: str = ""
    events: int
    calls: int
    t: int


Event = (
    Header
    | Instance
    | Killed
    | Opened
    | Agreed
    | Closed
    | Credential
    | Step
    | Message
    | Unanswered
    | Flight
    | Listing
    | Document
    | Condition
    | Effect
    | Stimulus
    | Modelled
    | Footer
)

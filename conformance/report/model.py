"""What a run decided, as every format tells it. The JSON report is this, as schemas/report.schema.json describes it."""

from msgspec import Struct, field

from conformance.contract.clauses import Said
from conformance.model.events import Json
from conformance.model.transcript import Record
from conformance.model.verdict import Finding, Verdict
from conformance.report.diff.model import Diff

FORMAT = 1


class Target(Struct, frozen=True, kw_only=True):
    """What was judged."""

    name: str
    server: dict[str, Json]
    """As it introduced itself."""
    endpoints: tuple[str, ...]
    """Each kind of connection that there was, such as `MCP stdio` or `plain HTTP`."""
    revisions: tuple[str, ...]
    """Revisions of MCP that were spoken."""


class RequirementResult(Struct, frozen=True, kw_only=True):
    """One requirement and its verdict."""

    id: str
    contract: str
    level: str
    source: str
    seen: str
    statement: str
    verdict: Verdict
    subjects: int
    breaches: int
    tools: dict[str, int] = {}
    """How many of the breaches were seen in a call of which tool or method."""
    findings: tuple[Finding, ...]
    blocked_by: str | None
    reason: str
    excused: str = ""
    why: str = ""
    """What goes wrong for a caller where it is broken."""
    clause: Said | None = None
    """Of one that was found broken: what the specification says, where, and what would have been right."""
    sdk: str = ""
    """Whose behaviour it is, where that is known: then it is to be reported there."""


class Musts(Struct, frozen=True, kw_only=True):
    """The MUST requirements that apply, of those that the run was about: the parts add up to the whole."""

    applicable: int
    held: int
    broken: int
    untested: int
    excused: int
    """Not held or not seen, with a reason that the statement gives."""


class Excused(Struct, frozen=True, kw_only=True):
    """A MUST that did not hold or was not seen, and why that does not count against the claim."""

    id: str
    kind: str
    """known failure, flaky, unobservable, unsupported, or blocked."""
    reason: str


class Gap(Struct, frozen=True, kw_only=True):
    """Why requirements were not tested: one cause, and all that it left unseen."""

    cause: str
    todo: str
    """What to do about it; empty where nothing can be said."""
    ids: tuple[str, ...]
    call: int | None = None
    """The call that the set-up could not go on from."""


class Refusal(Struct, frozen=True, kw_only=True):
    """A way in which calls of a tool were refused."""

    ended: str
    message: str
    calls: int


class ToolUse(Struct, frozen=True, kw_only=True):
    """How much of a tool was exercised."""

    name: str
    listed: bool
    allowed: bool
    """Whether the run may call it."""
    called: int
    accepted: int
    swept: int
    """Calls of stimuli that go through every tool and parameter, by the contract's data."""
    refusals: tuple[Refusal, ...]
    """The commonest first."""
    todo: str
    """What to write so that it is called, or accepts a call; empty where it did."""


class Call(Struct, frozen=True, kw_only=True):
    """A call that is evidence, or belongs to the conversation that leads to it."""

    call: int
    stimulus: str
    label: str
    transport: str
    binding: str
    instance: str
    profile: str | None
    method: str
    tool: str | None
    arguments: Json
    credential: str
    """role, and what is wrong with it; `none` where the call had none."""
    conditions: dict[str, Json]
    sent_us: int
    took_us: int | None
    ended: str
    """In words: success, refused with CODE, no answer within the time limit …"""
    answer: Json
    """The envelope where there is one, else the JSON-RPC result or error, else the beginning of what came instead."""


class Differing(Struct, frozen=True, kw_only=True):
    """A way in which a server's answers differ from a model's, where the contract leaves it open."""

    tool: str
    pointer: str
    """JSON Pointer into what a success gives, `*` for each place in a list; empty where the call ended differently."""
    ours: Json
    """What the server answered at the first such call."""
    theirs: Json
    calls: int
    call: int
    """The first of them."""


class Beside(Struct, frozen=True, kw_only=True):
    """What came of telling a model the same calls. Differences that a clause decides are findings."""

    model: str
    alike: int
    """Calls that both answered alike."""
    left_out: dict[str, int]
    """How many were not compared, by why."""
    cut: str
    """Why the model was not told all; empty where it was."""
    differing: tuple[Differing, ...]
    """The commonest first."""
    more: int
    """Kinds of difference beyond those."""


class Report(Struct, frozen=True, kw_only=True):
    """The whole."""

    format: int = FORMAT
    suite: str
    contract: str
    named: str = ""
    """What names it on a command line: its name, or the path of its folder."""
    title: str
    document: str
    edition: str
    profiles: tuple[str, ...]
    target: Target
    selected: int | None
    """How many requirements a selection named; None: the whole contract."""
    conformant: bool
    """Whether every MUST that applies was seen to hold, or is excused: nothing less is a claim."""
    broken: bool
    """Whether a MUST is broken, or a listed failure is stale."""
    strict: bool
    """Whether a SHOULD or MAY that is missed breaks the claim as well."""
    complete: bool
    reason: str
    """Why the run was not complete; empty where it was."""
    fault: str = ""
    """What the suite could not do, or what is wrong with the transcript: then nothing is claimed, exit code 2."""
    transcript: Record = Record()
    """The file that the run was written to, or judged from: its lines and the end of their chain of digests."""
    claim: str
    """The verdict in a sentence or two, with what was not tested and why."""
    musts: Musts
    excused: tuple[Excused, ...]
    gaps: tuple[Gap, ...]
    """Why requirements were not tested, the cause of most of them first."""
    notes: tuple[str, ...]
    """What a reader of the claim should know besides."""
    beside: Beside | None = None
    """The comparison with a model, where one was asked for."""
    tools: tuple[ToolUse, ...]
    stimuli: dict[str, int]
    """How many stimuli ended how: done, stuck, skipped, unsupported, cut, error."""
    totals: dict[str, int]
    """By verdict, all ten; they add up to `requirements`."""
    roots: tuple[Finding, ...]
    """The first finding of each requirement that failed, or was missed, on its own account: MUST first."""
    requirements: tuple[RequirementResult, ...]
    foundation: tuple[RequirementResult, ...]
    """Requirements of MCP itself without which the contract cannot be seen; not part of the totals."""
    evidence: tuple[Call, ...]
    """The calls that findings name, and those that led to them."""
    baseline: Diff | None = None
    """What changed since an older report, where the run was held against one: then only what got worse fails it."""
    command: str
    """What reproduces the run; with --only and --stimulus added, one finding."""
    seed: int
    fuzz: str = ""
    """What random histories did, or how far a conversation was shrunk, in a line; empty where there was nothing."""
    kept: dict[str, str] = field(default_factory=dict)
    """By requirement, the file with the calls of a finding of random histories, for conformance replay."""
    calls: int
    judged: int
    """Subjects judged, over all requirements."""
    started_at: str
    duration_ms: int

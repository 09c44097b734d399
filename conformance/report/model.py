"""What a run decided, as every format tells it. The JSON report is this, as schemas/report.schema.json describes it."""

from msgspec import Struct

from conformance.model.events import Json
from conformance.model.verdict import Finding, Verdict

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
    findings: tuple[Finding, ...]
    blocked_by: str | None
    reason: str


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


class Report(Struct, frozen=True, kw_only=True):
    """The whole."""

    format: int = FORMAT
    suite: str
    contract: str
    title: str
    document: str
    edition: str
    profiles: tuple[str, ...]
    target: Target
    conformant: bool
    complete: bool
    reason: str
    """Why the run was not complete; empty where it was."""
    claim: str
    """The verdict in one sentence, with what was not observed."""
    totals: dict[str, int]
    """By verdict, all ten; they add up to `requirements`."""
    roots: tuple[Finding, ...]
    """The first finding of each requirement that failed, or was missed, on its own account: MUST first."""
    requirements: tuple[RequirementResult, ...]
    foundation: tuple[RequirementResult, ...]
    """Requirements of MCP itself without which the contract cannot be seen; not part of the totals."""
    evidence: tuple[Call, ...]
    """The calls that findings name, and those that led to them."""
    command: str
    """What reproduces the run; with --only ID added, one finding."""
    seed: int
    calls: int
    judged: int
    """Subjects judged, over all requirements."""
    started_at: str
    duration_ms: int

"""Reports made by hand, from the threads contract's own requirements: passing, failing, and from a hostile server."""

from msgspec.structs import replace

from conformance.contract.catalogue import load
from conformance.model.requirement import Level
from conformance.model.verdict import Finding, Verdict
from conformance.report.build import MISSED
from conformance.report.model import Call, Musts, Refusal, Report, RequirementResult, Target, ToolUse

THREADS = load("threads")
BREAKING = (Verdict.FAIL, Verdict.XPASS)
HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> \x1b[31mred\x1b[0m \x1b]8;;http://evil.example\x07 "
    "\u202egnp.exe\u202c \u2028 \x00 \x08 ]]> [bold]rich[/bold] ``` ```` **md** | cell | @someone #12 www.evil.example "
    "\"' & \ufffe \U000e0041 http://evil.example"
)
"""What a server may send to harm whoever reads its report."""


def call(number: int, **about: object) -> Call:
    """A post that succeeded, but for what is given."""
    fields: dict[str, object] = {
        "call": number,
        "stimulus": "threads.the_same_message_is_posted_twice",
        "label": "",
        "transport": "stdio",
        "binding": "mcp",
        "instance": "main",
        "profile": None,
        "method": "tools/call",
        "tool": "post_message",
        "arguments": {
            "thread_id": "th_1",
            "schema_version": 1,
            "kind": "chat",
            "body": "hello",
            "idempotency_key": "k-1",
        },
        "credential": "worker",
        "conditions": {},
        "sent_us": 10_000 + 1_500 * number,
        "took_us": 640 + 7 * number,
        "ended": "success",
        "answer": {
            "message_id": f"msg_{number}",
            "seq": number,
            "thread_status": "active",
            "created_at": "2026-01-01T00:00:00Z",
        },
    }
    return Call(**{**fields, **about})  # type: ignore[arg-type] # fields of one struct, by name


def result(identifier: str, verdict: Verdict, **about: object) -> RequirementResult:
    """The verdict on a requirement of a contract that exists."""
    stated = THREADS.requirements.get(identifier) or load("mcp").requirements[identifier]
    fields: dict[str, object] = {
        "id": identifier,
        "contract": stated.contract,
        "level": stated.level.value,
        "source": stated.source,
        "seen": stated.seen,
        "statement": stated.statement,
        "why": stated.why,
        "verdict": verdict,
        "subjects": 3,
        "breaches": 0,
        "findings": (),
        "blocked_by": None,
        "reason": "",
    }
    return RequirementResult(**{**fields, **about})  # type: ignore[arg-type] # fields of one struct, by name


def broken(*findings: Finding, **about: object) -> RequirementResult:
    """A requirement that failed with these findings."""
    return result(
        findings[0].requirement, Verdict.FAIL, subjects=12, breaches=len(findings), findings=findings, **about
    )


def report(*changed: RequirementResult, evidence: tuple[Call, ...] = (), **about: object) -> Report:
    """A run in which everything passed but what is given."""
    by_id = {row.id: row for row in changed}
    judged = [r.id for r in THREADS.requirements.values() if r.seen != "reference"]
    own = tuple(by_id.get(identifier) or result(identifier, Verdict.PASS) for identifier in judged)
    base = tuple(by_id.get(identifier) or result(identifier, Verdict.PASS) for identifier in THREADS.foundation)
    every = (*own, *base)
    fields: dict[str, object] = {
        "suite": "0.1.0",
        "contract": "threads",
        "title": THREADS.title,
        "document": THREADS.document,
        "edition": THREADS.edition,
        "profiles": (),
        "target": Target(
            name="reference:threads",
            server={"name": "reference-server", "version": "0.1.0"},
            endpoints=("MCP stdio", "plain HTTP"),
            revisions=("2026-07-28",),
        ),
        "selected": None,
        "conformant": not any(row.verdict in (*BREAKING, Verdict.NOT_OBSERVED) for row in every),
        "broken": any(row.level == Level.MUST and row.verdict in BREAKING for row in every),
        "strict": False,
        "complete": True,
        "reason": "",
        "claim": "Conforms to threads: all 89 MUSTs that apply were tested and hold."
        if not changed
        else f"Does not conform to threads: {sum(r.verdict is Verdict.FAIL for r in changed)} requirements broken.",
        "musts": Musts(applicable=89, held=89 - len(changed), broken=len(changed), untested=0, excused=0),
        "excused": (),
        "gaps": (),
        "notes": (),
        "tools": (
            ToolUse(
                name="post_message", listed=True, allowed=True, called=40, accepted=31, swept=0, refusals=(), todo=""
            ),
            ToolUse(
                name="ack_read",
                listed=True,
                allowed=True,
                called=4,
                accepted=0,
                swept=0,
                refusals=(Refusal(ended="refused with FORBIDDEN", message="not you", calls=4),),
                todo="",
            ),
        ),
        "stimuli": {"done": 40, "stuck": 1},
        "totals": {verdict.value: sum(row.verdict is verdict for row in own) for verdict in Verdict},
        "roots": tuple(
            row.findings[0] for verdict in MISSED for row in every if row.findings and row.verdict is verdict
        ),
        "requirements": own,
        "foundation": base,
        "evidence": evidence,
        "command": "conformance run --target reference:threads",
        "seed": 7,
        "calls": 412,
        "judged": 3_901,
        "started_at": "2026-01-01T00:00:00Z",
        "duration_ms": 1_234,
    }
    return Report(**{**fields, **about})  # type: ignore[arg-type] # fields of one struct, by name


def passing() -> Report:
    """Everything held."""
    return report()


def failing() -> Report:
    """One of each verdict, and findings with a scalar, a structure and an absence."""
    listed = {"messages": [{"seq": n, "body": f"message {n}", "kind": "chat"} for n in range(1, 4)], "has_more": False}
    evidence = (
        call(1, tool="create_thread", arguments={"title": "t", "type": "workflow"}, answer={"thread_id": "th_1"}),
        call(4),
        call(7),
        call(9, tool="read_messages", arguments={"thread_id": "th_1", "limit": 50}, answer=listed),
        call(
            12,
            stimulus="threads.an_expired_token",
            credential="worker (expired)",
            conditions={"clock": 86_400},
            ended="no answer within the time limit",
            answer=None,
            took_us=None,
        ),
    )
    return report(
        broken(
            Finding(
                requirement="TH-IDEM-01",
                saw="seq is 7, the first answer had 4",
                expected=4,
                got=7,
                calls=(4, 7),
                pointer="/seq",
            ),
            Finding(requirement="TH-IDEM-01", saw="created_at moved", calls=(4, 7), pointer="/created_at"),
        ),
        broken(
            Finding(
                requirement="TH-READ-01",
                saw="the page lacks next_seq",
                expected={"messages": listed["messages"], "has_more": True, "next_seq": 3},
                got=listed,
                calls=(9,),
                pointer="/next_seq",
            )
        ),
        result(
            "TH-VER-04",
            Verdict.WARN,
            breaches=1,
            findings=(Finding(requirement="TH-VER-04", saw="event_version is dropped", calls=(12,)),),
        ),
        result("TH-IDEM-02", Verdict.BLOCKED, blocked_by="TH-IDEM-01", breaches=1),
        result("TH-RET-01", Verdict.NOT_OBSERVED, subjects=0, reason="the target cannot move its clock"),
        result("TH-VER-01", Verdict.NOT_APPLICABLE, subjects=0, reason="holds for the binding http"),
        result("TH-SUM-01", Verdict.ERROR, subjects=0, reason="KeyError: 'summary'"),
        result("TH-TRIG-05", Verdict.XFAIL, breaches=1, reason="deliveries are not reported yet"),
        result("TH-SES-01", Verdict.XPASS, reason="heartbeats are lost"),
        result("TH-MSG-02", Verdict.FLAKY, breaches=1, reason="seq rose in 4 of 5 runs"),
        evidence=evidence,
    )


def hostile() -> Report:
    """A server that answers, introduces itself and names things with what may harm a reader."""
    deep: object = HOSTILE
    for _ in range(300):
        deep = [deep]
    answer = {HOSTILE: HOSTILE, "flood": "x" * 200_000, "list": list(range(50_000)), "deep": deep, "seq": 10**60}
    finding = Finding(
        requirement="TH-IDEM-01",
        saw=HOSTILE,
        expected=answer,
        got={**answer, HOSTILE: "other"},
        calls=(4, 7),
        pointer="/" + HOSTILE.replace("~", "~0").replace("/", "~1"),
    )
    base = report(
        broken(finding, Finding(requirement="TH-IDEM-01", saw=HOSTILE)),
        result("TH-RET-01", Verdict.NOT_OBSERVED, reason=HOSTILE),
        evidence=(call(4, ended=HOSTILE, tool=HOSTILE, credential=HOSTILE), call(7, arguments=answer, answer=answer)),
        reason=HOSTILE,
        complete=False,
        claim=HOSTILE,
        command=f"conformance run {HOSTILE}",
        started_at=HOSTILE,
    )
    target = Target(
        name=HOSTILE, server={"name": HOSTILE, "version": {HOSTILE: 1}}, endpoints=(HOSTILE,), revisions=(HOSTILE,)
    )
    return replace(base, target=target)

"""From what was judged to the report that every writer is fed from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from conformance.contract.catalogue import Contract, requirement
from conformance.judge.judge import Judged
from conformance.judge.judgements import told
from conformance.model.events import Json
from conformance.model.exchange import Connection, Exchange
from conformance.model.history import History
from conformance.model.requirement import Level
from conformance.model.verdict import Finding, Outcome, Verdict
from conformance.report.model import Call, Report, RequirementResult, Target

LEADING = 12
"""Calls of the same stimulus that are shown before the first one that a finding names."""
MISSED = (Verdict.FAIL, Verdict.WARN)


def build(judged: Judged, contract: Contract, only: Iterable[str] = ()) -> Report:
    """The report of a run; `only` these requirements, if any are named."""
    wanted = set(only)
    history, header, footer = judged.history, judged.history.header, judged.history.footer
    if header is None:
        message = "a history without a header is no run"
        raise ValueError(message)
    outcomes = [o for o in judged.outcomes if not wanted or o.id in wanted]
    everything = [*judged.foundation, *outcomes]
    complete = footer is not None and footer.complete
    totals = {verdict.value: sum(o.verdict is verdict for o in outcomes) for verdict in Verdict}
    conformant = is_conformant(everything)
    roots = tuple(_roots(everything))
    return Report(
        suite=header.suite,
        contract=contract.name,
        title=contract.title,
        document=contract.document,
        edition=header.edition or contract.edition,
        profiles=header.profiles,
        target=_target(history),
        conformant=conformant,
        complete=complete,
        reason="" if complete else footer.reason if footer is not None else "the transcript has no last line",
        claim=_claim(contract, outcomes, everything, conformant=conformant, complete=complete),
        totals=totals,
        roots=roots,
        requirements=tuple(map(_result, outcomes)),
        foundation=tuple(map(_result, judged.foundation)),
        evidence=tuple(_evidence(history, (f for o in everything for f in o.findings))),
        command=header.command,
        seed=header.seed,
        calls=len(history.exchanges),
        judged=sum(o.subjects for o in outcomes),
        started_at=header.started_at,
        duration_ms=(footer.t if footer is not None else 0) // 1000,
    )


def is_conformant(outcomes: Iterable[Outcome]) -> bool:
    """No MUST failed or was blocked, and no listed failure is stale."""
    return not any(
        (o.level == Level.MUST and o.verdict in (Verdict.FAIL, Verdict.BLOCKED)) or o.verdict is Verdict.XPASS
        for o in outcomes
    )


def exit_code(report: Report) -> int:
    """0 conformant, 1 not conformant, 2 an error of ours, 3 incomplete: cut short, or nothing was observed."""
    if report.totals[Verdict.ERROR]:
        return 2
    if not report.conformant:
        return 1
    return 0 if report.complete and report.judged else 3


def _claim(
    contract: Contract, own: Sequence[Outcome], every: Sequence[Outcome], *, conformant: bool, complete: bool
) -> str:
    count = Counter(outcome.verdict for outcome in own)
    if count[Verdict.ERROR]:
        return (
            f"No verdict on {contract.name}: the suite itself failed at {_some(count[Verdict.ERROR], 'requirement')}."
        )
    if not conformant:
        broken = sum(o.level == Level.MUST and o.verdict is Verdict.FAIL for o in every)
        told = [_some(broken, "requirement") + " broken"] if broken else []
        told += [f"{count[Verdict.BLOCKED]} blocked" + (" by them" if broken else "")] if count[Verdict.BLOCKED] else []
        told += [_some(count[Verdict.XPASS], "known failure") + " stale"] if count[Verdict.XPASS] else []
        return f"Does not conform to {contract.name}: {', '.join(told)}."
    if not any(outcome.subjects for outcome in own):
        return f"No verdict on {contract.name}: nothing of it was observed."
    unseen = sum(o.verdict is Verdict.NOT_OBSERVED and o.level == Level.MUST for o in own)
    rest = f"; {_some(unseen, 'MUST requirement')} not observed" if unseen else ""
    unfinished = "" if complete else "; the run is incomplete"
    return f"Conforms to {contract.name} in all that was observed{rest}{unfinished}."


def _some(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _result(outcome: Outcome) -> RequirementResult:
    about = requirement(outcome.id)
    if about is None:
        message = f"{outcome.id} is in no contract"
        raise ValueError(message)
    return RequirementResult(
        id=outcome.id,
        contract=about.contract,
        level=outcome.level,
        source=about.source,
        seen=about.seen,
        statement=about.statement,
        verdict=outcome.verdict,
        subjects=outcome.subjects,
        breaches=outcome.breaches,
        findings=outcome.findings,
        blocked_by=outcome.blocked_by,
        reason=outcome.reason,
    )


def _roots(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    for verdict in MISSED:
        for outcome in outcomes:
            own = [finding for finding in outcome.findings if finding.blocked_by is None]
            if outcome.verdict is verdict and own:
                yield own[0]


def _target(history: History) -> Target:
    connections = list(history.connections.values())
    header = history.header
    return Target(
        name=header.target if header is not None else "",
        server=next((c.server for c in connections if c.server), {}),
        endpoints=tuple(dict.fromkeys(map(_endpoint, connections))),
        revisions=tuple(dict.fromkeys(c.revision for c in connections if c.revision)),
    )


def _endpoint(connection: Connection) -> str:
    return "plain HTTP" if connection.binding == "http" else f"MCP {connection.transport}"


def _evidence(history: History, findings: Iterable[Finding]) -> Iterator[Call]:
    named = {call for finding in findings for call in finding.calls}
    shown = set(named)
    by_stimulus: dict[tuple[str, str], list[Exchange]] = {}
    for exchange in history.exchanges:
        by_stimulus.setdefault((exchange.stimulus, exchange.connection.id), []).append(exchange)
    for conversation in by_stimulus.values():
        places = [place for place, exchange in enumerate(conversation) if exchange.call in named]
        for place in places:
            shown.update(exchange.call for exchange in conversation[max(0, place - LEADING) : place])
    return (_call(exchange, history) for exchange in history.exchanges if exchange.call in shown)


def _call(exchange: Exchange, history: History) -> Call:
    credential = exchange.credential
    return Call(
        call=exchange.call,
        stimulus=exchange.stimulus,
        label=exchange.label,
        transport=exchange.connection.transport,
        binding=exchange.connection.binding,
        instance=exchange.instance,
        profile=_profile(exchange, history),
        method=exchange.method,
        tool=exchange.tool,
        arguments=exchange.arguments if exchange.tool is not None else _params(exchange.request),
        credential=credential.name
        + (f" ({credential.defect})" if credential.defect and credential.name != "none" else ""),
        conditions=exchange.conditions,
        sent_us=exchange.sent,
        took_us=None if exchange.received is None else exchange.received - exchange.sent,
        ended=told(exchange),
        answer=_answer(exchange),
    )


def _profile(exchange: Exchange, history: History) -> str | None:
    instance = history.instances.get(exchange.instance)
    return instance.profile if instance is not None else None


def _params(request: Json) -> Json:
    params = request.get("params") if isinstance(request, dict) else request
    return {k: v for k, v in params.items() if k != "_meta"} if isinstance(params, dict) else params


def _answer(exchange: Exchange) -> Json:
    if exchange.raw is not None:
        return {"no JSON": exchange.raw.raw, "fault": exchange.raw.fault, "bytes": exchange.raw.size}
    return exchange.envelope or exchange.result or exchange.error or exchange.response

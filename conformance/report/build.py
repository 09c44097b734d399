"""From what was judged to the report that every writer is fed from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conformance.contract.catalogue import Contract, load
from conformance.contract.clauses import Said, said, sdk
from conformance.judge.claims import claims_of
from conformance.judge.judge import Judged
from conformance.model.ending import told
from conformance.model.events import Json, Stimulus
from conformance.model.exchange import Exchange
from conformance.model.history import WHOLE_BYTES, History
from conformance.model.transcript import Record
from conformance.model.verdict import UNSAID, Finding, Outcome, Verdict
from conformance.report.comparison import comparison
from conformance.report.gaps import gaps
from conformance.report.model import Call, Report, RequirementResult, Target
from conformance.report.standing import claim, standing, unmet
from conformance.report.usage import reach, unlisted, usage
from conformance.report.words import spoken, state

NO_RECORD = Record()
TELLING = ("fuzz", "replay")
"""The stimuli that tell what they did: random histories, and calls made again."""
NO_END = "the record has no last line"
LEADING = 12
"""Calls of the same stimulus that are shown before the first one that a finding names."""
MISSED = (Verdict.FAIL, Verdict.WARN)


TAPPED = (
    "the calls are others' own, recorded by a tap: what they did not try is not tested, and that nobody else changed "
    "the server's state meanwhile is taken for granted"
)
OLD = "the transcript has no chain of digests, as older versions wrote it: that no line was changed is not proved"


def build(  # noqa: PLR0913 -- what a report is made of, each by name
    judged: Judged,
    contract: Contract,
    only: Iterable[str] | None = None,
    *,
    strict: bool = False,
    protocol: bool = True,
    record: Record = NO_RECORD,
    fault: str = "",
    notes: Sequence[str] = (),
) -> Report:
    """The report of a run; `only` these requirements, where a selection was made.

    Without `protocol` nothing is told of the contract's protocol but what it stands on.
    `record` is what is known of its file, `fault` what the suite could not do, `notes` what a reader should know.
    """
    wanted = None if only is None else set(only)
    history, header, footer = judged.history, judged.history.header, judged.history.footer
    if header is None:
        message = "a history without a header is no run"
        raise ValueError(message)
    outcomes = list(judged.outcomes)
    if wanted is not None:
        outcomes = [o for o in (*judged.outcomes, *judged.foundation) if o.id in wanted]
    # what of the protocol the contract stands on is judged in any case: where it breaks nothing else can be seen
    beneath = [o for o in judged.foundation if protocol or o.id in contract.foundation]
    foundation = [o for o in beneath if o not in outcomes]
    reason = "; ".join(filter(None, (footer.reason if footer is not None else record.cut or NO_END, history.cut)))
    complete = footer is not None and footer.complete and not history.cut
    tampered = f"the transcript is not as it was recorded: {'; '.join(record.broken)}" if record.broken else ""
    selected = None if wanted is None or len(outcomes) == len(judged.outcomes) else len(outcomes)
    uses = tuple(usage(history, contract, (*judged.outcomes, *judged.foundation)))
    stands = standing(
        outcomes,
        foundation,
        complete=complete,
        strict=strict,
        selection=selected is not None,
        reach=reach(history, contract, uses),
    )
    left = gaps(outcomes, history)
    telling = [f"{contract.name}.{name}" for name in TELLING]
    shown = [*foundation, *outcomes]
    beyond = [o for o in judged.outcomes if o.id in {each.blocked_by for each in shown} and o not in shown]
    everything = [*shown, *beyond]
    return Report(
        suite=header.suite,
        contract=contract.name,
        named=contract.named,
        title=contract.title,
        document=contract.document,
        edition=header.edition or contract.edition,
        profiles=header.profiles,
        target=_target(history),
        selected=selected,
        conformant=stands.conformant,
        broken=stands.fallen,
        strict=strict,
        complete=complete,
        reason="" if complete else reason,
        fault=tampered or fault,
        transcript=record,
        claim="Nothing is claimed: what is judged is not what was recorded."
        if tampered
        else claim(contract.name, stands, left, whole=len(judged.outcomes), selected=selected),
        musts=stands.musts,
        excused=stands.excused,
        gaps=tuple(left),
        notes=(
            *notes,
            *([TAPPED] if header.tapped else []),
            *_notes(header.statement, judged.outcomes),
            *unlisted(history, contract),
            *(f"{each.name}: {each.why}" for each in history.stimuli if _did_less(each, telling)),
            *([OLD] if record.lines and not record.digest else []),
            *_parts(history),
        ),
        beside=comparison(history, contract),
        tools=uses,
        stimuli=dict(sorted(Counter(s.state for s in history.stimuli).items())),
        totals={verdict.value: sum(o.verdict is verdict for o in outcomes) for verdict in Verdict},
        roots=tuple(_roots(everything)),
        requirements=tuple(_result(outcome, history, contract) for outcome in outcomes),
        foundation=tuple(_result(outcome, history, contract) for outcome in (*foundation, *beyond)),
        evidence=tuple(_evidence(history, [f for o in everything for f in o.findings])),
        command=header.command,
        seed=header.seed,
        fuzz="; ".join(each.why for each in history.stimuli if each.name in telling and each.state == "done"),
        kept={name: file for each in history.stimuli for name, file in each.kept.items()},
        calls=len(history.exchanges) + len(history.again) + history.beyond + history.parting.calls,
        judged=sum(o.subjects for o in outcomes),
        started_at=header.started_at,
        duration_ms=(footer.t if footer is not None else 0) // 1000,
    )


def _parts(history: History) -> Iterator[str]:
    """How a transcript was judged that is larger than what is kept in memory."""
    if history.parting.parts > 1:
        yield (
            f"the transcript is larger than the {WHOLE_BYTES:,} bytes that are kept in memory. It was judged in "
            f"{history.parting.parts:,} parts, each some instances with the connections to them; nothing in one part "
            "was compared with another"
        )
    if history.parting.parts:
        yield f"what is told of tools covers the first {len(history.exchanges):,} calls"
    if history.parting.partly:
        yield f"judged on the beginning of a part alone: {', '.join(dict.fromkeys(history.parting.partly))}"


def _did_less(stimulus: Stimulus, telling: Sequence[str]) -> bool:
    """Whether a stimulus came to its end and says what it did not come to; those of `telling` say what they did."""
    return stimulus.state == "done" and bool(stimulus.why) and stimulus.name not in telling


def _notes(statement: Mapping[str, Json], outcomes: Iterable[Outcome]) -> Iterator[str]:
    """What a reader should know besides the claim."""
    known = claims_of(statement)
    yield from unmet([*known.failing, *known.wavering], outcomes)
    left_out = statement.get("unsupported")
    for kind, entries in left_out.items() if isinstance(left_out, dict) else ():
        for name, why in entries.items() if isinstance(entries, dict) else ():
            yield f"not supported ({kind}): {name}: {why}"


EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.ERROR: 2, Verdict.NOT_OBSERVED: 3}


def exit_code(report: Report) -> int:
    """0 conformant, 1 not conformant, 2 an error of ours, 3 inconclusive.

    Held against a baseline: 0 nothing got worse, 1 something did, 2 the same, 3 the run was cut short.
    """
    stands = state(report)
    if report.baseline is None or stands is Verdict.ERROR:
        return EXIT_CODES[stands]
    if report.baseline.regressed:
        return EXIT_CODES[Verdict.FAIL]
    return EXIT_CODES[Verdict.PASS if report.complete else Verdict.NOT_OBSERVED]


def _result(outcome: Outcome, history: History, contract: Contract) -> RequirementResult:
    # it is of the contract or of its protocol: to look it up in all that are installed takes reading them all
    own = contract.requirements.get(outcome.id)
    about = (
        own if own is not None or contract.protocol is None else load(contract.protocol).requirements.get(outcome.id)
    )
    if about is None:
        message = f"{outcome.id} is in no contract"
        raise ValueError(message)
    clause, whose = _explained(outcome, about.contract, history) if outcome.verdict in MISSED else (None, "")
    return RequirementResult(
        id=outcome.id,
        contract=about.contract,
        level=outcome.level,
        source=about.source,
        seen=about.seen,
        statement=about.statement,
        why=about.why,
        verdict=outcome.verdict,
        subjects=outcome.subjects,
        breaches=outcome.breaches,
        tools=outcome.tools,
        findings=outcome.findings,
        blocked_by=outcome.blocked_by,
        reason=outcome.reason,
        excused=outcome.excused,
        clause=clause,
        sdk=whose,
    )


def _explained(outcome: Outcome, contract: str, history: History) -> tuple[Said | None, str]:
    """What the specification says to the first finding that stands by itself, and whose behaviour it is."""
    own = next((finding for finding in outcome.findings if finding.blocked_by is None), None)
    last = history.find(own.calls[-1]) if own is not None and own.calls else None
    spoken = [each.revision for each in history.connections.values() if each.revision]
    revision = last.connection.revision if last is not None else None
    # what came beside all calls is the finding's own
    told = own.got if own is not None and own.got is not UNSAID else None
    answer = _answer(last) if last is not None else told
    return said(contract, outcome.id, revision or next(iter(spoken), None)), sdk(contract, outcome.id, answer)


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
        endpoints=tuple(dict.fromkeys(spoken(c.transport, c.binding) for c in connections)),
        revisions=tuple(dict.fromkeys(c.revision for c in connections if c.revision)),
    )


def _evidence(history: History, findings: Sequence[Finding]) -> Iterator[Call]:
    named = {call for finding in findings for call in finding.calls}
    shown = set(named)
    by_stimulus: dict[tuple[str, str], list[Exchange]] = {}
    made = sorted((*history.exchanges, *history.again), key=lambda exchange: exchange.sent)
    for exchange in made:
        by_stimulus.setdefault((exchange.stimulus, exchange.connection.id), []).append(exchange)
    for conversation in by_stimulus.values():
        places = [place for place, exchange in enumerate(conversation) if exchange.call in named]
        for place in places:
            shown.update(exchange.call for exchange in conversation[max(0, place - LEADING) : place])
    told = [exchange for exchange in (*made, *history.witnesses) if exchange.call in shown]
    return (_call(exchange, history) for exchange in told)


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
    if exchange.raw is not None and exchange.raw.raw is None:
        return exchange.raw.payload
    if exchange.raw is not None:
        return {"no JSON": exchange.raw.raw, "fault": exchange.raw.fault, "bytes": exchange.raw.size}
    return exchange.envelope or exchange.result or exchange.error or exchange.response

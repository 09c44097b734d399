"""From tallies to verdicts: what is known to fail, what does not apply, and which breaches another one explains.

A breach is a consequence, not a finding of its own, where a prerequisite of its requirement was breached in one of the
same calls; a requirement without subjects is blocked where a prerequisite failed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import structs

from conformance.judge.claims import Claims, Known
from conformance.judge.roots import Roots
from conformance.judge.tally import Tally, distinct
from conformance.judge.unseen import trials
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.requirement import Level, Requirement
from conformance.model.verdict import Finding, Judgement, Outcome, Verdict

MISSED = (Verdict.FAIL, Verdict.WARN)
STATIC = "static"
"""How requirements on documents and listings are seen."""
NO_DOCUMENT = ", and the statement names no document that would show it: [documents] in conformance.toml"


def settle(
    tallies: Mapping[str, Tally], history: History, claims: Claims, absent: Mapping[str, str] | None = None
) -> dict[str, Outcome]:
    """One outcome for each tally. `absent` says of laws why nothing on the target could be a subject."""
    roots = Roots(tallies)
    judged = {identifier: _outcome(tally, roots, history, absent or {}) for identifier, tally in tallies.items()}
    rooted = {identifier: _rooted(outcome, judged) for identifier, outcome in judged.items()}
    claimed = {
        identifier: _claimed(outcome, tallies[identifier], history, claims) for identifier, outcome in rooted.items()
    }
    return {identifier: _excused(outcome, claimed, claims) for identifier, outcome in claimed.items()}


def _rooted(outcome: Outcome, outcomes: Mapping[str, Outcome]) -> Outcome:
    """Where what blocks is itself blocked, the root is named."""
    root = outcome.blocked_by
    while root is not None and outcomes[root].blocked_by is not None:
        root = outcomes[root].blocked_by
    return structs.replace(outcome, blocked_by=root) if root != outcome.blocked_by else outcome


def applicable(wanted: Requirement, history: History) -> str:
    """Empty where the requirement holds for this run; else why it does not."""
    applies, connections = wanted.applies, history.connections.values()
    for name, allowed, present in (
        ("transport", applies.transports, {c.transport for c in connections}),
        ("binding", applies.bindings, {c.binding for c in connections}),
        ("revision", applies.revisions, {c.revision for c in connections if c.revision}),
        ("profile", applies.profiles, _profiles(history)),
        ("edition", applies.editions, {history.header.edition} if history.header and history.header.edition else set()),
    ):
        if allowed and not present.intersection(allowed):
            had = ", ".join(sorted(map(str, present))) or "none"
            return f"only applies to the {name} {' or '.join(allowed)}; this run used {had}"
    return ""


def _profiles(history: History) -> set[str]:
    """Those that the run's instances had, as far as the run was about them."""
    had = {instance.profile for instance in history.instances.values() if instance.profile}
    return had.intersection(history.header.profiles) if history.header and history.header.profiles else had


def _outcome(tally: Tally, roots: Roots, history: History, absent: Mapping[str, str]) -> Outcome:
    wanted = tally.requirement
    verdict, reason, root = Verdict.PASS, "", None
    findings: tuple[Finding, ...] = ()
    elsewhere = "" if tally.subjects else applicable(wanted, history) or _absence(tally, absent)
    if tally.fault and not (elsewhere and not tally.laws):
        verdict, reason = Verdict.ERROR, tally.fault
    elif elsewhere:
        verdict, reason = Verdict.NOT_APPLICABLE, elsewhere
    elif tally.breaches:
        findings = tuple(_finding(wanted.id, judgement, roots) for judgement in distinct(tally.judgements))
        root = roots.common(wanted.id, tally)
        missed = Verdict.FAIL if wanted.level is Level.MUST else Verdict.WARN
        verdict = Verdict.BLOCKED if root else missed
    else:
        verdict, reason, root = _without_breach(tally, roots, history, absent)
    return Outcome(
        id=wanted.id,
        level=wanted.level,
        verdict=verdict,
        subjects=tally.subjects,
        breaches=tally.breaches,
        tools=_tools(tally, history),
        findings=findings,
        blocked_by=root,
        reason=reason,
    )


def _tools(tally: Tally, history: History) -> dict[str, int]:
    """How many breaches were seen in a call of which tool or method."""
    if not tally.breached_calls:
        return {}
    last = (history.find(calls[-1]) for calls in tally.breached_calls if calls)
    return dict(sorted(Counter(found.tool or found.method for found in last if found is not None).items()))


def _absence(tally: Tally, absent: Mapping[str, str]) -> str:
    """Why nothing could be a subject of any of its laws; empty where something could."""
    why = [absent.get(law.requirement, "") for law in tally.laws]
    return why[0] if why and all(why) else ""


def _without_breach(
    tally: Tally, roots: Roots, history: History, absent: Mapping[str, str]
) -> tuple[Verdict, str, str | None]:
    """Held, where something was seen of each of its laws; else why nothing was.

    Nothing is proved where what was made to show it ended by an error of the suite's own.
    """
    failed = trials(tally.requirement.id, history).failed
    left_out = f"not judged: {tally.left_out}" if tally.left_out else ""
    if tally.cut:
        return Verdict.NOT_OBSERVED, left_out, None
    if failed:
        return Verdict.ERROR, failed, None
    if tally.withheld:
        return Verdict.NOT_OBSERVED, tally.withheld, None
    found = [_shown(tally, place, roots, history, absent) for place in range(len(tally.laws))]
    for verdict in (Verdict.NOT_OBSERVED, Verdict.BLOCKED):
        roots_of = [root for each, _, root in found if each is verdict]
        if roots_of:
            partly = f"; {tally.partly}" if tally.partly and verdict is Verdict.NOT_OBSERVED else ""
            return verdict, f"{'; '.join(_told(tally, found, verdict))}{partly}", roots_of[0]
    if all(verdict is Verdict.NOT_APPLICABLE for verdict, _, _ in found) and found:
        return Verdict.NOT_APPLICABLE, found[0][1], None
    told = _told(tally, found, Verdict.NOT_APPLICABLE)
    return Verdict.PASS, "; ".join(filter(None, (left_out, tally.partly, *told))), None


def _told(tally: Tally, found: Sequence[tuple[Verdict, str, str | None]], verdict: Verdict) -> list[str]:
    """Why laws have a verdict: each reason once, of several laws with the names of those that it is of."""
    laws: dict[str, list[str]] = {}
    for law, (each, why, _) in zip(tally.laws, found, strict=True):
        if each is verdict and why:
            laws.setdefault(why, []).append(law.requirement)
    return [why if len(names) == len(found) else f"{', '.join(names)}: {why}" for why, names in laws.items()]


def _shown(
    tally: Tally, place: int, roots: Roots, history: History, absent: Mapping[str, str]
) -> tuple[Verdict, str, str | None]:
    """Whether something was seen of one of its laws; else why nothing was.

    What came up by chance is no proof where nothing that was made to show it could be brought to an end.
    """
    law, subjects = tally.laws[place], tally.by_law[place]
    tried = trials(law.requirement, history)
    if not tried.stimuli:  # those in Python name requirements alone
        tried = trials(tally.requirement.id, history)
    if subjects and not tried.broken_off:
        return Verdict.PASS, "", None
    if not subjects and (why := absent.get(law.requirement) or tried.all_unsupported):
        return Verdict.NOT_APPLICABLE, why, None
    published = history.documents or tally.requirement.seen != STATIC or tried.stimuli
    # where something is listed, what is still missing is a document, and no call would have shown it
    if (tried.attempted or not tried.stimuli) and (published or not history.listings):
        root = roots.hiding(tally.requirement, {call.call for call in tried.calls})
        if root is not None:
            return Verdict.BLOCKED, "", root
    checks = "1 check" if subjects == 1 else f"{subjects} checks"
    chance = f"{checks} in other calls held, which proves too little; " if subjects else ""
    left_out = f"not judged: {tally.left_out}" if tally.left_out else ""
    return Verdict.NOT_OBSERVED, f"{chance}{left_out or tried.why}{'' if published else NO_DOCUMENT}", None


def _finding(identifier: str, judgement: Judgement, roots: Roots) -> Finding:
    return Finding(
        requirement=identifier,
        saw=judgement.saw,
        expected=judgement.expected,
        got=judgement.got,
        calls=tuple(dict.fromkeys((*judgement.beside, *judgement.calls))),
        pointer=judgement.pointer,
        blocked_by=roots.of(identifier, (*judgement.spoils, *judgement.calls)),
    )


def _claimed(outcome: Outcome, tally: Tally, history: History, claims: Claims) -> Outcome:
    """With what the statement says of failures of the requirement."""
    wavering, failing = claims.wavering.get(outcome.id, ()), claims.failing.get(outcome.id, ())
    if outcome.verdict in MISSED:
        for verdict, known in ((Verdict.FLAKY, wavering), (Verdict.XFAIL, failing)):
            if known and all(_covered(calls, known, history) for calls in tally.breached_calls):
                reason = "; ".join(dict.fromkeys(each.reason for each in known))
                return structs.replace(outcome, verdict=verdict, reason=reason, excused=reason)
        news = tuple(f for f in outcome.findings if not _covered(f.calls, (*wavering, *failing), history))
        return structs.replace(outcome, findings=news or outcome.findings)
    if outcome.verdict is Verdict.PASS and failing:
        reason = f"listed as failing ({failing[0].reason}), and it passes: remove the entry"
        return structs.replace(outcome, verdict=Verdict.XPASS, reason=reason)
    if outcome.verdict is Verdict.BLOCKED and failing:
        return structs.replace(outcome, excused=failing[0].reason)
    return outcome


def _covered(calls: Sequence[int], known: Sequence[Known], history: History) -> bool:
    evidence: list[Exchange] = [found for call in calls if (found := history.find(call)) is not None]
    return any(each.covers(evidence) for each in known)


def _excused(outcome: Outcome, outcomes: Mapping[str, Outcome], claims: Claims) -> Outcome:
    """With why it does not count against the claim that nothing of it was seen."""
    if outcome.excused:
        return outcome
    reason = claims.unobservable.get(outcome.id, "")
    if outcome.verdict is Verdict.NOT_OBSERVED and reason:
        return structs.replace(outcome, excused=reason)
    root = outcomes.get(outcome.blocked_by or "")
    if outcome.verdict is Verdict.BLOCKED and root is not None and root.verdict in (Verdict.XFAIL, Verdict.FLAKY):
        return structs.replace(outcome, excused=f"blocked by {root.id}: {root.excused}")
    return outcome

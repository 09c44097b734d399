"""From tallies to verdicts: what is known to fail, what does not apply, and which breaches another one explains.

A breach is a consequence, not a finding of its own, where a prerequisite of its requirement was breached in one of the
same calls; a requirement without subjects is blocked where a prerequisite failed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from msgspec import structs

from conformance.contract.catalogue import load
from conformance.contract.catalogue import requirement as lookup
from conformance.judge.tally import Tally
from conformance.model.history import History
from conformance.model.requirement import Level, Requirement
from conformance.model.verdict import Finding, Judgement, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Claims:
    """What a target's statement says beforehand: requirements known to fail or to waver, each with its reason."""

    failing: Mapping[str, str] = field(default_factory=dict)
    wavering: Mapping[str, str] = field(default_factory=dict)


def settle(tallies: Mapping[str, Tally], history: History, claims: Claims) -> dict[str, Outcome]:
    """One outcome for each tally."""
    outcomes = {identifier: _outcome(tally, tallies, history, claims) for identifier, tally in tallies.items()}
    return {identifier: _rooted(outcome, outcomes) for identifier, outcome in outcomes.items()}


def _rooted(outcome: Outcome, outcomes: Mapping[str, Outcome]) -> Outcome:
    """Where what blocks is itself blocked, the root is named."""
    root = outcome.blocked_by
    while root is not None and outcomes[root].blocked_by is not None:
        root = outcomes[root].blocked_by
    return structs.replace(outcome, blocked_by=root) if root != outcome.blocked_by else outcome


def prerequisites(identifier: str) -> Iterator[str]:
    """The prerequisites of a requirement, and theirs, nearest first, none twice.

    What cannot fail without it is none of them: both are roots then.
    """
    about = lookup(identifier)
    seen, queue = {identifier, *(about.falls_with if about is not None else ())}, [identifier]
    while queue:
        found = lookup(queue.pop(0))
        for name in found.requires if found is not None else ():
            if name not in seen:
                seen.add(name)
                queue.append(name)
                yield name


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
            return f"holds for {name} {' or '.join(allowed)}; this run had {had}"
    return ""


def _profiles(history: History) -> set[str]:
    """Those that the run's instances had, as far as the run was about them."""
    had = {instance.profile for instance in history.instances.values() if instance.profile}
    return had.intersection(history.header.profiles) if history.header and history.header.profiles else had


def _outcome(tally: Tally, tallies: Mapping[str, Tally], history: History, claims: Claims) -> Outcome:
    wanted = tally.requirement
    verdict, reason, root = Verdict.PASS, "", None
    findings: tuple[Finding, ...] = ()
    elsewhere = "" if tally.subjects else applicable(wanted, history)
    if tally.fault and not (elsewhere and tally.law is None):
        verdict, reason = Verdict.ERROR, tally.fault
    elif not tally.subjects:
        reason = elsewhere
        root = None if reason else _failed_prerequisite(wanted, tallies)
        verdict = Verdict.NOT_APPLICABLE if reason else Verdict.BLOCKED if root else Verdict.NOT_OBSERVED
        if verdict is Verdict.NOT_OBSERVED:
            verdict, reason = _unobserved(wanted.id, history)
    elif tally.breaches:
        findings = tuple(_finding(wanted.id, judgement, tallies) for judgement in tally.kept)
        root = _common_root(wanted.id, tally, tallies)
        missed = Verdict.FAIL if wanted.level is Level.MUST else Verdict.WARN
        verdict = Verdict.BLOCKED if root else missed
    verdict, reason = _claimed(wanted.id, verdict, reason, claims)
    return Outcome(
        id=wanted.id,
        level=wanted.level,
        verdict=verdict,
        subjects=tally.subjects,
        breaches=tally.breaches,
        findings=findings,
        blocked_by=root,
        reason=reason,
    )


def _finding(identifier: str, judgement: Judgement, tallies: Mapping[str, Tally]) -> Finding:
    return Finding(
        requirement=identifier,
        saw=judgement.saw,
        expected=judgement.expected,
        got=judgement.got,
        calls=judgement.calls,
        pointer=judgement.pointer,
        blocked_by=_root_of(identifier, frozenset(judgement.calls), tallies),
    )


def _root_of(identifier: str, calls: frozenset[int], tallies: Mapping[str, Tally]) -> str | None:
    """The deepest prerequisite that was breached in one of these calls."""
    root = None
    for name in prerequisites(identifier):
        tally = tallies.get(name)
        if tally is not None and any(not calls.isdisjoint(other) for other in tally.breached_calls):
            root = name
    return root


def _common_root(identifier: str, tally: Tally, tallies: Mapping[str, Tally]) -> str | None:
    """A prerequisite, where every breach is explained by one."""
    roots = [_root_of(identifier, calls, tallies) for calls in tally.breached_calls]
    return roots[0] if all(roots) else None


def _failed_prerequisite(about: Requirement, tallies: Mapping[str, Tally]) -> str | None:
    """What failed of what this cannot be seen without: its prerequisites, and what the whole contract rests on."""
    needed = (*prerequisites(about.id), *load(about.contract).foundation)
    failed = [name for name in needed if name != about.id and name in tallies and tallies[name].breaches]
    return failed[-1] if failed else None


def _unobserved(identifier: str, history: History) -> tuple[Verdict, str]:
    """Why no subject came up, as far as the stimuli tell."""
    tried = [s for s in history.stimuli if identifier in s.exercises]
    for state in ("error", "skipped", "stuck"):
        said = [f"{s.name}: {s.why}" for s in tried if s.state == state]
        if said:
            return (Verdict.ERROR if state == "error" else Verdict.NOT_OBSERVED), said[0]
    return Verdict.NOT_OBSERVED, "no call of this run could have shown it" if tried else "nothing in this run tries it"


def _claimed(identifier: str, verdict: Verdict, reason: str, claims: Claims) -> tuple[Verdict, str]:
    if identifier in claims.wavering and verdict in (Verdict.FAIL, Verdict.WARN):
        return Verdict.FLAKY, claims.wavering[identifier]
    if identifier in claims.failing:
        if verdict in (Verdict.FAIL, Verdict.WARN):
            return Verdict.XFAIL, claims.failing[identifier]
        if verdict is Verdict.PASS:
            return Verdict.XPASS, f"listed as failing ({claims.failing[identifier]}), and it passes: remove the entry"
    return verdict, reason

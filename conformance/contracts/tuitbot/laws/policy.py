"""Policy of the architecture decisions: what the gate holds back, and that it does with it what its rule says."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.beside import let_through_at_some_time
from conformance.contracts.tuitbot.deeds import SENT, UNDOES, deeds
from conformance.contracts.tuitbot.gate import (
    DENIED,
    DRY,
    LIMIT_USED_UP,
    ROUTED,
    UNGATED_PROFILES,
    decision,
    policy_decision,
    previews,
)
from conformance.contracts.tuitbot.known import Known, known
from conformance.contracts.tuitbot.manifest import UNGATED, entry
from conformance.contracts.tuitbot.rules import BLOCKED, HARD, Ruling
from conformance.contracts.tuitbot.rulings import Rulings, rulings
from conformance.judge.effects import effects
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import alike
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.unchanged import unchanged
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.texts import decoded
from conformance.model.verdict import HELD, Judgement


@once
def _ruled(history: History, contract: Contract) -> list[tuple[Exchange, Ruling]]:
    """Mutations of which it is known which rule decides, with an answer."""
    gate = rulings(history, contract)
    calls = [call for call in history.calls(*contract.writes()) if call.received is not None]
    return [(call, found) for call in calls if (found := gate.ruling(call)) is not None]


def answered(history: History, contract: Contract, answer: str) -> Iterator[Exchange]:
    """Calls that the gate held back in this way; one that it had to and held back otherwise is among them."""
    bound = {call.call: found.answer for call, found in _ruled(history, contract)}
    for call in history.calls():
        said = decision(call)
        due = bound.get(call.call) == answer and call.code != LIMIT_USED_UP
        if call.profile not in UNGATED_PROFILES and said is not None and (said == answer or due):
            yield call


def nothing_sent(history: History, contract: Contract, call: Exchange) -> Iterator[Judgement]:
    """X was not called for what the gate held back."""
    seen = effects(history, contract)
    sent = seen.of(call.call, SENT)
    if SENT in seen.kinds:
        saw = f"{call.tool} ended as {told(call)}, and X was called"
        yield holds(not sent, saw, call, got=sent[0].data if sent else None)


@law("TB-POL-01")
def a_matching_rule_holds_back(history: History, contract: Contract) -> Iterator[Judgement]:
    """A gated mutation that a rule matches is held back, and a read that a rule would match is not."""
    gate, free = rulings(history, contract), let_through_at_some_time(history, contract)
    for call, found in _ruled(history, contract):
        # what hard rules and the blocked list deny is TB-POL-07's
        if found.answer is None or (found.answer == DENIED and found.kind in (HARD, BLOCKED)):
            continue
        if call.accepted and decision(call) is None:
            saw = f"{call.tool} matches a rule that says {found.action}, and went through"
            yield _let_through(history, contract, saw, call, found)
        elif decision(call) is not None and free.beside(call) is not None:
            yield HELD
    for call in history.calls(*[name for name, mark in contract.marks.items() if mark.effect == "read"]):
        if previews(call) or not gate.would_match(call):
            continue
        if decision(call) is not None:
            yield breach(f"{call.tool} reads, and the gate answered {decision(call)}", call, got=decision(call))
        elif call.accepted:
            yield HELD


def _let_through(history: History, contract: Contract, saw: str, call: Exchange, rule: Ruling) -> Judgement:
    """A breach of a rule. Where one that names tools does not match, the others that name tools do not either."""
    named = [other.call for other, found in _ruled(history, contract) if found.names_tools] if rule.names_tools else []
    return Judgement(ok=False, saw=saw, expected=rule.answer, calls=(call.call,), spoils=tuple(named))


@law("TB-POL-02")
def what_is_allowed_happens(history: History, contract: Contract) -> Iterator[Judgement]:
    """A mutation that a rule allows, or that no rule or gate concerns, is not held back, and is seen to happen."""
    run, gate = known(history, contract), rulings(history, contract)
    allowed = {call.call for call, found in _ruled(history, contract) if found.action == "allow"}
    gated = [name for name in contract.writes() if name not in UNGATED]
    for call in history.calls(*gated):
        open_gate = run.policy(call).get("enforce_for_mutations") is False and entry(call, contract) is not None
        if _held_by_no_rule(run, gate, call) or (call.tool in UNDOES and _denied_by_no_rule(gate, call)):
            saw = f"{call.tool} meets no rule of the policy, and the gate answered {decision(call)}"
            yield breach(saw, call, got=decision(call))
        if not (call.call in allowed or open_gate) or call.profile in UNGATED_PROFILES or call.code == LIMIT_USED_UP:
            continue
        if decision(call) is not None:
            saw = f"{call.tool} is allowed by the policy, and the gate answered {decision(call)}"
            yield breach(saw, call, got=decision(call))
        elif call.accepted:
            yield HELD
    for call, happened, reads in deeds(history, contract, gated):
        if call.profile is not None and call.profile not in UNGATED_PROFILES and happened is not None:
            saw = f"{call.tool} was allowed and succeeded, and no read shows that it happened"
            yield holds(happened, saw, *reads, call)


def _held_by_no_rule(run: Known, gate: Rulings, call: Exchange) -> bool:
    """Whether a mutation is routed or a dry run that meets no rule of its policy.

    That one is denied is TB-SRV-01's, where it is sure that there was something to do. What approval_mode routes
    besides is open.
    """
    held = decision(call)
    if held == ROUTED and run.setting(call, "approval_mode") is not False:
        return False
    return held in (ROUTED, DRY) and gate.unlisted(call) and gate.ruling(call) is None


def _denied_by_no_rule(gate: Rulings, call: Exchange) -> bool:
    """Whether a mutation is denied that meets no rule of its policy, and no limit."""
    held = decision(call) == DENIED and call.code != LIMIT_USED_UP
    return held and gate.unlisted(call) and gate.ruling(call) is None


@law("TB-POL-05")
def a_dry_run_tells_and_does_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """A dry run is a success that names the tool and its arguments; nothing is sent and no read changes."""
    naming = rulings(history, contract).naming
    for call in answered(history, contract, DRY):
        given, tool = call.given, call.tool or ""
        saw = f"a dry run of {tool} ended as {told(call)}, and does not say so"
        yield holds(call.accepted and given.get("dry_run") is True, saw, call, pointer="/data/dry_run")
        if call.accepted:
            named = given.get("would_execute")
            saw = f"the dry run of {tool} would execute {named!r}"
            ok = named in (tool, tool.removeprefix("x_"), naming.tool(tool))
            yield holds(ok, saw, call, pointer="/data/would_execute", expected=tool, got=named)
            params = given.get("params")
            saw = f"the dry run of {tool} does not tell the arguments"
            yield holds(_tells(params, call), saw, call, pointer="/data/params", expected=call.arguments, got=params)
        yield from nothing_sent(history, contract, call)
        yield from unchanged(history, contract, [call])


def _tells(params: Json, call: Exchange) -> bool:
    """Whether the parameters of a dry run, an object or its JSON text, are the arguments; defaults may be added."""
    value = decoded(params) if isinstance(params, str) else params
    sent = call.arguments if isinstance(call.arguments, dict) else {}
    return isinstance(value, dict) and all(
        name in value and alike(sent[name], value[name]) is not False for name in sent
    )


@law("TB-POL-06")
def what_is_denied_is_not_done(history: History, contract: Contract) -> Iterator[Judgement]:
    """A denial is a failure whose policy_decision, if any, is denied; nothing is sent and no read changes."""
    free = let_through_at_some_time(history, contract)
    for call in answered(history, contract, DENIED):
        like = free.beside(call)
        if call.refused and like is None:
            continue
        saw = f"{call.tool} is denied, and ended as {told(call)}"
        yield holds(call.refused, saw, call, pointer="/success", expected=False)
        told_so = policy_decision(call)
        if told_so in (DENIED, ROUTED, DRY):
            saw = f"{call.tool} is denied, and policy_decision says {told_so}"
            place = "/error/policy_decision"
            yield holds(told_so == DENIED, saw, call, beside=like, pointer=place, expected=DENIED, got=told_so)
        yield from nothing_sent(history, contract, call)
        yield from unchanged(history, contract, [call])


@law("TB-POL-07")
def each_kind_of_rule_denies(history: History, contract: Contract) -> Iterator[Judgement]:
    """A mutation that the blocked list, a hard rule or a user's rule denies is denied."""
    kinds = {HARD: "a hard rule", BLOCKED: "the blocked list"}
    free = let_through_at_some_time(history, contract)
    for call, found in _ruled(history, contract):
        if found.answer != DENIED or not (call.accepted or decision(call) is not None):
            continue
        if decision(call) != DENIED:
            saw = f"{call.tool} is denied by {kinds.get(found.kind, 'a rule of the user')}, and ended as {told(call)}"
            yield _let_through(history, contract, saw, call, found)
        elif free.beside(call) is not None:
            yield HELD


@law("TB-POL-09")
def what_is_outside_the_gate_acts(history: History, contract: Contract) -> Iterator[Judgement]:
    """An upload, approval, rejection or universal request is never held back, by a rule for all or by a limit."""
    gate = rulings(history, contract)
    for call in history.calls(*UNGATED):
        about = entry(call, contract)
        if (
            about is not None
            and not previews(call)
            and (gate.would_match(call) or call.code == LIMIT_USED_UP)
            and (call.accepted or decision(call) is not None)
        ):
            saw = f"{call.tool} is outside the gate, and the gate answered {decision(call)}"
            yield holds(decision(call) is None, saw, call, got=decision(call))

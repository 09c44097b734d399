"""Which code is answered when: one law a code of the taxonomy."""

from collections.abc import Callable, Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.faults import Fault, Stage, known
from conformance.contracts.invocation.kit import EXECUTION
from conformance.contracts.invocation.laws.authorising import by_nobody
from conformance.contracts.invocation.likes import beside
from conformance.contracts.invocation.planned import FRAGILE, LIST, RELAY
from conformance.contracts.invocation.records import records
from conformance.contracts.invocation.standing import SURE
from conformance.judge.conditional import coded, due
from conformance.judge.instants import instant
from conformance.judge.judgements import breach, holds, told, unjudged
from conformance.judge.kinds import integer, text
from conformance.judge.law import HistoryLaw, law
from conformance.judge.silence import silence
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

WAIT = "local::kit.wait"
OPEN_CIRCUIT = "CircuitOpen"
UNAUTHORISED = ("Unauthenticated", "Forbidden")
LATE_S = 0.05
PATIENT = 10
"""Times a tool's timeout."""
ELSEWHERE = frozenset({"SchemaInvalid", "MissingField", "UnsupportedVersion"})
"""Codes of refusals that other requirements state: here the code alone is judged."""


def _law(code: str, sentence: str) -> HistoryLaw:
    """The law of a code."""

    def judged(history: History, contract: Contract) -> Iterator[Judgement]:
        found = [(one, fault) for one, fault in known(history, contract).alone() if fault.codes[0] == code]
        for one, fault in found:
            yield from _judged(history, contract, one, fault)
        yield from _unheard(history, contract, found)
        if code == "Timeout":
            yield from _shortened(history, contract)
        if code == OPEN_CIRCUIT:
            yield from _shut(history, contract)
        if code == "SchemaInvalid":
            yield from _invented(history, contract)
        if code in UNAUTHORISED:
            yield from by_nobody(history, contract, code)

    judged.__doc__ = sentence
    judged.__name__ = f"{code}_is_answered"
    return law(f"IR-ERR-{code}")(judged)


def _judged(history: History, contract: Contract, one: Invocation, fault: Fault) -> Iterator[Judgement]:
    """The word on a call with one fault. Where it goes through is judged here unless another requirement does."""
    call, code = one.call, fault.codes[0]
    elsewhere = code in ELSEWHERE or fault.about == "deadline"
    if call.accepted:
        if not elsewhere:
            yield breach(f"{one.name} {fault.words} ended as {told(call)}", call, expected=code)
        return
    if code == "Timeout" and call.unanswered == "time" and _waited(history, one):
        yield breach(f"{one.name} {fault.words} got {told(call)}", call, expected=code)
        return
    if call.received is None:
        return
    if call.code == "Timeout" and code != "Timeout" and fault.stage >= Stage.EXECUTION and _outlasted(one):
        yield unjudged("it took as long as its timeout allows: on a busy machine that ends any call")
        return
    if call.code in fault.codes[1:]:
        return  # it may be refused so; of this code it tells nothing
    if code == "DownstreamFailed" and _mapped(one, contract):
        if beside(history, contract, fault)(call) is not None:
            yield HELD
        return
    protocol = INVALID_PARAMS if fault.stage in (Stage.RESOLUTION, Stage.INPUT) and code in ELSEWHERE else None
    status = UNAUTHORIZED_STATUS if fault.stage is Stage.AUTHORISATION else None
    look, because = beside(history, contract, fault), _words(fault)
    yield from coded([call], code, because=because, beside=look, protocol=protocol, status=status)


def _unheard(history: History, contract: Contract, found: Sequence[tuple[Invocation, Fault]]) -> Iterator[Judgement]:
    """Faults with which a tool was never answered in time."""
    by_call = {one.call.call: (one, fault) for one, fault in found}

    def what(call: Exchange) -> str:
        one, fault = by_call[call.call]
        return f"{one.name} {fault.words}"

    calls = [one.call for one, _ in found]
    yield from silence(calls, what, lambda call: beside(history, contract, by_call[call.call][1])(call))


def _shortened(history: History, contract: Contract) -> Iterator[Judgement]:
    """A deadline before the end of the timeout ends a wait: by the server's own clock, as its record tells."""
    kept, calls = records(history, contract), invocations(history, contract)
    served = any(one.call.accepted for one in calls.to(WAIT))
    for one in calls.to(WAIT):
        wait, at = integer(one.input.get("ms")), instant(one.given("deadline"))
        looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
        began = instant(looked.entries[0].get("at")) if looked is not None and looked.entries else None
        if wait is None or at is None or began is None or one.tool is None or wait >= one.tool.policies.timeoutMs:
            continue
        if one.call.accepted and began + wait / 1000 > at + LATE_S:
            saw = f"{one.name} of {wait} ms went on beyond its deadline {one.given('deadline')}"
            yield breach(saw, one.call, expected="Timeout")
        elif one.call.code == "Timeout" and one.took is not None and served:
            early = one.took < SURE * one.tool.policies.timeoutMs
            yield HELD if early else unjudged("the machine was too slow to tell a deadline from a timeout")


def _invented(history: History, contract: Contract) -> Iterator[Judgement]:
    """A page token that no page gave is refused, where one that a page gave is taken: that is the kit's own rule.

    A number may be a page's token all the same, of pages of another size. Clients of others may have begun before.
    """
    run, calls = known(history, contract), invocations(history, contract)
    if history.header is None or history.header.tapped:
        return
    gave = {(one.call.instance, str(one.output.get("nextToken"))) for one in calls.to(LIST)}
    relayed = [one for one in calls.to(RELAY) if one.input.get("tool") == LIST]
    asked = [(one, token) for one in calls.to(LIST) if (token := text(one.input.get("pageToken"))) is not None]
    taken = {one.call.instance for one, token in asked if one.call.accepted and (one.call.instance, token) in gave}
    for one, token in asked:
        place = one.call.instance
        if token.isdigit() or (place, token) in gave or place not in taken:
            continue
        if any(other.call.instance == place and token in str(other.output) for other in relayed):
            continue
        if run.formed(one) and not run.faults(one).found:
            # that a token which a page gave is taken is the control
            yield from due([one.call], "SchemaInvalid", because=_of_token, beside=None, protocol=INVALID_PARAMS)


def _shut(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where a cache answers before the circuit, only a call that is to fail can show that this is open.

    That one has two faults. It is refused for the circuit: policies come before execution.
    """
    run = known(history, contract)
    if any(fault.codes[0] == OPEN_CIRCUIT for _, fault in run.alone()):
        return
    calls = list(invocations(history, contract).to(FRAGILE))
    if not any(one.call.accepted for one in calls):
        return
    for one in calls:
        faults = run.faults(one)
        codes = [fault.codes[0] for fault in faults.found]
        if codes == [OPEN_CIRCUIT, "DownstreamFailed"] and not faults.open and one.call.code is not None:
            saw = f"{one.name} {faults.found[0].words} ended as {told(one.call)}"
            yield holds(one.call.code == OPEN_CIRCUIT, saw, one.call, expected=OPEN_CIRCUIT, got=one.call.code)


def _outlasted(one: Invocation) -> bool:
    """Whether a call that runs into no timeout by itself took so long that it may have."""
    return one.tool is not None and one.took is not None and one.took >= one.tool.policies.timeoutMs


def _waited(history: History, one: Invocation) -> bool:
    """Whether the driver waited so long that no busy machine explains the silence."""
    limits = history.header.limits if history.header is not None else None
    return (
        limits is not None and one.tool is not None and limits.call_timeout_ms >= PATIENT * one.tool.policies.timeoutMs
    )


def _mapped(one: Invocation, contract: Contract) -> bool:
    """Whether an ExecutionError has a code that is not of the catalogue: the provider's, as far as anyone can tell."""
    return (
        one.error.get("class") == "ExecutionError"
        and one.call.code is not None
        and one.call.code not in contract.errors
    )


def _of_token(_: object) -> str:
    return "of kit.list with a pageToken that no page gave"


def _words(fault: Fault) -> Callable[[object], str]:
    return lambda _: fault.words


for _code, _sentence in {
    "SchemaInvalid": "A refusal of what breaks its schema is SchemaInvalid; an invented pageToken is refused with it.",
    "UnsupportedVersion": "A refusal of a range that no version satisfies has the code UnsupportedVersion.",
    "MissingField": "A refusal of an invocation that lacks a required field has the code MissingField.",
    "ToolNotFound": "An invocation of a well-formed name that no tool bears is refused with ToolNotFound.",
    "Timeout": "A call that runs longer than its timeout, or comes after its deadline, is refused with Timeout.",
    "RateLimited": "A call beyond a rate limit, as the caller's own clock shows, is refused with RateLimited.",
    "CircuitOpen": "A call to a tool whose circuit is open, by the caller's own clock, is refused with CircuitOpen.",
    "BudgetExceeded": "A call that costs more than is left of the budget is refused with BudgetExceeded.",
    "ConcurrencyLimited": "While a tool runs as often as its limit allows, a refused call is ConcurrencyLimited.",
    "Unauthenticated": "A call with bad credentials, or without required ones, is Unauthenticated, or HTTP 401.",
    "Forbidden": "A call by a known caller who lacks a scope that the tool requires is refused with Forbidden.",
    "DownstreamFailed": "Where the service behind a tool fails, the call is DownstreamFailed or has its own code.",
    "Unhandled": "A call of a tool that faults unexpectedly is refused with Unhandled.",
    "SerializationFailed": "A call of a tool whose output no JSON can hold is refused with SerializationFailed.",
}.items():
    _law(_code, _sentence)

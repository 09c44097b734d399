"""What the contract allows is served."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.faults import authorised, known
from conformance.contracts.invocation.kit import DESCRIBE, INVOKE, RECORDS
from conformance.contracts.invocation.laws.codes import UNAUTHORISED
from conformance.contracts.invocation.laws.giving import given_back
from conformance.contracts.invocation.laws.showing import readable, records_agree, records_shown, tools_described
from conformance.contracts.invocation.planned import RELAY
from conformance.contracts.invocation.standing import SURE
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.judgements import breach
from conformance.judge.law import law
from conformance.judge.serving import Unsupported, all_served
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

READER = "records"
OFTEN = 3
NEEDING = frozenset({"local::kit.guarded"})


@law("IR-SRV-01")
def good_invocations_are_served(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that the contract's rules allow is answered Ok: each tool of the kit, in each version, in each way.

    The same holds for describe_tools, and for read_records of each kind by a caller with the scope for it. They show
    the kit, and the records that were asked for: each once, in order, and in agreement with the Results. What a tool
    gives is what its input tells, as the kit has it. A relay passes on its caller's credentials. A call that ends by
    its timeout counts as slow, unless every call of the tool does so while other tools are served.
    """
    run, runs, left_out = known(history, contract), invocations(history, contract), Unsupported(history)
    trusted = _trusted(history, contract)
    faultless = [
        one
        for one in runs
        if run.faults(one).none
        and trusted(one.call, one.tool is not None and bool(one.tool.requiredScopes))
        and not left_out.concerns(one.call)
    ]
    good = [one.call for one in faultless if _in_time(one)]
    beside = [call for call in history.calls(DESCRIBE) if call.arguments == {} and trusted(call, False)]
    beside += [call for call in history.calls(RECORDS) if _readable(call) and trusted(call, True)]
    calls = [call for call in (*good, *beside) if not left_out.concerns(call)]
    yield from all_served(calls, lambda call: _way(call, history, contract))
    yield from given_back(one for one in faultless if one.call.accepted and not runs.repeated(one))
    yield from _ever_served(faultless)
    yield from _handed_on(history, contract, trusted)
    yield from tools_described(history)
    yield from records_shown(history)
    yield from records_agree(history, contract)


class _Trust:
    """Whose token is believed: a claim of another name than the server's makes a token that it need not accept."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._anywhere: set[str] = set()
        self._scoped: set[str] = set()
        run = invocations(history, contract)
        for call in history.accepted(INVOKE, RECORDS):
            who = call.credential
            self._anywhere.add(who.name)
            if call.tool == RECORDS or run.of(call).name in NEEDING:
                self._scoped.add(who.name)

    def __call__(self, call: Exchange, scoped: bool) -> bool:  # noqa: FBT001 -- one parameter
        who = call.credential
        if who.defect == "missing" and not scoped:
            return True
        return who.name in (self._scoped if scoped else self._anywhere)


def _trusted(history: History, contract: Contract) -> _Trust:
    return _Trust(history, contract)


def _handed_on(history: History, contract: Contract, trusted: _Trust) -> Iterator[Judgement]:
    """Relays of tools that need a scope, by a caller who invoked such a tool: whether the inner call was let in."""
    for one in invocations(history, contract).to(RELAY):
        inner = next(triggered(one), None)
        if inner is None or not inner.tool.requiredScopes or not trusted(one.call, True):
            continue
        if inner.served:
            yield HELD
        elif (cause := _cause(one)) in UNAUTHORISED and not authorised(one.call.credential, inner.tool.requiredScopes):
            saw = f"{one.name} had {inner.tool.name} refused with {cause}, which its caller may invoke"
            yield breach(saw, one.call, pointer="/error/causedBy/code", expected="success", got=cause)


def _cause(one: Invocation) -> Json:
    cause = one.error.get("causedBy")
    return cause.get("code") if isinstance(cause, dict) else None


def _ever_served(faultless: Sequence[Invocation]) -> Iterator[Judgement]:
    """No tool ends each of its calls by a timeout, while another is called and served."""
    by_tool: dict[str, list[Invocation]] = defaultdict(list)
    for one in faultless:
        by_tool[one.name].append(one)
    for name, calls in by_tool.items():
        late = [one for one in calls if one.call.code == "Timeout" or one.call.unanswered == "time"]
        if len(late) < len(calls) or len(late) < OFTEN:
            continue
        meanwhile = (other for other in faultless if other.call.accepted and any(_within(other, one) for one in late))
        other = next(meanwhile, None)
        if other is not None:
            saw = f"{name} was called {len(late)} times, and no call ended within its timeout; {other.name} was served"
            yield breach(saw, late[-1].call, beside=other.call, expected="Ok", got=late[-1].call.code)


def _within(one: Invocation, other: Invocation) -> bool:
    """Whether a call was made while another one was waited for, and took less time."""
    sent, began = one.call.sent, other.call.sent
    end = other.call.received
    if one.call.received is None or end is None:
        return end is None and began < sent
    return began < sent < end and one.call.received - sent < end - began


def _in_time(one: Invocation) -> bool:
    """Whether a Timeout cannot be due: what the caller measured is shorter than the tool may take."""
    if one.call.code != "Timeout" or one.took is None or one.tool is None:
        return True
    return one.took < SURE * one.tool.policies.timeoutMs


def _readable(call: Exchange) -> bool:
    """Whether a call of read_records is one that the kit names, by a caller with the scope."""
    if not readable(call):
        return False
    scopes = call.credential.claims.get("scopes")
    return call.credential.defect is None and isinstance(scopes, list) and READER in scopes


def _way(call: Exchange, history: History, contract: Contract) -> Hashable:
    """The tool, its version, and which fields of the Invocation and of its input are given, with or without a token."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    if call.tool != INVOKE:
        return call.tool, given.get("kind"), frozenset(given)
    one = invocations(history, contract).of(call)
    return one.name, str(one.given("versionRange")), frozenset(given), frozenset(one.input), call.credential.defect

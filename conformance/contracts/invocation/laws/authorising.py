"""Where a scope is needed besides a tool's own: to read the records, and for what a relay has invoked."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import invocations
from conformance.contracts.invocation.faults import authorised, known
from conformance.contracts.invocation.kit import RECORDS
from conformance.contracts.invocation.laws.showing import readable
from conformance.contracts.invocation.planned import RELAY
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.judgements import holds
from conformance.model.history import History
from conformance.model.verdict import Judgement

READER = ("records",)


def by_nobody(history: History, contract: Contract, code: str) -> Iterator[Judgement]:
    """Whoever may not read the records reads none, and a relay reaches no tool that its caller may not invoke.

    A refusal shows something beside the same by a caller who may. A server that nobody has a token for asks for none.
    """
    if known(history, contract).asks:
        yield from _readings(history, code)
        yield from _relays(history, contract, code)


def _readings(history: History, code: str) -> Iterator[Judgement]:
    calls = [call for call in history.calls(RECORDS) if call.received is not None and readable(call)]
    allowed = {call.instance: call for call in calls if call.accepted and not authorised(call.credential, READER)}
    for call in calls:
        found = authorised(call.credential, READER)
        like = allowed.get(call.instance)
        if found and found[0].codes[0] == code and (call.accepted or like is not None):
            saw = f"read_records {found[0].words} gave what was recorded"
            yield holds(not call.accepted, saw, call, beside=like, expected=code)


def _relays(history: History, contract: Contract, code: str) -> Iterator[Judgement]:
    relays = [(one, inner) for one in invocations(history, contract).to(RELAY) for inner in triggered(one)]
    allowed = {
        (one.call.instance, inner.tool.name): one.call
        for one, inner in relays
        if inner.served and not authorised(one.call.credential, inner.tool.requiredScopes)
    }
    for one, inner in relays:
        found = authorised(one.call.credential, inner.tool.requiredScopes)
        like = allowed.get((one.call.instance, inner.tool.name))
        # a token that is bad is a fault of the relay's own call
        if not inner.tool.requiredScopes or not found or found[0].codes[0] != code:
            continue
        if inner.served or (one.call.refused and like is not None):
            saw = f"{one.name} {found[0].words} had {inner.tool.name} invoked, and it was served"
            yield holds(not inner.served, saw, one.call, beside=like, pointer=inner.pointer, expected=code)

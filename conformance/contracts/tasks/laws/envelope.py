"""Response envelope: the one object that every tool answers."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.envelope import one_object
from conformance.judge.instants import Instant, in_utc
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.law import exchange_law, law
from conformance.judge.peaks import Mark, Peaks
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

KEYS = ("success", "intent", "result", "warnings", "suggestions", "context", "error", "timestamp")


def answered(call: Exchange, contract: Contract) -> bool:
    """Whether a tool of the contract answered, rather than the protocol."""
    return call.result is not None and call.tool in contract.tools


@exchange_law("TK-ENV-01")
def every_answer_is_one_whole_envelope(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """A tool's answer carries one object, and each of the envelope's eight keys is in it."""
    if not answered(call, contract):
        return
    envelope = call.envelope
    if envelope is None:
        yield from one_object(call)
        return
    lacking = next((key for key in KEYS if key not in envelope), None)
    if lacking is None:
        yield from one_object(call)
    else:
        yield breach(f"the answer of {call.tool} has no {lacking}", call, pointer=f"/{lacking}", got=MISSING)


@exchange_law("TK-ENV-05")
def a_timestamp_is_a_utc_instant(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """The timestamp is an RFC 3339 instant in UTC."""
    if answered(call, contract) and call.envelope is not None and "timestamp" in call.envelope:
        value = call.envelope["timestamp"]
        yield holds(in_utc(value) is not None, f"timestamp is {value!r}", call, pointer="/timestamp", got=value)


@law("TK-ENV-06")
def timestamps_do_not_go_back(history: History, contract: Contract) -> Iterator[Judgement]:
    """An answer's timestamp is no earlier than that of any answer that came before its call on the same connection.

    Only answers of one instance are compared, as instances have clocks of their own.
    """
    told: dict[int, Instant] = {}
    places: dict[tuple[str, str], list[Exchange]] = {}
    for call in history.calls():
        instant = in_utc(call.envelope.get("timestamp")) if call.envelope is not None else None
        if instant is not None and answered(call, contract):
            told[call.call] = instant
            places.setdefault((call.connection.id, call.instance), []).append(call)
    for calls in places.values():
        latest = Peaks(Mark(None, told[call.call].at, call) for call in calls)
        for call in calls:
            earlier = latest.before(call)
            if earlier is None:
                continue
            now, before = told[call.call], told[earlier.call.call]
            saw = "the timestamp is earlier than that of an answer before the call was made"
            first, second = (each.envelope.get("timestamp") if each.envelope else None for each in (earlier.call, call))
            back = now.before(before)
            yield holds(not back, saw, earlier.call, call, pointer="/timestamp", expected=first, got=second)

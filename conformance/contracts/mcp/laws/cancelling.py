"""MC-CALL-16: calls that the caller cancels."""

from collections import Counter
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.judge.judgements import breach, told
from conformance.judge.law import law
from conformance.judge.windows import key_of
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement


@law("MC-CALL-16", absent=no_tools)
def a_cancelled_call_ends_quietly(history: History, _: Contract) -> Iterator[Judgement]:
    """A call that is cancelled while it runs gets no answer, or the answer that it gets when it is not cancelled.

    It is judged where the same call is accepted when it is not cancelled. The next call on the connection is accepted,
    where it is accepted elsewhere.
    """
    works = Counter(key_of(call) for call in history.accepted())
    for call in history.calls():
        when = call.cancelled
        if when is None or works[key_of(call)] <= call.accepted:
            continue
        if call.unanswered == "lost":
            yield breach(f"the connection was lost when {call.tool} was cancelled", call)
            continue
        if call.unanswered == "time" or (call.received is not None and call.received < when) or for_a_time(call):
            continue  # given up for another reason, answered before, or refused by a limit
        if call.error is not None:
            yield breach(f"{call.tool} was cancelled and then answered: {told(call)}", call, expected="no answer")
            continue
        later = _after(call, history)
        if later is not None and key_of(later) in works and later.unanswered == "lost":
            yield breach(f"after a cancelled call {later.tool}: {told(later)}", call, later)
        elif later is not None and later.accepted:
            yield HELD


def _after(call: Exchange, history: History) -> Exchange | None:
    """The next call on the connection."""
    later = (e for e in history.calls() if e.connection is call.connection and e.sent > call.sent)
    return next(later, None)

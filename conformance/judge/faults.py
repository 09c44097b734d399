"""Faults of a server's own, told apart from refusals: an internal error is no answer to what was asked."""

from collections.abc import Collection, Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.insides import shown_inside
from conformance.judge.judgements import holds, told
from conformance.model.exchange import UNAUTHORIZED_STATUS, Exchange
from conformance.model.verdict import Judgement

INTERNAL = -32603
SERVER_FAULT = 500
OK = 200
NOT_THE_TOOL = (404, 405, 429)
"""HTTP statuses by which something before the tool turns a request away, where no code comes with them."""


def internal(call: Exchange, contract: Contract | None = None) -> bool:
    """Whether a call was answered with an internal error: -32603 or HTTP 5xx, without one of the contract's codes."""
    if not call.refused or (contract is not None and call.code in contract.errors):
        return False
    return call.protocol_code == INTERNAL or (call.status or 0) >= SERVER_FAULT


def declined(call: Exchange) -> bool:
    """Whether the server refused a call in words of the contract or the protocol, and did not merely fail at it.

    HTTP 401 says what a call is refused for, whatever its body is.
    """
    if call.refused and call.status == UNAUTHORIZED_STATUS:
        return True
    if not call.refused or call.raw is not None:
        return False
    if call.code is not None:
        return True
    return not internal(call) and call.status not in NOT_THE_TOOL


def stumbled(call: Exchange, likes: Iterable[Exchange]) -> bool:
    """Whether the server failed at a call in no words of the contract, and served another of these of the same form.

    Then it failed at it as it may at any call, and does not refuse what they have in common. Of the same form are calls
    of one tool whose arguments have the same names.
    """
    wordless = call.code is None and call.protocol_code is None and call.status in (None, OK)
    if not (call.refused and (wordless or internal(call))):
        return False
    return any(like.tool == call.tool and like.accepted and _names(like) == _names(call) for like in likes)


def _names(call: Exchange) -> Collection[str]:
    return call.arguments.keys() if isinstance(call.arguments, dict) else ()


def failed_itself(call: Exchange) -> bool:
    """Whether the server itself answered a call with an internal error: its words may still say what it is for."""
    return call.raw is None and call.protocol_code == INTERNAL


def own_faults(calls: Iterable[Exchange], contract: Contract) -> Iterator[Judgement]:
    """No answer is a fault of the server's own: an internal error, a code outside the catalogue, a text of its inside.

    A contract without a catalogue has no code that could be outside it.
    """
    for call in calls:
        if call.received is None:
            continue
        saw = _fault(call, contract)
        yield holds(not saw, f"{call.tool} was answered with {saw}", call, pointer="/error")


def _fault(call: Exchange, contract: Contract) -> str:
    if not call.refused:
        return ""
    if internal(call, contract):
        return f"an internal error ({told(call)})"
    if call.code is not None and contract.errors and call.code not in contract.errors:
        return f"the code {call.code}, which the contract does not have"
    inside = shown_inside(call)
    return f"a text that shows {inside}" if inside else ""

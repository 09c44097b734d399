"""The plain HTTP binding: requests that no method can make anything of."""

from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.allowed import allowed_of
from conformance.contracts.threads.payloads import FIELDS
from conformance.judge.characters import holds
from conformance.judge.judgements import HELD, breach, told
from conformance.judge.law import law
from conformance.model.exchange import Exchange
from conformance.model.frames import PLAIN_METHODS
from conformance.model.history import History
from conformance.model.verdict import Judgement

MEDIA_TYPE = "application/json"
CLIENT_ERRORS = range(400, 500)
BAD_REQUEST = 400
NUL = "%00"
"""U+0000 in a path."""


def _unbound(history: History, _: Contract) -> str:
    bound = any(connection.binding == "http" for connection in history.connections.values())
    return "" if bound else "no endpoint of the target has the plain HTTP binding"


@law("TH-SRV-04", absent=_unbound)
def unreadable_requests_are_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """Over plain HTTP an unreadable request is refused with 4xx and an error, and the server goes on.

    It is judged at the paths of methods, where good calls are served before it; those after it are served as well.
    """
    good = [call for call in allowed_of(history, contract, *FIELDS) if call.connection.binding == "http"]
    for call in history.exchanges:
        what = unreadable(call)
        endpoint = call.connection.endpoint
        around = [one for one in good if one.connection.endpoint == endpoint]
        if (
            what
            and not (call.limited or refused_by_http(call))
            and any(one.accepted and one.before(call) for one in around)
        ):
            yield _judged(call, what, [one for one in around if call.sent < one.sent])


def _judged(call: Exchange, what: str, later: Sequence[Exchange]) -> Judgement:
    error = call.envelope.get("error") if call.envelope is not None else None
    coded = isinstance(error, dict) and isinstance(error.get("code"), str)
    if call.accepted or call.received is None or call.status not in CLIENT_ERRORS:
        status = f" (HTTP {call.status})" if call.status is not None else ""
        return breach(f"{what} ended as {told(call)}{status}", call, expected="4xx")
    if not coded:
        return breach(f"{what} was refused without an error that has a code", call, expected="{error: {code, ...}}")
    if later and not any(one.accepted for one in later):
        return breach(f"after {what} no good call is served any more", call, later[0], expected="success")
    return HELD


def refused_by_http(call: Exchange) -> bool:
    """Whether a path with U+0000 was refused in no JSON: proxies do so by themselves, and no server hears of it."""
    path = (call.asked.path if call.asked is not None else None) or ""
    return NUL in path and call.status == BAD_REQUEST and call.raw is not None


def unreadable(call: Exchange) -> str:
    """What in a request no method can make anything of, in words; empty for any other request."""
    asked, base = call.asked, call.connection.path
    if asked is None or base is None or asked.method != "POST":
        return ""
    if not (asked.path or "").startswith(f"{base}{PLAIN_METHODS}"):
        return ""
    method = (asked.path or "").rpartition("/")[2]
    declared = asked.headers.get("content-type", MEDIA_TYPE)
    faults = (
        (method not in FIELDS, f"a call of {method!r}, which is no method,"),
        (declared.partition(";")[0].strip().lower() != MEDIA_TYPE, f"a body of the media type {declared}"),
        (call.tool is None, "a body that is no JSON"),
        (not isinstance(call.arguments, dict), "a body that is no object"),
        (holds(call.arguments), "a body that holds U+0000"),
    )
    return next((what for wrong, what in faults if wrong), "")

"""The Result: what its status says, and what is there beside it."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import origin_of
from conformance.contracts.invocation.kit import INVOKE
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.kinds import integer
from conformance.judge.law import exchange_law
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.verdict import HELD, Judgement

STATUSES = ("Ok", "Error", "Retryable")
FAILURES = ("Error", "Retryable")


@exchange_law("IR-RES-01", INVOKE)
def the_status_is_one_of_three(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """An answer to an invocation is a Result whose status is Ok, Error or Retryable.

    Accepted in its place are -32602 of JSON-RPC where arguments are refused, HTTP 401 where credentials are, and any
    error of JSON-RPC where the caller cancelled the call or the server has forgotten its session.
    """
    if call.received is None or call.withdrawn or call.of_no_session:
        return
    if call.envelope is None:
        instead = call.protocol_code == INVALID_PARAMS or call.status == UNAUTHORIZED_STATUS
        if not instead and call.raw is None:
            yield breach(f"the answer is no Result, but {told(call)}", call, pointer="/status", got=MISSING)
        return
    status = call.envelope.get("status", MISSING)
    good = isinstance(status, str) and status in STATUSES
    yield holds(good, f"status is {status!r}", call, pointer="/status", expected=list(STATUSES), got=status)


@exchange_law("IR-RES-04", INVOKE)
def retryable_is_said_alike(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """The status of a failure is Retryable exactly where its error's isRetryable is true."""
    envelope = call.envelope or {}
    status, error = envelope.get("status"), envelope.get("error")
    said = error.get("isRetryable") if isinstance(error, dict) else None
    if status in FAILURES and isinstance(said, bool):
        saw = f"status is {status}, and isRetryable is {str(said).lower()}"
        yield holds((status == "Retryable") is said, saw, call, pointer="/status", got=status)


@exchange_law("IR-RES-06", INVOKE)
def attempts_are_counted(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A Result's attempts is a whole number of at least 1."""
    if _is_result(call):
        found = (call.envelope or {}).get("attempts", MISSING)
        yield holds((integer(found) or 0) >= 1, f"attempts is {found!r}", call, pointer="/attempts", got=found)


@exchange_law("IR-RES-09", INVOKE)
def the_correlation_is_echoed(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A Result has the correlationId that its invocation gave."""
    given = call.argument("correlationId")
    if _is_result(call) and isinstance(given, str) and given:
        found = (call.envelope or {}).get("correlationId", MISSING)
        saw = f"correlationId is {found!r}, the invocation gave {given!r}"
        yield holds(found == given, saw, call, pointer="/correlationId", expected=given, got=found)


@exchange_law("IR-RES-10", INVOKE)
def the_origin_agrees_with_the_name(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A Result's origin is local or mcp::SERVER, and the one that toolName tells where that is fully qualified."""
    if not _is_result(call):
        return
    found, name = (call.envelope or {}).get("origin", MISSING), call.argument("toolName")
    if not is_origin(found):
        yield breach(f"origin is {found!r}", call, pointer="/origin", expected="local or mcp::SERVER", got=found)
        return
    due = origin_of(name) if isinstance(name, str) else None
    saw = f"origin is {found!r}, and the tool is {name}"
    yield HELD if due is None else holds(found == due, saw, call, pointer="/origin", expected=due, got=found)


def is_origin(value: object) -> bool:
    """Whether a value is an origin: local, or mcp:: and a server's name."""
    return isinstance(value, str) and (value == "local" or (value.startswith("mcp::") and "::" not in value[5:] != ""))


def _is_result(call: Exchange) -> bool:
    """Whether an answer is a Result by its status."""
    return call.envelope is not None and call.envelope.get("status") in STATUSES

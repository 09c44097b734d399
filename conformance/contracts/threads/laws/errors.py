"""Section 6: which code is answered when. That a call is refused at all is judged where the document says so."""

from collections.abc import Callable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import NO_FAULT, known, mismatched
from conformance.contracts.threads.laws.authentication import flaw, unproved
from conformance.contracts.threads.laws.faulty import (
    ELSEWHERE,
    MOVE,
    OTHERS,
    THREAD,
    TOKEN,
    VERSION,
    beside,
    faulty,
    identities,
    payload,
)
from conformance.contracts.threads.laws.keys import in_time
from conformance.contracts.threads.laws.moves import asked, courses
from conformance.contracts.threads.laws.posted import place_of
from conformance.contracts.threads.laws.status import CLOSE
from conformance.contracts.threads.payloads import FIELDS, LEADS
from conformance.judge.conditional import coded
from conformance.judge.controls import ButFor
from conformance.judge.law import law
from conformance.judge.tokens import proof
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-ERR-UNAUTHORIZED")
def an_invalid_identity_is_unauthorized(history: History, contract: Contract) -> Iterator[Judgement]:
    """The refusal of a call that is served with a good token, but has none, is UNAUTHORIZED, or HTTP 401.

    Tokens of a kind that the method was seen to take are left out: it refused the call for something else.
    """
    taken = {(call.tool, flaw(call)) for call in history.accepted(*FIELDS)}
    calls = [call for call in unproved(history) if call.code == "UNAUTHORIZED" or (call.tool, flaw(call)) not in taken]
    look = beside(history, contract, TOKEN)
    yield from coded(calls, "UNAUTHORIZED", because=proof, beside=look, status=UNAUTHORIZED_STATUS)


@law("TH-ERR-FORBIDDEN")
def no_part_in_the_thread_is_forbidden(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a worker who takes no part in the thread, where others are served, has the code FORBIDDEN."""
    disputed = _disputed(history, contract)
    calls = [call for call in faulty(history, contract, "FORBIDDEN") if not disputed(call)]
    look = beside(history, contract, OTHERS)
    yield from coded(calls, "FORBIDDEN", because=lambda _: "by a worker who takes no part", beside=look)


def _disputed(history: History, contract: Contract) -> Callable[[Exchange], bool]:
    """Tells whether a worker asks to close a thread that is, or may be, blocked: that has a code of its own."""
    found = courses(history, contract)

    def disputed(call: Exchange) -> bool:
        place = place_of(call)
        if call.tool != "update_thread_status" or call.argument("status") != "closed" or place is None:
            return False
        course = found.get(place)
        status = course.at(call) if course is not None else None
        return status is None or status.status == "blocked"

    return disputed


@law("TH-ERR-OUT_OF_SCOPE_WORKSPACE")
def another_workspace_is_out_of_scope(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a call across workspaces, by somebody known to the server, has the code OUT_OF_SCOPE_WORKSPACE."""
    served = {(c.instance, c.credential.name) for c in history.accepted(*FIELDS)}
    calls = [
        c for c in faulty(history, contract, "OUT_OF_SCOPE_WORKSPACE") if (c.instance, c.credential.name) in served
    ]
    look = beside(history, contract, ELSEWHERE)
    yield from coded(calls, "OUT_OF_SCOPE_WORKSPACE", because=lambda _: "across workspaces", beside=look)


@law("TH-ERR-NOT_FOUND")
def an_unknown_thread_is_not_found(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a call about a thread that does not exist is NOT_FOUND, if it is served for another thread."""
    calls, look = faulty(history, contract, "NOT_FOUND"), beside(history, contract, THREAD)
    yield from coded(calls, "NOT_FOUND", because=lambda _: "on an unknown thread", beside=look)


@law("TH-ERR-VALIDATION_ERROR")
def a_malformed_payload_is_a_validation_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a malformed payload, served when in order, is VALIDATION_ERROR, or JSON-RPC's -32602."""
    threads, fields = known(history, contract), payload(history, contract)

    def differing(call: Exchange) -> ButFor:
        return fields(call) if threads.faults(call).fields else VERSION

    calls, look = faulty(history, contract, "VALIDATION_ERROR"), beside(history, contract, differing)
    because = "with a malformed payload"
    yield from coded(calls, "VALIDATION_ERROR", because=lambda _: because, beside=look, protocol=INVALID_PARAMS)


@law("TH-ERR-CLAIM_MISMATCH")
def another_identity_is_a_claim_mismatch(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a payload that names another identity, served with the caller's own, has the code CLAIM_MISMATCH."""
    calls, look = faulty(history, contract, "CLAIM_MISMATCH"), beside(history, contract, identities)

    def because(call: Exchange) -> str:
        return f"with somebody else's {' and '.join(mismatched(call))}"

    yield from coded(calls, "CLAIM_MISMATCH", because=because, beside=look)


@law("TH-ERR-CONFLICT", compares="entity")
def an_invalid_transition_is_a_conflict(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of another status for a closed thread, to a lead who moved it before, has the code CONFLICT."""
    threads, look = known(history, contract), beside(history, contract, MOVE)
    moves = [
        one.update
        for one in asked(history, contract)
        if one.known.status == "closed" and one.wanted != "closed" and one.role in LEADS
    ]
    calls = [call for call in moves if threads.faults(call) == NO_FAULT]
    yield from coded(calls, "CONFLICT", because=lambda call: f"from closed to {call.argument('status')}", beside=look)


@law("TH-ERR-INSUFFICIENT_AUTHORITY")
def an_override_by_a_worker_lacks_authority(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a worker who asks to close a blocked thread, as leads do, has the code INSUFFICIENT_AUTHORITY."""
    threads, look = known(history, contract), beside(history, contract, CLOSE)
    closing = [
        one.update
        for one in asked(history, contract)
        if one.role == "worker" and one.wanted == "closed" and one.known.status == "blocked"
    ]
    calls = [call for call in closing if threads.faults(call) == NO_FAULT]
    because = "to closed, by a worker, of a blocked thread"
    yield from coded(calls, "INSUFFICIENT_AUTHORITY", because=lambda _: because, beside=look)


@law("TH-ERR-IDEMPOTENCY_CONFLICT", compares="entity")
def another_payload_is_an_idempotency_conflict(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a post that reuses the key of an accepted one has the code IDEMPOTENCY_CONFLICT."""
    firsts = {one.again.call: one.original for one in in_time(history, contract) if one.equal is False}
    reused = [one.again for one in in_time(history, contract) if one.again.call in firsts]
    calls = [again for again in reused if again.code != "RATE_LIMITED"]
    because = "of a used key with another payload"
    yield from coded(calls, "IDEMPOTENCY_CONFLICT", because=lambda _: because, beside=lambda again: firsts[again.call])

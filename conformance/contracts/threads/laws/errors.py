"""Section 6: which code is answered when. That a call is refused at all is judged where the document says so."""

from collections import defaultdict, deque
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Known, known, mismatched
from conformance.contracts.threads.laws.posted import calendar, key_of, payload_of
from conformance.contracts.threads.payloads import FIELDS, LEADS
from conformance.judge.conditional import coded
from conformance.judge.judgements import breach, told
from conformance.judge.law import exchange_law, law
from conformance.judge.replay import repeats
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

METHODS = tuple(FIELDS)
WINDOW_US = 60_000_000


def _faulty(history: History, contract: Contract, code: str) -> list[Exchange]:
    """Calls with this one fault."""
    threads = known(history, contract)
    return [call for call in threads.with_only(code) if not threads.faults(call).others]


@exchange_law("TH-ERR-UNAUTHORIZED", *METHODS)
def an_invalid_identity_is_unauthorized(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A refusal of a call without a good token has the code UNAUTHORIZED."""
    defect = call.credential.defect
    if defect is not None:
        yield from coded(
            [call], "UNAUTHORIZED", because=lambda _: f"with a token ({defect})", status=UNAUTHORIZED_STATUS
        )


@law("TH-ERR-FORBIDDEN")
def no_part_in_the_thread_is_forbidden(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a worker who takes no part in the thread has the code FORBIDDEN."""
    threads = known(history, contract)
    calls = [call for call in _faulty(history, contract, "FORBIDDEN") if not _closes(call, threads)]
    yield from coded(calls, "FORBIDDEN", because=lambda _: "by a worker who takes no part")


@law("TH-ERR-OUT_OF_SCOPE_WORKSPACE")
def another_workspace_is_out_of_scope(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a call across workspaces has the code OUT_OF_SCOPE_WORKSPACE."""
    calls = _faulty(history, contract, "OUT_OF_SCOPE_WORKSPACE")
    yield from coded(calls, "OUT_OF_SCOPE_WORKSPACE", because=lambda _: "across workspaces")


@law("TH-ERR-NOT_FOUND")
def an_unknown_thread_is_not_found(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a call about a thread that there is not has the code NOT_FOUND."""
    yield from coded(_faulty(history, contract, "NOT_FOUND"), "NOT_FOUND", because=lambda _: "on an unknown thread")


@law("TH-ERR-VALIDATION_ERROR")
def a_malformed_payload_is_a_validation_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a call with a malformed payload has the code VALIDATION_ERROR, or is JSON-RPC's -32602."""
    calls = _faulty(history, contract, "VALIDATION_ERROR")
    because = "with a malformed payload"
    yield from coded(calls, "VALIDATION_ERROR", because=lambda _: because, protocol=INVALID_PARAMS)


@law("TH-ERR-CLAIM_MISMATCH")
def another_identity_is_a_claim_mismatch(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a call whose payload names another identity than the claims has the code CLAIM_MISMATCH."""
    calls = _faulty(history, contract, "CLAIM_MISMATCH")
    yield from coded(calls, "CLAIM_MISMATCH", because=lambda call: f"with somebody else's {mismatched(call)[0]}")


@law("TH-ERR-CONFLICT")
def an_invalid_transition_is_a_conflict(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of another status for a closed thread, to a role with the right to override, has the code CONFLICT."""
    threads, moves = known(history, contract), []
    for call in history.calls("update_thread_status"):
        closed = threads.status(call) == "closed" and call.argument("status") != "closed"
        if not closed or call.credential.role not in LEADS or not threads.faults(call).none:
            continue
        moves.append(call)
    yield from coded(moves, "CONFLICT", because=lambda call: f"from closed to {call.argument('status')}")


@law("TH-ERR-INSUFFICIENT_AUTHORITY")
def an_override_by_a_worker_lacks_authority(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a worker who asks to close a blocked thread has the code INSUFFICIENT_AUTHORITY."""
    threads = known(history, contract)
    calls = [
        call
        for call in history.calls("update_thread_status")
        if _closes(call, threads) and threads.status(call) == "blocked" and threads.faults(call).none
    ]
    yield from coded(calls, "INSUFFICIENT_AUTHORITY", because=lambda _: "to closed, by a worker, of a blocked thread")


def _closes(call: Exchange, threads: Known) -> bool:
    """Whether a worker asks to close a thread that is, or may be, disputed."""
    closing = call.tool == "update_thread_status" and call.argument("status") == "closed"
    return closing and call.credential.role == "worker" and threads.status(call) in (None, "blocked")


@law("TH-ERR-IDEMPOTENCY_CONFLICT")
def another_payload_is_an_idempotency_conflict(history: History, contract: Contract) -> Iterator[Judgement]:
    """A refusal of a post that reuses a key with another payload has the code IDEMPOTENCY_CONFLICT."""
    threads = known(history, contract)
    when = calendar(history, contract)
    for original, again, equal in repeats(history.calls("post_message"), key_of, payload_of):
        if equal is False and when.same(original, again) and threads.faults(again).none:
            yield from coded([again], "IDEMPOTENCY_CONFLICT", because=lambda _: "of a used key with another payload")


@law("TH-ERR-RATE_LIMITED")
def posting_beyond_the_quota_is_rate_limited(history: History, contract: Contract) -> Iterator[Judgement]:
    """A post beyond the agent's quota is refused, and with the code RATE_LIMITED."""
    threads, when = known(history, contract), calendar(history, contract)
    posted: dict[tuple[str, str, float], deque[Exchange]] = defaultdict(deque)
    keys: set[tuple[str, object]] = set()
    for post in sorted(history.calls("post_message"), key=lambda call: call.sent):
        quota, agent, key = _quota(history, post), post.credential.claims.get("agent_id"), key_of(post)
        if quota is None or not isinstance(agent, str) or not threads.faults(post).none:
            continue
        if key is not None and (post.instance, key) in keys:
            continue
        earlier = posted[post.instance, agent, when.ahead(post)]
        while earlier and post.sent - earlier[0].sent >= WINDOW_US:
            earlier.popleft()
        if len(earlier) >= quota:
            yield from _beyond(post, [other for other in earlier if other.before(post)], quota)
        if post.accepted:
            earlier.append(post)
            keys.add((post.instance, key))


def _beyond(post: Exchange, recent: list[Exchange], quota: int) -> Iterator[Judgement]:
    """Judges a post by the accepted ones of the minute before it.

    Within a minute a fixed window may begin anew once: only twice the quota is surely too much.
    """
    if len(recent) >= quota and post.refused:
        yield from coded([post], "RATE_LIMITED", because=lambda _: "beyond the agent's quota")
    elif len(recent) >= 2 * quota and post.accepted:
        saw = f"message {len(recent) + 1} of a minute ended as {told(post)}; the quota is {quota}"
        yield breach(saw, recent[0], post, expected="RATE_LIMITED")


def _quota(history: History, post: Exchange) -> int | None:
    """Messages a minute and agent: the instance's setting, else what the target claims."""
    instance = history.instances.get(post.instance)
    claimed = history.header.settings if history.header is not None else {}
    quota = (instance.settings if instance is not None else {}).get("quota_per_minute", claimed.get("quota_per_minute"))
    return quota if isinstance(quota, int) and not isinstance(quota, bool) and quota > 0 else None

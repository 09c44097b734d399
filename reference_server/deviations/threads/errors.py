"""Breaks section 6: each code answered under another name, while the refusal stands."""

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.idempotency import Payload
from reference_server.threads.refusal import Code, Refusal
from reference_server.threads.store import Message


def _answer(threads: Threads, code: Code, instead_of: Code) -> None:
    original = threads.failure

    @instead(threads, "failure")
    def failure(refusal: Refusal, request_id: str) -> dict[str, Json]:
        renamed = Refusal(code, refusal.message) if refusal.code == instead_of else refusal
        return original(renamed, request_id)


@deviation("TH-ERR-UNAUTHORIZED")
def a_bad_token_is_forbidden(threads: Threads) -> None:
    """UNAUTHORIZED is answered as FORBIDDEN."""
    _answer(threads, "FORBIDDEN", instead_of="UNAUTHORIZED")


@deviation("TH-ERR-FORBIDDEN")
def what_is_forbidden_is_hidden(threads: Threads) -> None:
    """FORBIDDEN is answered as NOT_FOUND."""
    _answer(threads, "NOT_FOUND", instead_of="FORBIDDEN")


@deviation("TH-ERR-OUT_OF_SCOPE_WORKSPACE")
def another_workspace_is_forbidden(threads: Threads) -> None:
    """OUT_OF_SCOPE_WORKSPACE is answered as FORBIDDEN."""
    _answer(threads, "FORBIDDEN", instead_of="OUT_OF_SCOPE_WORKSPACE")


@deviation("TH-ERR-NOT_FOUND")
def an_unknown_thread_is_a_bad_argument(threads: Threads) -> None:
    """NOT_FOUND is answered as VALIDATION_ERROR."""
    _answer(threads, "VALIDATION_ERROR", instead_of="NOT_FOUND")


@deviation("TH-ERR-CONFLICT")
def an_illegal_move_is_a_bad_argument(threads: Threads) -> None:
    """CONFLICT is answered as VALIDATION_ERROR."""
    _answer(threads, "VALIDATION_ERROR", instead_of="CONFLICT")


@deviation("TH-ERR-IDEMPOTENCY_CONFLICT")
def a_reused_key_is_any_conflict(threads: Threads) -> None:
    """IDEMPOTENCY_CONFLICT is answered as CONFLICT."""
    _answer(threads, "CONFLICT", instead_of="IDEMPOTENCY_CONFLICT")


@deviation("TH-ERR-RATE_LIMITED")
def a_used_up_quota_is_a_conflict(threads: Threads) -> None:
    """RATE_LIMITED is answered as CONFLICT."""
    _answer(threads, "CONFLICT", instead_of="RATE_LIMITED")


@deviation("TH-ERR-RATE_LIMITED", variant="posted")
def what_is_beyond_the_quota_is_posted_all_the_same(threads: Threads) -> None:
    """A post that is refused as RATE_LIMITED stands in the thread."""
    posting = threads.posting
    original = posting.accept

    @instead(posting, "accept")
    def accept(call: Call, payload: Payload) -> Message:
        try:
            return original(call, payload)
        except Refusal as refusal:
            if refusal.code == "RATE_LIMITED":
                threads.store.append(call.thread, posting.message(call, payload))
            raise


@deviation("TH-ERR-VALIDATION_ERROR")
def a_malformed_payload_is_a_conflict(threads: Threads) -> None:
    """VALIDATION_ERROR is answered as CONFLICT."""
    _answer(threads, "CONFLICT", instead_of="VALIDATION_ERROR")


@deviation("TH-ERR-WAKE_FAILED")
def a_failed_wake_blames_the_runtime(threads: Threads) -> None:
    """WAKE_FAILED is answered as UNMANAGED_RUNTIME."""
    _answer(threads, "UNMANAGED_RUNTIME", instead_of="WAKE_FAILED")


@deviation("TH-ERR-UNMANAGED_RUNTIME")
def an_unmanaged_runtime_is_a_failed_wake(threads: Threads) -> None:
    """UNMANAGED_RUNTIME is answered as WAKE_FAILED."""
    _answer(threads, "WAKE_FAILED", instead_of="UNMANAGED_RUNTIME")


@deviation("TH-ERR-HUMAN_INPUT_COLLISION")
def a_busy_person_is_a_conflict(threads: Threads) -> None:
    """HUMAN_INPUT_COLLISION is answered as CONFLICT."""
    _answer(threads, "CONFLICT", instead_of="HUMAN_INPUT_COLLISION")


@deviation("TH-ERR-CLAIM_MISMATCH")
def a_wrong_hint_is_forbidden(threads: Threads) -> None:
    """CLAIM_MISMATCH is answered as FORBIDDEN."""
    _answer(threads, "FORBIDDEN", instead_of="CLAIM_MISMATCH")


@deviation("TH-ERR-INSUFFICIENT_AUTHORITY")
def a_missing_authority_is_forbidden(threads: Threads) -> None:
    """INSUFFICIENT_AUTHORITY is answered as FORBIDDEN."""
    _answer(threads, "FORBIDDEN", instead_of="INSUFFICIENT_AUTHORITY")

"""Sections 1.1, 1.2 and 6: tokens, claims, workspaces, part in a thread."""

from collections.abc import Iterator

import msgspec

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Known, known, mismatched
from conformance.contracts.threads.payloads import FIELDS
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.judge.likeness import lacking
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

METHODS = tuple(FIELDS)
SHORTEST = 6
"""Shorter texts of another workspace may stand in an answer by chance."""
IDENTITY = {tool: tuple(name for name, field in fields.items() if field.claim) for tool, fields in FIELDS.items()}
UNIDENTIFIED = ("VALIDATION_ERROR", "CLAIM_MISMATCH", "UNAUTHORIZED")


def _refused(call: Exchange, *defects: str) -> Iterator[Judgement]:
    """A call with one of these defects of its token is refused."""
    defect = call.credential.defect or ""
    if call.received is not None and defect.partition(":")[0] in defects:
        proof = {"missing": "without a token"}.get(defect, f"with a token whose defect is {defect}")
        yield holds(call.refused, f"{call.tool} {proof} ended as {told(call)}", call, expected="UNAUTHORIZED")


@exchange_law("TH-AUTH-01", *METHODS)
def no_method_is_served_without_a_verified_token(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A call that carries no token, or what is no token at all, is refused, whatever the method."""
    if call.credential.defect in ("missing", "garbage"):
        yield from _refused(call, "missing", "garbage")


@exchange_law("TH-AUTH-02", *METHODS)
def forged_and_untimely_tokens_are_refused(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A call is refused whose token has a signature that does not verify, an exp in the past or an iat to come."""
    yield from _refused(call, "signature", "expired", "not_yet")


@exchange_law("TH-AUTH-03", *METHODS)
def every_claim_is_needed(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A call is refused whose token lacks one of agent_id, workspace_id, role, session_id, iat, exp and jti."""
    if call.credential.defect != "missing":
        yield from _refused(call, "missing")


@law("TH-AUTH-04")
def identity_in_the_payload_is_that_of_the_claims(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call whose payload names another agent or session than its token's claims is refused and changes nothing."""
    wrong = known(history, contract).with_only("CLAIM_MISMATCH")
    for call in wrong:
        if call.received is not None:
            names = " and ".join(mismatched(call))
            yield holds(call.refused, f"{call.tool} with somebody else's {names} ended as {told(call)}", call)
    yield from unchanged(history, contract, [call for call in wrong if call.refused])


@law("TH-AUTH-05")
def the_claims_stand_in_for_identity(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call that leaves identity out of its payload is served wherever its like with that identity is."""
    threads = known(history, contract)
    calls = [call for call in threads.with_only() if IDENTITY[call.tool or ""] and threads.faults(call).none]
    for call, whole in lacking(calls, lambda call: IDENTITY[call.tool or ""]):
        if call.accepted:
            yield HELD
        elif whole is not None and (call.code in UNIDENTIFIED or call.protocol_code == INVALID_PARAMS):
            yield breach(f"{call.tool} without identity in its payload ended as {told(call)}", whole, call)


@law("TH-AUTH-06")
def workspaces_are_closed_to_each_other(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call about another workspace, or a thread of one, is refused, and its answer shows nothing of what is there."""
    threads = known(history, contract)
    posts = _posts(history)
    for call in threads.with_any("OUT_OF_SCOPE_WORKSPACE"):
        if call.accepted:
            yield breach(f"{call.tool} across workspaces ended as {told(call)}", call)
        elif call.refused:
            leaks = _leaks(call, threads, posts)
            yield holds(not leaks, f"the refusal shows {leaks} of the other workspace", call, got=leaks)


def _posts(history: History) -> dict[tuple[str, str], list[Exchange]]:
    """Accepted messages by thread."""
    found: dict[tuple[str, str], list[Exchange]] = {}
    for post in history.accepted("post_message"):
        place = Known.place(post)
        if place is not None:
            found.setdefault(place, []).append(post)
    return found


def _leaks(call: Exchange, threads: Known, posts: dict[tuple[str, str], list[Exchange]]) -> str:
    """A text of the thread that the answer holds and the call did not bring along; empty where there is none."""
    made, place = threads.made(call), Known.place(call)
    if made is None or place is None:
        return ""
    texts = [made.workspace, made.created.argument("title"), *made.participants]
    texts += [post.argument("body") for post in posts.get(place, ()) if post.before(call)]
    shown, brought = msgspec.json.encode(call.response), msgspec.json.encode([call.request, call.credential.claims])
    for text in texts:
        if isinstance(text, str) and len(text) >= SHORTEST:
            written = msgspec.json.encode(text)[1:-1]
            if written in shown and written not in brought:
                return text
    return ""


@law("TH-AUTH-07")
def threads_are_closed_to_other_workers(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call about a thread by a worker of its workspace who takes no part in it is refused, whatever the method."""
    for call in known(history, contract).with_any("FORBIDDEN"):
        if call.received is not None:
            yield holds(call.refused, f"{call.tool} by a worker who takes no part ended as {told(call)}", call)


@exchange_law("TH-AUTH-09", *METHODS)
def the_algorithm_is_the_issuers(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A call is refused whose token is not signed, or signed with another algorithm than the issuer's."""
    yield from _refused(call, "alg_none", "algorithm")

"""Sections 1.1, 1.2 and 6: tokens, claims, workspaces, part in a thread."""

from collections.abc import Iterable, Iterator

import msgspec

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Known, known, mismatched
from conformance.contracts.threads.laws.allowed import allowed_of, controls
from conformance.contracts.threads.laws.effects import without_effect
from conformance.contracts.threads.laws.faulty import ELSEWHERE, OTHERS, TOKEN, beside, faulty, identities
from conformance.contracts.threads.payloads import FIELDS, IDENTITY
from conformance.judge.controls import Controls, but_for
from conformance.judge.faults import declined, stumbled
from conformance.judge.judgements import HELD, breach, told
from conformance.judge.law import law
from conformance.judge.tokens import proof
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

SHORTEST = 6
"""Shorter texts of another workspace may stand in an answer by chance."""


def unproved(history: History) -> Iterator[Exchange]:
    """The calls without a token that the contract wants believed.

    Another issuer, or a claim of another type, is no fault that it names. Another audience is one where the target's
    statement names its own.
    """
    stated = history.header.statement.get("auth") if history.header is not None else None
    left_out = {"issuer"} if isinstance(stated, dict) and stated.get("audience") is not None else {"issuer", "audience"}
    left_out.add("type")
    return (c for c in history.calls(*FIELDS) if c.credential.defect is not None and _kind(c) not in left_out)


def _kind(call: Exchange) -> str:
    return (call.credential.defect or "").partition(":")[0]


def flaw(call: Exchange) -> str:
    """What is wrong with the token, apart from by how much; empty where it is good."""
    return (call.credential.defect or "") if _kind(call) == "missing" else _kind(call)


def _refused(history: History, contract: Contract, calls: Iterable[Exchange]) -> Iterator[Judgement]:
    """Each of these calls is refused and changes nothing, where it is served to the same caller with a good token."""
    yield from without_effect(history, contract, calls, TOKEN, proof, expected="UNAUTHORIZED")


@law("TH-AUTH-01", compares="entity")
def no_method_is_served_without_a_verified_token(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call served with a good token is refused without one, with a text that is no token, or another audience's.

    Another audience is tried where the target's statement names the server's own.
    """
    calls = (call for call in unproved(history) if call.credential.defect in ("missing", "garbage", "audience"))
    yield from _refused(history, contract, calls)


@law("TH-AUTH-02", compares="entity")
def forged_and_untimely_tokens_are_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call served with a good token is refused if the signature is wrong, exp has passed or iat is in the future."""
    calls = (call for call in unproved(history) if _kind(call) in ("signature", "expired", "not_yet"))
    yield from _refused(history, contract, calls)


@law("TH-AUTH-03", compares="entity")
def every_claim_is_needed(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call served with a good token is refused with one that lacks one of the seven claims."""
    calls = (call for call in unproved(history) if _kind(call) == "missing" and call.credential.defect != "missing")
    yield from _refused(history, contract, calls)


@law("TH-AUTH-04", compares="entity")
def identity_in_the_payload_is_that_of_the_claims(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call whose payload names another agent or session than its token's claims is refused and changes nothing.

    It is judged where the same call is served with the caller's own identity.
    """
    yield from without_effect(history, contract, faulty(history, contract, "CLAIM_MISMATCH"), identities, _name)


def _name(call: Exchange) -> str:
    return f"with somebody else's {' and '.join(mismatched(call))}"


@law("TH-AUTH-05")
def the_claims_stand_in_for_identity(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good call that leaves the caller's identity out is served, if the same call with that identity is."""
    good = list(allowed_of(history, contract, *FIELDS))
    for call in good:
        names = frozenset(IDENTITY[call.tool or ""])
        given = names.intersection(call.arguments)
        if given == names:
            continue
        if call.accepted:
            yield HELD
        elif stumbled(call, good):
            continue
        elif call.refused and (whole := _fuller(call, given, controls(history, contract))) is not None:
            lack = " and ".join(sorted(names.intersection(whole.arguments) - given))
            yield breach(f"{call.tool} without {lack} in its payload ended as {told(call)}", call, beside=whole)


def _fuller(call: Exchange, given: frozenset[str], found: Controls) -> Exchange | None:
    """The same call with more of its caller's identity, where it is served."""
    names = frozenset(IDENTITY[call.tool or ""])
    return found.around(call, but_for(*sorted(names)), lambda like: given < names.intersection(like.arguments))


@law("TH-AUTH-06", compares="entity")
def workspaces_are_closed_to_each_other(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call about another workspace, or a thread of one, is refused, and neither shows nor changes anything there.

    It is judged where the same call is served to a caller of that workspace, or with the caller's own workspace.
    """
    threads, look = known(history, contract), beside(history, contract, ELSEWHERE)
    posts = _posts(history)
    for call in threads.with_any("OUT_OF_SCOPE_WORKSPACE"):
        if call.accepted:
            yield breach(f"{call.tool} across workspaces ended as {told(call)}", call)
        elif call.refused:
            leaks = _leaks(call, threads, posts)
            if leaks:
                yield breach(f"the refusal shows {leaks} of the other workspace", call, got=leaks)
            elif declined(call) and look(call) is not None:
                yield HELD
                yield from unchanged(history, contract, [call])


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


@law("TH-AUTH-07", compares="entity")
def threads_are_closed_to_other_workers(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call about a thread by a worker of its workspace who is no participant is refused, and changes nothing.

    It is judged where the same call is served to a participant, or to an operator or orchestrator.
    """
    calls = known(history, contract).with_any("FORBIDDEN")
    yield from without_effect(history, contract, calls, OTHERS, lambda _: "by a worker who takes no part")


@law("TH-AUTH-09", compares="entity")
def the_algorithm_is_the_issuers(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call served with a good token is refused with one that is not signed, or by another algorithm."""
    calls = (call for call in unproved(history) if _kind(call) in ("alg_none", "algorithm"))
    yield from _refused(history, contract, calls)

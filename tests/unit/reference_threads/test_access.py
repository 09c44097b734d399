"""Tokens, identities, workspaces, roles; the order of checks; the audit trail."""

import asyncio
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from reference_server.application import Request, UnknownToolError
from reference_server.threads.refusal import CODES
from reference_server.tokens import TEST_KEY, TokenError, Trust, Verifier

from .clauses_errors import provoke
from .desk import KEY, Desk, claims, message, result, signed, token

ROLES = {
    "create_thread": ("ok", "ok", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"),
    "get_thread": ("ok", "ok", "ok", "FORBIDDEN", "ok"),
    "post_message": ("ok", "ok", "ok", "FORBIDDEN", "FORBIDDEN"),
    "read_messages": ("ok", "ok", "ok", "FORBIDDEN", "ok"),
    "ack_read": ("ok", "ok", "ok", "FORBIDDEN", "FORBIDDEN"),
    "update_thread_status": ("ok", "ok", "ok", "FORBIDDEN", "FORBIDDEN"),
    "summarize_thread": ("ok", "ok", "ok", "FORBIDDEN", "ok"),
    "heartbeat_session": ("ok", "ok", "ok", "ok", "ok"),
    "trigger_participant": ("ok", "ok", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"),
}
"""What human operator, orchestrator, worker in the thread, worker outside of it and auditor are answered."""

HINTS = [
    ("create_thread", "created_by"),
    ("post_message", "sender_agent_id"),
    ("post_message", "sender_session_id"),
    ("read_messages", "agent_id"),
    ("ack_read", "agent_id"),
    ("update_thread_status", "agent_id"),
    ("heartbeat_session", "agent_id"),
    ("heartbeat_session", "session_id"),
]


def arguments(tool: str, thread: str) -> dict[str, Any]:
    """Arguments that every tool accepts."""
    return {
        "create_thread": {"workspace_id": "wk", "title": "t", "type": "incident", "participants": ["ann"]},
        "post_message": message(thread),
        "ack_read": {"thread_id": thread, "last_read_seq": 0},
        "update_thread_status": {"thread_id": thread, "status": "blocked", "reason": "r"},
        "heartbeat_session": {"runtime": "r", "resumable": True, "status": "idle"},
        "trigger_participant": {"thread_id": thread, "target_agent_id": "bob", "reason": "r", "trigger_prompt": "p"},
    }.get(tool, {"thread_id": thread})


@pytest.mark.parametrize("tool", ROLES)
def test_roles(desk: Desk, tool: str) -> None:
    async def codes() -> tuple[str, ...]:
        given = arguments(tool, await desk.thread())
        return tuple([await desk.code(tool, by, **given) for by in ("op", "lead", "ann", "eve", "eye")])

    assert asyncio.run(codes()) == ROLES[tool]


@pytest.mark.parametrize(("tool", "hint"), HINTS)
def test_a_hint_agrees_or_is_refused(desk: Desk, tool: str, hint: str) -> None:
    async def codes() -> list[str]:
        given = arguments(tool, await desk.thread())
        own = "sess_lead" if "session" in hint else "lead"
        return [await desk.code(tool, "lead", **given, **{hint: value}) for value in (own, "other")]

    assert asyncio.run(codes()) == ["ok", "CLAIM_MISMATCH"]


def test_a_hint_that_the_method_does_not_know_is_an_unknown_field(desk: Desk) -> None:
    async def code() -> str:
        return await desk.code("get_thread", thread_id=await desk.thread(), agent_id="other", workspace_id="other")

    assert asyncio.run(code()) == "ok"


@pytest.mark.parametrize("code", CODES)
def test_each_code_is_answered_where_it_is_due(desk: Desk, code: str) -> None:
    assert asyncio.run(provoke(desk))[code] == code


def test_checks_come_in_order(desk: Desk) -> None:
    """Each call has all the faults of those after it; the first one is named."""

    async def codes() -> list[str]:
        closed = await desk.thread()
        await desk.move(closed, "closed")
        wrong = {**message(closed), "sender_agent_id": "other"}
        heartbeat = {"runtime": "r", "resumable": True, "status": "idle", "agent_id": "other"}
        return [
            await desk.code("post_message", "eve", authorization="Bearer x", workspace="other"),
            await desk.code("post_message", "eve", workspace="other", **{**wrong, "kind": "x"}),
            await desk.code("post_message", "eve", workspace="other", **wrong),
            await desk.code("post_message", "eve", **{**wrong, "thread_id": "th_unknown"}),
            await desk.code("heartbeat_session", "eve", workspace_id="other", **heartbeat),
            await desk.code("post_message", "eve", **wrong),
            await desk.code("post_message", "eve", **message(closed)),
            await desk.code("post_message", "ann", **message(closed)),
        ]

    assert asyncio.run(codes()) == [
        "UNAUTHORIZED",
        "VALIDATION_ERROR",
        "OUT_OF_SCOPE_WORKSPACE",
        "NOT_FOUND",
        "OUT_OF_SCOPE_WORKSPACE",
        "CLAIM_MISMATCH",
        "FORBIDDEN",
        "CONFLICT",
    ]


def without(name: str) -> dict[str, Any]:
    """Good claims but for one that is missing."""
    return {claim: value for claim, value in claims().items() if claim != name}


ANOTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PUBLIC = KEY.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer ",
        "Bearer a.b.c",
        "Bearer \ud800",
        token("lead").removeprefix("Bearer "),
        token("lead").replace("Bearer", "Basic"),
        signed(claims(), ANOTHER_KEY),
        signed(claims(), PUBLIC, "HS256"),
        signed(claims(), None, "none"),
        signed(claims(aud="another.audience")),
        signed(claims(aud=None)),
        signed(claims(iss="https://another.example")),
        signed(claims(exp=1)),
        signed(claims(iat=claims()["exp"])),
        signed(claims(role="participant")),
        signed(claims(agent_id=" ")),
        signed(claims(agent_id=7)),
        signed(claims(iat=True)),
        *(signed(without(name)) for name in ("agent_id", "workspace_id", "role", "session_id", "jti", "exp")),
        f"Bearer {jwt.encode(claims(), KEY, algorithm='EdDSA', headers={'kid': 'another-key'})}",
    ],
)
def test_tokens_that_are_not_believed(desk: Desk, authorization: str | None) -> None:
    request = Request("heartbeat_session", {"runtime": "r", "resumable": True, "status": "idle"}, authorization)
    assert asyncio.run(desk.threads.call(request)).envelope["error"]["code"] == "UNAUTHORIZED"


def test_a_verified_token_is_refused_once_it_has_expired(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    identity = desk.threads.identity
    short = signed(claims(exp=claims()["iat"] + 60))
    assert identity.claims(short) is identity.claims(short)
    end = identity.known[short].exp
    monkeypatch.setattr("reference_server.threads.identity.time.time", lambda: end)
    monkeypatch.setattr(identity.verifier, "verify", expired)
    assert asyncio.run(desk.code("get_thread", authorization=short, thread_id="x")) == "UNAUTHORIZED"
    assert short not in identity.known


def expired(token_text: str, required: object) -> dict[str, Any]:
    """What the verifier says of a token past its exp."""
    del token_text, required
    raise TokenError("Signature has expired")


def test_the_calendar_does_not_age_tokens(desk: Desk) -> None:
    given: dict[str, Any] = {"runtime": "r", "resumable": True, "status": "idle"}
    assert asyncio.run(desk.code("heartbeat_session", conditions={"clock": 10**7}, **given)) == "ok"


def test_trust_in_the_test_key_holds_no_private_part() -> None:
    trust = Trust.for_tests()
    assert "d" in TEST_KEY
    assert all("d" not in key for key in trust.jwks["keys"])
    assert Verifier(trust).verify(token("ann").removeprefix("Bearer "))["agent_id"] == "ann"


def test_an_unknown_tool_is_not_the_domains_to_answer(desk: Desk) -> None:
    with pytest.raises(UnknownToolError):
        asyncio.run(desk.threads.call(Request("delete_thread", {})))


def test_the_audit_trail_records_the_verified_identity(desk: Desk) -> None:
    async def calls() -> str:
        thread = await desk.thread()
        await desk.answer("post_message", "ann", **message(thread, sender_agent_id="bob"), request_id="r-1")
        await desk.answer("get_thread", thread_id=thread, authorization="Bearer x", request_id="r-2")
        await desk.trigger(thread, force=True, audit={"ticket": 7}, request_id="r-3")
        return thread

    thread = asyncio.run(calls())
    entries = list(desk.threads.audit.entries)[-3:]
    assert [(each.claims and each.claims.agent_id, each.outcome, each.request_id) for each in entries] == [
        ("ann", "CLAIM_MISMATCH", "r-1"),
        (None, "UNAUTHORIZED", "r-2"),
        ("op", "ok", "r-3"),
    ]
    assert {each.resource for each in entries} == {thread}
    assert entries[-1].details == {"reason": "unread", "audit": {"ticket": 7}}


def test_a_request_id_is_echoed_or_new(desk: Desk) -> None:
    async def ids() -> list[str]:
        answers = [await desk.answer("get_thread", request_id=each) for each in ("mine", None, None)]
        return [each.envelope["error"]["request_id"] for each in answers]

    mine, first, second = asyncio.run(ids())
    assert mine == "mine"
    assert first != second


@pytest.mark.parametrize(
    ("by", "given", "expected"),
    [
        ("op", {"audit": {"why": "urgent"}}, "spawned"),
        ("op", {"audit": {}}, "VALIDATION_ERROR"),
        ("op", {}, "VALIDATION_ERROR"),
        ("lead", {"audit": {"why": "urgent"}}, "INSUFFICIENT_AUTHORITY"),
        ("ann", {"audit": {"why": "urgent"}}, "INSUFFICIENT_AUTHORITY"),
        ("eve", {"audit": {"why": "urgent"}}, "FORBIDDEN"),
    ],
)
def test_force_is_the_operators_with_audit(desk: Desk, by: str, given: dict[str, Any], expected: str) -> None:
    async def forced() -> str:
        return result(await desk.trigger(await desk.thread(), by, force=True, **given))

    assert asyncio.run(forced()) == expected

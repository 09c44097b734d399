"""Breaks section 1.1: tokens, claims and the identity in payloads."""

from collections.abc import Iterable, Mapping

import jwt

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.threads.demanding import demand_field
from reference_server.threads import Threads
from reference_server.threads.identity import Claims
from reference_server.threads.store import Thread


@deviation("TH-AUTH-01")
def a_call_without_a_token_borrows_the_last_callers(threads: Threads) -> None:
    """A call without a token is served in the name of whoever called before it."""
    original = threads.identity.claims
    last: list[Claims] = []

    @instead(threads.identity, "claims")
    def claims(authorization: str | None) -> Claims:
        if authorization is None and last:
            return last[0]
        last[:] = [original(authorization)]
        return last[0]


@deviation("TH-AUTH-02")
def token_times_are_not_judged(threads: Threads) -> None:
    """A token is believed before its iat and after its exp."""
    threads.identity.verifier.options |= {"verify_exp": False, "verify_iat": False}


@deviation("TH-AUTH-03")
def jti_is_optional(threads: Threads) -> None:
    """A token without jti is believed."""
    original = threads.identity.verifier.verify

    @instead(threads.identity.verifier, "verify")
    def verify(token: str, required: Iterable[str] = ()) -> dict[str, Json]:
        return {"jti": "none", **original(token, [name for name in required if name != "jti"])}


@deviation("TH-AUTH-04")
def session_hints_are_not_compared(threads: Threads) -> None:
    """A payload that names another session than the token's is accepted."""
    original = threads.identity.match_hints

    @instead(threads.identity, "match_hints")
    def match_hints(arguments: Mapping[str, Json], hints: tuple[str, ...], verified: str) -> None:
        original(arguments, tuple(hint for hint in hints if "session" not in hint), verified)


@deviation("TH-AUTH-05")
def heartbeat_wants_its_session_in_the_payload(threads: Threads) -> None:
    """heartbeat_session without session_id is refused, though the token names the session."""
    demand_field(threads, "heartbeat_session", "session_id")


@deviation("TH-AUTH-05", variant="status")
def a_move_wants_its_agent_in_the_payload(threads: Threads) -> None:
    """update_thread_status without agent_id is refused, though the token names the agent."""
    demand_field(threads, "update_thread_status", "agent_id")


@deviation("TH-AUTH-06")
def threads_of_other_workspaces_are_served(threads: Threads) -> None:
    """Whoever knows its id reaches a thread of another workspace."""

    @instead(threads.workspaces, "check_thread")
    def check_thread(claims: Claims, thread: Thread) -> None:
        del claims, thread


@deviation("TH-AUTH-07")
def workers_reach_every_thread(threads: Threads) -> None:
    """A worker is served in threads of its workspace in which it takes no part."""

    @instead(threads.roles, "check_part")
    def check_part(claims: Claims, thread: Thread) -> None:
        del claims, thread


@deviation("TH-AUTH-09")
def unsigned_tokens_are_believed(threads: Threads) -> None:
    """A token that names `none` as its algorithm is taken at its word."""
    original = threads.identity.verifier.verify

    @instead(threads.identity.verifier, "verify")
    def verify(token: str, required: Iterable[str] = ()) -> dict[str, Json]:
        try:
            header = jwt.get_unverified_header(token)
        except jwt.PyJWTError:
            return original(token, required)
        if header.get("alg") != "none":
            return original(token, required)
        return jwt.decode(token, options={"verify_signature": False})

"""Who calls: the verified claims of the token, and hints in the payload that must not contradict them (1.1, 3)."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reference_server.application import Json
from reference_server.threads.refusal import Refusal
from reference_server.tokens import TokenError, Trust, Verifier

ROLES: Final = ("human_operator", "orchestrator", "worker", "auditor")
TEXT_CLAIMS: Final = ("agent_id", "workspace_id", "role", "session_id", "jti")
INSTANT_CLAIMS: Final = ("iat", "exp")

AGENT_HINTS: Final = ("created_by", "sender_agent_id", "agent_id")
SESSION_HINTS: Final = ("sender_session_id", "session_id")

CACHE_LIMIT: Final = 4_096


@dataclass(frozen=True, slots=True)
class Claims:
    """The verified claims; exp in seconds since the epoch."""

    agent_id: str
    workspace_id: str
    role: str
    session_id: str
    jti: str
    exp: float


class Identity:
    """Turns an Authorization value into claims. Token times are judged by the real clock, never by a moved calendar."""

    def __init__(self, trust: Trust) -> None:
        self.verifier = Verifier(trust)
        self.known: dict[str, Claims] = {}
        """Verified tokens: a verification costs about 100 µs, more than a whole call does."""

    def claims(self, authorization: str | None) -> Claims:
        """Raises UNAUTHORIZED where there is no token or it is not believed."""
        if not isinstance(authorization, str):
            raise Refusal("UNAUTHORIZED", "this call needs a bearer token")
        known = self.known.get(authorization)
        if known is not None and time.time() < known.exp:
            return known
        scheme, _, token = authorization.strip().partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Refusal("UNAUTHORIZED", "the authorization is not a bearer token")
        try:
            claims = self.accept(self.verifier.verify(token.strip(), (*TEXT_CLAIMS, *INSTANT_CLAIMS)))
        except TokenError as error:
            self.known.pop(authorization, None)
            raise Refusal("UNAUTHORIZED", error.reason) from error
        if len(self.known) >= CACHE_LIMIT:
            self.known.clear()
        self.known[authorization] = claims
        return claims

    def accept(self, verified: Mapping[str, Json]) -> Claims:
        """The claims that the contract requires. Raises `TokenError` where one is malformed or the role is unknown."""
        for name in TEXT_CLAIMS:
            claim = verified.get(name)
            if not isinstance(claim, str) or not claim.strip():
                raise TokenError(f"the claim {name} is not a text")
        for name in INSTANT_CLAIMS:
            claim = verified.get(name)
            if isinstance(claim, bool) or not isinstance(claim, int | float):
                raise TokenError(f"the claim {name} is not a time")
        if verified["role"] not in ROLES:
            raise TokenError("the role is unknown")
        return Claims(**{name: verified[name] for name in TEXT_CLAIMS}, exp=float(verified["exp"]))

    def match(self, claims: Claims, arguments: Mapping[str, Json]) -> None:
        """Raises CLAIM_MISMATCH where a hint in the payload names somebody else."""
        self.match_hints(arguments, AGENT_HINTS, claims.agent_id)
        self.match_hints(arguments, SESSION_HINTS, claims.session_id)

    def match_hints(self, arguments: Mapping[str, Json], hints: tuple[str, ...], verified: str) -> None:
        """Compares each hint that is given with the claim that it repeats."""
        for hint in hints:
            if arguments.get(hint, verified) != verified:
                raise Refusal("CLAIM_MISMATCH", f"{hint} is not that of the token")

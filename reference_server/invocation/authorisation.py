"""Whether the caller may invoke the tool: who it is by its token, and its scopes."""

from typing import Final

from reference_server.application import Json
from reference_server.invocation.failure import Failure
from reference_server.tokens import TokenError, Trust, Verifier

SCOPES: Final = "scopes"
"""The claim that lists what a caller may do."""


class Authorisation:
    """Believes the tokens of one issuer."""

    def __init__(self, trust: Trust) -> None:
        self.verifier = Verifier(trust)

    def scopes(self, authorization: str | None) -> frozenset[str] | None:
        """The scopes of a token, None where there is no token. Raises Unauthenticated: the token is not believed."""
        if authorization is None:
            return None
        scheme, _, token = authorization.strip().partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Failure("Unauthenticated", "the authorization is no bearer token")
        try:
            claims = self.verifier.verify(token.strip())
        except TokenError as error:
            raise Failure("Unauthenticated", "the token is not believed") from error
        return self.listed(claims.get(SCOPES))

    def listed(self, claim: Json) -> frozenset[str]:
        """The scopes of a claim; none where it is no list."""
        return frozenset(one for one in claim if isinstance(one, str)) if isinstance(claim, list) else frozenset()

    def check(self, authorization: str | None, required: tuple[str, ...]) -> None:
        """Raises Unauthenticated or Forbidden. A token that is there is judged even where none is required."""
        scopes = self.scopes(authorization)
        if scopes is None and required:
            raise Failure("Unauthenticated", "this needs a bearer token")
        if not (scopes or frozenset()).issuperset(required):
            raise Failure("Forbidden", "the scopes of the token do not allow this")

"""Whose tokens are believed, and the published key that signs them where the server was started for testing."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from reference_server.application import Json

if TYPE_CHECKING:
    from jwt.types import Options

TEST_ISSUER: Final = "https://issuer.example"
TEST_AUDIENCE: Final = "threads.reference"
REFERENCE_SCOPE: Final = "mcp:use"
"""What a token has to allow where the server asks for one at the door."""
TEST_SEED: Final = b"published test key worth nothing"


def _unpadded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _jwk(seed: bytes) -> dict[str, str]:
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return {
        "kty": "OKP",
        "crv": "Ed25519",
        "alg": "EdDSA",
        "use": "sig",
        "kid": "test-key",
        "d": _unpadded(seed),
        "x": _unpadded(public),
    }


TEST_KEY: Final[Mapping[str, str]] = _jwk(TEST_SEED)
"""The private key of `Trust.for_tests()` as a JWK (RFC 8037). It is public: it proves nothing about anybody."""


class TokenError(Exception):
    """A token that is not believed; `reason` says why without quoting it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Trust:
    """What makes a token believed: the keys (a JWK set), who issued it, for whom, and how it may be signed."""

    jwks: Mapping[str, Json]
    issuer: str = TEST_ISSUER
    audience: str = TEST_AUDIENCE
    algorithms: tuple[str, ...] = ("EdDSA", "RS256")

    @classmethod
    def for_tests(cls, audience: str | None = None) -> "Trust":
        """Believes the published test key: only for servers started for testing."""
        public = {name: value for name, value in TEST_KEY.items() if name != "d"}
        return cls({"keys": [public]}, audience=audience or TEST_AUDIENCE)


class Verifier:
    """Verifies tokens (JWS compact form) against one `Trust`."""

    def __init__(self, trust: Trust) -> None:
        self.trust = trust
        self.options: Options = {}
        """Options of PyJWT besides the claims required; none switches a check off."""
        self._keys = jwt.PyJWKSet.from_dict(dict(trust.jwks)).keys

    def verify(self, token: str, required: Iterable[str] = ()) -> dict[str, Json]:
        """The claims of a token that is signed, current, ours and complete, judged by the real time without leeway.

        Raises `TokenError`: malformed, unknown key, other algorithm, bad signature, expired, not yet issued, another
        issuer or audience, or one of `required` missing.
        """
        try:
            key = self._key(jwt.get_unverified_header(token))
            return jwt.decode(
                token,
                key=key,
                algorithms=self._algorithms(key),
                audience=self.trust.audience,
                issuer=self.trust.issuer,
                leeway=0,
                options={**self.options, "require": ["aud", "exp", "iat", "iss", *required]},
            )
        # PyJWT lets pass what its parsers raise: a lone surrogate in the token, a header nested too deeply
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            raise TokenError(str(error)) from error

    def _key(self, header: Mapping[str, Json]) -> jwt.PyJWK:
        kid = header.get("kid")
        candidates = [key for key in self._keys if kid is None or key.key_id == kid]
        if len(candidates) != 1:
            raise TokenError("the token names no key that is trusted")
        return candidates[0]

    def _algorithms(self, key: jwt.PyJWK) -> list[str]:
        # PyJWT verifies with the key's own algorithm whatever the header says: only that one may stand in the header
        return [key.algorithm_name] if key.algorithm_name in self.trust.algorithms else []

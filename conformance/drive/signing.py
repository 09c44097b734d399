"""Keys that sign tokens, and tokens that are signed with something else."""

import base64
import hashlib
import hmac
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from conformance.contract.wording import listed
from conformance.drive.errors import UsageError
from conformance.drive.secrets import text_of
from conformance.drive.statement import Auth
from conformance.model.events import Json

WHERE = "auth.signing_key"
CURVES = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512", "secp256k1": "ES256K"}
RSA = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
SECRET = ("HS256", "HS384", "HS512")
FORGED = ("signature:empty", "signature:brought")
OTHERWISE = ("alg_none:NONE", "algorithm:stripped", "algorithm:der", "alg_none:None", "algorithm:raw")
"""Further forms of a credential's defects: each verifier that falls for one falls for few others."""
UNSIGNED = "none"
PLAIN = "pem"
"""The form of a public key in which most verifiers have it."""


@dataclass(frozen=True)
class SigningKey:
    """A private key or a secret, with the algorithm that it signs by."""

    key: Any
    algorithm: str
    kid: str | None = None

    @classmethod
    def of(cls, auth: Auth, base: Path) -> Self:
        """The key of a statement; UsageError where it is none, or cannot sign by the algorithm that is named."""
        key, kid, said = _read(auth, base)
        kind, algorithms = _signs_by(key)
        named = auth.algorithm or said
        if named is None and isinstance(key, str):
            raise UsageError(
                "the signing key is neither a JWK nor a key in PEM",
                WHERE,
                todo=f"give one of these; if it is a secret, name its algorithm: {listed(SECRET, 'or')}",
            )
        algorithm = named or algorithms[0]
        if algorithm not in algorithms:
            raise UsageError(
                f"the signing key cannot sign with {algorithm}",
                WHERE,
                f"it is {kind}, which signs with {listed(algorithms, 'or')}",
                "give the private key that goes with the algorithm, as a JWK or in PEM, or name another algorithm",
            )
        return cls(key, algorithm, kid)

    def header(self, algorithm: str | None = None, **more: Json) -> dict[str, Json]:
        """The header of a token: by another algorithm than its own, if one is named."""
        named = {"kid": self.kid} if self.kid else {}
        return {"alg": algorithm or self.algorithm, "typ": "JWT", **named, **more}

    def sign(self, claims: Mapping[str, Json]) -> str:
        """A token with these claims."""
        import jwt  # noqa: PLC0415 -- a tenth of a second that only a target with tokens needs
        from jwt.warnings import InsecureKeyLengthWarning  # noqa: PLC0415 -- as above

        with warnings.catch_warnings():
            # a key that is made for tests may be short
            warnings.simplefilter("ignore", InsecureKeyLengthWarning)
            return jwt.encode(dict(claims), self.key, algorithm=self.algorithm, headers=self.header())

    def unsigned(self, claims: Mapping[str, Json], algorithm: str = UNSIGNED) -> str:
        """A token without a signature, whatever algorithm it names."""
        return _joined(self.header(algorithm), claims, b"")

    def confused(self, claims: Mapping[str, Json], form: str) -> str:
        """A token signed with a secret that everybody knows: the verifier's own public key, in one of its forms."""
        header = self.header("HS256")
        text = _joined(header, claims, b"").rpartition(".")[0]
        return _joined(header, claims, hmac.digest(self._public(form), text.encode(), hashlib.sha256))

    def brought(self, claims: Mapping[str, Json]) -> str:
        """A token signed with a key of somebody else's, which it brings in its own header."""
        import jwt  # noqa: PLC0415 -- as above
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key  # noqa: PLC0415

        other = generate_private_key(SECP256R1())
        public: dict[str, Json] = jwt.algorithms.ECAlgorithm.to_jwk(other.public_key(), as_dict=True)
        return jwt.encode(dict(claims), other, algorithm="ES256", headers=self.header("ES256", jwk=public))

    def _public(self, form: str) -> bytes:
        """The public half as octets; of a secret, which has none, what anybody may guess."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 -- as above

        encoding, public = serialization.Encoding, serialization.PublicFormat
        if isinstance(self.key, str | bytes):
            return form.encode()
        half = self.key.public_key()
        if form == "der":
            return bytes(half.public_bytes(encoding.DER, public.SubjectPublicKeyInfo))
        if form == "raw" and self.algorithm == "EdDSA":
            return bytes(half.public_bytes_raw())
        if form == "raw" and self.algorithm in CURVES.values():
            return bytes(half.public_bytes(encoding.X962, public.UncompressedPoint))
        text: bytes = half.public_bytes(encoding.PEM, public.SubjectPublicKeyInfo)
        return text if form == PLAIN else text.strip()


def _joined(header: Mapping[str, Json], claims: Mapping[str, Json], signature: bytes) -> str:
    parts = [json.dumps(part, separators=(",", ":")).encode() for part in (header, claims)]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (*parts, signature))


def _signs_by(key: Any) -> tuple[str, tuple[str, ...]]:
    """What a key is, and the algorithms that it signs by, its usual one first."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa  # noqa: PLC0415 -- as above

    match key:
        case ed25519.Ed25519PrivateKey() | ed448.Ed448PrivateKey():
            return "an Ed25519 or Ed448 key", ("EdDSA",)
        case rsa.RSAPrivateKey():
            return "an RSA key", RSA
        case ec.EllipticCurvePrivateKey() if key.curve.name in CURVES:
            return f"a key on the curve {key.curve.name}", (CURVES[key.curve.name],)
        case str() | bytes():
            return "a secret", SECRET
        case _:
            raise UsageError(
                "the signing key signs no tokens",
                WHERE,
                f"it is a {type(key).__name__}",
                "give a private key: Ed25519, RSA, or on the curve P-256, P-384 or P-521",
            )


def _read(auth: Auth, base: Path) -> tuple[Any, str | None, str | None]:
    """The key, its id, and the algorithm that it names itself."""
    import jwt  # noqa: PLC0415 -- as above
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- as above
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 -- as above

    source: Any = auth.signing_key
    if isinstance(source, str):
        text = text_of(base / source, f"{WHERE} names a JWK or PEM file")
        if not text.lstrip().startswith("{"):
            if "-----BEGIN" not in text:
                return text, None, None
            try:
                return load_pem_private_key(text.encode(), None), None, None
            except (ValueError, TypeError, UnsupportedAlgorithm) as error:
                raise _unusable("the signing key is no private key in PEM", error) from error
        source = text
    try:
        data = json.loads(source) if isinstance(source, str) else source
        return jwt.PyJWK(data, algorithm=auth.algorithm).key, data.get("kid"), data.get("alg")
    except (ValueError, TypeError, AttributeError, RecursionError, jwt.PyJWTError) as error:
        raise _unusable("the signing key is no JWK", error) from error


def _unusable(what: str, error: Exception) -> UsageError:
    why = str(error).partition("\n")[0]
    return UsageError(what, WHERE, why, "give a private key without a passphrase, as a JWK or in PEM")

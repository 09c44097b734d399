"""Verifiers that fall for one form of a forged token: each is noticed, whichever it is."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.events import Json
from reference_server.tokens import TEST_KEY, Verifier

Falls = Callable[[Mapping[str, Json], str], bool]
"""Whether a verifier takes a token with this header, whatever else is in it."""


def octets(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


PUBLIC = Ed25519PublicKey.from_public_bytes(octets(TEST_KEY["x"]))
PEM = PUBLIC.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def keyed(secret: bytes) -> Falls:
    """Its own public key is the secret of HS256."""

    def falls(header: Mapping[str, Json], token: str) -> bool:
        text, _, signature = token.rpartition(".")
        wanted = hmac.digest(secret, text.encode(), hashlib.sha256)
        return header["alg"] == "HS256" and hmac.compare_digest(wanted, octets(signature))

    return falls


def named(algorithm: str) -> Falls:
    """A name of no algorithm is not looked at closely."""
    return lambda header, _: header["alg"] == algorithm


def by_its_own_key(header: Mapping[str, Json], token: str) -> bool:
    """The key that a token brings is believed."""
    if "jwk" not in header:
        return False
    options: Any = {"verify_aud": False}
    jwt.decode(token, jwt.PyJWK(header["jwk"]).key, algorithms=["ES256"], options=options)
    return True


FALLS: list[tuple[str, Falls]] = [
    ("TH-AUTH-09", keyed(PEM)),
    ("TH-AUTH-09", keyed(PEM.strip())),
    ("TH-AUTH-09", keyed(PUBLIC.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))),
    ("TH-AUTH-09", keyed(PUBLIC.public_bytes_raw())),
    ("TH-AUTH-09", named("none")),
    ("TH-AUTH-09", named("NONE")),
    ("TH-AUTH-09", named("None")),
    ("TH-AUTH-02", lambda header, token: header["alg"] == "EdDSA" and token.endswith(".")),
    ("TH-AUTH-02", by_its_own_key),
]


@pytest.mark.parametrize(("requirement", "falls"), FALLS)
def test_a_verifier_that_falls_for_a_forged_token(
    requirement: str, falls: Falls, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Credulous(Verifier):
        def verify(self, token: str, required: Iterable[str] = ()) -> dict[str, Json]:
            parts = token.split(".")
            if len(parts) == 3 and falls(json.loads(octets(parts[0])), token):
                return dict(json.loads(octets(parts[1])))
            return super().verify(token, required)

    monkeypatch.setattr("reference_server.threads.identity.Verifier", Credulous)
    data = entry("reference").statement("threads")
    report = certify(checked(data, "it"), Options(seed=1, only=("TH-AUTH-02", "TH-AUTH-09"), protocol=False))
    assert {each.id for each in report.requirements if each.verdict == "fail"} == {requirement}

"""Tokens that are minted for a target: a bad one differs from the good one in nothing but what is bad."""

import base64
import hashlib
import hmac
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from conformance.drive.credentials import ISSUED_S, Minter, prove
from conformance.drive.errors import UsageError
from conformance.drive.statement import Auth
from conformance.drive.target import entry
from conformance.model.events import Credential

AUTH = Auth.model_validate(entry("reference").statement("threads", transport="in-process")["auth"])
GOOD = Credential(name="a", role="worker", claims={"agent_id": "a"})


def minted(monkeypatch: pytest.MonkeyPatch, *defects: str | None) -> list[str]:
    """Tokens of one caller with these defects, each made ten seconds after the one before."""
    minter, tokens, began = Minter(AUTH, Path()), list[str](), time.time()
    for place, defect in enumerate(defects):
        monkeypatch.setattr("conformance.drive.credentials.time.time", lambda at=began + 10 * place: at)
        tokens.append(minter.mint(Credential(name="a", role=GOOD.role, claims=GOOD.claims, defect=defect)))
    return tokens


def test_a_forged_token_differs_in_its_signature_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    good, forged = (token.rpartition(".") for token in minted(monkeypatch, None, "signature"))
    assert good[0] == forged[0]
    assert good[2] != forged[2]


def test_a_token_without_a_claim_has_all_others_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = (
        jwt.decode(token, options={"verify_signature": False}) for token in minted(monkeypatch, None, "missing:jti")
    )
    assert bad == {name: value for name, value in good.items() if name != "jti"}


def test_an_expired_token_is_past_its_exp_when_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = (
        jwt.decode(token, options={"verify_signature": False}) for token in minted(monkeypatch, None, "expired:90")
    )
    assert good["iat"] + ISSUED_S + 10 - 90 == bad["exp"]


@pytest.mark.parametrize("skew_s", [-200, 0, 3600])
def test_a_token_is_good_or_bad_by_this_clock_and_by_the_other(skew_s: int) -> None:
    """A Date may be wrong, or the clock of who looks at the token."""
    minter, here = Minter(AUTH, Path()), time.time()

    def claims(defect: str | None) -> dict[str, Any]:
        about = Credential(name="a", role=GOOD.role, claims=GOOD.claims, defect=defect)
        found: dict[str, Any] = jwt.decode(minter.mint(about, skew_s=skew_s), options={"verify_signature": False})
        return found

    good, late, soon = claims(None), claims("expired:90"), claims("not_yet:180")
    clocks = (here, here + skew_s)
    assert min(clocks) - ISSUED_S - 2 <= good["iat"] <= min(clocks) - ISSUED_S + 2
    assert good["exp"] > max(clocks) + 600
    assert min(clocks) - 92 <= late["exp"] <= min(clocks) - 88
    assert max(clocks) + 178 <= soon["iat"] <= max(clocks) + 182
    assert late["jti"] == soon["jti"] == good["jti"]


KEYS: dict[str, Any] = {
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
    "RS256": rsa.generate_private_key(65537, 2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "ES384": ec.generate_private_key(ec.SECP384R1()),
}


def minter(folder: Path, key: Any, **more: str) -> Minter:
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return Minter(Auth.model_validate({"signing_key": "key.pem", **more}), folder)


def forged(by: Minter, defect: str) -> str:
    return by.mint(Credential(name="a", role=GOOD.role, claims=GOOD.claims, defect=defect))


@pytest.mark.parametrize("algorithm", KEYS)
def test_a_key_signs_by_the_algorithm_of_its_kind(algorithm: str, tmp_path: Path) -> None:
    token = minter(tmp_path, KEYS[algorithm]).mint(GOOD)
    assert jwt.decode(token, KEYS[algorithm].public_key(), algorithms=[algorithm])["agent_id"] == "a"


def test_an_algorithm_that_is_named_comes_first(tmp_path: Path) -> None:
    token = minter(tmp_path, KEYS["RS256"], algorithm="PS384").mint(GOOD)
    assert jwt.decode(token, KEYS["RS256"].public_key(), algorithms=["PS384"])


@pytest.mark.parametrize(
    ("key", "algorithm", "said"),
    [("RS256", "EdDSA", "it is an RSA key"), ("ES256", "ES384", "on the curve secp256r1, which signs with ES256")],
)
def test_a_key_that_cannot_sign_by_it_is_told(key: str, algorithm: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"(?s)cannot sign with {algorithm}.*{said}"):
        minter(tmp_path, KEYS[key], algorithm=algorithm)


@pytest.mark.parametrize("defect", ["algorithm", "algorithm:stripped", "algorithm:der", "algorithm:raw"])
@pytest.mark.parametrize("algorithm", KEYS)
def test_a_public_key_may_be_taken_for_a_secret(defect: str, algorithm: str, tmp_path: Path) -> None:
    public = KEYS[algorithm].public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    secrets = [pem, pem.strip(), public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)]
    if algorithm == "EdDSA":
        secrets.append(public.public_bytes_raw())
    elif algorithm != "RS256":
        secrets.append(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    text, _, signature = forged(minter(tmp_path, KEYS[algorithm]), defect).rpartition(".")
    signed = [hmac.digest(secret, text.encode(), hashlib.sha256) for secret in secrets]
    assert signed.count(base64.urlsafe_b64decode(signature + "=")) == 1
    assert jwt.get_unverified_header(f"{text}.{signature}")["alg"] == "HS256"


@pytest.mark.parametrize(
    ("defect", "algorithm"), [("alg_none", "none"), ("alg_none:None", "None"), ("signature:empty", "EdDSA")]
)
def test_a_token_may_have_no_signature(defect: str, algorithm: str, tmp_path: Path) -> None:
    text, _, signature = forged(minter(tmp_path, KEYS["EdDSA"]), defect).rpartition(".")
    assert signature == ""
    header, claims = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in text.split("."))
    assert header["alg"] == algorithm
    assert claims["agent_id"] == "a"


def test_a_token_may_bring_its_own_key(tmp_path: Path) -> None:
    token = forged(minter(tmp_path, KEYS["ES256"]), "signature:brought")
    brought = jwt.PyJWK(jwt.get_unverified_header(token)["jwk"])
    assert jwt.decode(token, brought.key, algorithms=["ES256"])["agent_id"] == "a"
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(token, KEYS["ES256"].public_key(), algorithms=["ES256"])


def test_a_key_that_is_too_small_to_sign_is_told(tmp_path: Path) -> None:
    key = rsa.generate_private_key(65537, 1024)
    (tmp_path / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    auth = Auth.model_validate({"signing_key": "key.pem", "algorithm": "PS512"})
    with pytest.raises(UsageError, match="the signing key signs no token"):
        prove(auth, tmp_path, None)


@pytest.mark.parametrize("key", [ec.generate_private_key(ec.BrainpoolP256R1()), x25519.X25519PrivateKey.generate()])
def test_a_key_that_no_token_is_signed_with_is_told(key: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"signs no tokens.*\n.*\n  give a private key: Ed25519, RSA, or on the curve"):
        minter(tmp_path, key)

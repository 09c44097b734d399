"""Keys that sign and keys that check, and what is said of those that cannot."""

import base64
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import dsa, ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_public_key,
)
from securesystemslib.signer import GPGSigner

from conformance.bundle.envelope import opened, sign, signed_by, tried
from conformance.bundle.keys import PASSPHRASE, key_of, signer_of
from conformance.bundle.refused import RefusedError
from conformance.drive.errors import UsageError
from tests.unit.bundle.conftest import written

Keys = dict[str, tuple[Path, Path]]


def pem(path: Path, key: object, encryption: KeySerializationEncryption | None = None) -> Path:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption()))
    return path


@pytest.mark.parametrize(
    ("make", "scheme"),
    [
        (Ed25519PrivateKey.generate, "ed25519"),
        (lambda: ec.generate_private_key(ec.SECP256R1()), "ecdsa-sha2-nistp256"),
        (lambda: rsa.generate_private_key(65537, 2048), "rsassa-pss-sha256"),
    ],
)
def test_what_a_key_signed_its_public_part_checks(tmp_path: Path, make, scheme: str) -> None:
    path = pem(tmp_path / "key.pem", make())
    envelope = sign(b'{"a":1}', signer_of(str(path), None))
    assert opened(envelope)[0] == b'{"a":1}'
    assert signed_by(envelope, [key_of(path)]).scheme == scheme


def test_a_key_may_be_given_by_a_uri_of_the_library(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRYPTO_SIGNER_PATH_PREFIX", raising=False)
    private, public = keys["ours"]
    envelope = sign(b"{}", signer_of(f"file2:{private}", public))
    assert signed_by(envelope, [key_of(public)])
    with pytest.raises(UsageError, match="needs its public key beside it"):
        signer_of(f"file2:{private}", None)
    with pytest.raises(UsageError, match="cannot be used"):
        signer_of("file2:/nowhere.pem", public)
    with pytest.raises(UsageError, match="neither a file nor a known URI"):
        signer_of("smoke:signals", public)


@pytest.mark.skipif(shutil.which("gpg") is None, reason="no GnuPG here")
def test_a_key_of_gnupg_signs_and_what_it_adds_to_a_signature_may_be_tampered_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, public = tmp_path / "gpg", tmp_path / "public.json"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("GNUPGHOME", str(home))
    making = [
        "gpg",
        "--batch",
        "--quiet",
        "--passphrase",
        "",
        "--quick-gen-key",
        "a@b.example",
        "ed25519",
        "sign",
        "never",
    ]
    subprocess.run(making, check=True, capture_output=True)
    listed = subprocess.run(["gpg", "-k", "--with-colons"], check=True, capture_output=True, text=True).stdout
    fingerprint = next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr"))
    uri, key = GPGSigner.import_(fingerprint.lower())
    public.write_text(json.dumps({"keyid": key.keyid, **key.to_dict()}))
    try:
        envelope = sign(b"{}", signer_of(uri, public))
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)
    assert signed_by(envelope, [key_of(public)]).keyid == key.keyid
    for other_headers in (7, "zz", None):
        data = json.loads(envelope)
        data["signatures"][0]["other_headers"] = other_headers
        with pytest.raises(RefusedError):
            signed_by(json.dumps(data).encode(), [key_of(public)])
    del data["signatures"][0]["other_headers"]
    with pytest.raises(RefusedError):
        signed_by(json.dumps(data).encode(), [key_of(public)])


def test_a_signature_is_that_of_dsse_whoever_checks_it(keys: Keys) -> None:
    """Checked by the words of its specification, without the library that made it."""
    payload, kind = b'{"a": 1}', b"application/vnd.in-toto+json"
    envelope = json.loads(sign(payload, signer_of(str(keys["ours"][0]), None)))
    assert envelope["payloadType"].encode() == kind
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
    public = load_pem_public_key(keys["ours"][1].read_bytes())
    public.verify(base64.b64decode(envelope["signatures"][0]["sig"]), signed)
    with pytest.raises(InvalidSignature):
        public.verify(base64.b64decode(envelope["signatures"][0]["sig"]), payload)


def test_a_public_key_may_be_given_as_the_library_writes_it(keys: Keys, tmp_path: Path) -> None:
    key = key_of(keys["ours"][1])
    path = tmp_path / "key.json"
    path.write_text(json.dumps({"keyid": key.keyid, **key.to_dict()}))
    assert key_of(path) == key


def test_a_key_behind_a_passphrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pem(tmp_path / "key.pem", Ed25519PrivateKey.generate(), BestAvailableEncryption(b"open sesame"))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(UsageError, match=PASSPHRASE):
        signer_of(str(path), None)
    monkeypatch.setenv(PASSPHRASE, "open barley")
    with pytest.raises(UsageError, match="the passphrase may be wrong") as caught:
        signer_of(str(path), None)
    assert "barley" not in str(caught.value)
    monkeypatch.setenv(PASSPHRASE, "open sesame")
    tried(signer_of(str(path), None))


@pytest.mark.parametrize("content", [b"", b"no key", b"{}", b"[" * 9_000, b"{" * 9_000, b'{"keyid": 1}', b"\xff" * 99])
def test_what_is_no_key_is_refused_with_the_way_to_make_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="openssl pkey"):
        key_of(path)
    with pytest.raises(UsageError, match="openssl genpkey"):
        signer_of(str(path), None)


def test_a_public_key_cannot_sign_nor_one_of_a_kind_that_is_not_known(keys: Keys, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds a public key, which cannot sign"):
        signer_of(str(keys["ours"][1]), None)
    with pytest.raises(UsageError, match="cannot sign here"):
        signer_of(str(pem(tmp_path / "dsa.pem", dsa.generate_private_key(2048))), None)
    with pytest.raises(UsageError, match="cannot be read"):
        signer_of(str(tmp_path / "nowhere.pem"), None)


def test_a_signer_that_fails_is_told_with_its_own_words() -> None:
    class Broken:
        def sign(self, payload: bytes) -> None:
            raise ConnectionError("the key service is away")

    with pytest.raises(UsageError, match="ConnectionError: the key service is away"):
        tried(Broken())


def test_without_the_library_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    private, _ = written(tmp_path, "key")
    script = (
        "import sys; sys.modules['securesystemslib'] = None; sys.modules['securesystemslib.dsse'] = None\n"
        "from conformance.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    for words in (["certify", "--key", str(private), "--output", "cert"], ["verify", ".", "--key", str(private)]):
        done = subprocess.run(
            [sys.executable, "-c", script, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert 'pip install "mcp-contract-conformance[certify]"' in done.stderr
        assert "Traceback" not in done.stderr

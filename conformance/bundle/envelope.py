"""Envelopes that say who signed what: DSSE, of https://github.com/secure-systems-lab/dsse/blob/master/envelope.md."""

import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from conformance.bundle.attestation import PAYLOAD_TYPE
from conformance.bundle.keys import telling
from conformance.bundle.refused import RefusedError
from conformance.report.printable import plain

if TYPE_CHECKING:
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import Key, Signer

MOST_SIGNATURES = 20


class Signature(Struct, frozen=True, kw_only=True):
    """One signature as an envelope holds it."""

    sig: str
    keyid: str = ""


class Sealed(Struct, frozen=True, kw_only=True, rename={"payload_type": "payloadType"}):
    """An envelope as its file holds it."""

    payload: str
    payload_type: str
    signatures: tuple[Signature, ...]


def sign(payload: bytes, signer: "Signer") -> bytes:
    """The envelope, as one line of JSON; UsageError where the signer cannot sign."""
    return msgspec.json.encode(_signed(payload, PAYLOAD_TYPE, signer).to_dict()) + b"\n"


def tried(signer: "Signer") -> None:
    """Lets a signer sign nothing, before a long run is made for it; UsageError where it cannot."""
    _signed(b"", "text/plain", signer)


def _signed(payload: bytes, kind: str, signer: "Signer") -> "Envelope":
    from securesystemslib.dsse import Envelope  # noqa: PLC0415 -- an extra

    envelope = Envelope(payload, kind, {})
    with telling("the key does not sign"):
        envelope.sign(signer)
    return envelope


def opened(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The payload of an envelope and the ids of the keys that it names, nothing of which is verified yet.

    RefusedError where it is no envelope of an in-toto statement.
    """
    sealed = _sealed(data)
    return _decoded(sealed.payload, "payload"), tuple(signature.keyid for signature in sealed.signatures)


def signed_by(data: bytes, keys: Sequence["Key"]) -> "Key":
    """Which of these keys signed the envelope; RefusedError where none of them did."""
    from securesystemslib.dsse import Envelope  # noqa: PLC0415 -- an extra
    from securesystemslib.exceptions import VerificationError  # noqa: PLC0415 -- as above

    sealed = _sealed(data)
    named = {signature.keyid for signature in sealed.signatures}
    given = {key.keyid for key in keys}
    if not named & given:
        what = f"the bundle is signed by the key {_ids(named)}, and --key is {_ids(given)}"
        raise RefusedError(
            what, "give the public key of the one who signed, if you trust it; else do not trust the bundle"
        )
    try:
        # as it was read, with members that only its kind of key knows
        accepted = Envelope.from_dict(msgspec.json.decode(data)).verify(list(keys), 1)
    except (VerificationError, ValueError, LookupError, TypeError, AttributeError) as error:
        what = (
            f"the signature of the key {_ids(named & given)} does not hold: the attestation was changed, or is forged"
        )
        raise RefusedError(what, "do not trust the bundle: get it anew from the one who signed it") from error
    return next(iter(accepted.values()))


def _sealed(data: bytes) -> Sealed:
    try:
        sealed = msgspec.json.decode(data, type=Sealed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(f"the attestation is no DSSE envelope: {plain(str(error), 200)}") from error
    if sealed.payload_type != PAYLOAD_TYPE:
        raise RefusedError(f"the envelope holds {plain(sealed.payload_type, 80)}, not {PAYLOAD_TYPE}")
    if not sealed.signatures:
        raise RefusedError("the envelope has no signature", "get the bundle anew from the one who signed it")
    if len(sealed.signatures) > MOST_SIGNATURES:
        raise RefusedError(f"the envelope has {len(sealed.signatures)} signatures; {MOST_SIGNATURES} are read")
    for signature in sealed.signatures:
        _decoded(signature.sig, "signature")
    return sealed


def _decoded(text: str, what: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise RefusedError(f"the {what} of the envelope is not base64") from error


def _ids(names: set[str]) -> str:
    return " or ".join(plain(name, 80) or "(without an id)" for name in sorted(names))

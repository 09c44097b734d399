"""Keys that sign a bundle, and those that check it: PEM files, and whatever securesystemslib has a URI for."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.drive.errors import UsageError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
    from securesystemslib.signer import Key, Signer

PASSPHRASE = "CONFORMANCE_KEY_PASSPHRASE"  # noqa: S105 -- the variable's name
LARGEST_KEY = 100_000
PUBLISHING = "openssl pkey -in key.pem -pubout -out key.pub.pem"
MAKING = f"make a key with: openssl genpkey -algorithm ed25519 -out key.pem && {PUBLISHING}"
NO_LIBRARY = 'pip install "mcp-contract-conformance[certify]"'


def needed() -> None:
    """UsageError where the library that signs is not installed."""
    try:
        import securesystemslib.dsse  # noqa: F401, PLC0415 -- an extra
    except ImportError as error:
        raise UsageError("signatures need the library securesystemslib", "--key", str(error), NO_LIBRARY) from error


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Whatever a signer raises becomes a UsageError that says what failed."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:  # each signer has errors of its own: of a network, of hardware, of a missing library
        raise UsageError(what, "--key", f"{type(error).__name__}: {error}") from error


def signer_of(key: str, public: Path | None) -> "Signer":
    """The signer that --key means: a PEM file with a private key, or a URI of securesystemslib with its public key.

    UsageError where it is none.
    """
    needed()
    from securesystemslib.signer import SIGNER_FOR_URI_SCHEME, CryptoSigner, Signer  # noqa: PLC0415 -- an extra

    scheme, colon, _ = key.partition(":")
    if colon and scheme in SIGNER_FOR_URI_SCHEME:
        if public is None:
            todo = "add --public-key FILE: PEM, or JSON as securesystemslib writes it"
            raise UsageError(f"a key by URI ({scheme}:) needs its public key beside it", "--key", todo=todo)
        its_public = key_of(public, "--public-key")
        with telling(f"the key {scheme}: cannot be used"):
            return Signer.from_priv_key_uri(key, its_public, _secret)
    if colon and not Path(key).exists():
        known = ", ".join(f"{name}:" for name in SIGNER_FOR_URI_SCHEME)
        raise UsageError(f"{key} is neither a file nor a known URI", "--key", f"schemes: {known}", MAKING)
    private = _private(Path(key))
    try:
        return CryptoSigner(private)
    except ValueError as error:
        raise UsageError(f"{key} holds a key that cannot sign here", "--key", str(error), MAKING) from error


def key_of(path: Path, option: str = "--key") -> "Key":
    """A public key: PEM (of a private key too), or JSON as securesystemslib writes it; UsageError where it is none."""
    needed()
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- only where there is a key
    from cryptography.hazmat.primitives.serialization import load_pem_public_key  # noqa: PLC0415 -- as above
    from securesystemslib.signer import Key, SSlibKey  # noqa: PLC0415 -- an extra

    data = _read(path, option)
    try:
        if data.lstrip().startswith(b"{"):
            about = json.loads(data)
            return Key.from_dict(about.pop("keyid"), about)
        if b"PRIVATE KEY" in data:
            return SSlibKey.from_crypto(_private(path, option).public_key())
        return SSlibKey.from_crypto(load_pem_public_key(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UnsupportedAlgorithm) as error:
        todo = f"give a PEM file (BEGIN PUBLIC KEY): {PUBLISHING}"
        raise UsageError(f"{path} holds no public key", option, str(error), todo) from error


def _private(path: Path, option: str = "--key") -> "PrivateKeyTypes":
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 -- only where there is a key
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 -- as above

    data = _read(path, option)
    if b"PUBLIC KEY" in data and b"PRIVATE KEY" not in data:
        raise UsageError(f"{path} holds a public key, which cannot sign", option, todo="give the private one")
    encrypted = b"ENCRYPTED" in data
    try:
        return load_pem_private_key(data, _secret("passphrase").encode() if encrypted else None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        why = f"the passphrase may be wrong ({PASSPHRASE})" if encrypted else str(error)
        raise UsageError(f"{path} holds no private key that can be read", option, why, MAKING) from error


def _read(path: Path, option: str) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_KEY)
    except OSError as error:
        raise UsageError(f"{path} cannot be read", option, error.strerror or "", MAKING) from error


def _secret(name: str) -> str:
    """What opens a key: from the environment, else asked for where somebody can answer."""
    given = os.environ.get(PASSPHRASE)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        todo = f"set the environment variable {PASSPHRASE}"
        raise UsageError(f"the key asks for its {name}, and nobody can be asked", "--key", todo=todo)
    return getpass(f"{name} of the key: ")

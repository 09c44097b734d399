"""A bundle of the reference, made once."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from conformance.bundle.keys import signer_of
from conformance.bundle.sealing import Seal, begun, seal
from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.events import Json


def written(folder: Path, name: str) -> tuple[Path, Path]:
    """A new Ed25519 key: the files of its private and of its public part."""
    key = Ed25519PrivateKey.generate()
    private, public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private, public


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Two pairs of files: of the signer, and of somebody else."""
    folder = tmp_path_factory.mktemp("keys")
    return {name: written(folder, name) for name in ("ours", "theirs")}


def made(folder: Path, signer: Path | None, *deviations: str, options: Options | None = None, **more: Json) -> Path:
    """A bundle of a small run, as `conformance certify` makes it."""
    statement = checked({**entry("reference").statement("threads", deviations=deviations), **more}, "it")
    asked = options or Options(only=("TH-IDEM-01", "TH-MSG-01"), seed=1)
    how = Seal(signer_of(str(signer), None) if signer is not None else None)
    with begun(folder) as path:
        about = Options(only=asked.only, level=asked.level, stimuli=asked.stimuli, protocol=asked.protocol,
                        strict=asked.strict, seed=1, transcript=path)  # fmt: skip
        report = certify(statement, about)
    seal(folder, report, about, how)
    return folder


@pytest.fixture(scope="session")
def originals(tmp_path_factory: pytest.TempPathFactory, keys: dict[str, tuple[Path, Path]]) -> dict[str, Path]:
    """A signed bundle, and one that nobody signed."""
    folder = tmp_path_factory.mktemp("bundles")
    return {"signed": made(folder / "signed", keys["ours"][0]), "unsigned": made(folder / "unsigned", None)}


@pytest.fixture
def copy(originals: dict[str, Path], tmp_path: Path) -> Callable[[str], Path]:
    """Gives a copy to tamper with."""

    def copied(name: str) -> Path:
        return Path(shutil.copytree(originals[name], tmp_path / name))

    return copied

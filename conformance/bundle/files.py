"""The files of a bundle: which there are, how large they may be, and their digests."""

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from conformance.bundle.refused import RefusedError
from conformance.report.printable import plain

TRANSCRIPT = "transcript.jsonl"
REPORT = "report.json"
STATEMENT = "statement.json"
ENVELOPE = "attestation.intoto.jsonl"
"""A signed attestation: one DSSE envelope in one line, as in-toto's own bundles hold it."""
UNSIGNED = "attestation.json"
"""An attestation that nobody signed: the in-toto statement itself."""
SEALED = (TRANSCRIPT, REPORT, STATEMENT)
"""What an attestation gives the digests of."""
LARGEST: Mapping[str, int] = MappingProxyType(
    {TRANSCRIPT: 2_000_000_000, REPORT: 256_000_000, STATEMENT: 16_000_000, ENVELOPE: 2_000_000, UNSIGNED: 2_000_000}
)
"""Octets that a file may have: more is neither sealed nor read."""
_AT_ONCE = 1 << 20


def attestation_of(folder: Path) -> str:
    """Looks at what is in the folder, and gives the name of its attestation.

    RefusedError where a file is missing, was added, is no ordinary file or is too large; OSError where the folder
    cannot be read.
    """
    found: dict[str, os.DirEntry[str]] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name not in LARGEST:
                raise RefusedError(
                    f"{plain(entry.name, 100)} does not belong to the bundle",
                    "it was added later: remove it, or get the bundle anew",
                )
            found[entry.name] = entry
    if {ENVELOPE, UNSIGNED} <= found.keys():
        raise RefusedError(f"the bundle has two attestations, {ENVELOPE} and {UNSIGNED}", "get the bundle anew")
    if not {ENVELOPE, UNSIGNED} & found.keys():
        what = f"the bundle has no attestation ({ENVELOPE} or {UNSIGNED})"
        raise RefusedError(what, "the run that wrote it did not end, or the file was removed")
    for name in SEALED:
        if name not in found:
            raise RefusedError(f"{name} is missing: it was removed from the bundle", "get the bundle anew")
    for name, entry in sorted(found.items()):
        _ordinary(name, entry.stat(follow_symlinks=False))
    return ENVELOPE if ENVELOPE in found else UNSIGNED


def _ordinary(name: str, about: os.stat_result) -> None:
    if stat.S_ISLNK(about.st_mode):
        raise RefusedError(f"{name} is a symbolic link", "a bundle holds its files itself: get it anew")
    if not stat.S_ISREG(about.st_mode):
        raise RefusedError(f"{name} is no ordinary file", "get the bundle anew")
    if about.st_size > LARGEST[name]:
        raise RefusedError(f"{name} has {about.st_size:,} bytes; a bundle's may have {LARGEST[name]:,}")


def content(folder: Path, name: str) -> bytes:
    """A file whole; RefusedError where it is larger than it may be."""
    with (folder / name).open("rb") as file:
        data = file.read(LARGEST[name] + 1)
    if len(data) > LARGEST[name]:
        raise RefusedError(f"{name} is larger than the {LARGEST[name]:,} bytes that it may have")
    return data


def digest(folder: Path, name: str) -> str:
    """SHA-256 of a file, in hexadecimal, read piece by piece; RefusedError where it is larger than it may be."""
    hashed, size = hashlib.sha256(), 0
    with (folder / name).open("rb") as file:
        while piece := file.read(_AT_ONCE):
            size += len(piece)
            if size > LARGEST[name]:
                raise RefusedError(f"{name} is larger than the {LARGEST[name]:,} bytes that it may have")
            hashed.update(piece)
    return hashed.hexdigest()

"""Checks a bundle: who signed it, whether its files are those that were sealed, whether they give the report again."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from conformance import __version__
from conformance.bundle.attestation import (
    PACKAGE,
    PREDICATE_TYPE,
    STATEMENT_TYPE,
    Artifact,
    Judging,
    statement_of,
)
from conformance.bundle.differing import difference
from conformance.bundle.envelope import opened, signed_by
from conformance.bundle.files import (
    ENVELOPE,
    REPORT,
    SEALED,
    STATEMENT,
    TRANSCRIPT,
    attestation_of,
    content,
    digest,
)
from conformance.bundle.refused import RefusedError
from conformance.bundle.sealing import statement_text
from conformance.certify import rejudge
from conformance.drive.errors import UsageError
from conformance.model.transcript import TranscriptError
from conformance.report import json
from conformance.report.model import Report
from conformance.report.printable import plain

if TYPE_CHECKING:
    from securesystemslib.signer import Key

VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found of a bundle that holds."""

    report: Report
    attestation: str
    key: str
    """The id of the key whose signature was checked; empty where none was."""
    scheme: str
    """How that key signs."""
    named: tuple[str, ...]
    """The ids of keys that the envelope names; empty where nobody signed."""
    artifacts: tuple[Artifact, ...]


class _Descriptor(Struct, frozen=True, kw_only=True):
    name: str = ""
    digest: dict[str, str] = {}
    annotations: dict[str, Any] = {}


class _Predicate(Struct, frozen=True, kw_only=True):
    configuration: tuple[_Descriptor, ...]


class _Statement(Struct, frozen=True, kw_only=True, rename={"kind": "_type", "predicate_type": "predicateType"}):
    kind: str
    subject: tuple[_Descriptor, ...]
    predicate_type: str
    predicate: _Predicate


def verify(folder: Path, keys: Sequence["Key"] = ()) -> Verified:
    """What the bundle rests on; RefusedError at the first thing in it that does not hold.

    With keys one of them has to have signed it; without, nothing is checked but that the bundle agrees with itself.
    UsageError where the folder cannot be read.
    """
    try:
        return _verified(folder, keys)
    except OSError as error:
        what = f"{error.filename or folder} cannot be read"
        raise UsageError(
            what, why=error.strerror or "", todo="give the folder that conformance certify wrote"
        ) from error


def _verified(folder: Path, keys: Sequence["Key"]) -> Verified:
    attestation = attestation_of(folder)
    sealed = content(folder, attestation)
    signer: Key | None = None
    if attestation == ENVELOPE:
        signer = signed_by(sealed, keys) if keys else None
        payload, named = opened(sealed)
    elif keys:
        raise RefusedError("nobody signed the bundle, and a signature is asked for (--key)", "do not trust the bundle")
    else:
        payload, named = sealed.removesuffix(b"\n"), ()
    stated = _stated(payload)
    digests = {name: digest(folder, name) for name in SEALED}
    _same_files(stated, digests)
    version, judging = _suite(stated)
    if version != __version__:
        raise RefusedError(
            f"the bundle was made by version {version} of the suite, and this is {__version__}: "
            "only the same version gives the same report",
            f"verify it with: {_with_version(version, folder, signed=bool(named))}",
        )
    report = _judged_again(folder, judging)
    artifacts = tuple(
        Artifact(name=each.name, digest=each.digest) for each in stated.subject if each.name not in SEALED
    )
    if statement_of(report, judging, digests, artifacts) != payload:
        raise RefusedError(
            "the attestation says something else than the report that it is on",
            "its result, its lists of tests or its configuration were changed: do not trust the bundle",
        )
    return Verified(
        report=report,
        attestation=attestation,
        key=signer.keyid if signer is not None else "",
        scheme=signer.scheme if signer is not None else "",
        named=named,
        artifacts=artifacts,
    )


def _stated(payload: bytes) -> _Statement:
    try:
        stated = msgspec.json.decode(payload, type=_Statement)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(f"the attestation holds no in-toto statement on a test: {plain(str(error), 200)}") from error
    for name, is_, wanted in (
        ("a statement", stated.kind, STATEMENT_TYPE),
        ("a predicate", stated.predicate_type, PREDICATE_TYPE),
    ):
        if is_ != wanted:
            raise RefusedError(f"the attestation is {name} of the type {plain(is_, 100)}, not {wanted}")
    return stated


def _same_files(stated: _Statement, digests: dict[str, str]) -> None:
    subjects = {subject.name: subject.digest.get("sha256", "") for subject in stated.subject}
    for name, found in digests.items():
        if name not in subjects:
            raise RefusedError(f"the attestation has no digest of {name}", "do not trust the bundle")
        if subjects[name] != found:
            raise RefusedError(
                f"{name} was changed: its SHA-256 is {found}, and {plain(subjects[name], 80) or 'none'} was sealed",
                "get the bundle anew",
            )


def _suite(stated: _Statement) -> tuple[str, Judging]:
    """The version of the suite that made the bundle, and what was asked of the judge."""
    about = next((each for each in stated.predicate.configuration if each.name == "suite"), None)
    version = str(about.annotations.get("version", "")) if about is not None else ""
    if about is None or not VERSION.fullmatch(version):
        raise RefusedError("the attestation names no version of the suite", "do not trust the bundle")
    try:
        return version, msgspec.convert(about.annotations.get("judging"), Judging)
    except msgspec.ValidationError as error:
        if version != __version__:
            # a later suite may ask more of its judge: it is needed in any case
            return version, Judging()
        raise RefusedError(f"the attestation does not say how to judge: {plain(str(error), 200)}") from error


def _with_version(version: str, folder: Path, *, signed: bool) -> str:
    extra = "[certify]" if signed else ""
    command = ["uvx", "--from", f"{PACKAGE}{extra}=={version}", "conformance", "verify", str(folder)]
    return shlex.join(command) + (" --key KEY.pub.pem" if signed else "")


def _judged_again(folder: Path, judging: Judging) -> Report:
    """The report that the transcript gives; RefusedError where it is another one than the bundle's."""
    path = folder / TRANSCRIPT
    try:
        report = rejudge(path, judging.options())
        statement = statement_text(path)
    except (TranscriptError, UsageError) as error:
        raise RefusedError(f"the transcript cannot be judged: {plain(str(error), 400)}") from error
    if report.fault:
        raise RefusedError(plain(report.fault, 800), "do not trust the bundle")
    held = content(folder, REPORT)
    if json.render(report).encode() != held:
        raise RefusedError(*difference(report, held))
    if statement != content(folder, STATEMENT):
        raise RefusedError(
            f"{STATEMENT} is not what the transcript says that the target said of itself", "do not trust the bundle"
        )
    return report

"""Writes a bundle."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from conformance.bundle.attestation import Artifact, Judging, statement_of
from conformance.bundle.envelope import sign
from conformance.bundle.files import ENVELOPE, LARGEST, REPORT, SEALED, STATEMENT, TRANSCRIPT, UNSIGNED, digest
from conformance.certify import Options, rejudge
from conformance.drive.errors import UsageError
from conformance.model import transcript
from conformance.report import json
from conformance.report.model import Report

if TYPE_CHECKING:
    from securesystemslib.signer import Signer


@dataclass(frozen=True, slots=True)
class Seal:
    """How a bundle is sealed."""

    signer: "Signer | None" = None
    """None: nobody signs it."""
    artifacts: Sequence[Artifact] = ()


def statement_text(path: Path) -> bytes:
    """What the target said of itself, without secrets, as the transcript holds it; TranscriptError where it is none."""
    statement = msgspec.json.encode(transcript.header(path).statement, order="deterministic")
    return msgspec.json.format(statement, indent=2) + b"\n"


@contextlib.contextmanager
def begun(folder: Path) -> Iterator[Path]:
    """A folder for a bundle, which has to be new or empty; gives the transcript's path within it.

    Where the run cannot be made, nothing is left behind. UsageError where the folder cannot be had.
    """
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next(folder.iterdir(), None)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made", "--output", error.strerror or "") from error
    if taken is not None:
        todo = "name a new folder, or remove this one: a bundle holds one run and nothing else"
        raise UsageError(f"{folder} is not empty: it has {taken.name}", "--output", todo=todo)
    try:
        yield folder / TRANSCRIPT
    except BaseException:
        (folder / TRANSCRIPT).unlink(missing_ok=True)
        if made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def seal(folder: Path, report: Report, options: Options, how: Seal) -> Path:
    """Adds to the transcript in the folder what makes it a bundle; gives the path of the attestation.

    Only what a verifier will find again is sealed: the transcript is judged once more, and has to give the report.
    UsageError where it does not, or where a file cannot be written or is larger than a verifier reads; the transcript
    is kept.
    """
    path, judging, text = folder / TRANSCRIPT, Judging.of(options), json.render(report)
    try:
        if json.render(rejudge(path, judging.options())) != text:
            what = "the transcript does not give the report of the run again, so that nothing can be sealed"
            raise UsageError(what, todo="this is a fault of the suite: please report it, with the transcript of a run")
        (folder / REPORT).write_text(text, "utf-8", newline="\n")
        (folder / STATEMENT).write_bytes(statement_text(path))
        for name in SEALED:
            if (size := (folder / name).stat().st_size) > LARGEST[name]:
                what = f"{name} has {size:,} bytes; a bundle's may have {LARGEST[name]:,}"
                raise UsageError(what, todo="make a smaller run: [limits] max_run_bytes")
        payload = statement_of(report, judging, {name: digest(folder, name) for name in SEALED}, how.artifacts)
        attestation = folder / (UNSIGNED if how.signer is None else ENVELOPE)
        attestation.write_bytes(payload + b"\n" if how.signer is None else sign(payload, how.signer))
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be written", "--output", error.strerror or "") from error
    return attestation

"""conformance verify FOLDER: whether a bundle holds, and what it rests on. Exit: 0, 1 refused, 2 bad invocation."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from conformance.bundle.files import SEALED
from conformance.bundle.keys import key_of
from conformance.bundle.refused import RefusedError
from conformance.bundle.verifying import Verified, verify
from conformance.cli.ending import epilog
from conformance.drive.errors import UsageError
from conformance.report.printable import plain
from conformance.report.words import introduced, some

EPILOG = epilog(
    ("0  the bundle holds", "1  it is refused: something in it is not as it was sealed", "2  bad invocation"),
    "conformance verify cert/ --key key.pub.pem",
    "conformance verify cert/ --key key.pub.pem --must-conform",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="what conformance certify --output wrote")
    parser.add_argument(
        "--key",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="the signer's public key (PEM), from a source that you trust; twice: one of them has to have signed",
    )
    parser.add_argument(
        "--must-conform", action="store_true", help="also refuse a bundle whose report does not say that it conforms"
    )


def run(given: argparse.Namespace) -> int:
    """Checks it; gives the exit code."""
    if not given.folder.is_dir():
        what = f"{given.folder} is no folder" if given.folder.exists() else f"there is no folder {given.folder}"
        raise UsageError(what, "FOLDER", todo="give the folder that conformance certify wrote")
    keys = [key_of(path) for path in given.key]
    try:
        found = verify(given.folder, keys)
        if given.must_conform and not found.report.conformant:
            raise RefusedError(
                f"the bundle holds, and its report does not say that the server conforms: {plain(found.report.claim)}"
            )
    except RefusedError as error:
        print(f"Refused: {error.what}.")
        if error.todo:
            print(f"  {error.todo}")
        return 1
    for line in _told(given.folder, found):
        print(line)
    return 0


def _told(folder: Path, found: Verified) -> Iterator[str]:
    report = found.report
    yield f"{'Verified' if found.key else 'Consistent, not verified'}: {folder}"
    yield f"  says       {plain(report.claim)}"
    server = introduced(report)
    yield f"  of         {plain(report.target.name)}{f' ({plain(server)})' if server else ''}"
    yield f"  run        {plain(report.started_at)}, contract {plain(report.contract)} {plain(report.edition)}"
    for artifact in found.artifacts:
        digests = ", ".join(f"{plain(name)}:{plain(value)}" for name, value in artifact.digest.items())
        yield f"  made from  {plain(artifact.name)} {digests} (the signer's word; nothing in the run shows it)"
    yield ""
    yield f"  {_signature(found)}"
    yield f"  ✓ files      {some(len(SEALED), 'file')} are those that were sealed, and no other is there"
    yield (
        f"  ✓ verdicts   judged again by suite {report.suite} from {report.transcript.lines:,} lines: "
        "the same report, byte for byte"
    )
    yield ""
    yield from _rests_on(found)


def _signature(found: Verified) -> str:
    if found.key:
        return f"✓ signature  by the {found.scheme} key {plain(found.key, 80)}, which you gave"
    if found.named:
        named = " and ".join(plain(name, 80) for name in found.named)
        return f"○ signature  not checked: it names the key {named}; give the signer's public key with --key"
    return "○ signature  none: nobody signed the bundle"


def _rests_on(found: Verified) -> Iterator[str]:
    if found.key:
        yield "This rests on the word of whoever holds that key: that the transcript is what this server said in a run."
    else:
        yield "This rests on nobody's word: anyone can write a bundle that agrees with itself."
    yield "It does not show that a server in use today is the same one, or behaves the same way."

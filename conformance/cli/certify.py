"""conformance certify --output FOLDER: a run whose record, report and statement are sealed for others to check."""

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.bundle.attestation import Artifact
from conformance.bundle.envelope import tried
from conformance.bundle.keys import MAKING, signer_of
from conformance.bundle.sealing import Seal, begun, seal
from conformance.certify import certify
from conformance.cli import options
from conformance.cli import run as driving
from conformance.cli.ending import JUDGED, epilog
from conformance.cli.output import Shown, baseline_of, files_of, tell
from conformance.drive.errors import UsageError
from conformance.report.writers import UnknownFormatError, format_of

if TYPE_CHECKING:
    from securesystemslib.signer import Signer

DIGEST = re.compile(r"(?P<name>.+)=(?P<algorithm>sha256|sha512|gitCommit):(?P<hex>[0-9a-f]{40,128})")


EPILOG = epilog(
    JUDGED,
    "openssl genpkey -algorithm ed25519 -out key.pem         makes a key",
    "conformance certify --config conformance.toml --key key.pem --output cert/",
    "conformance verify cert/ --key key.pub.pem              what others do with it",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of run, and those of the bundle."""
    driving.configure(parser)
    group = parser.add_argument_group("bundle", "--output names its folder; with a suffix (.html …) it is a report")
    group.add_argument(
        "--key", metavar="FILE|URI", help="signs the bundle: a private key (PEM, Ed25519), or a URI of securesystemslib"
    )
    group.add_argument("--public-key", metavar="FILE", type=Path, help="of a key that is given by a URI")
    group.add_argument("--unsigned", action="store_true", help="sign nothing: then nobody vouches for the bundle")
    group.add_argument(
        "--artifact",
        metavar="NAME=sha256:HEX",
        action="append",
        default=[],
        help="what the server was made from, such as a container image: added to what is signed, on your word",
    )


def run(given: argparse.Namespace) -> int:
    """Runs it, tells the report, seals the bundle; gives the exit code of the run."""
    folder = _folder(given)
    how = Seal(_signer(given), [_artifact(text) for text in given.artifact])
    files_of(given)
    stated = options.statement_of(given)
    baseline = baseline_of(given, stated.statement.contract)
    with begun(folder) as given.transcript, Shown(given) as shown:
        about = driving.asked(given, stated, shown)
        report = certify(stated.statement, about)
    # told first: whatever goes wrong with the seal, nobody has to run it again to learn the verdicts
    code = tell(report, given, baseline)
    if report.fault:
        raise UsageError("no bundle was made: nothing can be certified of such a run", str(folder))
    attestation = seal(folder, report, about, how)
    _say(folder, attestation, how, given)
    return code


def _folder(given: argparse.Namespace) -> Path:
    """The one output that is no report; the others stay."""
    if given.transcript is not None:
        raise UsageError("the bundle holds the transcript", "--transcript", todo="leave out --transcript")
    folders = []
    for path in given.output:
        try:
            format_of(path)
        except UnknownFormatError:
            folders.append(path)
    if len(folders) != 1:
        what = "no folder is named for the bundle" if not folders else "more than one folder is named for the bundle"
        raise UsageError(what, "--output", todo="conformance certify … --output cert/")
    given.output = [path for path in given.output if path not in folders]
    return Path(folders[0])


def _signer(given: argparse.Namespace) -> "Signer | None":
    if given.key is not None and given.unsigned:
        raise UsageError("--key and --unsigned contradict each other", todo="give one of them")
    if given.key is None and not given.unsigned:
        raise UsageError(
            "a bundle is signed, and no key is given",
            "--key",
            f"{MAKING}; then give --key key.pem",
            "or add --unsigned: such a bundle agrees with itself, and nobody vouches for it",
        )
    if given.key is None:
        return None
    signer = signer_of(given.key, given.public_key)
    tried(signer)
    return signer


def _artifact(text: str) -> Artifact:
    found = DIGEST.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{text} is no name with a digest", "--artifact", todo="write it as NAME=sha256:HEX, in small letters"
        )
    return Artifact(name=found["name"], digest={found["algorithm"]: found["hex"]})


def _say(folder: Path, attestation: Path, how: Seal, given: argparse.Namespace) -> None:
    """Where the bundle is and how it is checked; beside a report that is printed in a format, not within it."""
    stream = sys.stdout if given.format in (None, "terminal") else sys.stderr
    if how.signer is None:
        print(f"bundle   {folder} (unsigned: nobody vouches for it)\nverify   conformance verify {folder}", file=stream)
        return
    key = how.signer.public_key
    print(f"bundle   {folder}, signed by the {key.scheme} key {key.keyid} in {attestation.name}", file=stream)
    print(f"verify   conformance verify {folder} --key KEY.pub.pem", file=stream)

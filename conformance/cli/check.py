"""conformance check: whether a conformance.toml is valid. No server is started, and none is called."""

import argparse
from pathlib import Path

from conformance.certify import contract_of
from conformance.cli.ending import epilog
from conformance.cli.options import DEFAULT_FILE
from conformance.cli.unspoken import unspoken
from conformance.drive.agreement import agree
from conformance.drive.errors import UsageError
from conformance.drive.loading import load

EPILOG = epilog(
    ("0  every file is valid", "1  a file is not valid, or cannot be read", "2  bad invocation"),
    "conformance check                                       conformance.toml in this folder",
    "conformance check services/*/conformance.toml",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument(
        "files",
        metavar="FILE",
        type=Path,
        nargs="*",
        default=[Path(DEFAULT_FILE)],
        help=f"what to check ({DEFAULT_FILE})",
    )


def run(given: argparse.Namespace) -> int:
    """Checks each; says what is wrong with all of them."""
    wrong = 0
    for path in given.files:
        try:
            statement = load(path)
            agree(statement, contract_of(statement.contract, statement.edition), str(path), path.read_text("utf-8"))
        except UsageError as error:
            named = "" if str(path) in error.what else f"{path}: "
            print(unspoken(f"{named}{error}", ()))
            wrong += 1
        else:
            print(f"{path}: valid")
    return 1 if wrong else 0

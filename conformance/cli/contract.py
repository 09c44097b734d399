"""conformance contract check DIR: what is wrong with a contract of one's own, and what of it nothing can prove."""

import argparse
import json
from pathlib import Path

from conformance.certify import contract_of
from conformance.contract.catalogue import Contract
from conformance.contract.saying import sentence
from conformance.drive.library import import_stimuli
from conformance.drive.promised.unproved import Lack, lacks
from conformance.judge.library import import_laws
from conformance.judge.promised.library import law_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = commands.add_parser("check", help="say what is wrong or unproved, with line and remedy")
    check.add_argument("contract", metavar="DIR", help="the contract's folder, a name or MODULE:NAME")
    check.add_argument("--quiet", action="store_true", help="leave out what is as it should be")


def run(given: argparse.Namespace) -> int:
    """Checks it: 0 all can be proved, 1 something cannot, 2 (by an error) it is no contract."""
    contract = contract_of(given.contract)
    import_laws(contract)
    found = [*_lawless(contract), *lacks(contract)]
    for lack in found:
        line = _line(contract.folder / lack.file, lack.about)
        print(f"{contract.folder / lack.file}{f', line {line}' if line else ''}: {lack.what}; {lack.todo}")
    if found and not given.quiet:
        print()
    if not given.quiet:
        for identifier, promise in contract.promises.items():
            print(f"{identifier:<20} {sentence(promise)}")
        print()
    stimuli = len(import_stimuli(contract))
    said = f"{len(contract.requirements)} requirements, {len(contract.tools)} tools, {len(contract.errors)} codes"
    print(f"{contract.name}: {said}, {stimuli} stimuli. {_told(found)}")
    return 1 if found else 0


def _lawless(contract: Contract) -> list[Lack]:
    """Requirements without a law, where laws in Python stand beside the data and do not have it."""
    return [
        Lack("requirements.toml", each, f"{each} has no law", f'add @law("{each}") to laws/, or a promise')
        for each, about in contract.requirements.items()
        if law_of(each, contract) is None and about.seen != "reference"
    ]


def _told(found: list[Lack]) -> str:
    return f"{len(found)} things are unproved." if found else "Nothing is wrong, and all of it can be proved."


def _line(path: Path, about: str) -> int | None:
    """The line on which a name stands first."""
    if not about or not path.exists():
        return None
    wanted = json.dumps(about)
    return next((n for n, line in enumerate(path.read_text("utf-8").splitlines(), 1) if wanted in line), None)

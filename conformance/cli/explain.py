"""conformance explain ID: what a requirement is, why it matters, how it is judged, and what breaks it."""

import argparse
import textwrap

from conformance.certify import contract_of, nearest
from conformance.cli.ending import DONE, epilog
from conformance.contract.catalogue import load, readable, requirement
from conformance.contract.laws import laws
from conformance.drive.errors import UsageError
from conformance.model.requirement import Requirement
from conformance.report.explained import explained
from conformance.report.laws import told
from conformance.report.words import upper

WIDTH = 88

EPILOG = epilog(
    DONE,
    "conformance explain TH-IDEM-01",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("id", metavar="ID", help="such as TH-IDEM-01; or a law that promises name, such as replayed")
    parser.add_argument("--contract", metavar="NAME|PATH", help="of a contract that is not installed: its folder")


def run(given: argparse.Namespace) -> int:
    """Explains it."""
    own = contract_of(given.contract).requirements if given.contract else {}
    if law := laws().get(given.id.lower()):
        print(told(law))
        return 0
    found = next((own[name] for name in (given.id, given.id.upper()) if name in own), None)
    # beside its own a run of the contract judges those of the protocol
    found = found or requirement(given.id) or requirement(given.id.upper())
    if found is None:
        known = list(own) or [identifier for contract in readable() for identifier in contract.requirements]
        raise UsageError(f"no contract has a requirement {given.id}", todo=nearest(given.id, known))
    print(text(found))
    return 0


def text(about: Requirement) -> str:
    """The whole text."""
    found = explained(about)
    told = [f"{about.id}  {about.level}  {about.source}", _filled(about.statement)]
    told += [f"{heading}\n{_filled(upper(said))}" for heading, said in found.parts()]
    if found.deviation is not None:
        told.append(f"See it fail\n  {found.deviation.command(about.id)}")
    contract = load(about.contract)
    named = f" --contract {contract.named}" if contract.digest else ""
    told.append(f"Try it on your server\n  conformance run --config conformance.toml{named} --only {about.id}")
    return "\n\n".join(told)


def _filled(said: str) -> str:
    return textwrap.fill(said, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)

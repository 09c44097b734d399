"""conformance requirements: every requirement of the contracts, for people and for programs."""

import argparse
import sys

import msgspec

from conformance.certify import contract_of, selected
from conformance.cli import options, patterns
from conformance.cli.ending import DONE, epilog
from conformance.contract.catalogue import readable, unreadable

EPILOG = epilog(
    DONE,
    "conformance requirements --contract threads --level MUST",
    "conformance requirements --format json",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--contract", metavar="NAME", action="append", default=[], help="only this contract")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options.add_selection(parser)


def run(given: argparse.Namespace) -> int:
    """Lists them."""
    wanted = []
    contracts = list(map(contract_of, given.contract) if given.contract else readable())
    patterns.agreed(given.only, contracts)
    for contract in contracts:
        own = patterns.own(given.only, contract)
        ids = set(selected(contract, own)) if own or not given.only else set()
        wanted += [r for r in contract.requirements.values() if r.id in ids and given.level in (None, r.level)]
    if given.format == "json":
        print(msgspec.json.format(msgspec.json.encode(wanted), indent=1).decode())
        return 0
    for r in wanted:
        print(f"{r.id:<30} {r.level:<6} {r.statement}")
    print(f"{len(wanted)} requirements")
    for why in unreadable() if not given.contract else ():
        print(why, file=sys.stderr)
    return 0

"""conformance conditions: what a target may say of itself, and how stimuli use it."""

import argparse
import textwrap
from collections import defaultdict

import msgspec

from conformance.certify import contract_of
from conformance.cli.ending import DONE, epilog
from conformance.contract.catalogue import Contract, readable
from conformance.contract.terms import Term
from conformance.drive.library import import_stimuli

WIDTH = 100
TABLES = (
    ("setting", "[settings]", "what the target claims, and what a fresh instance is set to"),
    ("condition", "[conditions]", "circumstances that the target can bring about"),
    ("choice", "[choices]", "what the contract leaves open"),
)

EPILOG = epilog(
    DONE,
    "conformance conditions --contract threads",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--contract", metavar="NAME", action="append", default=[], help="only this contract")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(given: argparse.Namespace) -> int:
    """Lists them."""
    contracts = [contract_of(name) for name in given.contract] or readable()
    if given.format == "json":
        table = {contract.name: contract.terms for contract in contracts}
        print(msgspec.json.format(msgspec.json.encode(table), indent=1).decode())
        return 0
    print("\n\n".join(_told(contract) for contract in contracts if contract.terms or given.contract))
    return 0


def _told(contract: Contract) -> str:
    wanted = _wanted(contract)
    lines = [f"{contract.name}: {contract.title}"]
    for kind, table, means in TABLES:
        terms = [term for term in contract.terms if term.kind == kind or (term.kind == "both" and kind != "choice")]
        if terms:
            lines += ["", f"{table}  {means}"]
        for term in terms:
            lines += _lines(term, wanted.get(term.name, 0) if kind != "choice" else 0)
    if not contract.terms:
        lines += ["  neither settings nor choices nor conditions are to be said of it"]
    for table, means, known in (
        ("[auth.roles]", "the server's own names of roles", contract.callers.roles),
        ("[auth.claim_names]", "the server's own names of what a token says", contract.callers.claims),
    ):
        if known:
            lines += ["", f"{table}  {means}", f"  {', '.join(known)}"]
    return "\n".join(lines)


def _lines(term: Term, stimuli: int) -> list[str]:
    used = f"  ({'1 stimulus needs' if stimuli == 1 else f'{stimuli} stimuli need'} it)" if stimuli else ""
    default = f", default {msgspec.json.encode(term.default).decode()}" if term.default is not None else ""
    head = f"  {term.name}: {term.shape}{default}{used}"
    return [head, *textwrap.wrap(term.about, WIDTH, initial_indent="      ", subsequent_indent="      ")]


def _wanted(contract: Contract) -> dict[str, int]:
    """How many stimuli cannot be run without a setting or condition."""
    count: dict[str, int] = defaultdict(int)
    for plan in import_stimuli(contract):
        for name in {*plan.needs, *plan.settings}:
            count[name] += 1
    return count

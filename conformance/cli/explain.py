"""conformance explain ID: what a requirement is, why it matters, how it is judged, and what breaks it."""

import argparse
import re
import textwrap

from conformance.certify import contract_of, nearest
from conformance.contract.catalogue import load, names, requirement
from conformance.drive.errors import UsageError
from conformance.drive.library import import_stimuli
from conformance.judge.library import import_laws
from conformance.judge.promised.library import law_of
from conformance.model.requirement import Requirement

NAME = re.compile(r"\w+[_.]\w")
"""How a name of a tool begins, which is written as it is."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("id", metavar="ID", help="such as TH-IDEM-01")
    parser.add_argument("--contract", metavar="NAME|PATH", help="of a contract that is not installed: its folder")


def run(given: argparse.Namespace) -> int:
    """Explains it."""
    if given.contract:
        contract_of(given.contract)
    found = requirement(given.id) or requirement(given.id.upper())
    if found is None:
        known = [identifier for name in names() for identifier in load(name).requirements]
        raise UsageError(f"no contract has a requirement {given.id}", todo=nearest(given.id, known))
    print(explained(found))
    return 0


def explained(about: Requirement) -> str:
    """The whole text."""
    contract = load(about.contract)
    import_laws(contract)
    law = law_of(about.id, contract)
    tried = [plan for plan in import_stimuli(contract) if about.id in plan.exercises]
    judged = law.sentence if law is not None else "By the reference's own tests: it cannot be seen from outside."
    applies = ", ".join(
        v for values in (about.applies.transports, about.applies.bindings, about.applies.revisions) for v in values
    )
    parts = [
        ("", about.statement),
        ("Why it matters", about.why),
        ("How it is judged", judged if judged != about.statement else ""),
        ("What is tried", "; ".join(plan.name.partition(".")[2].replace("_", " ") for plan in tried)),
        ("A breach", about.breach),
        ("Holds for", applies),
        ("Follows from", ", ".join((*about.requires, *(i for i in contract.foundation if i != about.id)))),
        ("Falls with", ", ".join(about.falls_with)),
        (
            "Try it",
            " ".join(
                ["conformance run", *(["--contract", contract.named] if contract.digest else []), "--only", about.id]
            ),
        ),
    ]
    head = f"{about.id}  {about.level}  {contract.name}, {about.source}"
    return "\n\n".join([head, *(_paragraph(title, text) for title, text in parts if text)])


def _paragraph(title: str, text: str) -> str:
    filled = textwrap.fill(
        text if title.startswith("Try") or NAME.match(text) else text[0].upper() + text[1:],
        88,
        initial_indent="  ",
        subsequent_indent="  ",
    )
    return f"{title}\n{filled}" if title else filled

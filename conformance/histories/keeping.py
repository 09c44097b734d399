"""Keeps the conversations of findings as files."""

from collections.abc import Iterable
from pathlib import Path

from conformance.contract.catalogue import Contract
from conformance.drive.errors import UsageError
from conformance.histories.conversation import write
from conformance.histories.extracting import of_finding
from conformance.histories.sufficing import Events
from conformance.model.history import History
from conformance.model.verdict import Finding


def kept_in(folder: Path, finding: Finding) -> Path:
    """The file for the conversation of a finding."""
    return folder / f"{finding.requirement}.json"


def keep(findings: Iterable[Finding], history: History, contract: Contract, events: Events, folder: Path) -> list[Path]:
    """Writes the conversation of each finding that has calls to ID.json in a folder; UsageError where it cannot."""
    written = []
    for finding in findings:
        conversation = of_finding(finding, history, contract, events)
        if not conversation.calls:
            continue
        path = kept_in(folder, finding)
        try:
            write(conversation, path)
        except OSError as error:
            raise UsageError(f"{path} cannot be written", "--conversations", error.strerror or "") from error
        written.append(path)
    return written

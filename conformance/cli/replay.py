"""conformance replay FILE: makes the calls of a conversation again, with fresh names, and judges them."""

import argparse
import sys
from pathlib import Path

from conformance.certify import Options, contract_of, history_of, replayed
from conformance.cli import options
from conformance.cli.ending import JUDGED, epilog
from conformance.cli.output import Shown, files_of, tell
from conformance.drive.errors import UsageError
from conformance.drive.library import import_stimuli
from conformance.histories.conversation import Conversation, ConversationError, read
from conformance.histories.extracting import of_finding
from conformance.model import transcript
from conformance.model.verdict import Finding
from conformance.report.model import Report
from conformance.report.printable import plain

TRANSCRIPT = b'{"event":"header"'
"""How a transcript begins."""

EPILOG = epilog(
    JUDGED,
    "conformance replay found/TH-IDEM-01.json --server-url http://127.0.0.1:8000/mcp",
    'conformance replay run.jsonl --finding TH-IDEM-01 --server-command "python server.py" --shrink --save small.json',
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a conversation, or a transcript with --finding")
    parser.add_argument("--finding", metavar="ID", help="of a transcript: the finding whose conversation is meant")
    parser.add_argument("--shrink", action="store_true", help="look for the fewest of its calls that still break it")
    parser.add_argument("--save", metavar="FILE", type=Path, help="also write the conversation to a file, as shrunk")
    options.add_target(parser)
    options.add_calls(parser)
    options.add_run(parser)
    options.add_judged(parser)
    parser.set_defaults(without=[])
    options.add_strictness(parser)
    options.add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Makes it; gives the exit code."""
    files_of(given)
    if given.contract:
        # a contract that is not installed is known by its name from here on
        given.contract = contract_of(given.contract).name
    conversation = _conversation(given)
    if not given.contract and not given.config:
        given.contract = conversation.contract
        meant = contract_of(conversation.contract).edition
        given.edition = given.edition or (conversation.edition if conversation.edition != meant else None)
    stated = options.statement_of(given)
    for each in conversation.left_out:
        # what breaks a requirement may be among it
        print(f"note: not made again: {plain(each)}", file=sys.stderr)
    shrunk: list[Conversation] = []
    with Shown(given) as shown:
        report = replayed(
            conversation,
            stated.statement,
            options.selection(
                given,
                seed=given.seed,
                base=stated.base,
                named=stated.named,
                text=stated.text,
                command=options.typed(),
                transcript=given.transcript,
                conversations=given.conversations,
                progress=shown.progress,
            ),
            shrunk if given.shrink else None,
        )
    if given.save is not None:
        _save(shrunk[0] if shrunk else conversation, given.save)
    return tell(report, given)


def _conversation(given: argparse.Namespace) -> Conversation:
    """What the file holds, or leads to; UsageError where it is neither a conversation nor a transcript."""
    path: Path = given.file
    try:
        with path.open("rb") as file:
            recorded = file.read(len(TRANSCRIPT)) == TRANSCRIPT
        conversation = _found(path, given.finding) if recorded else read(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read", why=error.strerror or "") from error
    except ConversationError as error:
        raise UsageError(str(error), todo="conformance run --conversations FOLDER writes such files") from error
    return conversation


def _save(conversation: Conversation, path: Path) -> None:
    from conformance.histories.conversation import write  # noqa: PLC0415 -- only where it is asked for

    try:
        write(conversation, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--save", error.strerror or "") from error


def _found(path: Path, wanted: str | None) -> Conversation:
    """The conversation of a finding in a transcript: the one that is named, or the only one."""
    report, history, contract = history_of(path, Options())
    import_stimuli(contract)
    findings = {finding.requirement: finding for finding in _findings(report)}
    roots = [finding.requirement for finding in report.roots]
    if wanted is None and len(roots) != 1:
        known = f"name one of {', '.join(roots)}" if roots else "nothing in it was found broken"
        raise UsageError(f"{path} has {len(roots)} findings", "--finding", todo=known)
    chosen = wanted or roots[0]
    if chosen not in findings:
        known = ", ".join(roots) or "none"
        raise UsageError(f"{path} has no finding of {chosen}", "--finding", todo=f"findings in it: {known}")
    return of_finding(findings[chosen], history, contract, lambda: transcript.read(path))


def _findings(report: Report) -> list[Finding]:
    """The first finding of each requirement that has one, those that stand by themselves before others."""
    every = [finding for result in (*report.requirements, *report.foundation) for finding in result.findings]
    return [*sorted(every, key=lambda finding: finding.blocked_by is None), *reversed(report.roots)]

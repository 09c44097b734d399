"""conformance prove at a server of one's own: the matrix of breaches that the suite would notice there."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.certify import contract_of, found_anywhere, selected
from conformance.cli import options, patterns
from conformance.cli.output import written
from conformance.drive.errors import UsageError
from conformance.engine import Engine
from conformance.prove.proxy.deriving import breakages
from conformance.prove.proxy.trial import (
    ELSEWHERE,
    EQUIVALENT,
    MISSED,
    NO_OCCASION,
    NOTICED,
    OPEN,
    Matrix,
    Row,
    Trial,
    prove,
)
from conformance.report.build import exit_code
from conformance.report.model import Report

if TYPE_CHECKING:
    from rich.console import Console

OF_THE_REFERENCE = ("trial", "mutant", "sample", "draw", "whole")
"""Options that mean nothing at a server of one's own."""
SIGNS = {
    NOTICED: "[green]●[/]",
    ELSEWHERE: "[yellow]◐[/]",
    MISSED: "[bold red]✗[/]",
    NO_OCCASION: "[dim]○[/]",
    EQUIVALENT: "[dim]=[/]",
    OPEN: "[dim]~[/]",
}
SAID = {
    NOTICED: "noticed",
    ELSEWHERE: "noticed elsewhere",
    MISSED: "not noticed",
    NO_OCCASION: "had no occasion: it proves nothing",
    EQUIVALENT: "no breach that a client can see",
    OPEN: "no breach, the contract leaves it open",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """How a server of one's own is reached; the defaults of what only a run is told."""
    group = parser.add_argument_group(
        "a server of your own", "with --contract: each of its promises is broken on the wire, one at a time"
    )
    group.add_argument("--config", metavar="FILE", type=Path, help="its conformance.toml")
    group.add_argument("--server-command", metavar="COMMAND", help="start this and speak MCP over stdin and stdout")
    group.add_argument("--server-url", metavar="URL", action="append", help="a running server")
    group.add_argument("--env", metavar="NAME=VALUE", action="append", default=[], help="added to its environment")
    group.add_argument("--cwd", metavar="FOLDER", help="where it is started")
    group.add_argument("--header", metavar="NAME: VALUE", action="append", default=[], help="sent with every request")
    group.add_argument("--timeout", metavar="S", type=float, help="seconds a call may take (10)")


def wanted(given: argparse.Namespace) -> bool:
    """Whether a server of one's own is meant."""
    return any((given.config, given.server_command, given.server_url))


def run(given: argparse.Namespace, console: "Console") -> int:
    """Puts the contract on trial; 0 where each promise has a breakage that was noticed, and none was missed."""
    if len(given.contract) > 1 or len(given.edition) > 1:
        raise UsageError("a server is proved by one contract", "--contract", todo="run the command once for each")
    for name in OF_THE_REFERENCE:
        if getattr(given, name):
            said = "a server of your own is broken on the wire alone"
            raise UsageError(said, f"--{name}", "this is for the reference, whose code can be broken", "leave it out")
    parser = argparse.ArgumentParser()
    options.add_target(parser)
    about = {**vars(parser.parse_args([])), "harmless": None, "skip": [], "run_timeout": None, "concurrency": None}
    about |= {name: value for name, value in vars(given).items() if name not in ("contract", "edition", "target")}
    about["contract"], about["edition"] = next(iter(given.contract), None), next(iter(given.edition), None)
    stated = options.statement_of(argparse.Namespace(**about))
    contract = contract_of(stated.statement.contract, stated.statement.edition)
    if not contract.promises:
        raise UsageError(
            f"no requirement of {contract.name} is a promise as data",
            "--contract",
            "what is broken on the wire is derived from promises",
            "name a contract whose requirements have a promise; `conformance contract init` drafts one",
        )
    how = options.selection(given, base=stated.base, named=stated.named, text=stated.text, seed=1)
    chosen = selected(contract, given.only, how.level)
    promises = [promise for each in chosen for promise in contract.promised(each).values()]
    patterns.worded(given.breakage, [each.what for promise in promises for each in breakages(contract, promise)])
    trial = Trial(stated.statement, replace(how, only=(), level=None, protocol=False), found_anywhere(contract))
    found = prove(
        trial,
        only=chosen,
        engine=Engine(given.jobs or 1, given.engine),
        told=lambda row: told(console, row),
        begun=lambda report: _begun(console, report),
        wanted=lambda what: patterns.matches(given.breakage, what),
    )
    if given.output is not None:
        written(found, given.output)
    return _summed(console, found)


def _begun(console: "Console", report: Report) -> None:
    passed = sum(result.verdict == "pass" for result in report.requirements)
    console.print(f"as it is: {passed} of {len(report.requirements)} requirements pass (exit {exit_code(report)})")


def told(console: "Console", row: Row) -> None:
    """Says how one breakage ended."""
    from rich.markup import escape  # noqa: PLC0415 -- only here

    by = f" [dim]by {' '.join(row.by)}[/]" if row.by and (row.outcome == ELSEWHERE or not row.requirement) else ""
    acted = f" [dim]({'once' if row.acted == 1 else f'{row.acted} times'})[/]" if row.acted else ""
    about = f"{row.name}  " if row.name else ""
    text = f"{SIGNS[row.outcome]} {about}{escape(row.breakage)}{acted}: {SAID[row.outcome]}{by}"
    console.print(text, soft_wrap=True)


def counted(found: Matrix) -> str:
    """How many breakages ended how."""
    counts = {name: sum(row.outcome == name for row in found.rows) for name in SIGNS}
    always = (NOTICED, MISSED)
    parts = ", ".join(f"{n} {SAID[name].partition(':')[0]}" for name, n in counts.items() if n or name in always)
    return f"{len(found.rows)} breakages: {parts}"


def _summed(console: "Console", found: Matrix) -> int:
    from rich.markup import escape  # noqa: PLC0415 -- only here

    console.print(f"{found.contract}: {counted(found)}", soft_wrap=True)
    for each in found.left_out:
        console.print(f"left out: {each.requirement}: {escape(each.why)}", soft_wrap=True)
    tried = len(found.proved) + len(found.unproved)
    console.print(
        f"{found.contract}: {len(found.proved)} of {tried} promises proved at {escape(found.target)}", soft_wrap=True
    )
    if found.unproved:
        console.print(f"[bold red]not proved:[/] {' '.join(found.unproved)}", soft_wrap=True)
    return 1 if found.unproved or not tried else 0

"""conformance prove: the kill matrix of every contract, written to reports/."""

import argparse
import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from conformance.certify import selected
from conformance.cli import options
from conformance.drive.errors import UsageError
from conformance.prove import Matrix, Row, contracts_of, prove

if TYPE_CHECKING:
    from rich.console import Console


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("--contract", metavar="NAME", action="append", default=[], help="only this contract")
    parser.add_argument(
        "--target", metavar="NAME", default="reference", help="the installed target that can deviate (reference)"
    )
    parser.add_argument(
        "--output", metavar="DIR", type=Path, default=Path("reports"), help="where the matrices are written (reports)"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="processes (one a processor)"
    )
    options.add_selection(parser)


def run(given: argparse.Namespace) -> int:
    """Proves; 0 where every deviation is caught."""
    from rich.console import Console  # noqa: PLC0415 -- only here

    console = Console(highlight=False)
    survivors: list[str] = []
    patterns = [pattern for word in given.only for pattern in word.split(",")]
    for contract in contracts_of(given.target, given.contract):
        own = [pattern for pattern in patterns if not _foreign(pattern, contract.requirements)]
        if patterns and not own:
            continue
        matrix = prove(
            contract,
            given.target,
            only=selected(contract, own),
            jobs=max(1, given.jobs),
            told=lambda row: _tell(console, row),
        )
        if not patterns:
            _write(matrix, given.output)
        count = len({row.requirement for row in matrix.rows if row.killed})
        console.print(f"{contract.name}: {count} of {count + len(matrix.unproved)} requirements proved")
        survivors += matrix.unproved
    if survivors:
        console.print(f"[bold red]not proved:[/] {' '.join(survivors)}")
    return 1 if survivors else 0


def _foreign(pattern: str, known: Iterable[str]) -> bool:
    return not any(fnmatchcase(identifier, pattern) for identifier in known)


def _tell(console: "Console", row: Row) -> None:
    from rich.markup import escape  # noqa: PLC0415 -- only here

    if not row.killed:
        how = f"reference {row.reference}, deviated {row.deviated}, {row.subjects} subjects"
        console.print(f"[red]survives[/] {row.requirement}: {escape(row.deviation)} ({how})")


def _write(matrix: Matrix, folder: Path) -> None:
    path = folder / f"kill-matrix-{matrix.contract}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(matrix), indent=1) + b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--output", error.strerror or "") from error

"""conformance fleet FILE: many targets, each in a process of its own."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.certify import contract_of, found_anywhere
from conformance.cli import options
from conformance.cli.ending import epilog
from conformance.engine import PROCESSES, Engine
from conformance.fleet import fleet, index, plan, table
from conformance.fleet.changes import Change, changes
from conformance.fleet.ledger import REPORTS, ROWS, Ledger
from conformance.fleet.row import Row
from conformance.fleet.task import Task
from conformance.report import json as report_json
from conformance.report.printable import plain
from conformance.report.words import some
from conformance.report.writers import write

SHOWN = 5
"""Ids in a target's line."""
EPILOG = epilog(
    (
        "0  every target conforms",
        "1  a target does not conform",
        "2  bad invocation, or a target could not be judged",
        "3  a target is inconclusive",
    ),
    "conformance fleet fleet.toml",
    "conformance fleet fleet.toml --jobs 4 --again",
)
INDEX = "index.html"
TABLE = "results.parquet"


EPILOG = epilog(
    (
        "0  every target conforms",
        "1  one does not",
        "2  one could not be judged, or bad invocation",
        "3  one is inconclusive",
    ),
    "conformance fleet fleet.toml",
    "conformance fleet fleet.toml --jobs 8 --parquet",
    "conformance fleet fleet.toml --engine dask://10.0.0.5:8786",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("fleet", metavar="FILE", type=Path, help="which targets there are: a fleet.toml")
    parser.add_argument("--again", action="store_true", help="do all targets, also those that a run before this did")
    add_spread(parser)


def add_spread(parser: argparse.ArgumentParser) -> Any:
    """How work is spread, and what is written of many results."""
    group = parser.add_argument_group("many")
    group.add_argument("--jobs", metavar="N", type=int, help="how many at once (one a processor)")
    group.add_argument("--engine", metavar="NAME", help="processes, or dask://HOST:PORT of a scheduler (processes)")
    group.add_argument("--parquet", action="store_true", help=f"also write {TABLE}")
    return group


def run(given: argparse.Namespace) -> int:
    """Certifies all of them. 0: all conform; 1: one does not; 2: one could not be judged; 3: one is inconclusive."""
    stated = plan.read(given.fleet)
    base = given.fleet.parent
    tasks = plan.tasks(stated, base)
    engine = _engine(given.jobs or stated.jobs, given.engine or stated.engine)
    return many(tasks, base / stated.output, engine, given.fleet.stem, given)


def several(given: argparse.Namespace, transcripts: Sequence[str], folder: Path) -> int:
    """Judges transcripts, as `run` certifies targets. A path is found from here, also by a worker elsewhere."""
    tasks, taken, how = [], set[str](), options.selection(given)
    for place in dict.fromkeys(transcripts):
        whole = place if "://" in place else str(Path(place).resolve())
        size = Path(place).stat().st_size if Path(place).exists() else 0
        tasks.append(
            Task(
                name=plan.unique(place.removesuffix(".jsonl").replace("/", "-"), taken),
                kind="judge",
                contract=found_anywhere(contract_of(given.contract)) if given.contract else "",
                transcript=whole,
                edition=given.edition,
                only=tuple(how.only),
                level=how.level,
                stimuli=tuple(how.stimuli),
                protocol=how.protocol,
                judging_s=given.judging_time,
                strict=how.strict,
                timeout_s=(given.judging_time or 0) + JUDGING_S + size / JUDGED_A_SECOND,
            )
        )
    engine = _engine(given.jobs, given.engine or PROCESSES)
    return many(tasks, folder, engine, "Transcripts", given)


JUDGING_S = 900.0
"""For one transcript of which the size is not known."""
JUDGED_A_SECOND = 1_000_000
"""Octets."""


def _engine(jobs: int | None, name: str) -> Engine:
    return Engine(max(1, jobs or os.cpu_count() or 1), name)


def many(tasks: Sequence[Task], folder: Path, engine: Engine, title: str, given: argparse.Namespace) -> int:
    """Does them, writes what is written of them, and tells the sum."""
    ledger = Ledger(folder)

    def told(row: Row, number: int, of: int) -> None:
        words = row.error or f"{row.held} of {row.applicable} MUSTs held"
        broken = f", {row.broken} broken" if row.broken else ""
        words = "; ".join(line.strip() for line in words.splitlines())
        # of a SHOULD too: these are not among the MUSTs that are counted
        found = f"; findings: {index.ids(row.failed, SHOWN)}" if row.failed else ""
        print(plain(f"{number}/{of} {row.name}: {row.state}, {words}{broken}{found}"), flush=True)

    rows = fleet.run(tasks, ledger, engine, told, again=given.again)
    changed = changes(ledger.before(), rows)
    for row in rows:
        if row.report:
            path = folder / row.report
            write(report_json.load(path), "html", path.with_suffix(".html"))
    (folder / INDEX).write_text(index.render(rows, changed, title), "utf-8")
    if given.parquet:
        table.write(rows, folder / TABLE)
    _sum(rows, changed, folder)
    return _code(rows)


def _sum(rows: Sequence[Row], changed: Sequence[Change], folder: Path) -> None:
    states = {"conforms": "conform", "broken": "broken", "inconclusive": "inconclusive", "error": "errors"}
    counts = ((sum(row.state == one for row in rows), one, several) for one, several in states.items())
    parts = [f"{number} {one if number == 1 else several}" for number, one, several in counts if number]
    print(f"{some(len(rows), 'target')}: {', '.join(parts)}")
    for change in changed:
        print(plain(f"changed: {change.name} {change.words}{' (worse)' if change.worse else ''}"))
    print(f"rows: {folder / ROWS}   index: {folder / INDEX}   reports: {folder / REPORTS}")


def _code(rows: Sequence[Row]) -> int:
    """As for one run: what is broken counts before what could not be judged, and that before what is inconclusive."""
    states = {row.state for row in rows}
    order = (("broken", 1), ("error", 2), ("inconclusive", 3))
    return next((code for name, code in order if name in states), 0)

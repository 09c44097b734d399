"""The way of a fleet: tasks to the engine, rows to the ledger."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from conformance.engine import Engine, Lost, spread
from conformance.fleet.isolated import done
from conformance.fleet.ledger import REPORTS, Ledger
from conformance.fleet.row import Row, row_of
from conformance.fleet.task import Outcome, Task
from conformance.report.model import Report

Told = Callable[[Row, int, int], None]
"""Hears of each row: which, how many are over, of how many."""


def run(tasks: Sequence[Task], ledger: Ledger, engine: Engine, told: Told, *, again: bool = False) -> list[Row]:
    """Does all tasks, but for those that the ledger has from a time that was cut; gives all rows, in the tasks' order.

    A row of the ledger counts where the task of its name asks the same as then, and there was a report.
    """
    asked = {task.name: task for task in tasks}

    def keep(row: Row) -> bool:
        return not again and row.name in asked and asked[row.name].key == row.key

    try:
        rows = {row.name: row for row in ledger.begin(keep)}
        for number, row in enumerate(rows.values(), 1):
            told(row, number, len(asked))
        for task, outcome in spread(done, [task for task in tasks if task.name not in rows], engine):
            found = Outcome(error=outcome.why) if isinstance(outcome, Lost) else outcome
            row = rows[task.name] = _row(task, found)
            ledger.add(row, found.report)
            told(row, len(rows), len(asked))
        ledger.end()
    finally:
        ledger.close()
    return [rows[task.name] for task in tasks]


def _row(task: Task, outcome: Outcome) -> Row:
    if not outcome.report:
        return Row(name=task.name, key=task.key, state="error", contract=task.contract, error=outcome.error)
    report = msgspec.json.decode(outcome.report, type=Report)
    return row_of(report, task.name, task.key, str(Path(REPORTS, f"{task.name}.json")))

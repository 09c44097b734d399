"""The results of a fleet on disk: a row a line, written as each target is over, so that it can be gone on with."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from conformance.drive.errors import UsageError
from conformance.fleet.row import Row

ROWS = "results.jsonl"
UNDER_WAY = "results.part.jsonl"
"""The rows of a fleet that was not done to the end, or not yet."""
BEFORE = "previous.jsonl"
"""The rows of the last time that it was."""
REPORTS = "reports"


class Ledger:
    """The folder of a fleet's results. UsageError where it cannot be written or read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file: BinaryIO | None = None

    def begin(self, keep: Callable[[Row], bool]) -> list[Row]:
        """Opens it, and gives the rows to keep of a time that was not done to the end."""
        rows = list({row.name: row for row in self._read(UNDER_WAY) if keep(row)}.values())
        path = self.folder / UNDER_WAY
        try:
            (self.folder / REPORTS).mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".new")
            part.write_bytes(b"".join(map(_line, rows)))
            part.replace(path)
            self._file = path.open("ab")
        except OSError as error:
            raise self._unwritable(error) from error
        return rows

    def add(self, row: Row, report: bytes) -> None:
        """Keeps a row and its report. Once this is over, no crash loses it."""
        try:
            if report:
                (self.folder / row.report).write_bytes(report)
            assert self._file is not None, "a ledger is begun before it is written"
            self._file.write(_line(row))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._unwritable(error) from error

    def end(self) -> None:
        """Says that all was done: what was done before that becomes what it is compared with."""
        try:
            if (self.folder / ROWS).exists():
                (self.folder / ROWS).replace(self.folder / BEFORE)
            (self.folder / UNDER_WAY).replace(self.folder / ROWS)
        except OSError as error:
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def before(self) -> list[Row]:
        """The rows of the time before the last one that was done to the end."""
        return self._read(BEFORE)

    def _read(self, name: str) -> list[Row]:
        """The rows of a file; a last one that was cut is none."""
        path = self.folder / name
        try:
            *lines, _ = path.read_bytes().split(b"\n") if path.exists() else [b""]
            return [msgspec.json.decode(line, type=Row) for line in lines]
        except (OSError, msgspec.DecodeError) as error:
            todo = "remove the file, or name another folder: output, in the fleet's file"
            raise UsageError(f"{path} cannot be read", why=str(error), todo=todo) from error

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(f"{self.folder} cannot be written", "output", error.strerror or str(error))


def _line(row: Row) -> bytes:
    return msgspec.json.encode(row) + b"\n"

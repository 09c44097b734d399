"""`python -m conformance.fleet.child TASK OUTCOME`: the process of one task."""

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from conformance.certify import Options, certify, contract_of, rejudge
from conformance.drive.errors import UsageError
from conformance.drive.loading import checked
from conformance.fleet.memory import peak
from conformance.fleet.task import Outcome, Task
from conformance.model.transcript import TranscriptError
from conformance.report.json import render

LOOK_S = 0.5
"""How often the memory is looked at."""


def main(asked: Path, answered: Path) -> int:
    """Does the task and writes what came of it, in one piece."""
    task = msgspec.json.decode(asked.read_bytes(), type=Task)
    _watch(task, answered)
    _write(_outcome(task), answered)
    return 0


def _outcome(task: Task) -> Outcome:
    options = Options(
        only=task.only,
        level=task.level,
        stimuli=task.stimuli,
        protocol=task.protocol,
        strict=task.strict,
        seed=task.seed,
        base=Path(task.base),
        command="conformance",
        judging_s=task.judging_s,
    )
    try:
        if task.kind == "judge":
            contract = contract_of(task.contract).name if task.contract else None
            with _local(task.transcript) as path:
                report = rejudge(path, replace(options, contract=contract, edition=task.edition))
        else:
            report = certify(checked(task.statement, f"the statement of {task.name}"), options)
    except UsageError as error:
        return Outcome(error=str(error))
    except TranscriptError as error:
        return Outcome(error=str(error))
    except OSError as error:
        return Outcome(error=f"{task.transcript or task.name}: {error.strerror or error}")
    return Outcome(report=render(report).encode())


@contextlib.contextmanager
def _local(place: str) -> Iterator[Path]:
    """A file that may lie in an object store, as one on disk."""
    if "://" not in place:
        yield Path(place)
        return
    try:
        import fsspec  # noqa: PLC0415 -- an extra
    except ImportError as error:
        todo = 'pip install "mcp-contract-conformance[fleet]", and what fsspec needs for this kind of store'
        raise UsageError("the library for object stores is not installed", place, todo=todo) from error
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        path = Path(folder, "transcript.jsonl")
        try:
            system, inner = fsspec.core.url_to_fs(place)
            system.get_file(inner, str(path))
        except (ImportError, ValueError) as error:
            raise UsageError(f"{place} cannot be read", why=str(error)) from error
        yield path


def _watch(task: Task, answered: Path) -> None:
    """Ends this process where nobody waits for it any more, or where it takes more memory than it may."""

    def gone() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    def heavy() -> None:
        wake = threading.Event()
        while not wake.wait(LOOK_S):
            if peak() > task.memory_bytes:
                limit = f"{task.memory_bytes / 1e6:.0f} MB"
                _write(Outcome(error=f"the run took more memory than {limit}; memory_bytes allows more"), answered)
                os._exit(1)

    for watch in (gone, heavy):
        threading.Thread(target=watch, daemon=True).start()


def _write(outcome: Outcome, path: Path) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.encode(outcome))
    part.replace(path)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))

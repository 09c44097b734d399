"""Does a task in a process of its own, so that what goes wrong with it costs nothing but itself."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from conformance.fleet.task import Outcome, Task
from conformance.model.measure import quoted

GRACE_S = 20.0
"""What a process is given to judge what it has, once it was asked to end."""
LAST_WORDS = 2_000
"""Octets of what it wrote to stderr that are told."""


def done(task: Task) -> Outcome:
    """Does a task; an Outcome with an error where its process ended without a result."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        asked, answered, said = Path(folder, "task"), Path(folder, "outcome"), Path(folder, "stderr")
        asked.write_bytes(msgspec.json.encode(task))
        with said.open("wb") as errors:
            # the pipe is never written to: that it closes tells the process that nobody waits for it any more
            process = subprocess.Popen(  # noqa: S603 -- our own module
                [sys.executable, "-m", "conformance.fleet.child", str(asked), str(answered)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
            late = _ended(process, task.timeout_s)
        if answered.exists():
            return msgspec.json.decode(answered.read_bytes(), type=Outcome)
        words = said.read_bytes()[-LAST_WORDS:].decode("utf-8", "replace").strip()
    why = f"took longer than {task.timeout_s:g} s" if late else f"ended with {_status(process.returncode)}"
    return Outcome(error=f"the process {why}, without a result" + (f"; it said {quoted(words)}" if words else ""))


def _ended(process: "subprocess.Popen[bytes]", timeout_s: float) -> bool:
    """Waits until it has ended, by itself or not; whether its time was up."""
    late = False
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        late = True
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
    return late


def _status(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"

"""Processes that a server started and that left its group: found, on Linux, by a mark in their environment."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

MARK = "MCP_CONFORMANCE_PROCESS"
"""Names the environment variable; its value is one server's own. Children inherit it, whichever group they join."""
PROC = Path("/proc")
_LISTENING = "0A"
"""The state of a listening socket in /proc/net/tcp."""
SHOWN = 200
"""Characters of a command that are told."""
LONGEST = 16_000
"""Characters of it that are looked through for secrets."""
LOOK_S = 0.02
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
"""Loaded here: between fork and exec nothing can be."""


def tied() -> Callable[[], None] | None:
    """What a child does before it becomes the server, so that it ends with the suite, which SIGKILL may end.

    Linux alone knows how; None elsewhere.
    """
    if _LIBC is None:
        return None
    suite, prctl = os.getpid(), _LIBC.prctl

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != suite:
            os._exit(1)

    return tie


def end_marked(mark: str, grace_s: float = 0) -> list[str]:
    """Kills what carries the mark and does not end by itself within the grace; gives the commands.

    Where there is no /proc nothing is found.
    """
    until = time.monotonic() + grace_s
    while time.monotonic() < until and next(_marked(mark), None) is not None:
        time.sleep(LOOK_S)
    found = []
    for pid, command in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
            found.append(command)
    return found


def ports(mark: str) -> set[int]:
    """The TCP ports on which what carries the mark listens; empty where that cannot be seen."""
    sockets = {}
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in (PROC / "net" / table).read_text().splitlines()[1:]:
                words = line.split()
                if words[3] == _LISTENING:
                    sockets[f"socket:[{words[9]}]"] = int(words[1].rpartition(":")[2], 16)
    found = set()
    for pid, _ in _marked(mark):
        with contextlib.suppress(OSError):
            for handle in (PROC / str(pid) / "fd").iterdir():
                with contextlib.suppress(OSError):
                    found.add(sockets.get(str(handle.readlink()), 0))
    return found - {0}


def _marked(mark: str) -> Iterator[tuple[int, str]]:
    wanted = f"{MARK}={mark}".encode()
    for folder in PROC.glob("[0-9]*") if PROC.is_dir() else ():
        # a process may end while it is looked at, and that of another user is closed to us
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                if words != [b""]:
                    yield int(folder.name), b" ".join(words).decode("utf-8", "replace")[:LONGEST]

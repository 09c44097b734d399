"""Keeps a lock as long as it runs, as what listens at a port of its own does: a second process ends at its start."""

import fcntl
import sys
from pathlib import Path

from base import Older, Server

held = Path(sys.argv[1]).open("w")  # noqa: SIM115 -- until the process ends
try:
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("address already in use", file=sys.stderr)
    sys.exit(1)
(Older if "older" in sys.argv else Server)().stdio()

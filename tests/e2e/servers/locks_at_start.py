"""Holds a lock while it starts, and ends where another of its processes holds it.

Until one of its processes has met the lock, it is held long: a busy machine starts two of them far apart.
"""

import os
import sys
import time
from pathlib import Path

from base import Server

HELD_S, HELD_UNTIL_MET_S = 0.3, 3.0

place = Path(sys.argv[1])
met = place.with_suffix(".met")
try:
    os.close(os.open(place, os.O_CREAT | os.O_EXCL))
except FileExistsError:
    met.touch()
    print("database is locked", file=sys.stderr)
    sys.exit(0)
try:
    until = time.monotonic() + HELD_UNTIL_MET_S
    while not met.exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(HELD_S)
finally:
    place.unlink()
Server().stdio()

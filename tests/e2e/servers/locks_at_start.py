"""Holds a lock while it starts, and ends where another of its processes holds it."""

import os
import sys
import time
from pathlib import Path

from base import Server

HELD_S = 0.3

place = Path(sys.argv[1])
try:
    os.close(os.open(place, os.O_CREAT | os.O_EXCL))
except FileExistsError:
    print("database is locked", file=sys.stderr)
    sys.exit(0)
try:
    time.sleep(HELD_S)
finally:
    place.unlink()
Server().stdio()

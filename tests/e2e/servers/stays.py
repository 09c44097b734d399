"""Stays when its stdin is closed, and at SIGTERM; then it writes its id to argv[1]."""

import os
import signal
import sys
import time
from pathlib import Path

from base import Server

signal.signal(signal.SIGTERM, signal.SIG_IGN)
Server().stdio()
with Path(sys.argv[1]).open("a") as file:
    file.write(f"{os.getpid()}\n")
time.sleep(300)

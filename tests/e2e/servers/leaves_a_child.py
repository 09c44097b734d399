"""Starts a child that outlives it, with its pipes, and writes its id to argv[1]; `apart`: in a session of its own."""

import subprocess
import sys
from pathlib import Path

from base import Server

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"], start_new_session="apart" in sys.argv)
with Path(sys.argv[1]).open("a") as file:
    file.write(f"{child.pid}\n")
Server().stdio()

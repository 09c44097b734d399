"""Starts ends_once.py with the words given, and again a second after it has ended."""

import subprocess
import sys
import time
from pathlib import Path

command = [sys.executable, str(Path(__file__).with_name("ends_once.py")), *sys.argv[1:]]
while True:
    subprocess.run(command, check=False)
    time.sleep(1)

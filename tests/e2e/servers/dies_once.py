"""The reference over stdio, as a server that ends once, at a call, and loses what it was told.

    dies_once.py FLAG NUMBER WORDS…

WORDS start the reference. At the call of this number the process ends, unless the file FLAG is there.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path

flag, number, words = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
behind = subprocess.Popen([sys.executable, "-m", "reference_server", *words], stdin=-1, stdout=-1)
assert behind.stdin is not None
assert behind.stdout is not None
answers = behind.stdout


def back() -> None:
    """Passes on what the reference answers."""
    for line in answers:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    os._exit(0)


threading.Thread(target=back, daemon=True).start()
calls = 0
for line in sys.stdin.buffer:
    calls += b'"tools/call"' in line
    if calls == number and not flag.exists():
        flag.touch()
        behind.kill()
        os._exit(1)
    behind.stdin.write(line)
    behind.stdin.flush()
behind.stdin.close()
behind.wait()

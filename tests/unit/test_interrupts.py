"""An interrupt that comes while an object is let go."""

import subprocess
import sys

SCRIPT = """
import time, weakref
from conformance.cli import interrupts

if {kept}:
    interrupts.kept()

class Thing: pass

def gone(_):
    raise {error}

thing = Thing()
known = weakref.ref(thing, gone)
try:
    del thing
    time.sleep(2)
    print("went on")
except KeyboardInterrupt:
    print("interrupted")
"""


def ran(error: str, *, kept: bool = True) -> tuple[str, str]:
    script = SCRIPT.format(error=error, kept=kept)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip(), done.stderr


def test_it_is_not_lost() -> None:
    assert ran("KeyboardInterrupt") == ("interrupted", "")
    said, printed = ran("KeyboardInterrupt", kept=False)
    assert said == "went on"
    assert "Traceback" in printed


def test_what_is_no_interrupt_is_printed_as_before() -> None:
    said, printed = ran("ValueError('no')")
    assert said == "went on"
    assert "ValueError: no" in printed

"""Interrupts that come while Python lets an object go. It prints them with a traceback, and goes on without them."""

import _thread
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

AGAIN_S = 0.05
"""So long after it such an interrupt comes once more, when what was let go is gone."""


def kept() -> None:
    """Has such an interrupt come once more. For a process that is the suite's own: the hook is the whole process's."""
    before = sys.unraisablehook

    def hook(lost: "UnraisableHookArgs") -> None:
        if lost.exc_type is KeyboardInterrupt:
            # no Thread: its locks may be held by what was interrupted
            _thread.start_new_thread(_again, ())
        else:
            before(lost)

    sys.unraisablehook = hook


def _again() -> None:
    time.sleep(AGAIN_S)
    _thread.interrupt_main()

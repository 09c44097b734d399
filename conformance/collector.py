"""Python's garbage collector, in a process that is the suite's own."""

import gc

NEW = 10_000
"""Objects that are made, beyond those that end, before the youngest are gone through again. Python's own choice is 700.

A history is millions of objects that stay: to go through them again and again took a third of the time of judging.
"""


def seldom() -> None:
    """Has it go through objects less often. A process that others use, too, is not ours to set."""
    gc.set_threshold(NEW)

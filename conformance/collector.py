"""Python's garbage collector, in a process that is the suite's own."""

import gc

NEW = 10_000
"""Objects that are made, beyond those that end, before the youngest are gone through again. Python's own choice is 700.

A history is millions of objects that stay: to go through them again and again took a third of the time of judging.
"""
YOUNG = 50
"""How often the youngest are gone through before all that were young then are, once more. Python's own choice is 10.

With 10 it took 0.37 s of driving and judging threads, with 50 it takes 0.13.
"""


def seldom() -> None:
    """Has it go through objects less often. A process that others use, too, is not ours to set."""
    gc.set_threshold(NEW, YOUNG)

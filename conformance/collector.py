"""Python's garbage collector, in a process that is the suite's own."""

import contextlib
import gc
from collections.abc import Iterator

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


@contextlib.contextmanager
def settled() -> Iterator[None]:
    """Within it what is there already is not gone through again: a history that is gone on from stays.

    A whole collection goes through all of the run: without this they took a seventh of the time of random histories.
    """
    ours = gc.get_threshold()[0] == NEW
    if ours:
        gc.freeze()
    try:
        yield
    finally:
        if ours:
            gc.unfreeze()

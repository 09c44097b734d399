"""Parts of a stimulus: one that cannot go on does not keep the others from being tried."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from conformance.drive.errors import StuckError, UnsupportedError

Part = Callable[[], AbstractContextManager[None]]
"""Enters a part: `with part(): ...`."""


@contextmanager
def in_parts() -> Iterator[Part]:
    """Lets each part end by itself; in the end the first that was stuck is told, so that no part is lost unnoticed.

    A part that needs what the target does not support is left out; where that is so of every part, so it is told.
    """
    stuck: list[StuckError] = []
    left_out: list[UnsupportedError] = []
    done: list[None] = []

    @contextmanager
    def part() -> Iterator[None]:
        try:
            yield
        except StuckError as error:
            stuck.append(error)
        except UnsupportedError as error:
            left_out.append(error)
        else:
            done.append(None)

    yield part
    if stuck:
        raise stuck[0]
    if left_out and not done:
        raise left_out[0]

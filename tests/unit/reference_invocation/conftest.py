"""A fresh instance for each test."""

from collections.abc import Iterator

import pytest

from .desk import Desk


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A desk whose stopwatch jumps."""
    desk = Desk()
    with desk.runner:
        yield desk

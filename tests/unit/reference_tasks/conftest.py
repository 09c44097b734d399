"""A fresh instance for each test."""

from collections.abc import Iterator

import pytest

from reference_server.tasks import open_tasks

from .desk import Desk


@pytest.fixture
def bare() -> Iterator[Desk]:
    """A desk whose store is not initialised."""
    desk = Desk(open_tasks())
    with desk.runner:
        yield desk


@pytest.fixture
def desk(bare: Desk) -> Desk:
    """A desk with workspace w."""
    bare.ok("branchmind_init")
    return bare

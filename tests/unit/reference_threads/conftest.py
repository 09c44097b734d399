"""A fresh instance for each test."""

import pytest

from .desk import Desk


@pytest.fixture
def desk() -> Desk:
    """An instance with default settings."""
    return Desk()

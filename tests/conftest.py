"""What holds for all tests: how long an example takes decides nothing, as machines are busy; runs are recorded once."""

import gc

import pytest
from hypothesis import HealthCheck, settings

from tests.recordings import Recorded, recordings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """Thousands of items stay as they are: to go through them again and again took a fifth of the tests' time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Gives the transcript of a whole run of the reference; nobody writes to it."""
    return recordings(tmp_path_factory)

"""Time zones are the same on every machine."""

import zoneinfo
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path

import pytest

from conformance.contracts.tuitbot.zones import zone_of

NOON = 1_790_000_000


@pytest.fixture(params=["none", "others"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """A machine without time zones, as slim containers are, and one on which Tokyo has New York's."""
    if request.param == "others":
        (tmp_path / "Asia").mkdir()
        other = files("tzdata") / "zoneinfo" / "America" / "New_York"
        (tmp_path / "Asia" / "Tokyo").write_bytes(other.read_bytes())
    zoneinfo.reset_tzpath([str(tmp_path)])
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()
    zoneinfo.ZoneInfo.clear_cache()


@pytest.mark.usefixtures("machine")
def test_what_the_machine_knows_of_time_zones_decides_nothing() -> None:
    offset = datetime.fromtimestamp(NOON, zone_of("Asia/Tokyo")).utcoffset()
    assert offset is not None
    assert offset.total_seconds() == 9 * 3600


@pytest.mark.parametrize("name", ["Nowhere/Land", "", "/etc/localtime", "../zones", "Asia", "Asia/Tokyo\0", "utc"])
def test_a_name_that_nobody_knows_is_no_zone(name: str) -> None:
    assert zone_of(name) is None


def test_the_names_that_everybody_knows_are_zones() -> None:
    assert all(zone_of(name) is not None for name in ("UTC", "Etc/UTC", "Europe/Berlin", "America/New_York"))

"""Time zones by their names, from the package tzdata alone: what this machine knows of them decides nothing."""

from datetime import tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

PACKAGE = "tzdata"


@cache
def _names() -> frozenset[str]:
    return frozenset((files(PACKAGE) / "zones").read_text(encoding="utf-8").split())


def zone_of(name: str) -> tzinfo | None:
    """The zone of a name; None where nobody knows it: a name is a stranger's, and no path."""
    return _read(name) if name in _names() else None


@cache
def _read(name: str) -> tzinfo:
    with (files(PACKAGE) / "zoneinfo" / name).open("rb") as told:
        return ZoneInfo.from_file(told, key=name)

"""Where two JSON values part: the first place at which they differ, as a JSON Pointer."""

from collections.abc import Callable
from typing import NamedTuple

from conformance.judge.judgements import MISSING
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.pointer import pointer_of


class Difference(NamedTuple):
    """The first place at which two values differ."""

    pointer: str
    expected: Json
    got: Json


Alike = Callable[[str, Json, Json], bool]
"""Says of two unequal scalars, by the pointer of their place, that their difference does not count."""


def _never(pointer: str, expected: Json, got: Json) -> bool:
    del pointer, expected, got
    return False


def difference(expected: Json, got: Json, *, alike: Alike = _never, pointer: str = "") -> Difference | None:
    """None where the values are equal. A bool is no number; 1 and 1.0 are equal, as in JSON."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return _of_objects(expected, got, alike, pointer)
    if isinstance(expected, list) and isinstance(got, list):
        return _of_lists(expected, got, alike, pointer)
    same = expected == got and isinstance(expected, bool) == isinstance(got, bool)
    return None if same or alike(pointer, expected, got) else Difference(pointer, expected, got)


def apart(expected: Json, got: Json) -> Difference | None:
    """The difference of values that are mostly equal: that is seen several times faster in their JSON."""
    return None if spelled(expected) == spelled(got) else difference(expected, got)


def _of_objects(expected: dict[str, Json], got: dict[str, Json], alike: Alike, pointer: str) -> Difference | None:
    for name in (*expected, *(name for name in got if name not in expected)):
        place = f"{pointer}{pointer_of([name])}"
        if name not in got or name not in expected:
            return Difference(place, expected.get(name, MISSING), got.get(name, MISSING))
        found = difference(expected[name], got[name], alike=alike, pointer=place)
        if found is not None:
            return found
    return None


def _of_lists(expected: list[Json], got: list[Json], alike: Alike, pointer: str) -> Difference | None:
    for index, (first, second) in enumerate(zip(expected, got, strict=False)):
        found = difference(first, second, alike=alike, pointer=f"{pointer}/{index}")
        if found is not None:
            return found
    if len(expected) != len(got):
        return Difference(pointer, f"{len(expected)} items", f"{len(got)} items")
    return None

"""Values that differ in one place."""

import json
from collections.abc import Callable

import pytest

from conformance.drive.sweeps.values import altered
from conformance.judge.kinds import alike
from conformance.model.events import Json

VALUE: Json = {"a": {"b": [1, "Two", {"c": True, "d": None}]}, "e": "x", "f": 1.5}


def shallow(value: Json) -> Json:
    return {name: inner if isinstance(inner, str | int | float) else ... for name, inner in value.items()}


def mapped(value: Json, scalar: Callable[[Json], Json]) -> Json:
    if isinstance(value, dict):
        return {name: mapped(inner, scalar) for name, inner in value.items()}
    return [mapped(inner, scalar) for inner in value] if isinstance(value, list) else scalar(value)


def as_sets(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: as_sets(inner) for name, inner in value.items()}
    return sorted(map(str, map(as_sets, value))) if isinstance(value, list) else value


def without_null(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: without_null(inner) for name, inner in value.items() if inner is not None}
    return value


CARELESS: dict[str, Callable[[Json], Json]] = {
    "shallow": shallow,
    "by their texts": lambda value: mapped(value, str),
    "without case": lambda value: mapped(value, lambda inner: str(inner).lower()),
    "lists as sets": as_sets,
    "without null": without_null,
}


@pytest.mark.parametrize("careless", CARELESS.values(), ids=CARELESS)
def test_each_careless_comparison_takes_one_for_another(careless: Callable[[Json], Json]) -> None:
    assert any(careless(other) == careless(VALUE) for other in altered(VALUE))


def test_they_differ_by_value_and_leave_the_value_as_it_was() -> None:
    before = json.dumps(VALUE)
    others = list(altered(VALUE))
    assert all(alike(other, VALUE) is False for other in others)
    assert len({json.dumps(other) for other in others}) == len(others)
    assert json.dumps(VALUE) == before

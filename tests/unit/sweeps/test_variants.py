"""Variants of a working call: one parameter changed in each, at either side of what its schema allows."""

import pytest

from conformance.contract.catalogue import load
from conformance.contract.schema import compiled
from conformance.drive.sweeps.texts import NUL
from conformance.drive.sweeps.variants import LARGE, allowed, beyond, broken, inside, spelled_out, variants, within
from conformance.model.events import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50},
        "kind": {"type": "string", "enum": ["plan", "task"]},
        "id": {"type": "string", "pattern": "^T-[0-9]+$"},
    },
    "required": ["name"],
}


def test_every_parameter_is_changed_and_nothing_else() -> None:
    good = {"name": "abc", "limit": 7}
    found = list(variants(SCHEMA, good))
    assert {each.parameter for each in found} == {*SCHEMA["properties"]}
    for each in found:
        others = {name: value for name, value in each.arguments.items() if name != each.parameter}
        assert others == {name: value for name, value in good.items() if name != each.parameter}
        assert each.arguments != good


def test_what_is_given_is_left_out_once() -> None:
    found = [each.parameter for each in variants(SCHEMA, {"name": "abc"}) if each.parameter not in each.arguments]
    assert found == ["name"]


def test_what_is_left_to_itself_is_not_changed() -> None:
    assert {each.parameter for each in variants(SCHEMA, {"name": "abc"}, leave=("name", "id"))} == {"limit", "kind"}


@pytest.mark.parametrize(
    ("about", "inner", "outer"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 50}, [1, 50], ["ten", 0, 51]),
        ({"type": "integer", "minimum": 0}, [0], ["ten", -1, LARGE]),
        ({"type": "integer"}, [], ["ten", -1, LARGE]),
        # JSON readers keep no such number, but the power of two beyond it
        ({"type": "integer", "maximum": 2**63 - 1}, [], ["ten", -1, LARGE, 2**63]),
        ({"type": "boolean"}, [True, False], ["yes"]),
        ({"type": "string", "enum": ["a", "b"]}, ["a", "b"], [7, "no-such-value"]),
        ({"type": "string", "minLength": 1, "maxLength": 3}, ["l", "lon"], [7, NUL, "", "long"]),
        ({"type": "string", "minLength": 2}, ["lo"], [7, NUL, "l"]),
        ({"type": ["string", "null"]}, [], [7, NUL]),
        ({"type": "string", "pattern": "^a$"}, [], [7]),
        ({"type": "object"}, [], ["none"]),
        ({}, [], []),
    ],
)
def test_values_stand_at_either_side(about: dict[str, Json], inner: list[Json], outer: list[Json]) -> None:
    assert list(within(about)) == inner
    assert list(beyond(about)) == outer


@pytest.mark.parametrize("contract", ["threads", "tasks", "tuitbot"])
def test_what_is_within_is_allowed_and_what_is_beyond_is_not(contract: str) -> None:
    for tool in load(contract).tools.values():
        for about in tool.inputSchema.get("properties", {}).values():
            judged = compiled(about)
            assert all(map(judged.is_valid, within(about)))
            doubtful = [value for value in beyond(about) if judged.is_valid(value)]
            assert all(value in (NUL, LARGE, -1) for value in doubtful)


def test_variants_are_told_apart_by_the_schema() -> None:
    good: dict[str, Json] = {"name": "abc", "limit": 7}
    refused = [each.arguments for each in broken(SCHEMA, good)]
    kept = [each.arguments for each in allowed(SCHEMA, good)]
    judged = compiled(SCHEMA)
    assert not any(map(judged.is_valid, refused))
    assert all(map(judged.is_valid, kept))
    assert {"limit": 7} in refused
    assert {"name": "abc"} in kept
    assert {**good, "name": NUL} not in kept


ENTRY: dict[str, Json] = {
    "type": "object",
    "properties": {"id": {"type": "string", "minLength": 1}, "text": {"type": ["string", "null"]}},
    "required": ["id"],
}


EITHER: dict[str, Json] = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"op": {"const": "put"}, "to": {"type": "integer"}},
            "required": ["op", "to"],
        },
        {"type": "object", "properties": {"op": {"const": "cut"}}, "required": ["op"]},
    ]
}


@pytest.mark.parametrize(
    ("about", "good", "found"),
    [
        ({"type": "array", "items": {"type": "integer"}}, [4, 5], [["ten", 5], [-1, 5], [LARGE, 5]]),
        ({"type": "array", "items": {"type": "boolean"}}, [], [["yes"]]),
        ({"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}, [[True]], [["none"], [["yes"]]]),
        (
            ENTRY,
            {"id": "a"},
            [{}, *({"id": each} for each in (7, NUL, "")), *({"id": "a", "text": t} for t in (7, NUL))],
        ),
        ({"type": "array", "items": {"type": "string"}}, None, []),
        (
            {"type": "array", "items": EITHER},
            [{"op": "put", "to": 1}, {"op": "put", "to": 2}, {"op": "cut"}],
            [
                *([each, {"op": "put", "to": 2}, {"op": "cut"}] for each in ("none", {"to": 1})),
                [{"op": "no-such-value", "to": 1}, {"op": "put", "to": 2}, {"op": "cut"}],
                *(
                    [each, {"op": "put", "to": 2}, {"op": "cut"}]
                    for each in ({"op": "put"}, {"op": "put", "to": "ten"})
                ),
                *(
                    [each, {"op": "put", "to": 2}, {"op": "cut"}]
                    for each in ({"op": "put", "to": -1}, {"op": "put", "to": LARGE})
                ),
                *(
                    [{"op": "put", "to": 1}, {"op": "put", "to": 2}, each]
                    for each in ("none", {}, {"op": "no-such-value"})
                ),
            ],
        ),
        (EITHER, {"op": "neither"}, []),
        ({"type": "object", "properties": {"any": True}}, {"any": 1}, [{}]),
        ({"type": "string"}, "a", []),
        ({"type": "array"}, ["a"], []),
    ],
)
def test_what_is_in_lists_and_objects_is_changed_too(about: dict[str, Json], good: Json, found: list[Json]) -> None:
    assert list(inside(about, good)) == found


def test_entries_beyond_their_schema_are_among_what_is_broken() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"items": {"type": "array", "items": ENTRY}}}
    refused = [each.arguments["items"] for each in broken(schema, {"items": [{"id": "a"}, {"id": "b"}]})]
    assert ["none", {"id": "b"}] in refused
    assert [{}, {"id": "b"}] in refused


def test_numbers_and_booleans_are_spelled_out() -> None:
    schema: dict[str, Json] = {
        "properties": {
            "limit": {"type": "integer", "minimum": 3},
            "ratio": {"type": ["number", "null"]},
            "deep": {"type": "boolean"},
            "either": {"type": ["integer", "string"]},
            "name": {"type": "string"},
        }
    }
    found = [each.arguments for each in spelled_out(schema, {"limit": 7, "ratio": None, "name": "5"})]
    rest: dict[str, Json] = {"limit": 7, "ratio": None, "name": "5"}
    assert found == [{**rest, "limit": "7"}, {**rest, "ratio": "1"}, {**rest, "deep": "true"}]
    assert next(iter(spelled_out(schema, {}))).arguments == {"limit": "3"}

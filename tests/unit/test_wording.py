"""Schemas in plain English, and where in a value one is broken."""

import pytest

from conformance.contract.misfits import misfit
from conformance.contract.wording import worded
from conformance.model.pointer import ABSENT


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({}, "there is note"),
        ({"type": "boolean"}, "note is true or false"),
        ({"type": ["string", "null"]}, "note is a text or null"),
        ({"type": "string", "minLength": 1}, "note is a text that is not empty"),
        ({"type": "string", "pattern": r"\S"}, "note is a text that is not blank"),
        ({"type": "integer", "minimum": 0, "maximum": 9}, "note is a whole number from 0 to 9"),
        ({"enum": ["a", "b"]}, 'note is "a" or "b"'),
        ({"required": ["a", "b"]}, "note has a and b"),
        ({"properties": {"a": {}, "b": {}}, "additionalProperties": False}, "note has no key besides a and b"),
        ({"properties": {"a": {"not": {}}}}, "there is no note.a"),
        (
            {"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}, "additionalProperties": False},
            "note has a and no other key; note.a is 1",
        ),
        ({"items": {"required": ["id"]}}, "each entry of note has id"),
        (
            {"if": {"properties": {"ok": {"const": True}}, "required": ["ok"]}, "then": {"required": ["a"]}},
            "where note.ok is true, note has a",
        ),
    ],
)
def test_a_schema_in_words(schema, said):
    assert worded(schema, "note") == said


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": r"\S"},
        {"type": "string", "minLength": 3},
        {"type": "text"},
        {"type": "object", "maxProperties": 2},
        {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
        {"if": {"required": ["a"]}},
        {"required": "a"},
    ],
)
def test_what_is_not_put_in_words_is_shown_as_it_is(schema):
    assert worded(schema, "note").startswith('note satisfies {"')


def test_where_a_schema_is_broken():
    schema = {"required": ["a"], "properties": {"a": {"enum": [1, 2]}, "b": {"not": {}}}, "additionalProperties": False}
    assert misfit(schema, {"a": 1}) is None
    assert misfit(schema, {}) == ("/a", "", [1, 2], ABSENT)
    assert misfit(schema, {"a": 1, "b": 0}) == ("/b", "", ABSENT, 0)
    assert misfit(schema, {"a": 1, "c/d": 0}) == ("/c~1d", "", ABSENT, 0)
    assert misfit(schema, {"a": 3}) == ("/a", "3 is not one of [1, 2]", [1, 2], 3)

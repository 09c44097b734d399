"""Arguments that say something else than those that are known to be good."""

from typing import Any

import pytest

from conformance.contracts.mcp.otherwise import otherwise, with_more, with_other_choices


@pytest.mark.parametrize(
    ("said", "value", "other"),
    [
        ({"type": "string"}, "a", "a otherwise"),
        ({"type": "string", "maxLength": 3}, "abc", "cba"),
        ({"type": "string", "maxLength": 3}, "", None),
        ({"type": "string", "enum": ["a", "b"]}, "a", "b"),
        ({"enum": ["a"]}, "a", None),
        ({"type": "string", "pattern": "^a$"}, "a", None),
        ({"type": "string", "format": "date"}, "2026-11-21", None),
        ({"type": "boolean"}, False, True),
        ({"type": "integer"}, 1, 2),
        ({"type": "array"}, ["a", "b"], ["a otherwise", "b"]),
        ({"type": "array"}, [], None),
        ({"type": "object"}, {"a": 1}, None),
    ],
)
def test_another_value(said: dict[str, Any], value: Any, other: Any) -> None:
    found = list(otherwise({"properties": {"x": said}}, {"x": value}))
    assert found == ([("x", {"x": other})] if other is not None else [])


def test_one_argument_at_a_time_from_the_last_on() -> None:
    assert [name for name, _ in otherwise({}, {"id": "a", "text": "b"})] == ["text", "id"]
    assert next(otherwise(True, {"id": "a", "text": "b"}))[1] == {"id": "a", "text": "b otherwise"}


def test_what_was_left_out_is_added_one_argument_at_a_time() -> None:
    schema = {"properties": {"id": {}, "sort": {"enum": ["a"]}, "limit": {"maximum": 5}}, "required": ["id"]}
    found = list(with_more(schema, {"id": 1}, {"id": 2, "sort": "a", "limit": 9}))
    assert found == [("sort", {"id": 1, "sort": "a"})]


@pytest.mark.parametrize(
    ("said", "value", "others"),
    [
        ({"type": "boolean"}, True, [False]),
        ({"enum": ["a", "b", "c"]}, "b", ["a", "c"]),
        ({"enum": ["a", None, 1]}, "a", []),
        ({"enum": list("abcdefg")}, "a", ["b", "c", "d"]),
        ({"type": "string"}, "a", []),
        ({"type": "integer"}, 1, []),
    ],
)
def test_each_other_value_of_an_argument_that_has_few(said: dict[str, Any], value: Any, others: list[Any]) -> None:
    found = list(with_other_choices({"properties": {"x": said}}, {"x": value, "y": 1}, "x"))
    assert found == [{"x": other, "y": 1} for other in others]

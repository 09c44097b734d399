"""Generated arguments: what is called valid is, what is called broken breaks that keyword and no other."""

from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator

from conformance.drive.vectors import Vector, vectors
from conformance.model.events import Json


def schema(**properties: Json) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


KEYWORDS: list[tuple[str, str, dict[str, Json]]] = [
    ("type", "/properties/a/type", schema(a={"type": "string"})),
    ("required", "/required", schema(a={"type": "string"})),
    ("additionalProperties", "/additionalProperties", schema(a={"type": "string"})),
    ("enum", "/properties/a/enum", schema(a={"enum": ["x", "y"]})),
    ("enum", "/properties/a/enum", schema(a={"type": "integer", "enum": [1, 2]})),
    ("const", "/properties/a/const", schema(a={"const": 1})),
    ("minimum", "/properties/a/minimum", schema(a={"type": "integer", "minimum": 3})),
    ("maximum", "/properties/a/maximum", schema(a={"type": "number", "maximum": -3})),
    (
        "exclusiveMinimum",
        "/properties/a/exclusiveMinimum",
        schema(a={"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
    ),
    ("exclusiveMaximum", "/properties/a/exclusiveMaximum", schema(a={"type": "integer", "exclusiveMaximum": 0})),
    ("multipleOf", "/properties/a/multipleOf", schema(a={"type": "integer", "multipleOf": 7, "minimum": 10})),
    ("minLength", "/properties/a/minLength", schema(a={"type": "string", "minLength": 20})),
    ("maxLength", "/properties/a/maxLength", schema(a={"type": "string", "maxLength": 3})),
    ("pattern", "/properties/a/pattern", schema(a={"type": "string", "pattern": r"^[A-Z]{3}-\d{2,4}(x|y)$"})),
    ("format", "/properties/a/format", schema(a={"type": "string", "format": "date"})),
    ("items", "/properties/a/items/type", schema(a={"type": "array", "items": {"type": "integer"}, "minItems": 1})),
    (
        "minItems",
        "/properties/a/minItems",
        schema(a={"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True}),
    ),
    (
        "maxItems",
        "/properties/a/maxItems",
        schema(a={"type": "array", "items": {"type": "integer"}, "maxItems": 4, "uniqueItems": True}),
    ),
    *(
        (
            "maxItems",
            "/properties/a/maxItems",
            schema(a={"type": "array", "items": {"type": "string", **form}, "maxItems": 30, "uniqueItems": unique}),
        )
        for form, unique in [
            ({"pattern": "^[a-z]+$"}, True),
            ({"pattern": "^[A-Z]{2}$"}, True),
            ({"pattern": "^(yes|no)$"}, False),
            ({"format": "uuid"}, True),
            ({"maxLength": 1}, False),
        ]
    ),
    (
        "uniqueItems",
        "/properties/a/uniqueItems",
        schema(a={"type": "array", "items": {"enum": ["x", "y", "z"]}, "uniqueItems": True, "minItems": 2}),
    ),
    ("contains", "/properties/a/contains", schema(a={"type": "array", "contains": {"const": 1}})),
    (
        "tuple",
        "/properties/a/items",
        schema(a={"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False}),
    ),
    ("minProperties", "/properties/a/minProperties", schema(a={"type": "object", "minProperties": 2})),
    ("maxProperties", "/properties/a/maxProperties", schema(a={"type": "object", "maxProperties": 2})),
    (
        "propertyNames",
        "/properties/a/propertyNames/pattern",
        schema(a={"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "minProperties": 1}),
    ),
    (
        "dependentRequired",
        "/dependentRequired",
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "dependentRequired": {"a": ["b"]},
        },
    ),
    ("anyOf", "/properties/a/anyOf", schema(a={"anyOf": [{"type": "string"}, {"type": "null"}]})),
    ("oneOf", "/properties/a/oneOf", schema(a={"oneOf": [{"type": "integer"}, {"type": "boolean"}]})),
    ("not", "/properties/a/not", schema(a={"type": "string", "not": {"const": "example"}})),
    (
        "allOf",
        "/properties/a/allOf/1/maximum",
        schema(a={"allOf": [{"type": "integer", "minimum": 1}, {"maximum": 5}]}),
    ),
    (
        "$ref",
        "/properties/a/minLength",
        {**schema(a={"$ref": "#/$defs/name"}), "$defs": {"name": {"type": "string", "minLength": 2}}},
    ),
    (
        "nested",
        "/properties/a/properties/b/properties/c/maximum",
        schema(a=schema(b=schema(c={"type": "integer", "maximum": 9}))),
    ),
    (
        "in a list",
        "/properties/a/items/properties/b/required",
        schema(
            a={
                "type": "array",
                "minItems": 1,
                "items": {"type": "object", "properties": {"b": schema(c={"type": "integer"})}, "required": ["b"]},
            }
        ),
    ),
    (
        "then",
        "/then/required",
        {
            "type": "object",
            "properties": {"a": {"enum": ["x", "y"]}, "b": {}},
            "required": ["a"],
            "if": {"properties": {"a": {"const": "x"}}},
            "then": {"required": ["b"]},
        },
    ),
]


@pytest.mark.parametrize(("keyword", "pointer", "written"), KEYWORDS, ids=[name for name, _, _ in KEYWORDS])
def test_every_keyword_is_broken_alone(keyword: str, pointer: str, written: dict[str, Json]) -> None:
    found = vectors(written)
    assert found[0].valid
    broken = [vector for vector in found if not vector.valid and vector.pointer.replace("/if/then", "/then") == pointer]
    assert broken, sorted({vector.pointer for vector in found})


@pytest.mark.parametrize("written", [written for _, _, written in KEYWORDS], ids=[name for name, _, _ in KEYWORDS])
def test_two_validators_agree_on_each(written: dict[str, Json]) -> None:
    first = jsonschema_rs.validator_for(written, validate_formats=True)
    second = Draft202012Validator(written, format_checker=Draft202012Validator.FORMAT_CHECKER)
    for vector in vectors(written):
        assert first.is_valid(vector.value) is second.is_valid(vector.value) is vector.valid
        assert len(list(second.iter_errors(vector.value))) == (0 if vector.valid else 1)


@pytest.mark.parametrize("written", [written for _, _, written in KEYWORDS], ids=[name for name, _, _ in KEYWORDS])
def test_they_are_the_same_each_time_few_and_none_twice(written: dict[str, Json]) -> None:
    found = vectors(written)
    assert found == vectors(written)
    assert len(found) <= 40
    values = [repr(vector.value) for vector in found]
    assert len(values) == len(set(values))


def test_bounds_themselves_are_among_the_valid() -> None:
    found = vectors(
        schema(
            limit={"type": "integer", "minimum": 1, "maximum": 200},
            name={"type": "string", "minLength": 2, "maxLength": 8},
        )
    )
    valid = [vector.value for vector in found if vector.valid]
    assert {1, 200} <= {value["limit"] for value in valid}
    assert {2, 8} <= {len(value["name"]) for value in valid}


def test_from_an_example_only_one_place_is_changed() -> None:
    example = {"id": "th_1", "limit": 5}
    written = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "limit": {"type": "integer", "maximum": 9}},
        "required": ["id"],
    }
    found = vectors(written, example)
    assert found[0] == Vector(example, valid=True)
    beyond = next(vector for vector in found if vector.keyword == "maximum")
    assert beyond.value["id"] == "th_1"


def test_an_example_that_breaks_the_schema_is_not_taken() -> None:
    assert vectors(schema(a={"type": "integer"}), {"a": "x"})[0].value != {"a": "x"}


RECURSIVE = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/node"}},
    "required": ["node"],
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
            "required": ["value"],
        }
    },
}


def test_a_recursive_schema_comes_to_an_end() -> None:
    assert any(vector.pointer == "/properties/node/properties/value/type" for vector in vectors(RECURSIVE))


@pytest.mark.parametrize(
    "written",
    [
        None,
        True,
        [],
        {"type": "array"},
        {"type": "object", "required": ["a"], "properties": {"a": False}},
        {"type": "object", "properties": {"a": {"type": "dict"}}},
        {"type": "object", "properties": {"a": {"$ref": "https://schemas.example/a"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}},
    ],
)
def test_no_vectors_from_a_schema_of_no_use(written: Any) -> None:
    assert vectors(written) == []


def test_numbers_beyond_64_bits_and_very_long_texts_are_left_out() -> None:
    found = vectors(
        schema(
            a={"type": "integer", "maximum": 2**63 - 1, "minimum": -(2**63)}, b={"type": "string", "maxLength": 10**9}
        )
    )
    assert all(-(2**63) <= vector.value["a"] < 2**63 for vector in found if isinstance(vector.value.get("a"), int))
    assert all(len(str(vector.value.get("b"))) < 200_000 for vector in found)


def test_those_of_another_generator_are_judged_and_chosen_from_alike() -> None:
    written = schema(a={"type": "integer", "maximum": 9})
    also = {"other": [{"a": 9.5}, {"a": 3}, {"a": "x", "b": 1}, {"a": 2**70}]}
    found = {repr(vector.value): vector for vector in vectors(written, also=also)}
    assert found["{'a': 3}"] == Vector({"a": 3}, valid=True, origin="other")
    assert "{'a': 'x', 'b': 1}" not in found, "two keywords are broken"
    assert repr({"a": 2**70}) not in found


def test_freezing_takes_what_schemathesis_covers() -> None:
    freeze = pytest.importorskip("conformance.drive.vectors.freeze")
    written = {**schema(a={"$ref": "#/$defs/name"}), "$defs": {"name": {"type": "string", "minLength": 2}}}
    covered = list(freeze.covered("tool", written))
    assert covered
    assert all(isinstance(value, dict) for value in covered)
    found = freeze.generated("tool", written)
    assert {vector.keyword for vector in found} >= {"type", "required", "additionalProperties", "minLength"}
    assert len(found) <= freeze.LIMIT


def test_the_longest_text_has_more_octets_than_characters() -> None:
    """Lengths are counted in characters; where a pattern or a format speaks as well, nothing is known of others."""
    longest = [
        v.value["a"] for v in vectors(schema(a={"type": "string", "maxLength": 9})) if v.valid and "a" in v.value
    ]
    assert any(len(text) == 9 and len(text.encode()) > 9 for text in longest)
    plain = schema(a={"type": "string", "maxLength": 9, "pattern": "^[a-z]*$"})
    assert all(v.value.get("a", "").isascii() for v in vectors(plain) if v.valid)


def test_a_fraction_is_tried_for_an_integer_also_where_its_bounds_are_narrow() -> None:
    found = vectors(schema(year={"type": "integer", "minimum": 1450, "maximum": 2100}))
    broken = [vector.value["year"] for vector in found if vector.pointer == "/properties/year/type"]
    assert any(isinstance(year, float) and 1450 < year < 2100 for year in broken)


def test_each_place_is_broken_in_another_way_than_the_one_before() -> None:
    written = schema(**{f"a{number}": {"type": "integer"} for number in range(9)})
    first: dict[str, Json] = {}
    for vector in vectors(written):
        name = vector.pointer.removeprefix("/properties/").removesuffix("/type")
        if name in written["properties"] and not vector.valid:
            first.setdefault(name, vector.value[name])
    kinds = {type(value) for value in first.values()}
    assert len(first) == 9
    assert kinds >= {float, str, bool, list, type(None)}


def test_every_member_that_is_required_is_left_out() -> None:
    written = schema(**{f"a{number}": {"type": "string"} for number in range(8)})
    left_out = [written["properties"].keys() - vector.value for vector in vectors(written) if not vector.valid]
    assert {name for names in left_out for name in names} == set(written["properties"])


def test_a_branch_is_broken_by_its_bounds_and_by_other_types() -> None:
    hours = {"anyOf": [{"type": "integer", "minimum": 3, "maximum": 9}, {"type": "null"}]}
    written = {"type": "object", "properties": {"a": {"type": "string"}, "hours": hours}, "required": ["a"]}
    broken = [vector.value["hours"] for vector in vectors(written) if vector.pointer == "/properties/hours/anyOf"]
    assert {2, 10} & {value for value in broken if isinstance(value, int)}
    assert any(isinstance(value, float) and not value.is_integer() for value in broken)
    assert any(isinstance(value, str) for value in broken)


def test_bounds_come_before_what_is_near_them() -> None:
    many = {f"a{number}": {"type": "integer", "minimum": 10, "maximum": 90} for number in range(5)}
    valid = [vector.value for vector in vectors(schema(**many)) if vector.valid]
    assert all({value[name] for value in valid} >= {10, 90} for name in many)


def test_the_longest_and_shortest_texts_are_tried_of_each_argument() -> None:
    many = {f"a{number}": {"type": "string", "minLength": 2, "maxLength": 30} for number in range(5)}
    valid = [vector.value for vector in vectors(schema(**many)) if vector.valid]
    assert all({len(value[name]) for value in valid} >= {2, 30} for name in many)


def test_some_texts_have_a_character_beyond_the_basic_plane() -> None:
    texts = schema(a={"type": "string"}, b={"type": "string"}, c={"type": "string", "pattern": "^[a-z]+$"})
    beyond = [vector.value for vector in vectors(texts) if vector.valid and max(str(vector.value)) > "\uffff"]
    assert {name for value in beyond for name, text in value.items() if max(text) > "\uffff"} == {"a", "b"}
    assert any(max(str(vector.value)) > "\uffff" for vector in vectors(texts, limit=8))


TUPLE = {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": False}
POINT = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
    "required": ["x", "y"],
    "additionalProperties": False,
}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize("example", [None, {"n": 1}])
@pytest.mark.parametrize(
    ("more", "broken"),
    [
        ({"properties": {"pair": TUPLE}, "$schema": DRAFT_7}, {"pair": ["example", "example"]}),
        ({"properties": {"pair": TUPLE}, "$schema": DRAFT_7}, {"pair": ["example", 1, "example"]}),
        ({"properties": {"p": {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}}}, {"p": [1.5]}),
        ({"patternProperties": {"^x-": {"type": "integer"}}}, {"x-": "example"}),
        ({"properties": {"v": {"anyOf": [{"type": "string"}, POINT]}}}, {"v": {"x": 1}}),
        (
            {"properties": {"v": {"anyOf": [{"type": "string"}, POINT]}}},
            {"v": {"x": 1, "y": 1, "unexpected_property": "example"}},
        ),
        (
            {
                "properties": {"k": {"type": "string"}},
                "if": {"required": ["k"]},
                "then": {"properties": {"n": {"maximum": 9}}},
            },
            {"n": 10, "k": "example"},
        ),
        (
            {"properties": {"k": {"type": "string"}, "l": {"type": "string"}}, "dependentRequired": {"k": ["l"]}},
            {"k": "example"},
        ),
    ],
)
def test_each_keyword_is_broken_in_what_is_named_deeper_or_only_together(
    more: dict[str, Any], broken: dict[str, Any], example: dict[str, Any] | None
) -> None:
    plain = {"n": {"type": "integer", "minimum": 1}}
    schema = {"type": "object", "required": ["n"], **more, "properties": {**plain, **more.get("properties", {})}}
    found = [vector.value for vector in vectors(schema, example) if not vector.valid]
    assert any({"n": 1, **broken}.items() <= value.items() for value in found), found


def test_an_array_that_has_to_contain_something_is_made() -> None:
    array = {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}, "contains": {"const": "x"}}
    schema = {"type": "object", "properties": {"p": {"type": "array", **array}}, "required": ["p"]}
    assert vectors(schema)[0].value == {"p": [1, "x"]}

"""What the validators say of strangers' values: soon, by what is in the schema alone, or not at all and why."""

import time
from typing import Any

import pytest

from conformance.contract.dialect import DEFAULT, DIALECTS, fault, opinion, remote, satisfies, seems_valid
from conformance.contract.limits import OutOfTimeError, Shelf, UnjudgedError, limited
from conformance.contract.references import pointed
from conformance.contract.schema import LARGEST, SchemaError, compiled, why
from conformance.model.events import Json
from tests.offline import listening, offline

SECONDS = 15.0
"""Of CPU: far beyond what any of it takes, far below what it takes without limits."""


def tower(levels: int, keyword: str = "allOf") -> dict[str, Any]:
    """Definitions each of which refers twice to the next."""
    parts = {f"d{n}": {keyword: [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**parts, f"d{levels}": {"type": "integer"}}, "$ref": "#/$defs/d0"}


def unevaluated(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for level in range(levels):
        schema = {"allOf": [schema], "properties": {f"p{level}": {}}, "unevaluatedProperties": False}
    return schema


def nested(levels: int, value: Json = 1, key: str | None = None) -> Json:
    for _ in range(levels):
        value = [value] if key is None else {key: [value]}
    return value


TREE = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}}
COSTLY: dict[str, tuple[Json, Json]] = {
    "references that multiply": (tower(60), 1),
    "references that multiply less": (tower(16, "anyOf"), "x"),
    "unevaluated properties": (unevaluated(30), {"p0": 1}),
    "numbers beyond 64 bits": ({"uniqueItems": True}, [2**64 + n for n in range(20_000)]),
    "an enumeration of many": ({"items": {"enum": [{"a": n} for n in range(2_000)]}}, [{"a": 1_999}] * 20_000),
    "a value that is deep": (TREE, nested(200, {}, "children")),
    "a schema that is large": ({"enum": list(range(200_000))}, 1),
    "a schema that is deep": ({"items": nested(300, {})}, [1]),
    "more than anybody looks at": ({"items": {"type": "string"}}, list(range(1_000_000))),
    "a schema that is itself": ({"$ref": "#"}, 1),
    "a schema that is not itself": ({"not": {"$ref": "#"}}, 1),
    "two that are each other": (
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        1,
    ),
    "a pattern that refers back": ({"pattern": r"^(a)\1$"}, "aa"),
    "a pattern of another language": ({"pattern": "(?i)a"}, "A"),
    "a pattern that counts too far": ({"pattern": "(a{1000}){1000}"}, "a"),
    "patterns that count too far together": ({"allOf": [{"pattern": f"^{n}?a{{900}}$"} for n in range(50)]}, "a"),
    "a text beyond the pattern": ({"pattern": "^.{1,9000}$"}, "a" * 1_000_000),
    "a number that is no float": ({"multipleOf": 0.1}, 10**400),
    "values that have to differ, and are deep": ({"uniqueItems": True}, [nested(300), nested(300, 2)]),
    "a text that is no Unicode": ({"type": "string"}, "\ud800"),
}


@pytest.mark.parametrize(("schema", "value"), COSTLY.values(), ids=COSTLY.keys())
def test_what_takes_too_long_is_not_judged_and_it_is_said_why(schema: Json, value: Json) -> None:
    began = time.process_time()
    told = opinion(schema, value)
    assert told.valid is None
    assert told.why
    assert satisfies(schema, value) is None
    assert why(schema, value) == "" or schema == {"items": {"type": "string"}}
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"pattern": "^(a+)+$"}, "a" * 45 + "!", False),
        ({"pattern": "^(a+)+$"}, "a" * 45, True),
        (
            {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": "^(a+)+$"}}},
            {"a": "a" * 45 + "!"},
            False,
        ),
        ({"patternProperties": {"^(a+)+$": False}}, {"a" * 45 + "!": 1}, True),
        ({"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}, {"x-a": 1}, True),
        ({"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}, {"y": 1}, False),
        ({"patternProperties": {r"^\x61": {"type": "integer"}, "^a": {"minimum": 3}}}, {"a": 2}, False),
        ({"pattern": r"^(?!.*\.\.)(?=.*@).+$"}, "a@b", True),
        ({"pattern": r"^(?!.*\.\.)(?=.*@).+$"}, "a@b..c", False),
        ({"allOf": [{"pattern": r"^(?=a)"}, {"pattern": r"\ba"}]}, "a", True),
        ({"pattern": r"^(a)\1$"}, 5, True),
        ({"type": "string", "pattern": r"^(a)\1$"}, 5, False),
        ({"pattern": "^.$"}, "\u2028", False),
        ({"uniqueItems": True}, [{"a": n} for n in range(5_000)], True),
        ({"uniqueItems": True}, [1, 1.0], False),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}], True),
        (tower(6), 1, True),
        (tower(6), "x", False),
        (TREE, {"children": [{"children": []}, {}]}, True),
        (TREE, {"children": [{"children": [5]}]}, False),
        (
            {"$id": "https://tree.example/a", "$defs": {"x": {"$anchor": "here", "type": "string"}}, "$ref": "#here"},
            "a",
            True,
        ),
        ({"$id": "https://tree.example/a", "$defs": {"x": {"$id": "b", "type": "string"}}, "$ref": "b"}, 1, False),
        ({"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}, "required": ["a"]}, {"a": {}}, False),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": "object"}, True),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": 5}, False),
        (
            {"properties": {"a b": {"type": "string"}}, "additionalProperties": {"$ref": "#/properties/a%20b"}},
            {"c": 1},
            False,
        ),
    ],
)
def test_what_can_be_judged_is(schema: Json, value: Json, valid: bool) -> None:
    assert opinion(schema, value, formats=False) == (valid, "")
    assert seems_valid(schema, value) is valid
    assert bool(why(schema, value)) is not valid


def test_a_large_value_that_is_plainly_valid_is_judged_by_the_fast_one() -> None:
    assert seems_valid({"type": "array", "items": {"type": "number"}}, list(range(1_000_000))) is True


def addresses(port: int) -> list[dict[str, Json]]:
    """Schemas that lead out of themselves in every way."""
    far = f"http://127.0.0.1:{port}/x"
    out = [
        far,
        "file:///etc/hostname",
        f"ftp://127.0.0.1:{port}/x",
        f"//127.0.0.1:{port}/x",
        "other.json",
        "http://[::1",
        "::",
    ]
    return [
        *({"type": "object", "properties": {"a": {"$ref": each}}} for each in out),
        *({"type": "object", "properties": {"a": {"$dynamicRef": each}}} for each in out),
        *({"$schema": each, "type": "object", "properties": {"a": {"$ref": "#/x"}}} for each in out),
        *({"$id": each, "type": "object", "properties": {"a": {"$ref": "y"}}} for each in out),
        *({"$schema": f"{known}#", "type": "object", "properties": {"a": {"$ref": far}}} for known in DIALECTS),
        *(
            {"$schema": f"{known}#", "properties": {"a": {"type": "string"}}, "dependentSchemas": {"a": {"$ref": far}}}
            for known in DIALECTS
        ),
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": far},
        {"type": "object", "properties": {"a": {"$schema": far, "$id": far, "type": "string"}}},
        {"$vocabulary": {far: True}, "type": "object"},
    ]


def test_nothing_outside_a_schema_is_ever_looked_up() -> None:
    opinion({"type": "object", "pattern": "a"}, {"a": 1})
    with listening() as (port, heard), offline() as tried:
        for schema in addresses(port):
            for value in ({"a": 5}, {"a": "x"}, 1):
                opinion(schema, value)
                seems_valid(schema, value)
                assert "FETCHED" not in why(schema, value)
            fault(schema, tuple(DIALECTS))
            remote(schema)
    assert tried == []
    assert heard == []


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("http://127.0.0.1:9/x", "refers to 'http://127.0.0.1:9/x', which is not in it, and nothing is fetched"),
        ("file:///etc/hostname", "refers to 'file:///etc/hostname', which is not in it, and nothing is fetched"),
        ("http://[::1", "refers to 'http://[::1', which is not in it"),
    ],
)
def test_a_reference_that_leads_out_is_told(reference: str, told: str) -> None:
    with pytest.raises(SchemaError, match="which is not in it"):
        compiled({"properties": {"a": {"$ref": reference}}})
    assert told in opinion({"properties": {"a": {"$ref": reference}}}, {}).why


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("#/a", {"b c": [1, 2]}),
        ("#/a/b%20c/1", 2),
        ("#/a/b c/²", None),
        ("#/a/b c/99999999999999999999999", None),
        ("#/a/b c/-1", None),
        ("#/x~1y", 5),
        ("#/none", None),
    ],
)
def test_pointers(pointer: str, found: Json) -> None:
    assert pointed({"a": {"b c": [1, 2]}, "x/y": 5}, pointer) == found


def test_a_part_of_a_schema_that_is_too_deep_to_be_shown_is_a_fault() -> None:
    assert "nested too deep to be shown" in fault({"required": [nested(300)]}, tuple(DIALECTS))
    assert fault(nested(900), tuple(DIALECTS)).startswith("it is no object")


@pytest.mark.parametrize(
    ("schema", "dialect"),
    [
        ({"type": [nested(300, key="a"), nested(300, 2, key="a")]}, DEFAULT),
        ({"required": [nested(300), nested(300, 2)]}, next(iter(DIALECTS))),
        ({"$anchor": "\ud800"}, DEFAULT),
    ],
)
def test_a_schema_that_a_dialect_cannot_be_asked_about_is_no_fault(schema: dict[str, Json], dialect: str) -> None:
    with pytest.raises(UnjudgedError):
        fault(schema, (dialect,))


def test_a_schema_that_one_of_its_dialects_cannot_be_asked_about_may_still_be_valid_in_another() -> None:
    twice: dict[str, Json] = {"$defs": {"a": {"$anchor": "\ud800"}}}
    with pytest.raises(UnjudgedError):
        fault(twice, (DEFAULT,))
    assert fault(twice, (DEFAULT, "http://json-schema.org/draft-07/schema")) == ""


def test_the_first_fault_of_many_is_told_and_none_where_there_are_more_than_are_looked_at() -> None:
    assert fault({"items": [{"a": 1}] * 10}, (DEFAULT,)).startswith("/items: [")
    assert fault({"items": [{"a": 1}] * LARGEST}, (DEFAULT,)).startswith(f"it has more than {LARGEST} parts")


def test_what_is_kept_is_bounded_by_its_weight() -> None:
    shelf: Shelf[int, str] = Shelf(10)
    shelf.put(1, "a", 6)
    shelf.put(2, "b", 4)
    assert (shelf.get(1), shelf.get(2)) == ("a", "b")
    shelf.put(3, "c", 1)
    assert (shelf.get(1), shelf.get(2), shelf.get(3)) == (None, None, "c")


def test_no_opinion_is_formed_when_time_is_up() -> None:
    with limited(lambda: "it took too long"), pytest.raises(OutOfTimeError, match="it took too long"):
        opinion({}, 1)
    assert opinion({}, 1).valid is True

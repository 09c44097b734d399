"""MC-LIST-02 to -09, MC-HINT-01 and -05: the list, and what each definition in it says."""

from typing import Any

import pytest

from conformance.model.events import Json, Listing
from tests.laws.histories import Story

SCHEMA = {"type": "object"}
NEWEST = "2026-07-28"


def tool(name: Json = "get", **more: Json) -> dict[str, Json]:
    return {"name": name, "inputSchema": SCHEMA, **more}


def listed(requirement: str, *tools: Json, revision: str = NEWEST) -> str:
    told = Story("mcp")
    told.connect(revision=revision)
    told.list(list(tools))
    return told.judged(requirement).verdict


def test_names() -> None:
    assert listed("MC-LIST-02", tool("a"), tool("b")) == "pass"
    assert listed("MC-LIST-02", tool("a"), tool("a", description="older")) == "fail"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("get.thing-2_x", "pass"),
        ("a" * 128, "pass"),
        ("get thing", "warn"),
        ("", "warn"),
        ("a" * 129, "warn"),
        ("é", "warn"),
        (5, "warn"),
        ("a\n", "warn"),
    ],
)
def test_a_name(name: Json, verdict: str) -> None:
    assert listed("MC-LIST-03", tool(name)) == verdict


BROKEN: list[tuple[str, Json]] = [
    ("none", None),
    ("a text", "object"),
    ("no root type", {"properties": {}}),
    ("another root type", {"type": "array"}),
    ("unknown type", {"type": "object", "properties": {"a": {"type": "dict"}}}),
    ("required at the property", {"type": "object", "properties": {"a": {"required": True}}}),
    ("points to nothing", {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}),
    ("minimum a text", {"type": "object", "properties": {"a": {"minimum": "1"}}}),
]


@pytest.mark.parametrize("schema", [schema for _, schema in BROKEN], ids=[name for name, _ in BROKEN])
def test_an_input_schema_that_is_none(schema: Json) -> None:
    assert listed("MC-LIST-04", {"name": "get", "inputSchema": schema}) == "fail"


@pytest.mark.parametrize(
    "schema",
    [
        SCHEMA,
        {"type": "object", "properties": {"type": {"type": "string", "default": {"$ref": "#/nowhere"}}}},
        {"type": "object", "$defs": {"a/b": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/a~1b"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"items": [{}]}}},
        {"type": "object", "properties": {"a": {"$ref": "https://schemas.example/a.json"}}},
    ],
    ids=["plain", "a property named type", "escaped pointer", "draft 7", "remote"],
)
def test_an_input_schema_that_is_valid(schema: Json) -> None:
    assert listed("MC-LIST-04", {"name": "get", "inputSchema": schema}) == "pass"


def test_the_default_dialect_holds_from_2025_11_25_on() -> None:
    older = tool(inputSchema={"type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}]}}})
    assert listed("MC-LIST-04", older) == "fail"
    assert listed("MC-LIST-04", older, revision="2025-06-18") == "pass"


def test_an_unknown_dialect_is_not_judged() -> None:
    assert (
        listed("MC-LIST-04", tool(inputSchema={"$schema": "https://dialects.example/1", "type": "object"}))
        == "not_observed"
    )


def test_an_output_schema() -> None:
    assert listed("MC-LIST-05", tool()) == "not_applicable"
    assert listed("MC-LIST-05", tool(outputSchema={"type": "array"})) == "pass"
    assert listed("MC-LIST-05", tool(outputSchema={"type": "dict"})) == "fail"


@pytest.mark.parametrize(
    ("schema", "verdict"),
    [
        ({"type": "object", "properties": {"a": {"$ref": "https://schemas.example/a.json"}}}, "warn"),
        ({"$id": "https://schemas.example/b.json", "type": "object", "properties": {"a": {"$ref": "a.json"}}}, "warn"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}}}, "pass"),
        (
            {
                "$id": "https://schemas.example/b.json",
                "type": "object",
                "properties": {"a": {"$ref": "a.json"}},
                "$defs": {"a": {"$id": "a.json"}},
            },
            "pass",
        ),
        ({"type": "object", "properties": {"a": {"const": {"$ref": "https://schemas.example/a.json"}}}}, "pass"),
    ],
)
def test_references(schema: Json, verdict: str) -> None:
    assert listed("MC-LIST-06", tool(inputSchema=schema)) == verdict


def twice(first: list[Json], second: list[Json], *, announced: bool = False, **more: Any) -> str:
    told = Story("mcp")
    told.list(first)
    if announced:
        told.stray(payload={"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    told.connect("c2")
    told.list(second, on="c2", **more)
    return told.judged("MC-LIST-07").verdict


def test_the_same_list_again() -> None:
    assert twice([tool("a"), tool("b")], [tool("a"), tool("b", description="as of now")]) == "pass"


def test_another_list() -> None:
    assert twice([tool("a"), tool("b")], [tool("b"), tool("a")]) == "warn"
    assert twice([tool("a")], [tool("a"), tool("b")]) == "warn"
    assert twice([tool("a")], [tool("a", inputSchema={"type": "object", "required": ["x"]})]) == "warn"


def test_another_order_of_the_same_tools_is_told_as_such() -> None:
    one, other = ({"type": "object", "required": ["x"]}, {"required": ["x"], "type": "object"})
    told = Story("mcp")
    told.list([tool("a", inputSchema=one), tool("b")])
    told.list([tool("b"), tool("a", inputSchema=other)])
    [finding] = told.judged("MC-LIST-07").findings
    assert finding.saw == "the order of the tools is another than in the first list"


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ({"type": "string", "description": "a or b"}, {"type": "string", "description": "b or a"}, "pass"),
        ({"type": "string", "description": "a"}, {"type": "string"}, "pass"),
        ({"enum": [{"title": "a"}]}, {"enum": [{"title": "b"}]}, "warn"),
        ({"properties": {"title": {}}}, {"properties": {}}, "warn"),
        ({"anyOf": [{"title": "A", "type": "null"}]}, {"anyOf": [{"title": "B", "type": "null"}]}, "pass"),
        # what is a set has no order
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}, "pass"),
        ({"required": ["a", "b"]}, {"required": ["a", "c"]}, "warn"),
        ({"properties": {"a": {"enum": [1, "x"]}}}, {"properties": {"a": {"enum": ["x", 1]}}}, "pass"),
        ({"type": ["null", "string"]}, {"type": ["string", "null"]}, "pass"),
        ({"oneOf": [{"type": "null"}, {"minLength": 1}]}, {"oneOf": [{"minLength": 1}, {"type": "null"}]}, "pass"),
        (
            {"anyOf": [{"type": "string", "minLength": 1}, {"not": {}}]},
            {"anyOf": [{"minLength": 1, "type": "string"}, {"not": {}}]},
            "pass",
        ),
        ({"properties": {"required": {"const": [1, 2]}}}, {"properties": {"required": {"const": [2, 1]}}}, "warn"),
        ({"prefixItems": [{}, {"minLength": 1}]}, {"prefixItems": [{"minLength": 1}, {}]}, "warn"),
    ],
)
def test_what_only_people_read_in_a_schema_may_be_worded_otherwise(first: Json, second: Json, verdict: str) -> None:
    lists = ([tool("a", inputSchema={"type": "object", "properties": {"x": each}})] for each in (first, second))
    assert twice(*lists) == verdict


def test_it_is_told_which_schema_is_another() -> None:
    told = Story("mcp")
    told.connect()
    told.list([tool("a"), tool("b")])
    told.list([tool("a"), tool("b", outputSchema={"type": "object"})])
    assert told.judged("MC-LIST-07").findings[0].saw == "the outputSchema of b is another than in the first list"


def test_another_list_that_was_announced_or_is_not_whole() -> None:
    assert twice([tool("a")], [tool("b")], announced=True) == "not_observed"
    assert twice([tool("a")], [tool("b")], ended="failed") == "not_observed"


@pytest.mark.parametrize(
    ("code", "message", "verdict"),
    [
        (-32603, "boom", "warn"),
        (-32601, "no such method", "warn"),
        (-32000, "rate limit exceeded", "not_observed"),
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_a_list_that_is_refused_though_it_was_given(code: int, message: str, verdict: str, before: bool) -> None:
    told = Story("mcp")
    if before:
        told.list([tool("a")])
    call = told.error("tools/list", None, code, message)
    told.events.append(Listing(connection="c1", instance="main", tools=[], calls=(call,), ended="failed", t=told.now()))
    found = told.judged("MC-LIST-07").verdict
    # a list that is never given is another requirement's matter
    assert found == verdict if before else found in ("not_observed", "blocked")


def paged(*pages: list[Json], ended: str) -> Story:
    told = Story("mcp")
    calls = tuple(
        told.result("tools/list", {"cursor": str(n)}, {"tools": page, "nextCursor": "x"})
        for n, page in enumerate(pages)
    )
    tools = [each for page in pages for each in page]
    told.events.append(Listing(connection="c1", instance="main", tools=tools, calls=calls, ended=ended, t=told.now()))
    return told


def test_paging() -> None:
    assert paged([tool("a")], [tool("b")], ended="done").judged("MC-LIST-08").verdict == "pass"
    assert paged([tool("a")], [tool("a")], ended="done").judged("MC-LIST-08").verdict == "fail"


@pytest.mark.parametrize("ended", ["repeats", "endless"])
def test_paging_that_does_not_end(ended: str) -> None:
    told = paged([tool("a")], [tool("a")], ended=ended)
    assert told.judged("MC-LIST-08").verdict == "fail"
    assert told.judged("MC-LIST-02").verdict == "pass"


def test_paging_that_fails_on_a_cursor_of_the_servers_own() -> None:
    told = Story("mcp")
    calls = (
        told.result("tools/list", {}, {"tools": [tool()], "nextCursor": "x"}),
        told.error("tools/list", {"cursor": "x"}, -32602),
    )
    told.events.append(
        Listing(connection="c1", instance="main", tools=[tool()], calls=calls, ended="failed", t=told.now())
    )
    assert told.judged("MC-LIST-08").verdict == "fail"


@pytest.mark.parametrize(
    ("hints", "verdict"),
    [
        ({"ttlMs": 0, "cacheScope": "private"}, "pass"),
        ({"ttlMs": 60_000, "cacheScope": "public"}, "pass"),
        ({"ttlMs": -1, "cacheScope": "public"}, "fail"),
        ({"ttlMs": True, "cacheScope": "public"}, "fail"),
        ({"ttlMs": "5", "cacheScope": "public"}, "fail"),
        ({"cacheScope": "public"}, "fail"),
        ({"ttlMs": 1, "cacheScope": "shared"}, "fail"),
        ({"ttlMs": 1, "cacheScope": ["public"]}, "fail"),
    ],
)
def test_cache_hints(hints: dict[str, Json], verdict: str) -> None:
    told = Story("mcp")
    told.result("tools/list", None, {"tools": [], **hints})
    assert told.judged("MC-LIST-09").verdict == verdict


@pytest.mark.parametrize("method", ["prompts/list", "resources/list", "resources/templates/list"])
def test_cache_hints_of_other_lists(method: str) -> None:
    for revision, hints, verdict in (
        ("2026-07-28", {"ttlMs": 0, "cacheScope": "private"}, "pass"),
        ("2026-07-28", {"ttlMs": 0}, "fail"),
        ("2025-11-25", {}, "not_applicable"),
    ):
        told = Story("mcp")
        told.connect(revision=revision)
        told.result(method, None, {"items": [], **hints})
        assert told.judged("MC-LIST-09").verdict == verdict


@pytest.mark.parametrize(
    ("annotations", "verdict"),
    [
        ({}, "pass"),
        ({"title": "Get", "readOnlyHint": True, "of_its_own": 5}, "pass"),
        ({"readOnlyHint": "true"}, "fail"),
        ({"destructiveHint": 0}, "fail"),
        ({"idempotentHint": None}, "fail"),
        ({"title": 5}, "fail"),
        ([], "fail"),
        (None, "fail"),
    ],
)
def test_annotations(annotations: Json, verdict: str) -> None:
    assert listed("MC-HINT-01", tool(annotations=annotations)) == verdict


def test_contradicting_annotations() -> None:
    assert listed("MC-HINT-05", tool()) == "not_applicable"
    assert listed("MC-HINT-05", tool(annotations={"readOnlyHint": False})) == "not_applicable"
    assert listed("MC-HINT-05", tool(annotations={"readOnlyHint": True})) == "pass"
    assert listed("MC-HINT-05", tool(annotations={"readOnlyHint": True, "destructiveHint": True})) == "warn"


@pytest.mark.parametrize(
    "requirement",
    [
        "MC-LIST-02",
        "MC-LIST-03",
        "MC-LIST-04",
        "MC-LIST-05",
        "MC-LIST-06",
        "MC-LIST-07",
        "MC-LIST-08",
        "MC-HINT-01",
        "MC-HINT-05",
    ],
)
def test_no_law_is_upset_by_a_list_of_anything(requirement: str) -> None:
    listed(
        requirement,
        5,
        None,
        [],
        {},
        {"name": []},
        {"name": {}, "inputSchema": [], "outputSchema": 1, "annotations": "x"},
    )


def test_a_list_that_is_longer_than_it_is_followed_may_end() -> None:
    pages = [[tool(f"t{n}")] for n in range(30)]
    assert paged(*pages, ended="endless").judged("MC-LIST-08").verdict == "not_observed"
    assert paged(*pages, ended="repeats").judged("MC-LIST-08").verdict == "fail"
    assert paged(*pages, pages[0], ended="endless").judged("MC-LIST-08").verdict == "fail"
    between = paged(*pages, *[[]] * 10, [tool("last")], ended="endless")
    assert between.judged("MC-LIST-08").verdict == "not_observed"
    assert paged(*pages, *[[]] * 30, ended="endless").judged("MC-LIST-08").verdict == "fail"
    assert paged(*pages, *[[]] * 30, ended="done").judged("MC-LIST-08").verdict == "pass"

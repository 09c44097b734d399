"""What is mirrored into headers: the specification's examples (2026-07-28, Value Encoding), and what a schema marks."""

import base64

import pytest

from conformance.drive.headers import Marks, listening, mirrored, named, resumed, written
from conformance.model.events import Http, Listing


@pytest.mark.parametrize(
    ("value", "header"),
    [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("two words", "two words"),
        ("", "=?base64??="),
    ],
)
def test_the_specifications_examples(value: str, header: str) -> None:
    assert written(value) == header


def test_half_a_surrogate_pair_is_written_too() -> None:
    assert base64.b64decode(written("\ud800")[9:-2]) == b"\xed\xa0\x80"


def test_method_and_name() -> None:
    assert named("tools/call", {"name": "ツール"}) == {"mcp-method": "tools/call", "mcp-name": written("ツール")}
    assert named("resources/read", {"uri": "file:///a"}) == {"mcp-method": "resources/read", "mcp-name": "file:///a"}
    assert named("tools/list", {"name": "x"}) == {"mcp-method": "tools/list"}
    assert named("tools/call", {"name": 5}) == {"mcp-method": "tools/call"}


SCHEMA = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
        "bad": {"type": "string", "x-mcp-header": "no token"},
        "where": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
        "list": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}},
    },
}


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu", "count": 42, "dry": True}, {"region": "eu", "count": "42", "dry": "true"}),
        ({"region": None}, {}),
        ({}, {}),
        ({"where": {"zone": "a b"}}, {"zone": "a b"}),
        ({"where": "elsewhere"}, {}),
        ({"bad": "x", "list": ["y"]}, {}),
        ({"count": 2**60}, {}),
        ({"region": ["eu"]}, {}),
        ("no object", {}),
    ],
)
def test_what_a_schema_marks_is_mirrored(arguments: object, headers: dict[str, str]) -> None:
    assert mirrored(SCHEMA, arguments) == {f"mcp-param-{name}": value for name, value in headers.items()}


@pytest.mark.parametrize("schema", [None, True, {"properties": []}, {"properties": {"a": 5}}])
def test_schemas_that_are_none_mark_nothing(schema: object) -> None:
    assert mirrored(schema, {"a": 1}) == {}


def test_the_latest_list_says_what_is_marked() -> None:
    listings: list[Listing] = []
    marks = Marks(listings)
    assert marks.of("t") is None
    listings.append(Listing(connection="c1", instance="main", tools=[{"name": "t", "inputSchema": SCHEMA}, 5], t=1))
    assert marks.of("t") == SCHEMA
    assert marks.of(["t"]) is None
    listings.append(Listing(connection="c1", instance="main", tools=[{"name": "t", "inputSchema": {}}], t=2))
    assert marks.of("t") is None


def test_a_stream_is_resumed_where_it_has_an_id_and_the_revision_resumes() -> None:
    headers = {
        "content-type": "application/json",
        "accept": "x",
        "mcp-session-id": "s",
        "mcp-protocol-version": "2025-11-25",
    }
    asked = Http(method="POST", path="/mcp", headers=headers)
    again = resumed(asked, b"e-1")
    assert again is not None
    assert (again.method, again.headers["last-event-id"], again.headers["mcp-session-id"]) == ("GET", "e-1", "s")
    assert "content-type" not in listening(asked).headers
    assert resumed(asked, b"") is None
    assert resumed(asked, b"a\nb") is None
    assert resumed(Http(headers={"mcp-protocol-version": "2026-07-28"}), b"e-1") is None

"""What texts label, and placeholders for the numbers in them."""

import pytest

from conformance.contracts.mcp.reach.known import fields
from conformance.contracts.mcp.reach.labels import labels
from conformance.contracts.mcp.samples import Samples


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Created memo 5", "memo_id", "5"),
        ("✅ Task added with ID: 7f3a21bc", "id", "7f3a21bc"),
        ("Stored under id mem_01HX9.", "id", "mem_01HX9"),
        ("Task created successfully (id=12).", "id", "12"),
        ("- [5] Milk\n- [6] Bread", "id", "5"),
        ("1. Milk\n2. Bread", "id", "1"),
        ("**Version**: `3`", "version", "3"),
        ("Document #101 (version 4)", "version", "4"),
        ("Document #101 (version 4)", "document_id", "101"),
        ("Order 7f3a-21 was placed", "order_id", "7f3a-21"),
        ("Due date: 2026-01-02", "due_date", "2026-01-02"),
    ],
)
def test_a_value_has_the_name_that_stands_before_it(text, name, value):
    assert fields(text)[name] == value
    assert (name, value) in labels(text)


@pytest.mark.parametrize("text", ["", "Done.", "The file was written", "a b c"])
def test_a_text_without_any(text):
    assert fields(text) == {}


def test_a_text_is_looked_through_where_an_sdk_wrapped_it():
    assert fields({"result": "Created memo 5"}) == {"result": "Created memo 5", "memo_id": "5"}
    assert "memo_id" not in fields({"result": "Created memo 5", "more": 1}), "that is an object of the tool's own"


def test_a_number_in_a_text_is_given_as_one():
    samples = Samples(given={"save": {"id": "5", "name": "x5"}})
    assert samples.filled({"a": "{{save.id}}", "b": "{{save.id|number}}"}) == {"a": "5", "b": 5}
    with pytest.raises(LookupError):
        samples.filled("{{save.name|number}}")

"""Where values of arguments come from: names, forms, what descriptions and refusals say."""

from itertools import islice

import pytest

from conformance.contract.dialect import seems_valid
from conformance.contracts.mcp.reach import told
from conformance.contracts.mcp.reach.usual import akin, by_form, by_name, deed, tells_of_failure, usual
from conformance.contracts.mcp.reach.words import singular, singulars, words
from conformance.model.events import Json
from tests.unit.reach.tools import tool


@pytest.mark.parametrize("name", ["repoPath", "repo_path", "repo-path", "RepoPath", "repo.path"])
def test_a_name_has_the_same_words_however_it_is_spelled(name: str) -> None:
    assert words(name) == ("repo", "path")


def test_words_in_the_singular() -> None:
    assert [singular(word) for word in ("tasks", "boxes", "entries", "class", "status", "id")] == [
        "task", "box", "entry", "class", "statu", "id",
    ]  # fmt: skip
    assert singulars("list_tasks") == {"list", "task"}


@pytest.mark.parametrize(
    ("name", "says", "wanted"),
    [
        ("create_note", "", "make"),
        ("notes.list", "", "read"),
        ("deleteNote", "", "remove"),
        ("note_update", "", "change"),
        ("frobnicate", "Removes a thing.", "remove"),
        ("frobnicate", "", None),
    ],
)
def test_what_a_tool_does_by_its_name(name: str, says: str, wanted: str | None) -> None:
    assert deed(tool(name, says)) == wanted


@pytest.mark.parametrize(
    ("name", "asked", "wanted"),
    [
        ("open_ticket", ["title"], "make"),
        ("open_ticket", [], "make"),
        ("open_ticket", ["ticket_id"], "read"),
        ("open_account", ["owner_id"], "make"),
        ("open_nodes", ["names"], "read"),
        ("open_file", ["path"], "read"),
        ("openDocument", ["documentId", "title"], "make"),
    ],
)
def test_opening_makes_or_reads_by_what_is_asked_for(name: str, asked: list[str], wanted: str) -> None:
    opens = tool(name, **dict.fromkeys(asked, ""))
    assert deed(opens) == wanted


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("timezone", "UTC"),
        ("sourceTimeZone", "UTC"),
        ("repo_path", "{{files.repository}}"),
        ("path", "{{files.text}}"),
        ("start_date", "2026-11-21"),
        ("page_url", "https://example.com/"),
        ("language", "en"),
        ("search_query", "{{made}}"),
        ("port", 8080),
    ],
)
def test_the_first_value_by_name(name: str, first: Json) -> None:
    assert next(by_name(name, "", tool("use"))) == first


def test_the_tool_narrows_what_a_name_means() -> None:
    assert next(by_name("path", "", tool("list_directory"))) == "{{files.folder}}"
    assert next(by_name("filePath", "", tool("describe", "Describes an Excel workbook"))) == "{{files.workbook}}"
    assert next(by_name("title", "", tool("create_note"))) == "{{fresh.name}}"
    assert next(by_name("text", "", tool("notes_search"))) == "{{made}}"
    assert next(by_name("text", "", tool("echo"))) == "hello, an example text"
    assert next(by_name("path", "", tool("write_file"))) == "{{files.folder}}/{{fresh.file}}.txt"


def test_each_row_of_the_data_gives_values_of_arguments() -> None:
    for row in usual().parameter:
        assert row.names, row
        assert row.values or row.make, row.names
        assert all(seems_valid({"type": ["string", "number", "array"]}, value) for value in row.values), row.names


def test_names_that_take_the_same_values() -> None:
    assert akin("source", "path")
    assert not akin("source", "timezone")


def test_a_form_that_is_named() -> None:
    assert next(by_form("ISO 8601 date")) == "2026-11-21T12:00:00Z"
    assert next(by_form("Expected 5 fields")) == "0 9 * * 1"
    assert next(by_form("in the format YYYY-MM-DD")) == "2026-11-21"
    assert list(by_form("insert an image")) == []


def test_a_failure_told_in_prose() -> None:
    assert tells_of_failure("Error: no such file")
    assert tells_of_failure("❌ Failed")
    assert not tells_of_failure("No errors were found")
    assert tells_of_failure('{"status": "error", "message": "Request not found"}')
    assert tells_of_failure('{"success": false}')
    assert tells_of_failure('{"error": "there is none"}')
    assert not tells_of_failure('{"error": null, "status": "ok"}')
    assert not tells_of_failure('{"status": "failed", "job": 1}')


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("IANA name (e.g., 'America/New_York', 'Europe/London').", ["America/New_York", "Europe/London"]),
        ("A city, for example: Paris", ["Paris"]),
        ('one such as "a b" or "c"', ["a b", "c"]),
        ("no hint at all", []),
    ],
)
def test_examples_of_a_description(text: str, wanted: list[str]) -> None:
    assert list(told.examples(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Unknown vault: x. Available vaults: home, work", ["home", "work"]),
        ("Sheet 'x' not found. Available sheets: 'Sheet1'.", ["Sheet1"]),
        ("Input should be 'a', 'b' or 'c'", ["a", "b", "c"]),
        ("Expected 'delete' | 'append'", ["delete", "append"]),
        ('must be one of ["x", "y"]', ["x", "y"]),
        ("expected string, received number", []),
    ],
)
def test_choices_of_a_refusal(text: str, wanted: list[str]) -> None:
    assert list(islice(told.choices(text), len(wanted) + 1)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Operation to perform (add, subtract, multiply, divide)", ["add", "subtract", "multiply", "divide"]),
        ("Order: asc or desc", ["asc", "desc"]),
        ("Temperature unit (celsius/fahrenheit).", ["celsius", "fahrenheit"]),
        ("Format (png, jpg, or svg). Large ones take long.", ["png", "jpg", "svg"]),
        ("Number of rows (optional, integer)", []),
        ("The name (of a person, or of a place)", []),
        ("Read this first: a note, then more", []),
        ("See https://a.example/b/c", []),
    ],
)
def test_words_of_which_a_description_wants_one(text: str, wanted: list[str]) -> None:
    assert list(told.among(text)) == wanted


def test_folders_to_which_a_path_is_confined() -> None:
    assert list(told.guarded("'x' is outside the allowed repository '/srv/repo'")) == ["/srv/repo"]
    assert list(told.guarded("must be allowed, e.g. '/home/me/q1.xlsx'")) == []
    assert list(told.guarded("ENOENT: /srv/x")) == []


def test_quoted_words() -> None:
    assert list(told.quoted("use \\\"a\\\" or 'b c', not ' or '")) == ["a", "b c"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("User must be at least 13 years old", [13]),
        ("b must be between 1 and 10", [1, 10]),
        ("level: number must be greater than or equal to 5", [5]),
        ("the value exceeds the maximum of 64", [64]),
        ("speed <= 300 is wanted", [300]),
        ("must be in range 2..9", [2, 9]),
        ("Error 404: no such page", []),
        ("version 1.25 is not supported", []),
    ],
)
def test_bounds_that_a_refusal_names(text: str, numbers: list[int]) -> None:
    found = list(told.bounds(text))
    assert found[: len(numbers)] == numbers
    assert len(found) == 3 * len(numbers)

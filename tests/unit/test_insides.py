"""What a refusal shows of the inside of a server."""

import pytest

from conformance.judge.insides import STATEMENTS, TYPES, places


@pytest.mark.parametrize(
    "text",
    [
        "give a path, e.g. /var/a/b",
        "such as /tmp/a or /tmp/b",
        "for example: /home/a/b",
        "Examples:\n  read: /usr/a, /usr/b",
        "a path like '/srv/data/a'",
    ],
)
def test_an_example_is_no_place_of_the_server(text: str) -> None:
    assert list(places(text)) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Something like this failed: open /var/lib/a.sqlite", "/var/lib/a.sqlite"),
        ("We would like to help. open /var/lib/a failed", "/var/lib/a"),
        ("It looks like\n  /app/a.py cannot be read", "/app/a.py"),
    ],
)
def test_what_another_part_of_the_sentence_names_is_a_place(text: str, place: str) -> None:
    assert list(places(text)) == [place]


@pytest.mark.parametrize(
    "text",
    ["an Error { of yours }", "write Error { code }", '{"Error": {"code": 5}}', "the database is locked (Error 5)"],
)
def test_words_around_braces_are_no_type(text: str) -> None:
    assert TYPES.pattern.search(text) is None


@pytest.mark.parametrize(
    "text", ["sqlite3.OperationalError: unable to open", "sqlalchemy.exc.ProgrammingError", "psycopg.OperationalError"]
)
def test_an_error_of_a_database_driver_is_a_type(text: str) -> None:
    assert TYPES.search(text) is not None


@pytest.mark.parametrize("text", ["the sqlite3 file is busy", "asyncpg is not installed", "see sqlalchemy.org/Error"])
def test_the_name_of_a_database_driver_is_no_type(text: str) -> None:
    assert TYPES.search(text) is None


@pytest.mark.parametrize(
    ("text", "shows"),
    [("SELECT * FROM discovered", True), ("select all (*) from the list", False), ("select a tool from below", False)],
)
def test_a_selection_of_all_columns_is_a_statement(text: str, *, shows: bool) -> None:
    assert (STATEMENTS.search(text) is not None) is shows

"""What a refusal shows of the inside of a server."""

import pytest

from conformance.judge.insides import TYPES, places


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

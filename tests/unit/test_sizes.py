"""What is larger than any server takes, where neither contract nor server names a limit."""

import pytest

from conformance.judge.sizes import ENTRIES, TEXT, TITLE, large
from conformance.model.events import Json
from conformance.model.listed import ListedTool


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"title": "t" * TITLE, "text": "t" * TEXT, "steps": [{}] * ENTRIES, "limit": 10**9}, False),
        ({"title": "t" * (TITLE + 1)}, True),
        ({"text": "t" * (TEXT + 1)}, True),
        ({"steps": [{}] * (ENTRIES + 1)}, True),
        ({"steps": [{"title": "t" * (TITLE + 1)}]}, True),
        ({"steps": [{"tests": ["t"] * (ENTRIES + 1)}]}, True),
    ],
)
def test_what_is_large(given: dict[str, Json], *, found: bool) -> None:
    assert large(given, None) is found


def test_a_limit_that_is_listed_is_the_servers() -> None:
    title: Json = {"type": "string", "maxLength": 200}
    listed = ListedTool("note", {"inputSchema": {"type": "object", "properties": {"title": title}}})
    assert not large({"title": "t" * (TITLE + 1)}, listed)
    assert large({"title": "t", "text": "t" * (TEXT + 1)}, listed)

"""Requests that a server answers by a question to the client, and what it may ask of which client."""

from pathlib import Path

import pytest

from tests.e2e.driving import over_stdio

ONLY = ["MC-CALL-14", "MC-LIST-01"]
METHODS = ["tools/call", "prompts/get", "resources/read"]


@pytest.mark.parametrize("method", METHODS)
def test_a_server_that_asks_what_the_client_declared_conforms(tmp_path: Path, method: str) -> None:
    run = over_stdio(tmp_path, "asks_back", method, "rightly")
    assert run.found() == set()
    assert "MC-CALL-14" in run.verdicts("pass")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("anyone", "asks for elicitation/create, and the client did not declare elicitation"),
        ("by-url", "asks for elicitation/create by a URL, and the client did not declare that"),
        ("vaguely", "asks for elicitation/create, and its params do not say what for"),
        ("nothing", "has neither inputRequests nor a requestState"),
        ("never", "its requiredCapabilities hold none that the client did not declare"),
    ],
)
def test_one_that_asks_otherwise_is_found(tmp_path: Path, method: str, how: str, words: str) -> None:
    run = over_stdio(tmp_path, "asks_back", method, how, only=ONLY)
    assert run.found() == {"MC-CALL-14"}
    assert words in run.saw("MC-CALL-14")

"""What is said of tools does not apply to a server of prompts or resources alone."""

import pytest

from conformance.model.events import Json
from tests.laws.mcp.offers import story

ABOUT_TOOLS = ("MC-LIST-02", "MC-LIST-05", "MC-HINT-02", "MC-CALL-04", "MC-CALL-09", "MC-CALL-17")
REFUSED: Json = {"code": -32601, "message": "Method not found"}


@pytest.mark.parametrize("requirement", ABOUT_TOOLS)
@pytest.mark.parametrize(
    ("declared", "verdict"),
    [
        ({"prompts": {}}, "not_applicable"),
        ({"resources": {}}, "not_applicable"),
        ({"prompts": {}, "tools": {}}, "not_observed"),
        ({}, "not_observed"),
        ({"logging": {}}, "not_observed"),
    ],
)
def test_what_does_not_apply(requirement: str, declared: dict[str, Json], verdict: str) -> None:
    told = story(capabilities=declared)
    assert told.judged(requirement).verdict == verdict


@pytest.mark.parametrize("requirement", ["MC-LIST-02", "MC-LIST-04"])
def test_tools_that_are_listed_and_not_declared_are_judged(requirement: str) -> None:
    told = story(capabilities={"prompts": {}})
    told.list([{"name": "a", "inputSchema": {"type": "object"}}])
    assert told.judged(requirement).verdict == "pass"
    assert told.judged("MC-HINT-03").verdict != "pass"


def test_a_tool_that_answers_is_one() -> None:
    told = story(capabilities={"prompts": {}})
    told.accepted("a", {}, {})
    assert told.judged("MC-CALL-17").verdict == "not_observed"

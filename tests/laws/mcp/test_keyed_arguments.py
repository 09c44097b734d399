"""Bad arguments beside a key that makes a write repeatable: a refusal for a used key tells nothing of them."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"count": {"type": "integer"}, "idempotency_key": {"type": "string"}},
    "required": ["count", "idempotency_key"],
}


def told(*calls: tuple[Json, str, bool], name: str = "idempotency_key") -> Story:
    """Calls: what is counted, the key, and whether the call was accepted."""
    found = Story("mcp")
    found.connect()
    properties: dict[str, Json] = {"count": {"type": "integer"}, name: {"type": "string"}}
    found.list([{"name": "add", "inputSchema": {**SCHEMA, "properties": properties, "required": ["count", name]}}])
    for count, key, accepted in calls:
        found.call("add", {"count": count, name: key}, {"id": 1} if accepted else {"error": "no"}, failed=not accepted)
    return found


@pytest.mark.parametrize("requirement", ["MC-CALL-04", "MC-CALL-05"])
@pytest.mark.parametrize(
    ("calls", "subjects"),
    [
        ([(1, "a", True), (1, "b", True), ("x", "c", False)], 1),
        ([(1, "a", True), (1, "b", True), ("x", "a", False)], 0),
        ([(1, "a", True), (1, "b", True), ("x", "c", False), ("x", "b", False)], 1),
        ([("x", "a", False), (1, "a", True), (1, "b", True)], 1),
        ([(1, "a", True), (1, "b", False), ("x", "c", False)], 0),
        ([(1, "a", True), (1, "b", False), ("x", "a", False)], 1),
    ],
    ids=["a new key", "a used key", "both", "used later", "other keys are refused", "a name of what there is"],
)
def test_a_refusal_under_a_used_key(requirement: str, calls: list[tuple[Json, str, bool]], subjects: int) -> None:
    outcome = told(*calls).judged(requirement)
    assert (outcome.verdict, outcome.subjects) == ("pass" if subjects else "not_observed", subjects)


def test_another_argument_is_no_key() -> None:
    calls = [(1, "a", True), (1, "b", True), ("x", "c", False)]
    assert told(*calls, name="title").judged("MC-CALL-04").verdict == "not_observed"


def test_bad_arguments_that_use_up_a_key() -> None:
    calls = [(1, "a", True), (1, "b", True), ("x", "c", True), ("y", "c", False)]
    outcome = told(*calls).judged("MC-CALL-04")
    assert (outcome.verdict, outcome.subjects) == ("fail", 1)

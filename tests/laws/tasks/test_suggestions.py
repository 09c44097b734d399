"""TK-SUG-*: what an answer hands to its caller to be executed."""

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tasks.room import TASK, Room

IDS = [f"TK-SUG-0{number}" for number in range(1, 7)]
PARAMS: dict[str, Json] = {"workspace": "w"}
SUGGESTION: dict[str, Json] = {
    "action": "call_tool",
    "target": "tasks_context",
    "reason": "see what there is",
    "priority": "high",
    "validated": True,
    "params": PARAMS,
}
SCHEMA: Json = {"type": "object", "properties": {"workspace": {"type": "string"}}, "additionalProperties": False}
LISTED: Json = {"name": "tasks_context", "inputSchema": SCHEMA}


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("tasks", "suggestions").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)


@pytest.mark.parametrize("deviation", IDS)
def test_a_deviation_fails_alone(deviation: str) -> None:
    outcomes = driven("tasks", "suggestions", deviation=deviation).outcomes
    assert {o.id for o in outcomes if o.id.startswith("TK-SUG") and o.verdict in ("fail", "warn")} == {deviation}


def suggesting(*suggestions: Json, listed: Json = LISTED) -> Room:
    room = Room()
    room.list([listed])
    room.no("tasks_radar", "UNKNOWN_ID", suggestions, task=TASK)
    return room


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "pass"),
        ({"action": "read"}, "pass"),
        ({"priority": 1}, "fail"),
        ({"validated": "yes"}, "fail"),
        ({"params": None}, "fail"),
        ({"reason": ""}, "fail"),
        ({"target": None}, "fail"),
    ],
)
def test_form(changed: dict[str, Json], verdict: str) -> None:
    assert suggesting({**SUGGESTION, **changed}).judged("TK-SUG-01").verdict == verdict
    assert suggesting(changed and "look").judged("TK-SUG-01").verdict == "fail"


def test_a_target_is_listed() -> None:
    assert suggesting(SUGGESTION).judged("TK-SUG-02").verdict == "pass"
    assert suggesting({**SUGGESTION, "target": "tasks_view"}).judged("TK-SUG-02").verdict == "fail"
    assert suggesting({**SUGGESTION, "target": "a human", "action": "ask"}).judged("TK-SUG-02").subjects == 0


def test_a_list_that_was_cut_short_tells_nothing() -> None:
    room = Room()
    room.list([LISTED], ended="repeated")
    room.no("tasks_radar", "UNKNOWN_ID", [{**SUGGESTION, "target": "tasks_view"}], task=TASK)
    assert room.judged("TK-SUG-02").subjects == 0


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "pass"),
        ({"params": {"workspace": None}}, "fail"),
        ({"params": {"workspace": "w", "more": 1}}, "fail"),
        ({"params": {"more": 1}, "validated": False}, "not_observed"),
    ],
)
def test_params_satisfy_the_schema(changed: dict[str, Json], verdict: str) -> None:
    assert suggesting({**SUGGESTION, **changed}).judged("TK-SUG-03").verdict == verdict


def test_a_schema_that_is_none_tells_nothing() -> None:
    listed: Json = {"name": "tasks_context", "inputSchema": {"type": 5}}
    assert suggesting(SUGGESTION, listed=listed).judged("TK-SUG-03").subjects == 0


@pytest.mark.parametrize(
    ("code", "verdict"), [("INVALID_INPUT", "fail"), ("INVALID_NAME", "fail"), ("UNKNOWN_ID", "pass"), ("", "pass")]
)
def test_a_suggestion_is_executed(code: str, verdict: str) -> None:
    room = suggesting(SUGGESTION)
    if code:
        room.no("tasks_context", code)
    else:
        room.ok("tasks_context", {})
    assert room.judged("TK-SUG-04").verdict == verdict


def test_a_protocol_error_says_the_same() -> None:
    room = suggesting(SUGGESTION)
    room.error("tools/call", {"name": "tasks_context", "arguments": PARAMS}, -32602)
    assert room.judged("TK-SUG-04").verdict == "fail"


def test_what_was_written_meanwhile_may_have_spoilt_it() -> None:
    room = suggesting(SUGGESTION)
    room.edit(1)
    room.no("tasks_context", "INVALID_INPUT")
    assert room.judged("TK-SUG-04").subjects == 0


@pytest.mark.parametrize(
    ("recovery", "suggestions", "verdict"),
    [("look", [], "pass"), (None, [SUGGESTION], "pass"), (None, [], "warn"), ("", [], "warn")],
)
def test_an_error_helps(recovery: Json, suggestions: list[Json], verdict: str) -> None:
    room = Room()
    error = {"code": "UNKNOWN_ID", "message": "no", "recovery": recovery}
    envelope = {"success": False, "error": error, "suggestions": suggestions}
    room.call("tasks_radar", {"workspace": "w"}, envelope, failed=True)
    assert room.judged("TK-SUG-05").verdict == verdict


def recovering(shown: Json, *, accepted: bool = True, expected: int = 4) -> Room:
    room = Room()
    edit: dict[str, Json] = {"task": TASK, "title": "new"}
    room.no("tasks_edit", "REVISION_MISMATCH", [SUGGESTION], **edit, expected_revision=9)
    room.ok("tasks_context", {"tasks": [{"id": TASK, "revision": shown}]})
    if accepted:
        room.ok("tasks_edit", {"id": TASK, "revision": 5}, **edit, expected_revision=expected)
    else:
        room.no("tasks_edit", "REVISION_MISMATCH", [SUGGESTION], **edit, expected_revision=expected)
    return room


def test_a_mismatch_is_recovered_from() -> None:
    assert recovering(4).judged("TK-SUG-06").verdict == "pass"
    assert recovering(4, accepted=False).judged("TK-SUG-06").verdict == "blocked"
    assert recovering(None).judged("TK-SUG-06").verdict == "fail"
    assert recovering(3, accepted=False).judged("TK-SUG-06").subjects == 0


def test_a_retry_that_is_malformed_besides_shows_nothing() -> None:
    for code, subjects in (("INVALID_INPUT", 0), ("REVISION_MISMATCH", 1)):
        room = Room()
        edit: dict[str, Json] = {"task": TASK, "title": "new"}
        room.no("tasks_edit", "REVISION_MISMATCH", [SUGGESTION], **edit, expected_revision=9)
        room.ok("tasks_context", {"tasks": [{"id": TASK, "revision": 4}]})
        room.no("tasks_edit", code, **edit, expected_revision=4, expected_version=None)
        assert room.judged("TK-SUG-06").subjects == subjects


def test_suggestions_that_nobody_followed_tell_nothing() -> None:
    room = Room()
    room.no("tasks_edit", "REVISION_MISMATCH", [SUGGESTION], task=TASK, title="new", expected_revision=9)
    assert room.judged("TK-SUG-06").subjects == 0

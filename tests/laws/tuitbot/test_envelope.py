"""TB-ENV: one envelope, its keys and their types, with MCP's own flag beside it."""

import json
from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import GONE, Bot, changed

IDS = [f"TB-ENV-{number:02}" for number in range(1, 19)]
SUCCESS = {"success": True, "data": {"mode": "autopilot"}, "meta": {"tool_version": "1.0", "elapsed_ms": 0}}
FAILURE = {"success": False, "data": None, "error": {"code": "db_error", "message": "it failed", "retryable": True}}
AWAY: Json = {"database": "failing"}
"""Without it a tool that needs it is rightly refused."""
SILENT: dict[str, Json] = {"success": True, "data": None}


@pytest.mark.parametrize("identifier", IDS)
@pytest.mark.parametrize("profile", ["write", "api-readonly"])
def test_good_answers_keep_every_rule(identifier: str, profile: str) -> None:
    story = Bot(profile)
    story.good("get_mode", {}, {"mode": "autopilot"})
    story.good("get_mode", {}, None, meta={"tool_version": "1.0", "elapsed_ms": 2**63})
    story.answer("get_mode", SILENT)
    resets = {"rate_limit_reset": "2026-07-28T12:00:00Z", "policy_decision": "denied"}
    story.bad("x_post_tweet", "policy_denied_rate_limited", {"text": "a"}, error=resets)
    expected = {"TB-ENV-14": "warn"}  # 2^63 ms is too long for any call
    if profile == "api-readonly":
        expected |= dict.fromkeys(("TB-ENV-16", "TB-ENV-17"), "not_applicable")
    assert story.verdict(identifier) == expected.get(identifier, "pass")


@pytest.mark.parametrize(
    ("identifier", "envelope"),
    [
        ("TB-ENV-02", {"success": "true"}),
        ("TB-ENV-02", {"success": 1}),
        ("TB-ENV-02", {"success": GONE}),
        ("TB-ENV-03", {"layer": "workflow"}),
        ("TB-ENV-04", {"error": None}),
        ("TB-ENV-05", {"data": GONE}),
        ("TB-ENV-12", {"meta": None}),
        ("TB-ENV-12", {"meta": {"elapsed_ms": 0}}),
        ("TB-ENV-12", {"meta": {"tool_version": 1.0, "elapsed_ms": 0}}),
        ("TB-ENV-13", {"meta": {"tool_version": "1.0"}}),
        ("TB-ENV-13", {"meta": {"elapsed_ms": True}}),
        ("TB-ENV-13", {"meta": {"elapsed_ms": -1}}),
        ("TB-ENV-13", {"meta": {"elapsed_ms": 2**64}}),
        ("TB-ENV-13", {"meta": {"elapsed_ms": 1.5}}),
        ("TB-ENV-15", {"meta": {"correlation_id": "c"}}),
        ("TB-ENV-16", {"meta": {"mode": "automatic"}}),
        ("TB-ENV-16", {"meta": {"mode": None}}),
        ("TB-ENV-17", {"meta": {"approval_mode": 1}}),
    ],
)
def test_a_success_that_breaks_one(identifier: str, envelope: dict[str, Any]) -> None:
    story = Bot()
    story.answer("get_mode", changed(SUCCESS, envelope))
    assert story.verdict(identifier) == "fail"


@pytest.mark.parametrize(
    ("identifier", "error"),
    [
        ("TB-ENV-06", {"code": "user_not_found"}),
        ("TB-ENV-06", {"code": "x_request_blocked"}),
        ("TB-ENV-06", {"code": ["db_error"]}),
        ("TB-ENV-06", {"code": GONE}),
        ("TB-ENV-07", {"message": " "}),
        ("TB-ENV-07", {"message": GONE}),
        ("TB-ENV-08", {"retryable": 1}),
        ("TB-ENV-08", {"retryable": GONE}),
        ("TB-ENV-09", {"rate_limit_reset": "soon"}),
        ("TB-ENV-09", {"rate_limit_reset": "2026-07-28"}),
        ("TB-ENV-09", {"rate_limit_reset": "2026-13-28T12:00:00Z"}),
        ("TB-ENV-09", {"rate_limit_reset": None}),
        ("TB-ENV-09", {"rate_limit_reset": True}),
        ("TB-ENV-10", {"policy_decision": "allow"}),
        ("TB-ENV-10", {"policy_decision": ["denied"]}),
        ("TB-ENV-11", {"retry_after_ms": 1}),
    ],
)
def test_an_error_that_breaks_one(identifier: str, error: dict[str, Any]) -> None:
    story = Bot()
    story.bad("get_stats", "db_error", error=error, conditions=AWAY)
    assert story.verdict(identifier) == "fail"


@pytest.mark.parametrize(
    "reset",
    [
        "2026-07-28T12:00:00Z",
        "2026-07-28T12:00:00.5+02:00",
        "2026-07-28 12:00",
        "20260728T120000Z",
        1_785_000_000,
        "17",
    ],
)
def test_a_reset_may_be_written_in_several_ways(reset: Json) -> None:
    story = Bot()
    story.bad("get_stats", "db_error", error={"rate_limit_reset": reset}, conditions=AWAY)
    assert story.verdict("TB-ENV-09") == "pass"


@pytest.mark.parametrize("error", [GONE, None, "db_error"])
def test_a_failure_without_an_error(error: Any) -> None:
    story = Bot()
    story.answer("get_stats", changed(FAILURE, {"error": error}), conditions=AWAY)
    assert story.verdict("TB-ENV-04") == "fail"
    assert story.verdict("TB-ENV-06") == "not_observed"


TEXT = json.dumps(SUCCESS)


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ({"structuredContent": SUCCESS, "content": []}, "pass"),
        ({"structuredContent": SUCCESS, "content": [{"type": "text", "text": TEXT}]}, "pass"),
        ({"structuredContent": SUCCESS, "content": [{"type": "text", "text": "The mode is autopilot."}]}, "pass"),
        ({"content": [{"type": "text", "text": TEXT}]}, "pass"),
        ({"structuredContent": [SUCCESS], "content": []}, "fail"),
        ({"structuredContent": SUCCESS, "content": [{"type": "text", "text": json.dumps(SILENT)}]}, "fail"),
        ({"content": [{"type": "text", "text": TEXT}, {"type": "text", "text": TEXT}]}, "fail"),
        ({"content": [{"type": "text", "text": "unknown mode"}], "isError": True}, "fail"),
        ({"content": [{"type": "image", "data": "", "mimeType": "image/png"}]}, "fail"),
        ({"content": 7}, "fail"),
        ({}, "fail"),
    ],
)
def test_where_the_envelope_is(result: dict[str, Json], verdict: str) -> None:
    story = Bot()
    story.result("tools/call", {"name": "get_mode", "arguments": {}}, result, instance="i1")
    assert story.verdict("TB-ENV-01") == verdict


def test_what_is_no_tool_of_the_profile_answers_as_it_likes() -> None:
    story = Bot("api")
    for tool in ("get_stats", "no_such_tool"):
        result = {"content": [{"type": "text", "text": "unknown tool"}], "isError": True}
        story.result("tools/call", {"name": tool, "arguments": {}}, result, instance="i1")
    story.error("tools/call", {"name": "get_mode", "arguments": {"x": 1}}, -32602, instance="i1")
    assert story.verdict("TB-ENV-01") == "not_observed"


def test_time_from_outside_is_the_bound() -> None:
    for elapsed, verdict in ((40, "pass"), (3_600_000, "warn")):
        story = Bot()
        story.good("get_mode", meta=story.meta(elapsed_ms=elapsed))
        assert story.verdict("TB-ENV-14") == verdict


@pytest.mark.parametrize(("failed", "verdict"), [(True, "pass"), (False, "warn")])
def test_is_error_says_what_success_says(failed: bool, verdict: str) -> None:
    story = Bot()
    story.bad("get_stats", "db_error", failed=failed, conditions=AWAY)
    assert story.verdict("TB-ENV-18") == verdict


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "envelope", "errors", edition="convergence")
    for identifier in IDS:
        outcome = judged.outcome(identifier)
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 0) == ("pass", True), identifier


@pytest.mark.parametrize(
    ("code", "error", "verdict"),
    [
        ("policy_denied_rate_limited", {}, "not_applicable"),
        ("x_rate_limited", {}, "not_applicable"),
        ("x_forbidden", {}, "not_observed"),
        ("policy_denied_rate_limited", {"rate_limit_reset": "2026-11-21T12:00:00Z"}, "pass"),
        ("x_rate_limited", {"rate_limit_reset": "soon"}, "fail"),
    ],
)
def test_a_reset_may_be_left_out(code: str, error: dict[str, Any], verdict: str) -> None:
    story = Bot("workflow")
    story.bad("x_post_tweet", code, {"text": "a"}, error=error, conditions={"x": code.removeprefix("x_")})
    assert story.verdict("TB-ENV-09") == verdict

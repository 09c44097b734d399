"""TB-RETRY: retryable follows from the code alone."""

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

RETRYABLE = {
    "x_rate_limited",
    "x_network_error",
    "x_api_error",
    "db_error",
    "llm_error",
    "thread_partial_failure",
    "policy_error",
}


@pytest.mark.parametrize(("second", "verdict"), [(False, "pass"), (True, "fail"), (0, "blocked")])
def test_one_code_in_two_tools(second: Json, verdict: str) -> None:
    story = Bot()
    story.bad("get_tweet_by_id", "not_found")
    story.bad("reject_item", "not_found", error={"retryable": second})
    assert story.verdict("TB-RETRY-01") == verdict


@pytest.mark.parametrize("code", sorted(Bot().contract.errors))
def test_each_code_has_its_flag(code: str) -> None:
    for flag in (True, False):
        story = Bot()
        story.bad("get_stats", code, error={"retryable": flag})
        assert story.alone("TB-RETRY-03") == ("pass" if flag is (code in RETRYABLE) else "fail")


def test_a_code_of_its_own_is_another_rules_matter() -> None:
    story = Bot()
    story.bad("get_stats", "out_of_coffee", error={"retryable": True})
    assert story.alone("TB-RETRY-03") == "not_observed"


@pytest.mark.parametrize("wish", [True, False])
@pytest.mark.parametrize("carrier", ["arguments", "meta", "nested"])
def test_a_wish_changes_nothing(wish: bool, carrier: str) -> None:
    arguments: dict[str, Json] = {"retryable": wish} if carrier == "arguments" else {}
    if carrier == "nested":
        arguments = {"error": [{"retryable": wish}]}
    meta = {"_meta": {"x": {"retryable": wish}}} if carrier == "meta" else {}
    for answered in (True, False):
        story = Bot()
        story.good("get_tweet_by_id", {"tweet_id": "1"})
        story.bad("get_tweet_by_id", "validation_error", {})
        error = {"code": "validation_error", "message": "no", "retryable": answered}
        result = {"structuredContent": {"success": False, "data": None, "error": error}, "content": [], "isError": True}
        story.result("tools/call", {"name": "get_tweet_by_id", "arguments": arguments, **meta}, result, instance="i1")
        assert story.verdict("TB-RETRY-02") == ("fail" if answered else "pass")


def test_without_its_like_a_wish_shows_nothing() -> None:
    story = Bot()
    story.bad("get_tweet_by_id", "validation_error", {"retryable": True}, error={"retryable": True})
    story.bad("reject_item", "validation_error", {})
    assert story.verdict("TB-RETRY-02") == "not_observed"


def test_of_a_tool_that_is_always_refused_nothing_is_known() -> None:
    story = Bot()
    story.bad("get_tweet_by_id", "validation_error", {})
    story.bad("get_tweet_by_id", "validation_error", {"retryable": True}, error={"retryable": True})
    assert story.judged("TB-RETRY-02").subjects == 0


def test_who_grants_wishes_is_the_one_root() -> None:
    judged = driven("tuitbot", "retry", deviation="TB-RETRY-02", edition="convergence")
    for identifier in ("TB-RETRY-01", "TB-RETRY-03", "TB-ERR-validation_error"):
        outcome = judged.outcome(identifier)
        assert outcome is not None
        assert (outcome.verdict, outcome.blocked_by) == ("blocked", "TB-RETRY-02")


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "retry", "errors", edition="convergence")
    for number in (1, 2, 3):
        outcome = judged.outcome(f"TB-RETRY-0{number}")
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)

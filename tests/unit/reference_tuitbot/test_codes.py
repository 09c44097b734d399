"""Each of the 28 codes, provoked; each error of the layers has exactly one."""

import pytest

from reference_server.tuitbot.codes import CODES
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.toolkit.errors import ToolkitError
from reference_server.tuitbot.workflow.errors import WorkflowError

from .bot import UNGATED, Bot, picture

RULE = {"conditions": {"tools": ["x_post_tweet"]}, "action": {"type": "deny"}}


def policy(**changed):
    return {"policy": {"require_approval_for": [], **changed}}


PROVOKED = {
    "x_rate_limited": ({}, {"x": "rate_limited"}, "x_get_bookmarks", {}),
    "x_auth_expired": ({}, {"x": "auth_expired"}, "x_get_bookmarks", {}),
    "x_forbidden": ({}, {"x": "forbidden"}, "x_get_bookmarks", {}),
    "x_account_restricted": ({}, {"x": "account_restricted"}, "x_get_bookmarks", {}),
    "x_network_error": ({}, {"x": "network_error"}, "x_get_bookmarks", {}),
    "x_api_error": ({}, {"x": "api_error"}, "x_get_bookmarks", {}),
    "x_not_configured": ({"x_client": False}, {}, "x_get_bookmarks", {}),
    "db_error": ({}, {"database": "failing"}, "get_stats", {}),
    "validation_error": ({}, {}, "get_stats", {"days": "seven"}),
    "invalid_input": ({}, {}, "x_search_tweets", {"query": "rust", "pagination_token": "nonsense"}),
    "tweet_too_long": ({}, {}, "x_post_tweet", {"text": "a" * 281}),
    "llm_error": ({}, {"llm": "failing"}, "generate_tweet", {}),
    "llm_not_configured": ({"llm": False}, {}, "generate_tweet", {}),
    "unsupported_media_type": ({}, {}, "x_upload_media", {"file_path": "a.txt"}),
    "file_read_error": ({}, {}, "x_upload_media", {"file_path": "/nowhere/a.png"}),
    "thread_partial_failure": (
        UNGATED,
        {"x_after": {"calls": 1, "failure": "forbidden"}},
        "x_post_thread",
        {"tweets": ["a", "b"]},
    ),
    "policy_error": ({}, {"policy": "failing"}, "x_post_tweet", {"text": "a"}),
    "policy_denied_blocked": (policy(blocked_tools=["x_post_tweet"]), {}, "x_post_tweet", {"text": "a"}),
    "policy_denied_rate_limited": (policy(max_mutations_per_hour=0), {}, "x_post_tweet", {"text": "a"}),
    "policy_denied_hard_rule": (
        policy(rules=[{"id": "hard:no", "priority": 5, **RULE}]),
        {},
        "x_post_tweet",
        {"text": "a"},
    ),
    "policy_denied_user_rule": (policy(rules=[{"id": "mine", **RULE}]), {}, "x_post_tweet", {"text": "a"}),
    "context_error": ({}, {}, "get_author_context", {"identifier": "nobody"}),
    "recommendation_error": ({}, {}, "recommend_engagement_action", {"author_username": "nobody", "tweet_text": "a"}),
    "topic_error": ({}, {"topic_analysis": "failing"}, "topic_performance_snapshot", {}),
    "not_found": ({}, {}, "get_tweet_by_id", {"tweet_id": "1"}),
    "serialization_error": ({}, {"serialization": "failing"}, "get_mode", {}),
}


@pytest.mark.parametrize("code", PROVOKED)
def test_the_code_is_answered_where_it_is_due(code):
    settings, under, tool, arguments = PROVOKED[code]
    error = Bot(settings).error(tool, under=under, **arguments)
    assert error["code"] == code
    assert error["retryable"] is ErrorCode(code).retryable
    assert error["message"]


def test_a_failed_upload_is_a_media_error(tmp_path):
    bot = Bot()
    for under in ({"media_upload": "failing"}, {"x": "rate_limited"}):
        assert bot.code("x_upload_media", under=under, file_path=str(picture(tmp_path))) == "media_upload_error"
    assert bot.tuitbot.world.media == {}


def test_all_codes_are_provoked():
    assert {*PROVOKED, "media_upload_error", "scraper_mutation_blocked"} == {code.value for code in ErrorCode}


def test_every_error_of_the_layers_has_one_code():
    assert {*ToolkitError.__subclasses__(), *WorkflowError.__subclasses__()} <= set(CODES)


@pytest.mark.parametrize("failure", ["rate_limited", "auth_expired", "forbidden", "account_restricted", "api_error"])
def test_composites_over_authors_answer_their_own_codes(failure):
    bot = Bot()
    assert bot.code("get_author_context", under={"x": failure}, identifier="ada_codes") == "context_error"
    assert (
        bot.code("recommend_engagement_action", under={"x": failure}, author_username="ada_codes", tweet_text="a")
        == "recommendation_error"
    )
    down = {"x": failure, "database": "failing"}
    assert bot.code("get_author_context", under=down, identifier="ada_codes") == "db_error"


def test_a_rate_limit_of_x_says_when_it_ends():
    error = Bot().error("x_get_bookmarks", under={"x": "rate_limited"})
    assert error["rate_limit_reset"] == "2033-05-18T12:15:00Z"


def test_a_condition_lasts_for_its_request_alone():
    bot = Bot()
    assert bot.code("x_get_bookmarks", under={"x": "forbidden"}) == "x_forbidden"
    assert bot.data("x_get_bookmarks")["data"]

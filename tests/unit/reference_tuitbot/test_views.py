"""What the server shows of itself and of what was done."""

from reference_server.tuitbot import default_settings

from .bot import UNGATED, Bot


def test_secrets_are_masked():
    config = Bot().data("get_config")
    assert config["credentials"] == {
        "x_client_id": "refe...t-id",
        "x_client_secret": "refe...cret",
        "llm_api_key": "refe...-key",
    }
    assert Bot(credentials={"llm_api_key": "short"}).data("get_config")["credentials"]["llm_api_key"] == "****"


def test_an_invalid_configuration_is_told_in_a_success():
    assert Bot().data("validate_config") == {"valid": True, "errors": []}
    report = Bot(policy={"template": "none"}, scoring={"threshold": 101}).data("validate_config")
    assert report["valid"] is False
    assert len(report["errors"]) == 2


def test_the_mode_names_the_profile_only_in_api():
    assert Bot().data("get_mode") == {"mode": "autopilot", "approval_mode": True}
    assert Bot(profile="api").data("get_mode")["profile"] == "api"


def test_telemetry_counts_calls_errors_and_decisions():
    bot = Bot(policy={"blocked_tools": ["x_retweet"], "require_approval_for": []})
    bot.code("x_retweet", tweet_id=bot.tweet())
    bot.data("x_get_bookmarks")
    bot.data("x_post_tweet", text="a")
    summary = bot.data("get_mcp_tool_metrics")["summary"]
    assert (summary["total_calls"], summary["total_failures"], summary["policy_decisions"]) == (3, 1, {"denied": 1})
    assert bot.data("get_mcp_error_breakdown")["breakdown"][0]["error_code"] == "policy_denied_blocked"
    usage = bot.data("get_x_usage")
    assert (usage["summary"]["calls_today"], usage["summary"]["cost_today"]) == (2, 0.015)
    assert [each["status"] for each in bot.data("get_action_log")] == ["denied", "success"]
    assert bot.data("get_mcp_tool_metrics", under={"clock": 90_000})["summary"]["total_calls"] == 0


def test_topics_are_compared_with_the_average():
    bot = Bot()
    bot.tuitbot.clock.source = lambda: max(post.at for post in bot.tuitbot.store.content.measured)
    topics = {each["topic"]: each for each in bot.data("topic_performance_snapshot", lookback_days=60)["topics"]}
    assert topics["developer tools"]["recommendation"] == "experiment"
    assert topics["testing"]["recommendation"] == "maintain"
    assert bot.data("topic_performance_snapshot", lookback_days=0)["total_posts_analyzed"] == 1
    assert bot.data("suggest_topics")[0]["format"] == "thread"
    assert bot.data("get_stats", days=60)["tweets_measured"] == 7


def test_a_trend_is_oldest_first_and_as_long_as_asked():
    trend = Bot().data("get_follower_trend", limit=3)
    assert [each["follower_count"] for each in trend] == [1188, 1195, 1200]
    assert Bot().data("get_follower_trend", limit=0) == []


def test_an_author_is_found_by_handle_and_id():
    bot = Bot()
    assert bot.data("get_author_context", identifier="2001") == bot.data("get_author_context", identifier="ada_codes")


def test_one_does_not_answer_oneself():
    advice = Bot().data("recommend_engagement_action", author_username="tuitbot_ref", tweet_text="rust testing?")
    assert advice["recommended_action"] == "skip"
    advice = Bot().data("recommend_engagement_action", author_username="ada_codes", tweet_text="rust testing?")
    assert advice["recommended_action"] == "reply"


def test_capabilities_tell_what_is_away():
    assert Bot(UNGATED, x_client=False).data("get_capabilities")["direct_tools"]["authenticated_user_id"] is None
    assert Bot(profile="api").data("get_capabilities")["db_available"] is False
    assert Bot().data("get_capabilities", under={"database": "failing"})["rate_limits"] == []


def test_an_instance_can_be_opened_with_the_settings_that_it_claims():
    assert Bot(default_settings()).data("get_config") == Bot().data("get_config")
    assert "credentials" not in default_settings()

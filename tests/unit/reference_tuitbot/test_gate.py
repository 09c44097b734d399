"""What the gate decides, and what becomes of it."""

import json

import pytest

from reference_server.tuitbot.editions import SESSION_05
from reference_server.tuitbot.tools.catalogue import catalogue

from .bot import NOON, UNGATED, Bot, picture, working

TOOLS = catalogue(SESSION_05)
GATED = [name for name, tool in TOOLS.items() if tool.gated]
UNASKED = {"approve_item", "approve_all", "reject_item", "x_upload_media"}


def policy(**changed):
    return {"policy": {"require_approval_for": [], **changed}}


def rule(kind, **more):
    return {"id": "mine", "action": {"type": kind, "reason": "because"}, **more}


def tweets(bot):
    return len(bot.tuitbot.world.tweets)


def test_all_mutations_but_four_are_gated():
    assert {name for name, tool in TOOLS.items() if tool.mutation} == {*GATED, *UNASKED}


@pytest.mark.parametrize("tool", GATED)
@pytest.mark.parametrize("kind", ["deny", "dry_run", "require_approval"])
def test_a_rule_for_all_holds_every_gated_mutation_back(tool, kind, tmp_path):
    bot = Bot(policy(rules=[rule(kind)]))
    arguments = working(bot, tool, tmp_path)
    before = repr(bot.tuitbot.world)
    answer = bot.call(tool, arguments)
    assert repr(bot.tuitbot.world) == before
    assert answer.effects == ()
    if tool == "x_delete_tweet":
        assert answer.envelope["data"]["matched_rule_id"] == "hard:delete_approval"
    elif kind == "deny":
        assert answer.envelope["error"]["policy_decision"] == "denied"
    elif kind == "dry_run":
        data = answer.envelope["data"]
        assert (data["would_execute"], json.loads(data["params"])) == (tool, arguments)
    else:
        assert answer.envelope["data"]["routed_to_approval"] is True


@pytest.mark.parametrize("tool", sorted(UNASKED))
def test_the_other_mutations_act_whatever_the_rules_say(tool, tmp_path):
    bot = Bot(policy(rules=[rule("deny")]))
    assert not bot.call(tool, working(bot, tool, tmp_path)).failed


def test_a_routed_tweet_waits_and_is_posted_once_when_approved():
    bot = Bot()
    count = tweets(bot)
    item = bot.data("x_post_tweet", text="hello")["approval_queue_id"]
    assert tweets(bot) == count
    (waiting,) = bot.data("list_pending_approvals")
    assert (waiting["id"], waiting["action_type"], waiting["generated_content"]) == (item, "x_post_tweet", "hello")
    bot.data("approve_item", id=item)
    assert bot.code("approve_item", id=item) == "invalid_input"
    assert bot.code("reject_item", id=item) == "invalid_input"
    assert tweets(bot) == count + 1
    assert bot.data("get_pending_count") == {"pending_count": 0}


def test_a_rejected_item_is_never_done():
    bot = Bot()
    count = tweets(bot)
    item = bot.data("x_post_tweet", text="hello")["approval_queue_id"]
    bot.data("reject_item", id=item)
    assert bot.code("approve_item", id=item) == "invalid_input"
    assert bot.data("approve_all")["approved"] == 0
    assert tweets(bot) == count
    assert {bot.code(tool, id=99) for tool in ("approve_item", "reject_item")} == {"not_found"}


def test_an_item_that_x_refuses_waits_on():
    bot = Bot()
    item = bot.data("x_post_tweet", text="hello")["approval_queue_id"]
    assert bot.code("approve_item", under={"x": "rate_limited"}, id=item) == "x_rate_limited"
    assert bot.code("approve_all", under={"x": "rate_limited"}) == "x_rate_limited"
    assert bot.data("get_pending_count") == {"pending_count": 1}
    assert bot.data("approve_item", id=item)["status"] == "approved"


def test_a_thread_half_out_cannot_be_approved_again():
    bot = Bot(policy(rules=[rule("require_approval")]))
    item = bot.data("x_post_thread", tweets=["one", "two"])["approval_queue_id"]
    under = {"x_after": {"calls": 1, "failure": "api_error"}}
    assert bot.code("approve_item", under=under, id=item) == "thread_partial_failure"
    assert bot.code("approve_item", id=item) == "invalid_input"


def test_approve_all_names_what_failed():
    bot = Bot()
    for text in ("one", "two"):
        bot.data("x_post_tweet", text=text)
    done = bot.data("approve_all", under={"x_after": {"calls": 1, "failure": "forbidden"}})
    assert (done["ids"], [failed["error_code"] for failed in done["failed"]]) == ([1], ["x_forbidden"])


def test_composer_routes_everything_and_says_so():
    bot = Bot(policy(), mode="composer", approval_mode=False)
    answer = bot.call("x_retweet", {"tweet_id": bot.tweet()})
    assert answer.envelope["data"]["matched_rule_id"] == "hard:composer_approval"
    assert (answer.envelope["meta"]["mode"], answer.envelope["meta"]["approval_mode"]) == ("composer", True)


def test_a_fresh_server_routes_some_and_allows_others():
    bot = Bot()
    assert bot.data("x_like_tweet", tweet_id=bot.tweet())["routed_to_approval"] is True
    assert bot.data("x_retweet", tweet_id=bot.tweet())["retweeted"] is True


def test_the_lowest_priority_decides_and_allow_still_meets_the_limit():
    rules = [rule("deny", priority=300), {**rule("allow", priority=250), "id": "other"}]
    bot = Bot(policy(rules=rules, max_mutations_per_hour=1))
    assert bot.data("x_retweet", tweet_id=bot.tweet())["retweeted"] is True
    assert bot.code("x_retweet", tweet_id=bot.tweet()) == "policy_denied_rate_limited"


def test_lists_stand_only_without_rules_and_template():
    blocked = {"blocked_tools": ["x_retweet"]}
    tweet = {"tweet_id": Bot().tweet()}
    assert Bot(policy(**blocked)).code("x_retweet", **tweet) == "policy_denied_blocked"
    for other in ({"rules": [rule("deny", conditions={"tools": ["x_post_tweet"]})]}, {"template": "agency_mode"}):
        assert Bot(policy(**blocked, **other)).data("x_retweet", **tweet)


@pytest.mark.parametrize(
    ("window", "denied"),
    [
        ({"start_hour": 11, "end_hour": 13}, True),
        ({"start_hour": 12, "end_hour": 13, "timezone": "America/New_York"}, False),
        ({"start_hour": 22, "end_hour": 13}, True),
        ({"start_hour": 0, "end_hour": 24, "days": ["tue"]}, False),
        ({"start_hour": 0, "end_hour": 24, "days": ["WED"]}, True),
        ({"start_hour": 11, "end_hour": 13, "timezone": "Nowhere/Land"}, True),
    ],
)
def test_a_window_limits_a_rule_to_hours_and_days(window, denied):
    bot = Bot(policy(rules=[rule("deny", conditions={"schedule_window": window})]))
    assert bot.call("x_retweet", {"tweet_id": bot.tweet()}).failed is denied


def test_the_hourly_limit_denies_until_its_window_ends():
    bot = Bot(policy(max_mutations_per_hour=2))
    tweet = {"tweet_id": bot.tweet()}
    for _ in range(2):
        bot.data("x_retweet", **tweet)
    error = bot.error("x_retweet", **tweet)
    assert (error["code"], error["rate_limit_reset"]) == ("policy_denied_rate_limited", "2033-05-18T13:00:00Z")
    assert bot.data("get_tweet_by_id", **tweet)
    assert bot.code("x_retweet", under={"clock": 3599}, **tweet) == "policy_denied_rate_limited"
    assert bot.data("x_retweet", under={"clock": 3600}, **tweet)
    assert bot.tuitbot.clock.now() == NOON + 3600


def test_what_fails_uses_up_no_limit(tmp_path):
    bot = Bot(policy(max_mutations_per_hour=1, rules=[rule("deny", conditions={"tools": ["x_like_tweet"]})]))
    tweet = {"tweet_id": bot.tweet()}
    assert bot.code("x_retweet", under={"x": "api_error"}, **tweet) == "x_api_error"
    assert bot.code("x_retweet", tweet_id="1") == "not_found"
    assert bot.code("x_like_tweet", **tweet) == "policy_denied_user_rule"
    assert bot.code("x_post_tweet", text="a" * 300) == "tweet_too_long"
    bot.data("x_upload_media", file_path=str(picture(tmp_path)))
    assert bot.data("x_retweet", **tweet)


@pytest.mark.parametrize(
    ("limit", "spent", "free"),
    [
        ({"dimension": "tool", "match_value": "x_retweet"}, "x_retweet", "x_like_tweet"),
        ({"dimension": "category", "match_value": "engage"}, "x_retweet", "x_bookmark_tweet"),
        ({"dimension": "engagement_type", "match_value": "like"}, "x_like_tweet", "x_retweet"),
    ],
)
def test_a_limit_counts_its_own_dimension(limit, spent, free):
    bot = Bot(policy(rate_limits=[{"key": "k", "max_count": 1, "period_seconds": 60, **limit}]))
    tweet = {"tweet_id": bot.tweet()}
    bot.data(spent, **tweet)
    assert bot.code(spent, **tweet) == "policy_denied_rate_limited"
    assert bot.data(free, **tweet)


def test_the_api_profile_has_no_gate():
    bot = Bot(profile="api", policy={"rules": [rule("deny")]})
    assert bot.data("x_post_tweet", text="raw")["text"] == "raw"


def test_status_and_limits_tell_what_is_used():
    bot = Bot(policy(max_mutations_per_hour=5))
    bot.data("x_retweet", tweet_id=bot.tweet())
    assert bot.data("get_policy_status")["rate_limit"]["used"] == 1
    rows = {row["action_type"]: row["remaining"] for row in bot.data("get_rate_limits")}
    assert rows["mcp_mutation"] == 4


def test_everything_passes_where_nothing_is_enforced():
    bot = Bot(UNGATED)
    assert bot.data("x_delete_tweet", tweet_id=bot.own_tweet())["deleted"] is True

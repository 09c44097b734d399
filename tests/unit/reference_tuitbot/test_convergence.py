"""What the later edition adds: guards, universal requests, previews, the audit, lists, moderation, spaces, lookups."""

import json

import pytest

from reference_server.tuitbot.editions import CONVERGENCE, edition
from reference_server.tuitbot.tools.catalogue import catalogue

from .bot import OTHER, OWN, UNGATED, Bot, working

TOOLS = catalogue(CONVERGENCE)
GUARDED = [name for name, tool in TOOLS.items() if tool.guarded]
REPEATABLE = [name for name in GUARDED if TOOLS[name].gated]


def later(settings=None, **more):
    return Bot(UNGATED if settings is None else settings, "convergence", **more)


def test_an_edition_that_there_is_not_is_told():
    with pytest.raises(LookupError, match="session-05, convergence"):
        edition("session-06")


@pytest.mark.parametrize("settings", [{"profile": "workflow"}, {"backend": "carrier pigeon"}])
def test_settings_of_another_edition_do_not_fit(settings):
    with pytest.raises(ValueError, match=r"\w"):
        later(settings)
    with pytest.raises(ValueError, match="profile"):
        Bot({"profile": "admin"})


# the scraper


@pytest.mark.parametrize("tool", GUARDED)
@pytest.mark.parametrize("means", ["condition", "setting"])
def test_a_scraper_mutates_nothing(tool, means, tmp_path):
    under = {"backend": "scraper"} if means == "condition" else {}
    bot = later(UNGATED if means == "condition" else {**UNGATED, "backend": "scraper"})
    before = repr(bot.tuitbot.world)
    arguments = working(bot, tool, tmp_path)
    made = repr(bot.tuitbot.world)
    error = bot.error(tool, under=under, **arguments)
    assert (error["code"], error["retryable"]) == ("scraper_mutation_blocked", False)
    assert repr(bot.tuitbot.world) == made or made == before


def test_the_scraper_is_in_the_way_of_indirect_mutations_too():
    bot = later(profile="admin")
    item = bot.waiting()
    assert bot.code("approve_item", under={"backend": "scraper"}, id=item) == "scraper_mutation_blocked"
    assert bot.data("get_pending_count") == {"pending_count": 1}
    body = json.dumps({"text": "by hand"})
    code = bot.code("x_post", under={"backend": "scraper"}, path="/2/tweets", body=body)
    assert code == "scraper_mutation_blocked"
    assert bot.data("get_tweet_by_id", under={"backend": "scraper"}, tweet_id=bot.tweet())


def test_session_05_knows_no_scraper():
    assert Bot(UNGATED).data("x_post_tweet", under={"backend": "scraper"}, text="a")


# the same mutation twice


@pytest.mark.parametrize("tool", REPEATABLE)
def test_a_mutation_is_not_repeated_within_half_a_minute(tool, tmp_path):
    bot = later()
    arguments = working(bot, tool, tmp_path)
    bot.data(tool, **arguments)
    state = repr(bot.tuitbot.world)
    assert bot.code(tool, **arguments) == "validation_error"
    assert repr(bot.tuitbot.world) == state


def test_a_mutation_may_be_repeated_later_or_after_a_failure_that_passes():
    bot = later()
    bot.data("x_post_tweet", text="once")
    assert bot.code("x_post_tweet", text="once", media_ids=None) == "validation_error"
    bot.tuitbot.clock.advance(31)
    bot.data("x_post_tweet", text="once")
    assert bot.code("x_post_tweet", under={"x": "network_error"}, text="passing") == "x_network_error"
    bot.data("x_post_tweet", text="passing")
    assert bot.code("x_post_tweet", under={"x": "forbidden"}, text="lasting") == "x_forbidden"
    assert bot.code("x_post_tweet", text="lasting") == "validation_error"


def test_session_05_repeats_what_it_is_told():
    bot = Bot(UNGATED)
    assert bot.data("x_post_tweet", text="once")["id"] != bot.data("x_post_tweet", text="once")["id"]


# universal requests


@pytest.mark.parametrize(
    "wrong",
    [
        {"path": "2/users/me"},
        {"path": ""},
        {"path": "/2/../users/me"},
        {"path": "/2/users/me?a=b"},
        {"path": "/2/users/me#a"},
        {"path": "/2/users\n/me"},
        {"host": "example.com"},
        {"host": "127.0.0.1"},
        {"headers": [{"key": "Authorization", "value": "x"}]},
        {"headers": [{"key": "X-Test", "value": "a\r\nhost: b"}]},
    ],
)
@pytest.mark.parametrize("tool", ["x_get", "x_post", "x_put", "x_delete"])
def test_a_request_that_breaks_the_rules_is_not_made(tool, wrong):
    bot = later(profile="admin")
    answer = bot.call(tool, {"path": "/2/users/me", **wrong})
    assert answer.envelope["error"]["code"] == "invalid_input"
    assert answer.effects == ()


def test_requests_do_what_their_paths_say():
    bot = later(profile="admin")
    me = bot.data("x_get", path="/2/users/me")
    assert (me["status"], me["json"]["data"]["id"], json.loads(me["body_text"])) == (200, OWN, me["json"])
    made = bot.data("x_post", path="/2/tweets", body=json.dumps({"text": "by hand"}))["json"]["data"]
    assert bot.data("get_tweet_by_id", tweet_id=made["id"])["text"] == "by hand"
    bot.data("x_delete", path=f"/2/tweets/{made['id']}")
    assert bot.code("get_tweet_by_id", tweet_id=made["id"]) == "not_found"
    kept = bot.data("x_post", path="/2/lists", body='{"name": "tools"}')["json"]["data"]["id"]
    bot.data("x_put", path=f"/2/lists/{kept}", body='{"name": "renamed"}')
    assert bot.data("x_v2_lists_get", id=kept)["data"]["name"] == "renamed"


def test_requests_ask_no_gate():
    bot = later(
        {"policy": {"rules": [{"id": "hard:all", "priority": -1, "action": {"type": "deny"}}]}}, profile="admin"
    )
    assert bot.code("x_post_tweet", text="a") == "policy_denied_hard_rule"
    assert bot.data("x_post", path="/2/tweets", body='{"text": "a"}')["status"] == 201


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("x_get", {"path": "/2/nothing"}, "not_found"),
        ("x_post", {"path": "/2/tweets", "body": "no json"}, "invalid_input"),
        ("x_post", {"path": "/2/tweets", "body": "[]"}, "invalid_input"),
        ("x_post", {"path": "/2/tweets"}, "invalid_input"),
        ("x_put", {"path": "/2/lists/1", "body": '{"name": 7}'}, "invalid_input"),
        ("x_get", {"path": "/2/tweets"}, "invalid_input"),
        (
            "x_get",
            {"path": f"/2/users/{OWN}/tweets", "query": [{"key": "max_results", "value": "-1"}]},
            "invalid_input",
        ),
    ],
)
def test_requests_that_x_refuses(tool, arguments, code):
    assert later(profile="admin").call(tool, arguments).envelope["error"]["code"] == code


def test_pages_are_read_one_after_the_other():
    bot = later(profile="admin")
    given = {"path": f"/2/users/{OWN}/tweets", "query": [{"key": "max_results", "value": "1"}]}
    assert len(bot.data("x_get", **given)["json"]["data"]) == 1
    assert len(bot.data("x_get", **given, auto_paginate=True, max_pages=2)["json"]["data"]) == 2
    for number in range(12):
        bot.data("x_post_tweet", text=f"tweet {number}")
    assert len(bot.data("x_get", **given, auto_paginate=True)["json"]["data"]) == 10
    assert bot.data("x_get", path="/2/users/me", auto_paginate=True)["json"]["data"]["id"] == OWN


# previews and the audit


@pytest.mark.parametrize(("policy", "allowed"), [(UNGATED["policy"], True), ({}, False)])
def test_a_preview_asks_the_gate_and_leaves_no_mark(policy, allowed):
    bot = later({"policy": policy})
    seen = bot.data("x_post_tweet_dry_run", text="hello", media_ids=["1"])
    assert (seen["policy_would_allow"], seen["media_count"], seen["text_length"]) == (allowed, 1, 5)
    thread = bot.data("x_post_thread_dry_run", tweets=["one", "two"], media_ids=[["1"]])
    assert [each["chain_action"] for each in thread["tweets"]] == ["root", "reply_to_previous"]
    assert bot.data("get_pending_count") == {"pending_count": 0}
    assert bot.data("get_policy_status")["rate_limit"]["used"] == 0


@pytest.mark.parametrize("under", [{"database": "failing"}, {"policy": "failing"}])
def test_a_preview_without_a_gate_is_a_policy_error(under):
    assert later().code("x_post_tweet_dry_run", under=under, text="hello") == "policy_error"


def test_mutations_are_kept_with_what_came_of_them():
    bot = later()
    bot.data("x_post_tweet", text="one")
    bot.code("x_post_tweet", text="one")
    bot.code("x_retweet", tweet_id="1")
    rows = bot.data("get_recent_mutations")["mutations"]
    assert [(row["tool_name"], row["status"]) for row in rows] == [
        ("x_retweet", "failure"),
        ("x_post_tweet", "duplicate"),
        ("x_post_tweet", "success"),
    ]
    assert bot.data("get_mutation_detail", correlation_id=rows[0]["correlation_id"]) == rows[0]
    assert bot.data("get_recent_mutations", tool_name="x_retweet", limit=0)["count"] == 1
    assert bot.data("get_recent_mutations", status="success")["mutations"] == [rows[2]]
    assert bot.code("get_mutation_detail", correlation_id="nobody") == "not_found"


def test_what_is_held_back_is_no_mutation():
    bot = later({})
    bot.data("x_post_tweet", text="routed")
    assert bot.data("get_recent_mutations") == {"mutations": [], "count": 0}


# lists, moderation, spaces, lookups


def test_a_list_from_its_beginning_to_its_end():
    bot = later()
    kept = bot.data("x_v2_lists_create", name="tools", description="who builds them", private=True)["data"]["id"]
    bot.data("x_v2_lists_members_add", id=kept, user_id=OTHER)
    assert [each["id"] for each in bot.data("x_v2_lists_members", id=kept)["data"]] == [OTHER]
    assert {each["author_id"] for each in bot.data("x_v2_lists_tweets", id=kept)["data"]} == {OTHER}
    assert kept in [each["id"] for each in bot.data("x_v2_lists_memberships", user_id=OTHER)["data"]]
    bot.data("x_v2_lists_follow", user_id=OWN, list_id=kept)
    assert [each["id"] for each in bot.data("x_v2_lists_followers", id=kept)["data"]] == [OWN]
    bot.data("x_v2_lists_pin", user_id=OWN, list_id=kept)
    assert [each["id"] for each in bot.data("x_v2_lists_pinned", user_id=OWN)["data"]] == [kept]
    bot.data("x_v2_lists_update", id=kept, name="makers")
    shown = bot.data("x_v2_lists_get", id=kept, list_fields="member_count", expansions="owner_id")
    assert shown["data"] == {"id": kept, "name": "makers", "member_count": 1}
    assert shown["includes"]["users"][0]["id"] == OWN
    bot.data("x_v2_lists_members_remove", id=kept, target_user_id=OTHER)
    bot.data("x_v2_lists_unfollow", user_id=OWN, list_id=kept)
    assert bot.data("x_v2_lists_members", id=kept)["data"] == bot.data("x_v2_lists_followers", id=kept)["data"] == []
    bot.data("x_v2_lists_delete", id=kept)
    assert bot.code("x_v2_lists_get", id=kept) == "not_found"
    assert bot.data("x_v2_lists_pinned", user_id=OWN)["data"] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("x_v2_lists_create", {"name": " "}, "invalid_input"),
        ("x_v2_lists_create", {"name": "a" * 26}, "invalid_input"),
        ("x_v2_lists_update", {"id": "1"}, "invalid_input"),
        ("x_v2_blocks_create", {"user_id": OWN, "target_user_id": OWN}, "invalid_input"),
        ("x_v2_blocks_create", {"user_id": OTHER, "target_user_id": "2001"}, "x_forbidden"),
        ("x_v2_blocks_list", {"user_id": OTHER}, "x_forbidden"),
        ("x_v2_spaces_get", {"id": "1"}, "not_found"),
        ("x_v2_spaces_search", {"query": "a", "state": "over"}, "invalid_input"),
        ("x_v2_tweets_lookup", {"ids": ","}, "invalid_input"),
        ("x_v2_tweets_lookup", {"ids": ",".join(map(str, range(101)))}, "invalid_input"),
        ("x_v2_tweets_lookup", {"ids": "1", "tweet_fields": "colour"}, "invalid_input"),
        ("x_v2_tweets_counts_recent", {"query": "a", "granularity": "year"}, "invalid_input"),
        ("x_v2_tweets_counts_recent", {"query": "a", "start_time": "soon"}, "invalid_input"),
        (
            "x_v2_tweets_counts_recent",
            {"query": "a", "start_time": "2033-05-18T00:00:00Z", "end_time": "2033-05-17T00:00:00Z"},
            "invalid_input",
        ),
    ],
)
def test_endpoints_refuse_what_x_refuses(tool, arguments, code):
    bot = later()
    if tool == "x_v2_lists_update":
        arguments = {"id": bot.own_list()}
    if arguments.get("ids", "").startswith("1") and "," not in arguments["ids"]:
        arguments = {**arguments, "ids": bot.tweet()}
    assert bot.call(tool, arguments).envelope["error"]["code"] == code


def test_lists_of_others_are_theirs():
    bot = later()
    [theirs] = [each["id"] for each in bot.data("x_v2_lists_memberships", user_id=OWN)["data"]]
    assert bot.code("x_v2_lists_delete", id=theirs) == "x_forbidden"


def test_who_is_blocked_is_not_followed():
    bot = later()
    bot.data("x_follow_user", target_user_id=OTHER)
    bot.data("x_v2_blocks_create", user_id=OWN, target_user_id=OTHER)
    assert [each["id"] for each in bot.data("x_v2_blocks_list", user_id=OWN)["data"]] == [OTHER]
    assert OTHER not in [each["id"] for each in bot.data("x_get_following", user_id=OWN)["data"]]
    bot.data("x_v2_blocks_delete", user_id=OWN, target_user_id=OTHER)
    assert bot.data("x_v2_blocks_list", user_id=OWN)["data"] == []


def test_mutes_are_listed():
    bot = later()
    bot.data("x_v2_mutes_create", user_id=OWN, target_user_id=OTHER)
    assert [each["id"] for each in bot.data("x_v2_mutes_list", user_id=OWN, user_fields="public_metrics")["data"]] == [
        OTHER
    ]
    bot.data("x_v2_mutes_delete", user_id=OWN, target_user_id=OTHER)
    assert bot.data("x_v2_mutes_list", user_id=OWN)["data"] == []


def test_replies_are_hidden_and_shown():
    bot = later()
    reply = bot.own_reply()
    bot.data("x_v2_tweets_hide_reply", id=reply, hidden=True)
    assert bot.data("get_tweet_by_id", tweet_id=reply)["hidden"] is True
    bot.data("x_v2_tweets_unhide_reply", id=reply, hidden=False)
    assert "hidden" not in bot.data("get_tweet_by_id", tweet_id=reply)
    assert bot.code("x_v2_tweets_hide_reply", id=bot.tweet(), hidden=True) == "x_forbidden"


def test_a_tweet_is_pinned_until_it_is_deleted():
    bot = later()
    for take_down in (lambda _: bot.data("x_v2_users_unpin_tweet", user_id=OWN), bot.tuitbot.world.remove):
        tweet = bot.own_tweet()
        bot.data("x_v2_users_pin_tweet", user_id=OWN, tweet_id=tweet)
        assert bot.data("x_get_user_by_id", user_id=OWN)["pinned_tweet_id"] == tweet
        take_down(tweet)
        assert "pinned_tweet_id" not in bot.data("x_get_user_by_id", user_id=OWN)
    assert bot.code("x_v2_users_pin_tweet", user_id=OWN, tweet_id=bot.tweet()) == "x_forbidden"


def test_spaces_are_found_in_each_way():
    bot = later()
    space = bot.space()
    assert (
        bot.data("x_v2_spaces_get", id=space, expansions="creator_id")["includes"]["users"][0]["username"]
        == "ada_codes"
    )
    assert [each["id"] for each in bot.data("x_v2_spaces_by_creator", user_ids="2001")["data"]] == [space]
    assert [each["id"] for each in bot.data("x_v2_spaces_search", query="TOOLS", state="live")["data"]] == [space]
    assert bot.data("x_v2_spaces_search", query="tools", state="scheduled")["data"] == []
    assert (
        len(bot.data("x_v2_spaces_buyers", id=space)["data"])
        == len(bot.data("x_v2_spaces_tweets", id=space)["data"])
        == 1
    )
    found = bot.data("x_v2_spaces_lookup", ids=f"{space}, nobody")
    assert ([each["id"] for each in found["data"]], found["errors"][0]["value"]) == ([space], "nobody")


def test_lookups_name_what_x_does_not_know():
    bot = later()
    found = bot.data("x_v2_users_lookup_by_usernames", usernames="@Ada_Codes,nobody", user_fields="public_metrics")
    assert ([each["id"] for each in found["data"]], found["errors"][0]["value"]) == (["2001"], "nobody")
    tweet = bot.tweet()
    assert bot.data("x_v2_tweets_lookup", ids=f"{tweet},1", tweet_fields="author_id")["data"] == [
        {"id": tweet, "text": bot.data("get_tweet_by_id", tweet_id=tweet)["text"], "author_id": OTHER}
    ]
    quote = bot.data("x_quote_tweet", text="look", quoted_tweet_id=tweet)["id"]
    assert [each["id"] for each in bot.data("x_v2_tweets_quote_tweets", id=tweet)["data"]] == [quote]
    bot.data("x_retweet", tweet_id=tweet)
    assert OWN in [each["id"] for each in bot.data("x_v2_tweets_retweeted_by", id=tweet)["data"]]


def test_tweets_are_counted_by_hour_and_day():
    bot = later()
    for number in range(3):
        bot.data("x_post_tweet", text=f"walrus {number}")
    for granularity in ("minute", "hour", "day"):
        counted = bot.data("x_v2_tweets_counts_recent", query="walrus", granularity=granularity)
        assert counted["meta"]["total_tweet_count"] == 0, "what is posted now is not before now"
    bot.tuitbot.clock.advance(60)
    counted = bot.data("x_v2_tweets_counts_recent", query="walrus")
    assert (counted["meta"]["total_tweet_count"], counted["data"][0]["tweet_count"]) == (3, 3)


def test_a_file_is_looked_at_without_being_uploaded(tmp_path):
    bot = later()
    arguments = working(bot, "x_upload_media", tmp_path)
    assert bot.data("x_upload_media", **arguments, dry_run=True, alt_text="a dot")["dry_run"] is True
    assert bot.tuitbot.world.media == {}
    assert bot.data("x_upload_media", **arguments, alt_text="a dot")["alt_text"] == "a dot"

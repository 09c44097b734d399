"""What the later edition brings for laws: repeated mutations, dry runs on purpose, good arguments of its tools."""

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot, rule

OPEN: dict[str, Json] = {"policy": {"enforce_for_mutations": False}}
DENYING: dict[str, Json] = {"policy": {"rules": [rule("deny")], "max_mutations_per_hour": 1000}}
USER: dict[str, Json] = {"id": "7", "username": "ada"}
TWEET: dict[str, Json] = {"id": "5", "text": "a", "author_id": "7"}


def with_own_account(story: Bot) -> None:
    """Somebody else is seen, and a tweet is posted and shown: the acting account is 1."""
    story.good("x_get_user_by_id", {"user_id": "7"}, USER)
    story.good("x_post_tweet", {"text": "mine"}, {"id": "9", "text": "mine"})
    story.good("get_tweet_by_id", {"tweet_id": "9"}, {"id": "9", "text": "mine", "author_id": "1"})


@pytest.mark.parametrize(
    ("profile", "code", "verdict"),
    [
        ("write", "validation_error", "pass"),
        ("write", "invalid_input", "fail"),
        ("workflow", "validation_error", "fail"),
    ],
)
def test_a_repeated_mutation_may_be_refused_in_the_later_edition_alone(profile: str, code: str, verdict: str) -> None:
    story = Bot(profile, **OPEN)
    with_own_account(story)
    for _ in range(2):
        story.good("x_unlike_tweet", {"tweet_id": "9"}, {"liked": False})
        story.good("x_like_tweet", {"tweet_id": "9"}, {"liked": True})
    story.good("x_unlike_tweet", {"tweet_id": "9"}, {"liked": False})
    story.bad("x_like_tweet", code, {"tweet_id": "9"})
    assert story.alone("TB-SRV-01") == verdict


@pytest.mark.parametrize("tool", ["x_post_tweet_dry_run", "x_post_thread_dry_run"])
def test_a_dry_run_on_purpose_is_no_answer_of_the_gate(tool: str) -> None:
    story = Bot("write", **DENYING)
    given: Json = {"text": "a"} if tool == "x_post_tweet_dry_run" else {"tweets": ["a"]}
    story.good(tool, given, {"dry_run": True, "policy_would_allow": False})
    assert story.alone("TB-POL-01") == "not_observed"
    assert story.alone("TB-POL-05") == "not_observed"
    assert story.alone("TB-SRV-01") == "pass"


def test_a_file_that_is_only_looked_at_is_not_held_back() -> None:
    story = Bot("write", **DENYING)
    story.good("x_upload_media", {"file_path": "/a.png", "dry_run": True}, {"dry_run": True})
    assert story.alone("TB-POL-09") == "not_observed"
    story.good("x_upload_media", {"file_path": "/a.png"}, {"dry_run": True, "would_execute": "x_upload_media"})
    assert story.alone("TB-POL-09") == "fail"


@pytest.mark.parametrize("tool", ["x_post", "x_put", "x_delete"])
@pytest.mark.parametrize(("denied", "verdict"), [(False, "pass"), (True, "fail")])
def test_universal_requests_are_outside_the_gate(tool: str, verdict: str, *, denied: bool) -> None:
    story = Bot("admin", **DENYING)
    if denied:
        story.bad(tool, "policy_denied_user_rule", {"path": "/2/tweets"})
    else:
        story.good(tool, {"path": "/2/tweets"}, {"status": 200})
    assert story.alone("TB-POL-09") == verdict


@pytest.mark.parametrize(
    ("tool", "arguments", "good"),
    [
        ("x_v2_blocks_create", {"user_id": "1", "target_user_id": "7"}, True),
        ("x_v2_blocks_create", {"user_id": "7", "target_user_id": "7"}, False),
        ("x_v2_blocks_list", {"user_id": "1", "user_fields": "public_metrics"}, True),
        ("x_v2_blocks_list", {"user_id": "1", "user_fields": "colour"}, False),
        ("x_v2_blocks_list", {"user_id": "1", "max_results": 9}, False),
        ("x_v2_lists_create", {"name": "tools", "private": True}, True),
        ("x_v2_lists_create", {"name": "a" * 26}, False),
        ("x_v2_lists_create", {"name": "tools", "description": " "}, False),
        ("x_v2_lists_get", {"id": "3", "list_fields": "description,member_count", "expansions": "owner_id"}, True),
        ("x_v2_lists_get", {"id": "4"}, False),
        ("x_v2_lists_update", {"id": "3", "name": "makers"}, True),
        ("x_v2_lists_update", {"id": "3"}, False),
        ("x_v2_lists_members_add", {"id": "3", "user_id": "7"}, True),
        ("x_v2_lists_members_add", {"id": "3", "user_id": "8"}, False),
        ("x_v2_users_pin_tweet", {"user_id": "1", "tweet_id": "9"}, True),
        ("x_v2_tweets_lookup", {"ids": "9", "tweet_fields": "author_id", "expansions": "author_id"}, True),
        ("x_v2_tweets_lookup", {"ids": "9,10"}, False),
        ("x_v2_tweets_hide_reply", {"id": "12", "hidden": True}, True),
        ("x_v2_tweets_hide_reply", {"id": "12", "hidden": False}, False),
        ("x_v2_tweets_counts_recent", {"query": "testing", "granularity": "day"}, True),
        ("x_v2_tweets_counts_recent", {"query": "testing", "granularity": "year"}, False),
        ("x_v2_tweets_counts_recent", {"query": "testing", "start_time": "2001-01-01T00:00:00Z"}, False),
        ("x_v2_spaces_get", {"id": "s1", "space_fields": "title", "expansions": "creator_id"}, True),
        ("x_v2_spaces_lookup", {"ids": "s1,s2"}, False),
        ("x_v2_spaces_search", {"query": "testing", "state": "over"}, False),
        ("x_v2_users_lookup_by_usernames", {"usernames": "ada"}, True),
        ("get_mutation_detail", {"correlation_id": "m-1"}, True),
        ("get_mutation_detail", {"correlation_id": "m-2"}, False),
        ("x_post_tweet_dry_run", {"text": "a" * 280}, True),
        ("x_post_tweet_dry_run", {"text": "a" * 281}, False),
        ("x_get", {"path": "/2/users/me", "host": "api.x.com"}, True),
        ("x_get", {"path": "/2/users/me", "host": "example.com"}, False),
        ("x_get", {"path": "/2/users/me", "max_pages": 11}, False),
        ("x_post", {"path": "/2/tweets", "body": '{"text": "new"}'}, True),
        ("x_post", {"path": "/2/tweets", "body": '{"text": "mine"}'}, False),
        ("x_post", {"path": "/2/tweets", "body": "no json"}, False),
        ("x_put", {"path": "/2/lists/3", "body": '{"name": "makers"}'}, True),
        ("x_put", {"path": "/2/lists/4", "body": '{"name": "makers"}'}, False),
        ("x_delete", {"path": "/2/tweets/9"}, True),
        ("x_delete", {"path": "/2/tweets/5"}, False),
    ],
)
def test_which_calls_are_good(tool: str, arguments: dict[str, Json], *, good: bool) -> None:
    """A refusal of a good call is a breach; one of any other call is no subject."""
    story = Bot("admin", **OPEN)
    with_own_account(story)
    story.good("x_v2_lists_create", {"name": "kept"}, {"data": {"id": "3", "name": "kept"}})
    story.good("x_v2_spaces_search", {"query": "tools"}, {"data": [{"id": "s1", "state": "live"}]})
    story.good("get_recent_mutations", {}, {"mutations": [{"correlation_id": "m-1"}], "count": 1})
    story.good("x_reply_to_tweet", {"text": "reply", "in_reply_to_id": "9"}, {"id": "12", "text": "reply"})
    story.bad(tool, "x_api_error", arguments)
    assert story.alone("TB-SRV-01") == ("fail" if good else "pass")


MADE: dict[str, Json] = {"data": {"id": "3", "name": "kept"}}
NOBODY: dict[str, Json] = {"data": [], "meta": {"result_count": 0}}


@pytest.mark.parametrize(
    ("write", "given", "read", "about", "shown", "verdict"),
    [
        ("x_v2_lists_create", {"name": "kept"}, "x_v2_lists_get", {"id": "3"}, MADE, "pass"),
        ("x_v2_lists_create", {"name": "else"}, "x_v2_lists_get", {"id": "3"}, MADE, "fail"),
        ("x_v2_lists_update", {"id": "3", "name": "makers"}, "x_v2_lists_get", {"id": "3"}, MADE, "fail"),
        ("x_v2_lists_update", {"id": "3", "private": True}, "x_v2_lists_get", {"id": "3"}, MADE, "not_observed"),
        ("x_v2_lists_delete", {"id": "3"}, "x_v2_lists_get", {"id": "3"}, MADE, "fail"),
        ("x_v2_lists_delete", {"id": "3"}, "x_v2_lists_pinned", {"user_id": "1"}, NOBODY, "not_observed"),
        ("x_v2_lists_members_add", {"id": "3", "user_id": "7"}, "x_v2_lists_members", {"id": "3"}, NOBODY, "fail"),
        (
            "x_v2_lists_members_add",
            {"id": "3", "user_id": "7"},
            "x_v2_lists_members",
            {"id": "4"},
            NOBODY,
            "not_observed",
        ),
        (
            "x_v2_lists_members_remove",
            {"id": "3", "target_user_id": "7"},
            "x_v2_lists_members",
            {"id": "3"},
            NOBODY,
            "pass",
        ),
        ("x_v2_lists_pin", {"user_id": "1", "list_id": "3"}, "x_v2_lists_pinned", {"user_id": "1"}, NOBODY, "fail"),
        (
            "x_v2_blocks_create",
            {"user_id": "1", "target_user_id": "7"},
            "x_v2_blocks_list",
            {"user_id": "1"},
            NOBODY,
            "fail",
        ),
        (
            "x_v2_blocks_create",
            {"user_id": "1", "target_user_id": "7"},
            "x_v2_blocks_list",
            {"user_id": "2"},
            NOBODY,
            "not_observed",
        ),
        (
            "x_v2_mutes_delete",
            {"user_id": "1", "target_user_id": "7"},
            "x_v2_mutes_list",
            {"user_id": "1"},
            NOBODY,
            "pass",
        ),
        (
            "x_v2_mutes_delete",
            {"user_id": "1", "target_user_id": "7"},
            "x_v2_mutes_list",
            {"user_id": "1"},
            {"data": [USER]},
            "fail",
        ),
    ],
)
def test_what_a_mutation_wrote_is_shown(
    write: str, given: dict[str, Json], read: str, about: dict[str, Json], shown: Json, verdict: str
) -> None:
    story = Bot("write", **OPEN)
    story.good("x_get_me", {}, {"id": "1", "username": "own"})
    story.good(write, given, MADE)
    story.good(read, about, shown)
    assert story.alone("TB-SRV-02") == verdict


def test_whether_a_blocked_account_is_followed_is_open() -> None:
    for block in (False, True):
        story = Bot("write", **OPEN)
        story.good("x_get_me", {}, {"id": "1", "username": "own"})
        story.good("x_follow_user", {"target_user_id": "7"}, {"following": True})
        if block:
            story.good("x_v2_blocks_create", {"user_id": "1", "target_user_id": "7"}, {"data": {"blocking": True}})
        story.good("x_get_following", {"user_id": "1"}, NOBODY)
        assert story.alone("TB-SRV-02") == ("not_observed" if block else "fail")


def test_the_reference_serves_every_tool_of_every_profile() -> None:
    outcome = driven("tuitbot", "envelope", "serving", edition="convergence").outcome("TB-SRV-01")
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 300) == ("pass", True)

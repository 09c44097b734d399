"""What the later edition's reads show of marks: who follows a list, what it keeps, what is hidden, what is pinned."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot

OPEN: dict[str, Json] = {"policy": {"enforce_for_mutations": False}}
NOBODY: dict[str, Json] = {"data": [], "meta": {"result_count": 0}}
OWN: dict[str, Json] = {"user_id": "1"}
FOLLOW: tuple[str, dict[str, Json]] = ("x_v2_lists_follow", {"user_id": "1", "list_id": "3"})
UNFOLLOW: tuple[str, dict[str, Json]] = ("x_v2_lists_unfollow", {"user_id": "1", "list_id": "3"})
PIN: tuple[str, dict[str, Json]] = ("x_v2_users_pin_tweet", {"user_id": "1", "tweet_id": "9"})
UNPIN: tuple[str, dict[str, Json]] = ("x_v2_users_unpin_tweet", {"user_id": "1"})
HIDE: tuple[str, dict[str, Json]] = ("x_v2_tweets_hide_reply", {"id": "12", "hidden": True})
UNHIDE: tuple[str, dict[str, Json]] = ("x_v2_tweets_unhide_reply", {"id": "12", "hidden": False})
DELETE: tuple[str, dict[str, Json]] = ("x_delete_tweet", {"tweet_id": "9"})
ASKED: dict[str, Json] = {"usernames": "own", "user_fields": "pinned_tweet_id"}
Calls = tuple[tuple[str, dict[str, Json]], ...]


def judged(writes: Calls, read: str, about: dict[str, Json], shown: Json, code: str = "") -> str:
    story = Bot("admin", **OPEN)
    story.good("x_get_me", {}, {"id": "1", "username": "own"})
    for tool, given in writes:
        story.good(tool, given, {"data": {"id": "3"}})
    if code:
        story.bad(read, code, about)
    else:
        story.good(read, about, shown)
    return str(story.alone("TB-SRV-02"))


def user(**more: Json) -> dict[str, Json]:
    return {"id": "1", "username": "own", **more}


@pytest.mark.parametrize(
    ("writes", "ids", "verdict"),
    [
        ((FOLLOW,), ["1"], "pass"),
        ((FOLLOW,), [], "fail"),
        ((FOLLOW, UNFOLLOW), ["1"], "fail"),
        ((FOLLOW, UNFOLLOW), ["7"], "pass"),
        ((), ["7"], "not_observed"),
    ],
)
def test_who_follows_a_list_is_shown(writes: Calls, ids: list[str], verdict: str) -> None:
    shown: Json = {"data": [{"id": each, "username": "a"} for each in ids]}
    assert judged(writes, "x_v2_lists_followers", {"id": "3"}, shown) == verdict


def test_a_page_of_followers_shows_those_alone_that_are_on_it() -> None:
    page: Json = {"data": [{"id": "7"}], "meta": {"next_token": "t"}}
    assert judged((FOLLOW,), "x_v2_lists_followers", {"id": "3"}, page) == "not_observed"


@pytest.mark.parametrize(
    ("given", "kept", "verdict"),
    [
        ({"description": "a word"}, {"description": "a word"}, "pass"),
        ({"description": "a word"}, {"description": "another"}, "fail"),
        ({"description": "see https://a.example"}, {"description": "see https://t.co/1"}, "not_observed"),
        ({"description": "a word"}, {}, "not_observed"),
        ({"private": True}, {"private": True}, "pass"),
        ({"private": True}, {"private": False}, "fail"),
        ({"name": "makers", "description": None}, {"name": "makers", "description": "as before"}, "pass"),
    ],
)
@pytest.mark.parametrize("read", ["x_v2_lists_get", "x_v2_lists_pinned", "x_v2_lists_memberships"])
def test_a_list_keeps_what_it_was_given(read: str, given: dict[str, Json], kept: dict[str, Json], verdict: str) -> None:
    entry: dict[str, Json] = {"id": "3", **kept}
    one = read == "x_v2_lists_get"
    shown: Json = {"data": entry if one else [entry]}
    update = ("x_v2_lists_update", {"id": "3", **given})
    # that the list is there nobody wrote: an update alone
    assert judged((update,), read, {"id": "3"} if one else OWN, shown) == verdict


@pytest.mark.parametrize(
    ("more", "there", "verdict"),
    [
        ((), True, "pass"),
        ((), False, "fail"),
        ((("x_v2_lists_delete", {"id": "3"}),), True, "fail"),
        ((("x_v2_lists_delete", {"id": "3"}),), False, "pass"),
        # whether a private list is among them is X's to say
        ((("x_v2_lists_update", {"id": "3", "private": True}),), False, "not_observed"),
        ((("x_put", {"path": "/2/lists/3", "body": '{"private": true}'}),), False, "not_observed"),
    ],
)
def test_a_list_is_among_those_that_its_owner_keeps(more: Calls, verdict: str, *, there: bool) -> None:
    made: Calls = (("x_v2_lists_create", {"name": "kept"}), *more)
    shown: Json = {"data": [{"id": "3"}] if there else []}
    assert judged(made, "x_v2_lists_owned", OWN, shown) == verdict


@pytest.mark.parametrize(
    ("writes", "more", "verdict"),
    [
        ((HIDE,), {"hidden": True}, "pass"),
        ((HIDE,), {"hidden": False}, "fail"),
        ((HIDE, UNHIDE), {"hidden": True}, "fail"),
        ((HIDE, UNHIDE), {"hidden": False}, "pass"),
        # X has no such field in general
        ((HIDE,), {}, "not_observed"),
        ((), {"hidden": True}, "not_observed"),
        ((("x_v2_tweets_hide_reply", {"id": "12", "hidden": False}),), {"hidden": True}, "not_observed"),
        ((HIDE, ("x_put", {"path": "/2/tweets/12/hidden", "body": "{}"})), {"hidden": False}, "not_observed"),
    ],
)
@pytest.mark.parametrize("read", ["get_tweet_by_id", "x_v2_tweets_lookup", "x_get_user_tweets"])
def test_whether_a_reply_is_hidden_is_shown(read: str, writes: Calls, more: dict[str, Json], verdict: str) -> None:
    tweet: dict[str, Json] = {"id": "12", "text": "reply", **more}
    about: dict[str, dict[str, Json]] = {
        "get_tweet_by_id": {"tweet_id": "12"},
        "x_v2_tweets_lookup": {"ids": "12"},
        "x_get_user_tweets": {"user_id": "7"},
    }
    shown: Json = tweet if read == "get_tweet_by_id" else {"data": [tweet]}
    assert judged(writes, read, about[read], shown) == verdict


@pytest.mark.parametrize(
    ("writes", "about", "shown", "verdict"),
    [
        ((PIN,), ASKED, {"data": [user(pinned_tweet_id="9")]}, "pass"),
        ((PIN,), ASKED, {"data": [user(pinned_tweet_id="8")]}, "fail"),
        ((PIN,), ASKED, {"data": [user()]}, "fail"),
        ((PIN, UNPIN), ASKED, {"data": [user()]}, "pass"),
        ((PIN, UNPIN), ASKED, {"data": [user(pinned_tweet_id=None)]}, "pass"),
        ((PIN, UNPIN), ASKED, {"data": [user(pinned_tweet_id="9")]}, "fail"),
        # X shows the field where it is asked for
        ((PIN,), {"usernames": "own"}, {"data": [user()]}, "not_observed"),
        # a tool that shows a user whole does not go by what is asked for
        ((PIN,), ASKED, {"data": [user(public_metrics={"tweet_count": 3})]}, "not_observed"),
        ((PIN,), ASKED, {"data": [user(public_metrics={"tweet_count": 3}, pinned_tweet_id="8")]}, "fail"),
        # what is pinned where the pinned tweet is gone is X's to say
        ((PIN, DELETE), ASKED, {"data": [user()]}, "not_observed"),
        ((PIN, DELETE), ASKED, {"data": [user(pinned_tweet_id="9")]}, "not_observed"),
    ],
)
def test_the_pinned_tweet_is_shown(writes: Calls, about: dict[str, Json], shown: Json, verdict: str) -> None:
    assert judged(writes, "x_v2_users_lookup_by_usernames", about, shown) == verdict


@pytest.mark.parametrize(("tweet", "verdict"), [("9", "pass"), ("8", "fail")])
def test_the_pinned_tweet_is_shown_by_other_reads_of_users(tweet: str, verdict: str) -> None:
    assert judged((PIN,), "x_get_user_by_id", OWN, user(pinned_tweet_id=tweet)) == verdict


def test_a_mutation_that_no_read_has_to_show_is_not_called_idle() -> None:
    """A server that never shows what is hidden: X itself does not."""
    story = Bot("write", **OPEN)
    reads: Calls = (("get_tweet_by_id", {"tweet_id": "12"}), ("x_v2_tweets_lookup", {"ids": "12"}))
    tweet: dict[str, Json] = {"id": "12", "text": "reply"}
    for tool, given in (*reads, HIDE, *reads):
        story.good(tool, given, {"data": [tweet]} if tool.startswith("x_v2_tweets_lookup") else tweet)
    assert story.alone("TB-MAN-06") == "not_observed"


MADE: tuple[str, dict[str, Json]] = ("x_v2_lists_create", {"name": "kept"})
ADD: tuple[str, dict[str, Json]] = ("x_v2_lists_members_add", {"id": "3", "user_id": "7"})
REMOVE: tuple[str, dict[str, Json]] = ("x_v2_lists_members_remove", {"id": "3", "target_user_id": "7"})
CLOSE: tuple[str, dict[str, Json]] = ("x_v2_lists_update", {"id": "3", "private": True})
DROP: tuple[str, dict[str, Json]] = ("x_v2_lists_delete", {"id": "3"})


@pytest.mark.parametrize(
    ("writes", "there", "verdict"),
    [
        ((MADE, ADD), True, "pass"),
        ((MADE, ADD), False, "fail"),
        ((MADE, ADD, REMOVE), True, "fail"),
        ((MADE, ADD, REMOVE), False, "pass"),
        ((MADE, ADD, DROP), True, "fail"),
        # a private list X need not show, and of one that was not made here nobody can say whether it is
        ((MADE, ADD, CLOSE), False, "not_observed"),
        ((ADD,), False, "not_observed"),
        ((ADD, REMOVE), True, "fail"),
    ],
)
def test_an_account_is_on_the_lists_to_which_it_was_added(writes: Calls, verdict: str, *, there: bool) -> None:
    shown: Json = {"data": [{"id": "3"}] if there else []}
    assert judged(writes, "x_v2_lists_memberships", {"user_id": "7"}, shown) == verdict
    assert judged(writes, "x_v2_lists_memberships", {"user_id": "8"}, shown) == "not_observed"


@pytest.mark.parametrize(
    ("tool", "given", "verdict"),
    [
        ("x_post_tweet", {"text": "plain"}, "fail"),
        ("x_reply_to_tweet", {"text": "plain", "in_reply_to_id": "5"}, "fail"),
        ("x_quote_tweet", {"text": "plain", "quoted_tweet_id": "5"}, "pass"),
        # X makes a quote of a text that ends with a tweet's address
        ("x_post_tweet", {"text": "see https://x.example/a/status/5"}, "pass"),
        ("x_post_tweet", {"text": "see x.example/a/status/5"}, "pass"),
    ],
)
def test_what_quotes_nothing_is_among_no_quotes(tool: str, given: dict[str, Json], verdict: str) -> None:
    story = Bot("write", **OPEN)
    story.good(tool, given, {"id": "9", "text": "plain"})
    entry: dict[str, Json] = {"id": "9", "text": given["text"]}
    story.good("x_v2_tweets_quote_tweets", {"id": "5"}, {"data": [entry]})
    assert story.alone("TB-SRV-02") == verdict


@pytest.mark.parametrize(("read", "given"), [("x_get_liked_tweets", {"user_id": "1"}), ("x_get_bookmarks", {})])
@pytest.mark.parametrize(("ids", "verdict"), [(["9"], "fail"), ([], "pass"), (["8"], "pass")])
def test_a_new_tweet_is_marked_by_nobody(read: str, given: dict[str, Json], ids: list[str], verdict: str) -> None:
    story = Bot("write", **OPEN)
    story.good("x_get_me", {}, {"id": "1", "username": "own"})
    story.good("x_post_tweet", {"text": "plain"}, {"id": "9", "text": "plain"})
    story.good(read, given, {"data": [{"id": each, "text": "plain"} for each in ids]})
    assert story.alone("TB-SRV-02") == verdict

"""TB-SRV-02: what accepted writes wrote is what reads show: tweets, marks, the queue, replies, settings."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot, rule

SHOWN = "TB-SRV-02"
ME: Json = {"id": "7", "username": "me"}
TEXT = "a text of its own"


def posted(text: str = TEXT) -> Bot:
    """A tweet 9 by the account 7."""
    story = Bot(policy={"enforce_for_mutations": False})
    story.good("x_get_me", {}, ME)
    story.good("x_post_tweet", {"text": text}, {"id": "9", "text": text})
    return story


@pytest.mark.parametrize(
    ("text", "shown", "said"),
    [
        (TEXT, TEXT, "pass"),
        (TEXT, "another text", "fail"),
        (TEXT, None, "fail"),
        ("caf\u00e9 \u4e2d \U0001f600", "caf? ? ?", "fail"),
        ("see https://example.com", "see https://t.co/a", "not_observed"),
        ("this & that", "this &amp; that", "not_observed"),
    ],
)
def test_the_text_of_a_tweet(text: str, shown: Json, said: str) -> None:
    story = posted(text)
    story.good("x_get_user_tweets", {"user_id": "8"}, {"data": [{"id": "9", "text": shown}]})
    # that the tweet is there at all is shown as well
    assert story.alone(SHOWN) == ("pass" if said == "not_observed" else said)


def test_a_deleted_tweet_is_gone() -> None:
    for after, said in ((["1"], "pass"), (["1", "9"], "fail")):
        story = posted()
        story.good("x_delete_tweet", {"tweet_id": "9"}, {"deleted": True})
        story.good("x_get_user_tweets", {"user_id": "7"}, {"data": [{"id": each, "text": "b"} for each in after]})
        assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("token", "said"), [(None, "fail"), ("more", "not_observed")])
def test_a_tweet_that_is_not_in_a_list(token: Json, said: str) -> None:
    story = posted()
    meta: Json = {"next_token": token} if token else {}
    story.good("x_get_user_tweets", {"user_id": "7"}, {"data": [], "meta": meta})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(
    ("tool", "read", "arguments"),
    [
        ("x_like_tweet", "x_get_liked_tweets", {"user_id": "7"}),
        ("x_bookmark_tweet", "x_get_bookmarks", {}),
    ],
)
def test_a_mark_is_listed(tool: str, read: str, arguments: dict[str, Json]) -> None:
    tweet: Json = {"id": "9", "text": TEXT}
    for listed, said in (([tweet], "pass"), ([], "fail")):
        story = posted()
        story.good(tool, {"tweet_id": "9"}, {})
        story.good(read, arguments, {"data": listed})
        assert story.alone(SHOWN) == said


def test_a_mark_that_was_taken_back_is_not_listed() -> None:
    story = posted()
    for tool in ("x_bookmark_tweet", "x_unbookmark_tweet"):
        story.good(tool, {"tweet_id": "9"}, {})
    story.good("x_get_bookmarks", {}, {"data": [{"id": "9", "text": TEXT}]})
    assert story.alone(SHOWN) == "fail"


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([{"id": 7, "generated_content": TEXT}], "pass"),
        ([{"id": 7, "params": '{"text": "a text of its own"}'}], "pass"),
        ([{"id": 7, "generated_content": "another text"}], "fail"),
        ([], "fail"),
    ],
)
def test_what_waits_is_in_the_queue(entries: Json, said: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    routed = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    story.good("list_pending_approvals", {}, entries)
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("word", "left", "said"), [("reject_item", [], "pass"), ("reject_item", [{"id": 7}], "fail")])
def test_what_was_decided_waits_no_longer(word: str, left: Json, said: str) -> None:
    story = Bot(policy={"rules": [rule("require_approval", "x_post_tweet")]})
    routed = {"routed_to_approval": True, "approval_queue_id": 7, "reason": "rule"}
    story.good("x_post_tweet", {"text": TEXT}, routed)
    story.good(word, {"id": 7}, {"status": "rejected", "id": 7})
    story.good("list_pending_approvals", {}, left)
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("count", "said"), [(2, "pass"), (1, "fail")])
def test_the_queue_is_counted_as_it_is_listed(count: int, said: str) -> None:
    story = Bot()
    story.good("list_pending_approvals", {}, [{"id": 1}, {"id": 2}])
    story.good("get_pending_count", {}, {"pending_count": count})
    assert story.alone(SHOWN) == said


@pytest.mark.parametrize(("told", "said"), [("composer", "pass"), ("autopilot", "fail")])
def test_the_mode_is_shown(told: str, said: str) -> None:
    story = Bot(mode="composer")
    story.good("get_mode", {}, {"mode": told})
    assert story.alone(SHOWN) == said

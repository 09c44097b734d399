"""Instances that act for one account, and a server that lacks something in all of them."""

import pytest

from conformance.model.events import NAMED, Json
from tests.laws.tuitbot.bot import Bot

TEXT = "a tweet that nobody else posts"
TWEET: dict[str, Json] = {"tweet_id": "9"}
OPEN: dict[str, Json] = {"enforce_for_mutations": False}


def two(shown: str, *, given: bool = False, means: str = "own process") -> tuple[Bot, str, str]:
    """One instance posts a tweet, and another shows a tweet of that id. `given`: it was told to post the same."""
    story = Bot(listed=False, policy=OPEN, means=means)
    first, second = story.name, story.instance("i2", profile="write", policy=OPEN, means=means)
    story.good("x_post_tweet", {"text": TEXT}, {"id": "9", "text": TEXT})
    if given:
        story.good("score_tweet", {"text": TEXT}, {}, instance=second)
    story.good("get_tweet_by_id", TWEET, {"id": "9", "text": shown}, instance=second)
    return story, first, second


@pytest.mark.parametrize(
    ("shown", "given", "verdict"), [(TEXT, False, "not_observed"), (TEXT, True, "fail"), ("another", False, "fail")]
)
def test_what_one_instance_writes_another_of_the_same_account_may_show(
    shown: str, verdict: str, *, given: bool
) -> None:
    story, first, second = two(shown, given=given)
    for likes in (0, 1):
        counts: Json = {"like_count": likes}
        story.good("x_get_user_tweets", {"user_id": "7"}, [{"id": "9", "public_metrics": counts}], instance=second)
        story.good("x_like_tweet", TWEET, {"liked": True}, instance=first)
    assert story.alone("TB-MAN-06") == verdict


def test_a_server_that_tells_instances_apart_keeps_their_stores_apart() -> None:
    story, first, second = two(TEXT, means=NAMED)
    for likes in (0, 1):
        story.good("get_tweet_by_id", TWEET, {"id": "9", "public_metrics": {"like_count": likes}}, instance=second)
        story.good("x_like_tweet", TWEET, {"liked": True}, instance=first)
    assert story.alone("TB-MAN-06") == "fail"


@pytest.mark.parametrize(("shown", "verdict"), [(TEXT, "pass"), ("another", "blocked")])
def test_a_mark_counts_for_every_instance_of_the_account(shown: str, verdict: str) -> None:
    story, first, second = two(shown)
    story.good("x_bookmark_tweet", TWEET, {"bookmarked": True}, instance=second)
    story.good("x_get_bookmarks", {}, [{"id": "9"}], instance=second)
    story.good("x_unbookmark_tweet", TWEET, {"bookmarked": False}, instance=first)
    story.good("x_get_bookmarks", {}, [], instance=second)
    outcome = story.judged("TB-SRV-02")
    assert (outcome.verdict, outcome.blocked_by) == (verdict, None if verdict == "pass" else "TB-MAN-06")


@pytest.mark.parametrize("lacks", ["claimed", "told"])
def test_without_an_llm_a_server_is_judged_in_all_that_needs_none(lacks: str) -> None:
    story = Bot("workflow", claims={"llm": False} if lacks == "claimed" else {}, policy=OPEN)
    if lacks == "told":
        story.bad("generate_tweet", "llm_not_configured", {"topic": "t"})
    story.good("get_tweet_by_id", TWEET, {"id": "9"})
    story.bad("get_tweet_by_id", "x_api_error", TWEET, conditions={"x": "rate_limited"})
    story.bad("generate_tweet", "db_error", {"topic": "t"}, conditions={"x": "rate_limited"})
    outcome = story.judged("TB-ERR-x_rate_limited")
    assert (outcome.subjects, outcome.breaches) == (1, 1)


BROUGHT_ABOUT: Json = {"conditions": {"start": {"media_upload": {"args": ["{value}"]}}}}


@pytest.mark.parametrize(("ever", "statement", "breaches"), [(False, {}, 0), (True, {}, 1), (False, BROUGHT_ABOUT, 1)])
def test_an_upload_that_never_works_is_of_x_unless_the_target_makes_it_fail(
    statement: Json, breaches: int, *, ever: bool
) -> None:
    story = Bot("workflow", statement=statement, policy=OPEN)
    given: Json = {"file_path": "a.png"}
    if ever:
        story.good("x_upload_media", given, {"media_id": "1"})
    story.bad("x_upload_media", "media_upload_error", given)
    assert story.judged("TB-SRV-01").breaches == breaches

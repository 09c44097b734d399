"""TB-SRV-02: lists that are read page by page, and the conversation that a reply belongs to."""

import pytest

from conformance.model.events import Json
from tests.laws.tuitbot.bot import Bot

SHOWN = "TB-SRV-02"
OWN: Json = {"user_id": "7"}


def posted(*names: str) -> Bot:
    """These tweets by the account 7."""
    story = Bot(policy={"enforce_for_mutations": False})
    story.good("x_get_me", {}, {"id": "7", "username": "me"})
    for name in names:
        story.good("x_post_tweet", {"text": f"text {name}"}, {"id": name, "text": f"text {name}"})
    return story


def page(story: Bot, names: str, token: str = "", following: str = "") -> None:
    """A page of own tweets, a letter each."""
    meta: Json = {"next_token": following} if following else {}
    asked: dict[str, Json] = {"user_id": "7", "max_results": 5, **({"pagination_token": token} if token else {})}
    shown: Json = [{"id": each, "text": f"text {each}"} for each in names]
    story.good("x_get_user_tweets", asked, {"data": shown, "meta": meta})


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        ([("c", "", "t1"), ("b", "t1", "t2"), ("a", "t2", "")], "pass"),
        # the same tweet on two pages is there
        ([("cb", "", "t1"), ("ba", "t1", "")], "pass"),
        ([("c", "", "t1"), ("a", "t1", "")], "fail"),
        # the token leads to the first page again and again
        ([("cb", "", "t1"), ("cb", "t1", "t1")], "fail"),
        # nobody read on
        ([("c", "", "t1"), ("a", "t1", "t2")], "not_observed"),
        ([("c", "", "t1")], "not_observed"),
        # another page than the one that was named
        ([("c", "", "t1"), ("a", "t9", "")], "not_observed"),
    ],
)
def test_what_was_posted_is_on_one_of_the_pages(pages: list[tuple[str, str, str]], said: str) -> None:
    story = posted("a", "b", "c")
    for names, token, following in pages:
        page(story, names, token, following)
    # that the tweets of a page are there is shown by that page alone
    assert story.alone(SHOWN) == ("pass" if said == "not_observed" else said)


@pytest.mark.parametrize("tool", ["x_post_tweet", "x_delete_tweet"])
def test_what_is_written_between_the_pages_may_shift_them(tool: str) -> None:
    story = posted("a", "b", "c")
    page(story, "c", "", "t1")
    given: Json = {"text": "text d"} if tool == "x_post_tweet" else {"tweet_id": "c"}
    story.good(tool, given, {"id": "d"} if tool == "x_post_tweet" else {"deleted": True})
    page(story, "a", "t1")
    assert story.alone(SHOWN) == "pass"


@pytest.mark.parametrize(
    ("tool", "given", "data"),
    [
        ("x_reply_to_tweet", {"text": "two", "in_reply_to_id": "a"}, {"id": "r", "text": "two"}),
        ("x_post_thread", {"tweets": ["one", "two"]}, {"thread_tweet_ids": ["q", "r"]}),
        ("x_post_thread", {"tweets": ["one", "two"]}, {"id": "q", "thread_tweet_ids": ["q", "r"]}),
    ],
)
@pytest.mark.parametrize(
    ("begun", "deleted", "said"),
    [
        ("a", "", "pass"),
        ("r", "", "fail"),
        (None, "", "pass"),
        # where what it answered is gone, it may begin what is left of the conversation
        ("r", "a q", "pass"),
    ],
)
def test_a_reply_belongs_to_the_conversation_of_another(
    tool: str, given: Json, data: Json, begun: Json, deleted: str, said: str
) -> None:
    story = posted("a")
    story.good(tool, given, data)
    for name in deleted.split():
        story.good("x_delete_tweet", {"tweet_id": name}, {"deleted": True})
    story.good("get_tweet_by_id", {"tweet_id": "r"}, {"id": "r", "text": "two", "conversation_id": begun})
    assert story.alone(SHOWN) == said


def test_a_tweet_of_its_own_begins_a_conversation() -> None:
    story = posted("a")
    story.good("get_tweet_by_id", {"tweet_id": "a"}, {"id": "a", "text": "text a", "conversation_id": "a"})
    assert story.alone(SHOWN) == "pass"

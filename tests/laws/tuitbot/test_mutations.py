"""TB-MAN-06, TB-POL-02: who changes what reads show, and that what is allowed happens."""

import pytest

from conformance.model.events import Document, Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

TWEET = {"tweet_id": "5"}
ALLOWING = {"rules": [{"id": "user:all", "priority": -1, "conditions": {}, "action": {"type": "allow"}}]}
DENYING = {"rules": [{"id": "user:all", "priority": -1, "conditions": {}, "action": {"type": "deny"}}]}


def looks(story: Bot, likes: int) -> None:
    """Two reads that show how often the tweet is liked."""
    shown: Json = {"id": "5", "public_metrics": {"like_count": likes}}
    story.good("get_tweet_by_id", TWEET, shown)
    story.good("x_get_user_tweets", {"user_id": "7"}, {"data": [shown]})


def liked(*counts: int, policy: Json = None, condition: Json = None) -> Bot:
    """Unliked and liked in turn, with these counts around."""
    story = Bot(listed=False, policy=policy or ALLOWING)
    looks(story, counts[0])
    for number, count in enumerate(counts[1:]):
        tool = ("x_unlike_tweet", "x_like_tweet")[number % 2]
        story.good(tool, TWEET, {"tweet_id": "5"}, conditions=condition)
        looks(story, count)
    return story


def test_what_is_done_is_seen() -> None:
    story = liked(1, 0, 1)
    assert [story.verdict(name) for name in ("TB-MAN-06", "TB-POL-02")] == ["pass", "pass"]


def test_what_is_said_to_be_done_is_not() -> None:
    story = liked(1, 0, 0)
    assert story.verdict("TB-POL-02") == "fail"
    outcome = liked(0, 0, 0).judged("TB-MAN-06")
    assert (outcome.verdict, outcome.blocked_by) == ("blocked", "TB-POL-02")


def test_taking_back_what_was_not_done_need_not_show() -> None:
    assert liked(0, 0).judged("TB-POL-02").subjects == 1  # the rule allows it, that is all


def test_one_read_alone_does_not_tell_that_nothing_happened() -> None:
    story = Bot(listed=False, policy=ALLOWING)
    for tool in ("x_unlike_tweet", "x_like_tweet"):
        story.good("get_tweet_by_id", TWEET, {"id": "5"})
        story.good(tool, TWEET, {"tweet_id": "5"})
    story.good("get_tweet_by_id", TWEET, {"id": "5"})
    assert story.verdict("TB-MAN-06") == "not_observed"


def test_reads_about_something_else_do_not_tell_either() -> None:
    story = Bot("api", listed=False)
    for tool in ("x_unlike_tweet", "x_like_tweet", "x_unlike_tweet"):
        for read in ("get_tweet_by_id", "x_get_tweet_liking_users"):
            story.good(read, {"tweet_id": "6"}, {"id": "6"})
        story.good(tool, TWEET, {"tweet_id": "5"})
    assert story.verdict("TB-MAN-06") == "not_observed"


def test_a_read_that_changes_another() -> None:
    story = Bot(listed=False)
    looks(story, 0)
    story.good("get_mode", {}, {})
    looks(story, 1)
    assert story.verdict("TB-MAN-06") == "fail"


def test_that_a_tweet_was_seen_is_no_change() -> None:
    story = Bot(listed=False)
    for views in (1, 2):
        metrics: Json = {"like_count": 0, "impression_count": views}
        story.good("x_get_user_tweets", {"user_id": "7"}, {"data": [{"id": "5", "public_metrics": metrics}]})
    assert story.verdict("TB-MAN-06") == "pass"


def test_what_is_between_a_write_and_its_like_is_not_the_reads() -> None:
    story = Bot(listed=False)
    looks(story, 0)
    story.bad("x_like_tweet", "x_api_error", TWEET)
    looks(story, 1)
    assert story.verdict("TB-MAN-06") == "not_observed"


def test_a_write_that_is_declared_a_read() -> None:
    story = liked(1, 0)
    row = {"name": "x_unlike_tweet", "mutation": False}
    story.events.append(Document(name="manifest", content=[row]))
    assert story.verdict("TB-MAN-06") == "fail"


@pytest.mark.parametrize(
    ("answer", "verdict"), [("success", "pass"), ("not_found", "fail"), ("x_rate_limited", "not_observed")]
)
def test_a_medium_is_there_to_be_posted(answer: str, verdict: str) -> None:
    story = Bot("api")
    story.good("x_upload_media", {"file_path": "a.png"}, {"media_id": "m1"})
    post: Json = {"text": "look", "media_ids": ["m1"]}
    story.good("x_post_tweet", post, {"id": "8"}) if answer == "success" else story.bad("x_post_tweet", answer, post)
    assert story.verdict("TB-MAN-06") == verdict


@pytest.mark.parametrize(("tweet", "verdict"), [("5", "fail"), ("of nobody", "not_observed")])
def test_a_post_with_a_medium_may_be_refused_for_the_tweet_that_it_answers(tweet: str, verdict: str) -> None:
    story = Bot("api")
    story.good("get_tweet_by_id", {"tweet_id": "5"}, {"id": "5", "text": "theirs"})
    story.good("x_upload_media", {"file_path": "a.png"}, {"media_id": "m1"})
    story.bad("x_reply_to_tweet", "not_found", {"text": "look", "in_reply_to_id": tweet, "media_ids": ["m1"]})
    assert story.verdict("TB-MAN-06") == verdict


@pytest.mark.parametrize(("blocked", "breaches"), [(False, 0), (True, 1)])
def test_what_was_not_done_is_taken_back_without_effect(*, blocked: bool, breaches: int) -> None:
    story = Bot(listed=False)
    story.name = story.instance("i2", profile="write", policy={"enforce_for_mutations": False})
    given: dict[str, Json] = {"list_id": "5", "user_id": "7"}
    reads: tuple[tuple[str, dict[str, Json], Json], ...] = (
        ("x_v2_lists_followers", {"id": "5"}, {"data": [{"id": "7"}]}),
        ("x_v2_lists_get", {"id": "5"}, {"data": {"id": "5", "follower_count": 1}}),
    )
    if blocked:
        story.good("x_v2_lists_follow", given)
    for _ in range(2):
        for tool, arguments, answer in reads:
            story.good(tool, arguments, answer)
        if _ == 0:
            story.good("x_v2_lists_unfollow", given)
    assert story.judged("TB-POL-02").breaches == breaches


@pytest.mark.parametrize(("status", "breaches"), [("executed", 0), ("queued", 1)])
def test_a_reply_that_was_sent_is_in_no_queue(status: str, breaches: int) -> None:
    story = Bot(listed=False, policy={"enforce_for_mutations": False})
    looks_: tuple[tuple[str, Json], ...] = (("get_pending_count", {"pending_count": 0}), ("list_pending_approvals", []))
    for after in (False, True):
        if after:
            items: Json = [{"candidate_id": "5", "pre_drafted_text": "a b c"}]
            story.good("propose_and_queue_replies", {"items": items}, [{"candidate_id": "5", "status": status}])
        for tool, answer in looks_:
            story.good(tool, {}, answer)
    assert story.judged("TB-POL-02").breaches == breaches


@pytest.mark.parametrize(
    ("tool", "given", "answer", "reads"),
    [
        ("x_post_thread", {"tweets": ["a", "b"]}, {"thread_tweet_ids": ["8", "9"]},
         [("get_pending_count", {}, {"pending_count": 0}), ("list_pending_approvals", {}, [])]),
        ("x_v2_blocks_delete", {"user_id": "7", "target_user_id": "5"}, {"data": {"blocking": False}},
         [("x_v2_tweets_lookup", {"ids": "3"}, {"data": [{"id": "3", "author_id": "5"}]}),
          ("x_search_tweets", {"query": "a"}, {"data": [{"id": "3", "author_id": "5"}]})]),
    ],
)  # fmt: skip
def test_a_read_that_shows_something_else_does_not_tell(
    tool: str, given: dict[str, Json], answer: Json, reads: list[tuple[str, dict[str, Json], Json]]
) -> None:
    story = Bot(listed=False)
    story.name = story.instance("i2", profile="write", policy={"enforce_for_mutations": False})
    if tool == "x_v2_blocks_delete":
        story.good("x_v2_blocks_create", given)
    for after in (False, True):
        if after:
            story.good(tool, given, answer)
        for read, asked, shown in reads:
            story.good(read, asked, shown)
    assert story.judged("TB-POL-02").breaches == 0


def test_what_a_rule_allows_is_not_held_back() -> None:
    story = Bot(listed=False, policy=ALLOWING)
    story.bad("x_post_tweet", "policy_denied_user_rule", {"text": "a"})
    assert story.verdict("TB-POL-02") == "fail"
    story = Bot(listed=False, policy=ALLOWING)
    story.bad("x_post_tweet", "policy_denied_rate_limited", {"text": "a"})
    assert story.verdict("TB-POL-02") == "not_observed"


def test_the_api_profile_has_no_gate() -> None:
    story = Bot("api", listed=False)
    looks(story, 1)
    story.good("x_unlike_tweet", TWEET, {"tweet_id": "5"})
    looks(story, 0)
    assert story.verdict("TB-POL-02") == "not_applicable"


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "manifest", edition="convergence")
    for identifier in ("TB-MAN-06", "TB-POL-02"):
        outcome = judged.outcome(identifier)
        assert outcome is not None
        assert (outcome.verdict, outcome.subjects > 20) == ("pass", True)

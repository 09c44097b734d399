"""TB-SAFE-02 to -05: replies that are held back, and those that are not."""

import pytest

from conformance.contracts.tuitbot.similarity import similarity
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

SAID = "every test suite was slow before somebody measured it"
OTHER = "caches hide what builds really cost your team today"
DAY_S = 86_400


class Desk(Bot):
    """Tweets to be answered, two by ada and two by the account; it is noon, "check out" is banned."""

    def __init__(self, *, author_limit: Json = 1, shown: bool = True) -> None:
        super().__init__(listed=False, approval_mode=False)
        limits = {"banned_phrases": ["check out"], "max_replies_per_author_per_day": author_limit}
        self.good("get_config", {}, {"limits": limits})
        self.good("x_post_tweet", {"text": "mine"}, {"id": "9"})
        self.good("get_tweet_by_id", {"tweet_id": "9"}, {"created_at": "2026-11-21T12:00:00Z", "author_id": "100"})
        if shown:
            self.good("x_get_user_by_id", {"user_id": "100"}, {"id": "100", "username": "Me"})
        tweets = {"1": "ada", "2": "Ada", "3": "grace", "4": "linus", "5": "me", "9": "me"}
        found = [{"tweet_id": t, "author_username": a, "already_replied": False} for t, a in tweets.items()]
        self.good("find_reply_opportunities", {}, {"candidates": found})

    def reply(self, tweet: str, text: str, status: str, *, clock: int = 0) -> int:
        """One proposed reply."""
        item: Json = {"candidate_id": tweet, "pre_drafted_text": text}
        answer = [{"candidate_id": tweet, "status": status}]
        conditions: Json = {"clock": clock} if clock else {}
        return self.good("propose_and_queue_replies", {"items": [item]}, answer, conditions=conditions)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (SAID, SAID, 1.0),
        (SAID, SAID.upper() + "!", 1.0),
        (SAID, OTHER, 0.0),
        ("thank you", "thank you", 1.0),
        ("thank you", "Thank you", 0.0),
        ("a b c d e", "a b c d f", 4 / 6),
    ],
)
def test_how_alike_texts_are(one: str, other: str, alike: float) -> None:
    assert similarity(one, other) == alike


@pytest.mark.parametrize(
    ("text", "status", "verdict"),
    [
        (SAID, "blocked", "pass"),
        (SAID, "executed", "fail"),
        (SAID.upper(), "executed", "fail"),
        (OTHER, "executed", "pass"),
        (OTHER, "blocked", "fail"),
        (f"{SAID} and so on and on, they say", "executed", "not_observed"),
        (f"{OTHER} check out", "blocked", "not_observed"),
    ],
)
def test_a_second_reply(text: str, status: str, verdict: str) -> None:
    story = Desk()
    story.reply("1", SAID, "executed")
    story.reply("3", text, status)
    assert story.verdict("TB-SAFE-02") == verdict


@pytest.mark.parametrize("tweet", ["1", "2", "5", "9", "77"])
def test_there_are_other_reasons_to_block_a_reply(tweet: str) -> None:
    story = Desk()
    story.reply("1", SAID, "executed")
    story.reply(tweet, OTHER, "blocked")
    assert story.verdict("TB-SAFE-02") == "not_observed"


def test_a_tweet_may_be_ones_own_where_nothing_shows_whose_account_it_is() -> None:
    """Found by a random history: the account had posted it before the run."""
    story = Desk(shown=False)
    story.reply("1", SAID, "executed")
    story.reply("3", OTHER, "blocked")
    assert story.verdict("TB-SAFE-02") == "not_observed"


def test_a_reply_that_only_waits_may_or_may_not_be_recent() -> None:
    story = Desk()
    story.reply("1", SAID, "queued")
    story.reply("3", SAID, "executed")
    assert story.verdict("TB-SAFE-02") == "not_observed"


def test_after_replies_in_another_way_nothing_is_known() -> None:
    story = Desk()
    story.reply("1", SAID, "executed")
    story.good("x_reply_to_tweet", {"text": "a", "in_reply_to_id": "4"}, {"id": "8"})
    story.reply("3", OTHER, "blocked")
    assert story.verdict("TB-SAFE-02") == "not_observed"


def test_a_blocked_reply_is_not_sent() -> None:
    story = Desk()
    story.reply("1", SAID, "executed")
    call = story.reply("3", SAID, "blocked")
    story.effect(call, "x_call", instance=story.name, operation="post", outcome="ok")
    assert story.verdict("TB-SAFE-02") == "fail"


@pytest.mark.parametrize(
    ("text", "status", "verdict"),
    [
        ("Check Out this", "blocked", "pass"),
        ("you may CHECK OUT this", "executed", "fail"),
        ("check it out", "executed", "not_observed"),
    ],
)
def test_banned_phrases(text: str, status: str, verdict: str) -> None:
    story = Desk()
    story.reply("1", text, status)
    assert story.verdict("TB-SAFE-03") == ("not_observed" if status == "blocked" else verdict)
    story.reply("3", OTHER, "executed")
    assert story.verdict("TB-SAFE-03") == verdict


@pytest.mark.parametrize(
    ("tweet", "status", "verdict"),
    [("9", "blocked", "pass"), ("9", "executed", "fail"), ("1", "executed", "not_observed")],
)
def test_an_own_tweet(tweet: str, status: str, verdict: str) -> None:
    story = Desk()
    story.reply(tweet, SAID, status)
    assert story.verdict("TB-SAFE-04") == ("not_observed" if status == "blocked" else verdict)
    story.reply("3", OTHER, "executed")
    assert story.verdict("TB-SAFE-04") == verdict


@pytest.mark.parametrize(("status", "verdict"), [("blocked", "pass"), ("executed", "fail")])
def test_an_own_tweet_that_no_search_shows(status: str, verdict: str) -> None:
    story = Desk()
    story.good("x_post_tweet", {"text": "another of mine"}, {"id": "10"})
    story.reply("3", OTHER, "executed")
    story.reply("10", SAID, status)
    assert story.verdict("TB-SAFE-04") == verdict
    assert story.alone("TB-SAFE-05") == "not_observed", "nobody knows whom it answers"


@pytest.mark.parametrize(
    ("limit", "clock", "status", "verdict"),
    [
        (1, 0, "blocked", "pass"),
        (1, 3600, "blocked", "pass"),
        (1, 0, "executed", "fail"),
        (1, DAY_S, "executed", "pass"),
        (1, DAY_S, "blocked", "fail"),
        (1, 12 * 3600, "blocked", "not_observed"),
        (2, 0, "executed", "not_observed"),
        (None, 0, "executed", "not_observed"),
    ],
)
def test_a_second_reply_to_one_author(limit: Json, clock: int, status: str, verdict: str) -> None:
    story = Desk(author_limit=limit)
    story.reply("1", SAID, "executed")
    story.reply("2", OTHER, status, clock=clock)
    assert story.verdict("TB-SAFE-05") == verdict


def test_a_reply_to_somebody_else_is_no_second_one() -> None:
    story = Desk()
    story.reply("1", SAID, "executed")
    story.reply("3", OTHER, "executed")
    assert story.verdict("TB-SAFE-05") == "not_observed"


def test_the_reference_keeps_them() -> None:
    judged = driven("tuitbot", "replies", edition="convergence")
    for number, subjects in ((2, 10), (3, 6), (4, 2), (5, 4)):
        outcome = judged.outcome(f"TB-SAFE-0{number}")
        assert outcome is not None
        assert (number, outcome.verdict, outcome.subjects) == (number, "pass", subjects)


def together(story: Desk, *replies: tuple[str, str, str]) -> None:
    """Replies in one call: to which tweet, with which text, and what became of each."""
    items: Json = [{"candidate_id": tweet, "pre_drafted_text": text} for tweet, text, _ in replies]
    answers: Json = [{"candidate_id": tweet, "status": status} for tweet, _, status in replies]
    story.good("propose_and_queue_replies", {"items": items}, answers)


@pytest.mark.parametrize(
    ("identifier", "replies"),
    [
        ("TB-SAFE-02", [("1", SAID, "executed"), ("3", SAID.upper(), "executed")]),
        ("TB-SAFE-03", [("1", SAID, "executed"), ("3", f"{OTHER} check out", "executed")]),
        ("TB-SAFE-04", [("1", SAID, "executed"), ("9", OTHER, "executed")]),
        ("TB-SAFE-05", [("1", SAID, "executed"), ("2", OTHER, "executed")]),
    ],
)
def test_replies_in_one_call_are_looked_at_one_by_one(identifier: str, replies: list[tuple[str, str, str]]) -> None:
    story = Desk()
    together(story, *replies)
    outcome = story.judged(identifier)
    assert (outcome.verdict, outcome.findings[0].pointer) == ("fail", "/data/1/status")
    story = Desk()
    together(story, replies[0], (*replies[1][:2], "blocked"))
    assert story.verdict(identifier) == "pass"


def test_which_of_several_replies_comes_first_is_open() -> None:
    story = Desk()
    together(story, ("1", SAID, "blocked"), ("2", SAID, "executed"))
    together(story, ("3", OTHER, "blocked"), ("4", OTHER, "executed"))
    for identifier in ("TB-SAFE-02", "TB-SAFE-05"):
        assert story.judged(identifier).breaches == 0


@pytest.mark.parametrize(("order", "said"), [(("2", "1"), "fail"), ((None, None), "not_observed")])
def test_an_answer_is_that_of_the_reply_it_names(order: tuple[str | None, ...], said: str) -> None:
    story = Desk()
    items: Json = [{"candidate_id": tweet, "pre_drafted_text": SAID} for tweet in ("1", "2")]
    answers: Json = [{"candidate_id": tweet, "status": "executed"} for tweet in order]
    story.good("propose_and_queue_replies", {"items": items}, {"results": answers})
    assert story.verdict("TB-SAFE-05") == said


@pytest.mark.parametrize(
    ("entries", "breaches"),
    [
        ([{"target_tweet_id": "1", "reply_content": SAID}], 0),
        ([{"target_tweet_id": "1", "reply_content": OTHER}], 1),
        ([{"target_tweet_id": "1"}, {"target_tweet_id": "2", "reply_content": ""}], 1),
        ([], 1),
        # a list of replies that leaves out what they say
        ([{"target_tweet_id": "1"}], 0),
    ],
)
def test_a_reply_that_was_sent_is_among_the_recent_ones(entries: list[Json], breaches: int) -> None:
    story = Desk()
    story.reply("1", SAID, "executed")
    story.good("get_recent_replies", {}, entries)
    assert story.judged("TB-SRV-02").tools.get("get_recent_replies", 0) == breaches

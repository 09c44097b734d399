"""Discovering, scoring, drafting and proposing: what is held back and what is let through."""

import pytest

from reference_server.tuitbot.toolkit import safety
from reference_server.tuitbot.toolkit.scoring import ScoringConfig, ScoringInput, score_tweet

from .bot import NOON, OTHER, OWN, UNGATED, Bot

DAY = 86_400
TEXT = "measure before you change anything at all"


def proposed(bot, tweet, text, under=None):
    items = [{"candidate_id": tweet, "pre_drafted_text": text}]
    (item,) = bot.data("propose_and_queue_replies", under=under, items=items)
    return item


@pytest.fixture(params=[True, False], ids=["queued", "executed"])
def bot(request):
    """In approval mode and without."""
    return Bot(UNGATED, approval_mode=request.param)


def passed(bot):
    return "queued" if bot.tuitbot.config.approval else "executed"


def test_a_good_reply_goes_its_way(bot):
    assert proposed(bot, bot.found(), TEXT)["status"] == passed(bot)


@pytest.mark.parametrize("text", [TEXT, "Measure BEFORE you change, anything at all!", f"{TEXT} now"])
def test_a_reply_like_a_recent_one_is_blocked(bot, text):
    proposed(bot, bot.found(OTHER), TEXT)
    assert proposed(bot, bot.found("2001"), text)["status"] == "blocked"
    assert proposed(bot, bot.found("2001"), "quite another thought about this one")["status"] == passed(bot)


def test_a_short_text_is_like_another_only_as_a_whole(bot):
    proposed(bot, bot.found(OTHER), "so very true")
    assert proposed(bot, bot.found("2001"), "So very true")["status"] == passed(bot)
    assert proposed(bot, bot.found("2002"), "so very true")["status"] == "blocked"


@pytest.mark.parametrize("text", ["Check Out our tool", "i recommend this", "there is a LINK IN BIO"])
def test_a_banned_phrase_is_blocked_in_any_case(bot, text):
    assert proposed(bot, bot.found(), text)["status"] == "blocked"


def test_a_reply_to_oneself_is_blocked(bot):
    assert proposed(bot, bot.found(OWN), TEXT)["status"] == "blocked"


def test_an_author_gets_one_reply_a_day(bot):
    first, second = (
        each["tweet_id"] for each in bot.data("find_reply_opportunities", query="from:ada_codes")["candidates"]
    )
    assert proposed(bot, first, TEXT)["status"] == passed(bot)
    assert proposed(bot, second, "quite another thought about this one")["status"] == "blocked"
    tomorrow = {"clock": DAY / 2}
    assert proposed(bot, second, "quite another thought about this one", tomorrow)["status"] == passed(bot)


def test_a_direct_reply_counts_as_well(bot):
    tweet = bot.found()
    bot.data("x_reply_to_tweet", text=TEXT, in_reply_to_id=tweet)
    assert proposed(bot, tweet, "quite another thought")["status"] == "blocked"
    assert bot.data("get_reply_count_today") == {"replies_today": 1}
    assert bot.data("get_recent_replies")[0]["target_tweet_id"] == tweet
    assert bot.data("get_author_context", identifier="linus_reads")["interaction_summary"]["replies_today"] == 1


def test_what_was_not_discovered_is_blocked(bot):
    assert proposed(bot, "1", TEXT)["status"] == "blocked"


def test_an_item_that_fails_says_so_in_the_item():
    bot = Bot(UNGATED, approval_mode=False)
    tweet = bot.found()
    assert proposed(bot, tweet, TEXT, {"x": "rate_limited"})["error_code"] == "x_rate_limited"
    assert proposed(bot, tweet, None, {"llm": False})["error_code"] == "llm_not_configured"
    assert proposed(bot, tweet, TEXT)["status"] == "executed"


def test_a_call_in_which_all_is_blocked_uses_up_no_limit():
    bot = Bot(policy={"require_approval_for": [], "max_mutations_per_hour": 1})
    assert proposed(bot, "1", TEXT)["status"] == "blocked"
    assert proposed(bot, bot.found(), TEXT)["status"] == "queued"


def test_a_queued_reply_is_sent_when_approved():
    bot = Bot(UNGATED)
    tweet = bot.found()
    item = proposed(bot, tweet, TEXT)["approval_queue_id"]
    sent = bot.data("approve_item", id=item)["result"]["id"]
    assert bot.data("get_tweet_by_id", tweet_id=sent)["conversation_id"] == tweet
    assert bot.tuitbot.store.discovery.tweets[tweet].replied_to is True


def test_drafts_come_for_candidates_or_say_why_not():
    bot = Bot(UNGATED)
    good, bad = bot.data("draft_replies_for_candidates", candidate_ids=[bot.found(), "1"])
    assert (good["status"], bad["status"], bad["error_code"]) == ("success", "error", "not_found")
    (down,) = bot.data("draft_replies_for_candidates", under={"llm": "failing"}, candidate_ids=[bot.found()])
    assert down["error_code"] == "llm_error"


def test_discovery_keeps_what_it_finds():
    bot = Bot(UNGATED)
    found = bot.data("find_reply_opportunities", min_score=20, limit=2)
    assert len(found["candidates"]) == 2
    assert all(each["score_total"] >= 20 for each in found["candidates"])
    assert len(bot.data("list_unreplied_tweets")) == found["total_found"]
    assert bot.data("get_discovery_feed", min_score=100) == []


def score(**changed):
    given = {"text": "rust", "author_followers": 10_000, "likes": 500, "retweets": 0, "replies": 0} | changed
    given.setdefault("created_at", "2033-05-18T12:00:00Z")
    return score_tweet(ScoringInput(**given), ScoringConfig(keywords=("rust", "developer tools")), NOON)


@pytest.mark.parametrize(
    ("changed", "part", "value"),
    [
        ({}, "keyword_relevance", 8.33),
        ({"text": "Developer Tools in Rust"}, "keyword_relevance", 25.0),
        ({}, "follower", 15.0),
        ({"author_followers": 1_000}, "follower", 7.5),
        ({"author_followers": 100_000}, "follower", 3.75),
        ({"author_followers": 0}, "engagement", 0.0),
        ({}, "engagement", 15.0),
        ({"replies": 10}, "reply_count", 7.5),
        ({"replies": 30}, "reply_count", 0.0),
        ({}, "recency", 10.0),
        ({"created_at": "2033-05-18T11:40:00Z"}, "recency", 8.0),
        ({"created_at": "2033-05-18T11:00:00Z"}, "recency", 5.0),
        ({"created_at": "2033-05-18T06:00:00Z"}, "recency", 2.5),
        ({"created_at": "yesterday"}, "recency", 0.0),
        ({}, "total", 73.33),
        ({}, "meets_threshold", True),
    ],
)
def test_a_score_has_the_parts_of_the_facts(changed, part, value):
    assert getattr(score(**changed), part) == value


def test_texts_without_words_are_alike_but_an_empty_one_repeats_nothing():
    assert safety.similarity("!!", "??") == 1.0
    assert safety.similar_to("", ["", "a"]) is None

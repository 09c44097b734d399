"""Each requirement of either edition that can be judged from outside has a deviation, which can be seen there."""

import json
import tomllib
from pathlib import Path

import pytest

from reference_server.application import UnknownToolError
from reference_server.deviations.registry import all_deviations, find
from reference_server.tuitbot.errors import ErrorCode

from .bot import OTHER, OWN, UNGATED, Bot, picture
from .test_codes import PROVOKED

SCHEMAS = Path(__file__).parents[3] / "schemas" / "tuitbot"
ROWS = tomllib.loads((SCHEMAS / "requirements.toml").read_text("utf-8"))["requirement"]
JUDGED = {row["id"] for row in ROWS if row["seen"] != "reference"}
EDITIONS_OF = {row["id"]: row.get("applies", {}).get("editions", ["session-05", "convergence"]) for row in ROWS}


def test_every_judged_requirement_has_a_deviation():
    assert {each.requirement for each in all_deviations("tuitbot")} == JUDGED
    assert len(JUDGED) == 93


@pytest.mark.parametrize("each", all_deviations("tuitbot"), ids=lambda each: each.requirement)
def test_a_deviation_is_of_the_editions_of_its_requirement(each):
    editions = EDITIONS_OF[each.requirement]
    assert ([each.edition] if each.edition else ["session-05", "convergence"]) == editions


def deny(tool="x_post_tweet", rule_id="mine"):
    return {"rules": [{"id": rule_id, "priority": 5, "conditions": {"tools": [tool]}, "action": {"type": "deny"}}]}


def replies(bot, author, *texts):
    candidates = bot.data("find_reply_opportunities", query=f"from:{author}")["candidates"]
    items = [
        {"candidate_id": each["tweet_id"], "pre_drafted_text": text}
        for each, text in zip(candidates, texts, strict=False)
    ]
    return [each["status"] for each in bot.data("propose_and_queue_replies", items=items)]


def similar(bot):
    replies(bot, "linus_reads", "measure before you change anything")
    return replies(bot, "ada_codes", "measure before you change anything")


def tweets(bot, tool, **arguments):
    bot.call(tool, arguments)
    return len(bot.tuitbot.world.tweets)


def approved(bot):
    item = bot.data("x_post_tweet", text="a")["approval_queue_id"]
    return tweets(bot, "approve_item", id=item)


def spent(bot):
    bot.call("x_retweet", {"tweet_id": "1"})
    return bot.call("x_retweet", {"tweet_id": bot.tweet()}).failed


def hidden(bot):
    try:
        return bot.call("x_get_me").failed
    except UnknownToolError:
        return "unknown"


def bookmarked(bot):
    bot.data("get_tweet_by_id", tweet_id=bot.tweet())
    return len(bot.data("x_get_bookmarks")["data"])


def liked(bot):
    bot.call("x_like_tweet", {"tweet_id": bot.tweet()})
    return bot.data("x_get_liked_tweets", user_id=OWN)["data"]


def failing(bot):
    return bot.call("get_tweet_by_id", {"tweet_id": "1"})


def denied(bot):
    return bot.call("x_post_tweet", {"text": "a"}).envelope["error"]


def gated(**policy):
    return {"policy": {"require_approval_for": [], **policy}}


def answers(tool, under=None, **arguments):
    return lambda bot: bot.call(tool, arguments, under=under)


API = {"profile": "api"}
COMPOSER = {"mode": "composer", "approval_mode": False}
SEEN = {
    "TB-ENV-01": ({}, answers("get_capabilities")),
    "TB-ENV-02": ({}, failing),
    "TB-ENV-03": ({}, answers("get_mode")),
    "TB-ENV-04": ({}, answers("get_mode")),
    "TB-ENV-05": ({}, answers("validate_config")),
    "TB-ENV-06": ({}, answers("x_get_user_by_username", username="nobody")),
    "TB-ENV-07": ({}, failing),
    "TB-ENV-08": ({}, lambda bot: type(failing(bot).envelope["error"]["retryable"])),
    "TB-ENV-09": ({}, lambda bot: bot.error("x_get_bookmarks", under={"x": "rate_limited"})),
    "TB-ENV-10": (gated(**deny()), denied),
    "TB-ENV-11": ({}, failing),
    "TB-ENV-12": ({}, answers("get_mode")),
    "TB-ENV-13": ({}, answers("get_mode")),
    "TB-ENV-14": ({}, answers("get_mode")),
    "TB-ENV-15": ({}, answers("get_mode")),
    "TB-ENV-16": ({}, answers("get_mode")),
    "TB-ENV-17": ({}, lambda bot: type(bot.call("get_mode").envelope["meta"]["approval_mode"])),
    "TB-ENV-18": ({}, failing),
    "TB-RETRY-01": ({}, failing),
    "TB-RETRY-02": ({}, answers("get_mode", retryable=True)),
    "TB-RETRY-03": ({}, answers("x_search_tweets", query=" ")),
    "TB-META-01": (API, answers("x_get_me")),
    "TB-META-02": (API, answers("x_get_me")),
    "TB-META-03": ({}, failing),
    "TB-META-04": ({}, failing),
    "TB-META-05": (COMPOSER, answers("get_mode")),
    "TB-META-06": (COMPOSER, answers("get_mode")),
    **{f"TB-MAN-{number:02}": ({}, lambda bot: bot.tuitbot.manifest()) for number in (1, 2, 4, 5, 11)},
    "TB-MAN-03": ({}, lambda bot: [tool.name for tool in bot.tuitbot.tools]),
    "TB-MAN-06": ({}, bookmarked),
    "TB-MAN-07": (UNGATED, answers("compose_tweet", {"x_client": False}, content="a")),
    "TB-MAN-08": ({}, answers("generate_thread_plan", {"llm": False}, topic="a")),
    "TB-MAN-09": ({}, answers("get_follower_trend", {"database": "failing"})),
    "TB-MAN-12": ({}, lambda bot: [tool.annotations for tool in bot.tuitbot.tools]),
    "TB-META-07": ({"profile": "readonly"}, failing),
    "TB-PROF-01": ({"profile": "api-readonly"}, lambda bot: len(bot.tuitbot.tools)),
    "TB-PROF-02": ({"profile": "readonly"}, lambda bot: len(bot.tuitbot.tools)),
    "TB-PROF-03": ({}, lambda bot: len(bot.tuitbot.tools)),
    "TB-PROF-04": ({"profile": "api-readonly"}, lambda bot: len(bot.tuitbot.tools)),
    "TB-PROF-05": ({}, hidden),
    "TB-PROF-06": (API, lambda bot: len(bot.tuitbot.tools)),
    "TB-POL-01": (
        gated(**deny("x_unbookmark_tweet")),
        lambda bot: bot.call("x_unbookmark_tweet", {"tweet_id": bot.tweet()}),
    ),
    "TB-POL-02": (
        gated(),
        lambda bot: (
            bot.data("x_retweet", tweet_id=bot.tweet()),
            bot.data("get_tweet_by_id", tweet_id=bot.tweet()),
        ),
    ),
    "TB-POL-03": ({}, lambda bot: tweets(bot, "x_post_tweet", text="a")),
    "TB-POL-04": ({}, approved),
    "TB-POL-05": (gated(dry_run_mutations=True), lambda bot: tweets(bot, "x_post_tweet", text="a")),
    "TB-POL-06": (gated(**deny()), lambda bot: tweets(bot, "x_post_tweet", text="a")),
    "TB-POL-07": (gated(**deny(rule_id="hard:no")), lambda bot: tweets(bot, "x_post_tweet", text="a")),
    "TB-POL-08": (gated(max_mutations_per_hour=0), lambda bot: tweets(bot, "x_post_tweet", text="a")),
    "TB-POL-09": (gated(**deny("x_upload_media")), None),
    "TB-POL-10": (gated(max_mutations_per_hour=1), spent),
    "TB-SAFE-01": (UNGATED, lambda bot: bot.call("x_quote_tweet", {"text": "a" * 281, "quoted_tweet_id": bot.tweet()})),
    "TB-SAFE-02": (UNGATED, similar),
    "TB-SAFE-03": (UNGATED, lambda bot: replies(bot, "ada_codes", "CHECK OUT this")),
    "TB-SAFE-04": (UNGATED, lambda bot: replies(bot, "tuitbot_ref", "well said")),
    "TB-SAFE-05": (UNGATED, lambda bot: replies(bot, "ada_codes", "one thought", "and another one")),
    "TB-SAFE-06": (UNGATED, answers("x_post_thread", PROVOKED["thread_partial_failure"][1], tweets=["a", "b"])),
    "TB-SAFE-07": (UNGATED, None),
    "TB-SRV-01": ({}, answers("get_stats", days=7)),
    "TB-SRV-02": (UNGATED, liked),
    "TB-SRV-03": ({}, answers("get_stats", {"database": "failing"})),
}


def visible(observed):
    """An observation without the time that calls took."""
    if hasattr(observed, "envelope") and isinstance(observed.envelope, dict):
        meta = observed.envelope.get("meta", {})
        took = "plausible" if 0 <= meta.get("elapsed_ms", 0) < 60_000 else "implausible"
        return json.dumps([{**observed.envelope, "meta": {**meta, "elapsed_ms": took}}, observed.failed])
    return repr(observed)


@pytest.mark.parametrize("requirement", SEEN)
def test_a_deviation_shows(requirement, tmp_path):
    settings, observe = SEEN[requirement]
    if observe is None:
        name = "a.PNG" if requirement == "TB-SAFE-07" else "a.png"
        observe = answers("x_upload_media", file_path=str(picture(tmp_path, name)))
    edition = find(requirement).edition or "session-05"
    correct, deviating = Bot(settings, edition), Bot(settings, edition)
    find(requirement).apply(deviating.tuitbot)
    assert visible(observe(correct)) != visible(observe(deviating))


@pytest.mark.parametrize("code", ErrorCode)
def test_the_deviation_of_a_code_flips_its_flag_alone(code):
    bot = Bot()
    find(f"TB-ERR-{code}").apply(bot.tuitbot)
    assert {each for each in ErrorCode if bot.tuitbot.envelopes.retryable(each) is not each.retryable} == {code}
    assert Bot().tuitbot.envelopes.retryable(code) is code.retryable


def test_all_deviations_are_looked_at():
    assert {*SEEN, *(f"TB-ERR-{code}" for code in ErrorCode)} == JUDGED


@pytest.mark.parametrize("requirement", ["TB-META-01", "TB-META-02"])
def test_the_boundary_of_api_leaves_workflow_alone(requirement):
    correct, deviating = Bot(), Bot()
    find(requirement).apply(deviating.tuitbot)
    assert visible(correct.call("get_mode")) == visible(deviating.call("get_mode"))


def test_only_the_deviating_instance_changes():
    deviating, other = Bot(UNGATED), Bot(UNGATED)
    for each in all_deviations("tuitbot"):
        each.apply(deviating.tuitbot)
    assert other.data("x_get_following", user_id=OWN)["data"][0]["id"] != OTHER
    assert other.data("x_retweet", tweet_id=other.tweet())
    assert other.data("get_tweet_by_id", tweet_id=other.tweet())["public_metrics"]["retweet_count"] == 89

"""TB-SAFE-01: what a tweet may weigh, and the reckoning behind it."""

import pytest

from conformance.contracts.tuitbot.weight import weight
from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.tuitbot.bot import Bot

LONG = "a" * 281
FULL = "a" * 280
ARGUMENTS = {
    "x_post_tweet": lambda text: {"text": text},
    "x_reply_to_tweet": lambda text: {"text": text, "in_reply_to_id": "5"},
    "x_quote_tweet": lambda text: {"text": text, "quoted_tweet_id": "5"},
    "x_post_thread": lambda text: {"tweets": ["first", text]},
    "compose_tweet": lambda text: {"content": text},
}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("", 0),
        ("two words", 9),
        ("What, again?", 12),
        ("The end.", 8),
        ("https://example.com", 23),
        ("see http://example.com/a/very/long/path now", 31),
        ("中文", 4),
        ("a中", 3),
        ("HTTPS://example.com/a Http://example.com", 47),
        ("example.com", None),
        ("see https://example.com.", None),
        ("see(https://example.com)", None),
        ("#tag", None),
        ("naïve", 5),
        ("nai\u0308ve", 5),
        ("\U0001f600", 2),
        ("👍", None),
        ("two\nlines", None),
    ],
)
def test_what_is_sure_of_a_texts_weight(text: str, known: int | None) -> None:
    assert weight(text) == known


@pytest.mark.parametrize("tool", list(ARGUMENTS))
@pytest.mark.parametrize(("text", "taken", "refused"), [(FULL, "pass", "fail"), (LONG, "fail", "pass")])
def test_280_and_281(tool: str, text: str, taken: str, refused: str) -> None:
    story = Bot(listed=False)
    story.good(tool, ARGUMENTS[tool](text), {})
    assert story.verdict("TB-SAFE-01") == taken
    story = Bot(listed=False)
    story.bad(tool, "tweet_too_long", ARGUMENTS[tool](text))
    alone = "not_observed" if text == LONG else refused
    assert story.verdict("TB-SAFE-01") == alone, "nothing is known of a tool that was never seen to take a text"
    story.good(tool, ARGUMENTS[tool]("short"), {})
    assert story.verdict("TB-SAFE-01") == refused


@pytest.mark.parametrize(
    ("text", "status", "verdict"),
    [(FULL, "queued", "pass"), (LONG, "queued", "fail"), (LONG, "executed", "fail"), (LONG, "blocked", "pass")],
)
def test_proposed_replies(text: str, status: str, verdict: str) -> None:
    story = Bot(listed=False)
    item: Json = {"candidate_id": "5", "pre_drafted_text": text}
    short: Json = {"candidate_id": "6", "pre_drafted_text": "short"}
    story.good("propose_and_queue_replies", {"items": [item]}, [{"candidate_id": "5", "status": status}])
    story.good("propose_and_queue_replies", {"items": [short]}, [{"candidate_id": "6", "status": "queued"}])
    assert story.verdict("TB-SAFE-01") == verdict


def test_a_refusal_for_another_reason_tells_nothing_of_a_short_text() -> None:
    story = Bot(listed=False)
    story.bad("x_post_tweet", "x_forbidden", {"text": FULL})
    assert story.alone("TB-SAFE-01") == "not_observed"


def test_what_is_refused_while_x_fails_tells_nothing() -> None:
    story = Bot(listed=False)
    story.bad("x_post_tweet", "x_api_error", {"text": LONG}, conditions={"x": "api_error"})
    assert story.verdict("TB-SAFE-01") == "not_observed"


def test_a_long_draft_of_a_thread_tells_nothing() -> None:
    story = Bot(listed=False)
    story.good("compose_tweet", {"content": LONG, "content_type": "thread"}, {})
    assert story.verdict("TB-SAFE-01") == "not_observed"


def test_the_reference_keeps_it() -> None:
    outcome = driven("tuitbot", "lengths", edition="convergence").outcome("TB-SAFE-01")
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 20) == ("pass", True)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([{"status": "blocked"}], "pass"),
        ({"results": [{"status": "blocked"}]}, "pass"),
        ({"results": [{"status": "queued"}]}, "fail"),
        ({"results": [{"status": "queued"}], "others": []}, "not_observed"),
        ({"blocked": 1}, "not_observed"),
    ],
)
def test_what_became_of_a_reply_stands_in_a_list(answer: Json, said: str) -> None:
    story = Bot(listed=False)
    tool, short, long = "propose_and_queue_replies", "short", LONG
    for text, given in ((long, answer), (short, [{"status": "queued"}])):
        story.good(tool, {"items": [{"candidate_id": "1", "pre_drafted_text": text}]}, given)
    outcome = story.judged("TB-SAFE-01")
    alone = outcome.subjects - 1
    assert ("fail" if outcome.breaches else "pass" if alone else "not_observed") == said

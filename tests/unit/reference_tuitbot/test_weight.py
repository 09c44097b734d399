"""What a tweet weighs."""

import pytest

from reference_server.tuitbot.toolkit.errors import TweetTooLongError
from reference_server.tuitbot.toolkit.weight import check_length, weighted_length

from .bot import UNGATED, Bot

URL = "https://example.com/a/rather/long/path?with=a&query#and-fragment"


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("", 0),
        ("abc", 3),
        ("e\u0301", 1),
        ("a\r\nb", 3),
        ("\u201cq\u201d", 3),
        ("日本語", 6),
        ("한", 2),
        ("❤️", 2),
        ("👨‍👩‍👧", 2),
        ("👍🏽👍", 4),
        ("🇩🇪", 2),
        ("1️⃣", 2),
        ("©", 2),
        (URL, 23),
        (f"http://a.b {URL}", 47),
        (f"({URL}).", 26),
        ("https://example.com日本", 27),
        ("HTTP://EXAMPLE.COM", 23),
        ("https://", 8),
        ("example.com", 11),
        ("\ud800", 2),
    ],
)
def test_weights_are_those_of_x(text, weight):
    assert weighted_length(text) == weight


@pytest.mark.parametrize("unit", ["a", "日", "👨‍👩‍👧", f"{URL} "])
def test_280_pass_and_281_do_not(unit):
    text = unit * (280 // weighted_length(unit))
    text += "b" * (280 - weighted_length(text))
    check_length(text)
    with pytest.raises(TweetTooLongError):
        check_length(text + "c")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("x_post_tweet", lambda text, _: {"text": text}),
        ("x_quote_tweet", lambda text, tweet: {"text": text, "quoted_tweet_id": tweet}),
        ("x_reply_to_tweet", lambda text, tweet: {"text": text, "in_reply_to_id": tweet}),
        ("x_post_thread", lambda text, _: {"tweets": ["short", text]}),
        ("compose_tweet", lambda text, _: {"content": text}),
        ("compose_tweet", lambda text, _: {"content": f"short\n---\n{text}", "content_type": "thread"}),
        (
            "propose_and_queue_replies",
            lambda text, tweet: {"items": [{"candidate_id": tweet, "pre_drafted_text": text}]},
        ),
    ],
)
def test_every_tool_that_takes_a_text_weighs_it(tool, arguments):
    bot = Bot(UNGATED)
    assert bot.code(tool, **arguments("a" * 281, bot.found())) == "tweet_too_long"
    assert bot.data(tool, **arguments("a" * 257 + URL, bot.found()))

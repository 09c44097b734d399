"""Length of a tweet (seed 000): just enough and one too many, in every tool that takes a tweet's text."""

from typing import Any

from conformance.contracts.tuitbot.bench import WORKING, TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.weight import LIMIT, URL_WEIGHT
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

TEXTS = {
    "x_post_tweet": "text",
    "x_reply_to_tweet": "text",
    "x_quote_tweet": "text",
    "compose_tweet": "content",
}
"""Tools that take one tweet's text, with the argument that holds it."""
LONG_URL = f"https://example.com/{'a' * 80}"
HEAVY = "中"


@stimulus("tuitbot", exercises=("TB-SAFE-01",))
async def tweets_of_280_and_281_in_workflow(bench: TuitbotBench) -> None:
    """Each tool that takes a tweet's text, and replies proposed."""
    calls = await Calls.at(await bench.workflow(**WORKING))
    await _both_lengths(calls, *TEXTS)
    for weight in (LIMIT, LIMIT + 1):
        proposal = await calls.arguments("propose_and_queue_replies")
        [item] = proposal["items"]
        words = f"{item['pre_drafted_text']} "
        await calls.bench.call(
            "propose_and_queue_replies", {"items": [{**item, "pre_drafted_text": _of(weight, words)}]}
        )


@stimulus("tuitbot", exercises=("TB-SAFE-01",))
async def tweets_of_280_and_281_in_api(bench: TuitbotBench) -> None:
    """Each tool that takes a tweet's text."""
    await _both_lengths(await Calls.at(await bench.api()), *[tool for tool in TEXTS if tool != "compose_tweet"])


async def _both_lengths(calls: Calls, *tools: str) -> None:
    for tool in tools:
        for text in (_of(LIMIT), _of(LIMIT + 1)):
            changes: dict[str, Any] = {TEXTS[tool]: text}
            await calls.call(tool, **changes)
    for text in (_with_url(LIMIT), _with_url(LIMIT + 1), HEAVY * (LIMIT // 2), HEAVY * (LIMIT // 2) + "a"):
        await calls.call("x_post_tweet", text=text)
    for text in (_of(LIMIT), _of(LIMIT + 1)):
        tweets: Json = ["First", text]
        await calls.call("x_post_thread", tweets=tweets)


def _of(weight: int, words: str = "") -> str:
    """A text of plain letters that weighs so much."""
    return words + "a" * (weight - len(words))


def _with_url(weight: int) -> str:
    """A text that weighs so much, a long URL among it."""
    return f"{_of(weight - URL_WEIGHT - 1)} {LONG_URL}"

"""Length of a tweet (Session 05 contract): just enough and one too many, in every tool that takes a tweet's text."""

from typing import Any

from conformance.contracts.tuitbot.bench import FIRST, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.stimuli.serving import soon
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
LONG_URL = f"example.com/{'a' * 80}"
SHORT_URL = "https://x.com"
HEAVY, FACE, ACCENTED = "中", "\U0001f600", "e\u0301"
"""A Chinese character and an emoji weigh two; an e whose accent is a character of its own weighs one."""


@stimulus("tuitbot", exercises=("TB-SAFE-01",))
async def tweets_of_280_and_281_in_workflow(bench: TuitbotBench) -> None:
    """Each tool that takes a tweet's text, and replies proposed."""
    calls = await Calls.at(await bench.working())
    await apart(*[_every_kind(calls, tool) for tool in TEXTS], _in_a_thread(calls), _proposed(calls))


@stimulus("tuitbot", exercises=("TB-SAFE-01",), editions=FIRST)
async def tweets_of_280_and_281_in_api(bench: TuitbotBench) -> None:
    """Each tool that takes a tweet's text."""
    calls = await Calls.at(await bench.raw())
    await apart(*[_every_kind(calls, tool) for tool in TEXTS if tool != "compose_tweet"], _in_a_thread(calls))


async def _every_kind(calls: Calls, tool: str) -> None:
    """279, 280 and 281 of letters; 280 and 281 with URLs, in Chinese, with faces and with accents."""
    texts = [letters(LIMIT - 1, calls.words()), *_pair(calls)]
    for url in (f"https://{LONG_URL}", f"http://{LONG_URL}", f"HTTPS://{LONG_URL} http://{LONG_URL}", SHORT_URL):
        weight = len(url.split()) * (URL_WEIGHT + 1) - 1
        texts += [f"{text} {url}" for text in _pair(calls, weight + 1)]
    for heavy in (HEAVY, FACE):
        half = LIMIT // 4
        texts += [f"{text} {heavy * half}" for text in _pair(calls, 2 * half + 1)]
    texts += [f"{text} {ACCENTED * 100}" for text in _pair(calls, 101)]
    for text in texts:
        changes: dict[str, Any] = {TEXTS[tool]: text}
        await calls.call(tool, **changes)
    for text in _pair(calls):
        for more in await _beside(calls, tool):
            await calls.call(tool, **{TEXTS[tool]: text}, **more)


async def _beside(calls: Calls, tool: str) -> list[dict[str, Any]]:
    """What else a tool takes beside the text: a picture, or when a draft is due."""
    if tool == "compose_tweet":
        return [{"scheduled_for": f"{soon()}Z"}]
    medium = (await calls.call("x_upload_media")).given.get("media_id")
    return [{"media_ids": [medium]}] if isinstance(medium, str) and calls.bench.supports(tool, "media_ids") else []


def _pair(calls: Calls, rest: int = 0) -> list[str]:
    """Texts that with the rest weigh 280 and 281."""
    return [letters(LIMIT - rest + more, calls.words()) for more in (0, 1)]


async def _in_a_thread(calls: Calls) -> None:
    """As the second tweet, and as the first."""
    url = f"https://{LONG_URL}"
    others = [f"{text} {HEAVY * 50}" for text in _pair(calls, 101)]
    others += [f"{text} {url}" for text in _pair(calls, URL_WEIGHT + 1)]
    for text in (*_pair(calls), *others):
        tweets: Json = [calls.words(), text]
        await calls.call("x_post_thread", tweets=tweets)
    for text in _pair(calls):
        tweets = [text, calls.words()]
        await calls.call("x_post_thread", tweets=tweets)


async def _proposed(calls: Calls) -> None:
    for weight, more in ((LIMIT, ""), (LIMIT + 1, ""), (LIMIT, HEAVY * 50), (LIMIT + 1, HEAVY * 50)):
        proposal = await calls.arguments("propose_and_queue_replies")
        [item] = proposal["items"]
        rest = f" {more}" if more else ""
        plain = letters(weight - len(rest) - len(more), f"{item['pre_drafted_text']} ")
        await calls.bench.call("propose_and_queue_replies", {"items": [{**item, "pre_drafted_text": plain + rest}]})


def letters(weight: int, words: str = "") -> str:
    """A text of plain letters and digits that weighs so much and begins with these words."""
    return (words + " " + "a" * weight)[:weight].rstrip() if len(words) < weight else words[:weight]

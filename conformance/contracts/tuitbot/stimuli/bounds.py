"""Each parameter of each tool beyond what its schema allows, and difficult texts in all that is written."""

import unicodedata
from collections.abc import Collection, Mapping

from conformance.contracts.tuitbot.bench import TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES, UNGATED_PROFILES
from conformance.contracts.tuitbot.looking import QUEUE, look
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import WRITTEN
from conformance.drive.sweeps.variants import broken
from conformance.model.events import Json

TURNING = "\u202e"
TEXTS = tuple(text for text in WRITTEN if TURNING not in text and unicodedata.is_normalized("NFC", text))
"""What X keeps as it is: it composes what is combined, and takes no text that is turned round."""
POSTING = ("x_post_tweet", "x_reply_to_tweet", "x_quote_tweet")
EXTREMES: Mapping[str, tuple[Json, ...]] = {"array": ([],), "integer": (-1, 2**53 + 1), "string": (" \t",)}
"""The number is the first that a double cannot hold."""
TOO_MANY: Json = [str(1_999_999_999_999_999_000 + number) for number in range(101)]
WITH_NUL = (("x_post_tweet", "text"), ("x_search_tweets", "query"))
ASKED = {
    "generate_tweet": ("topic",),
    "generate_thread": ("topic",),
    "generate_reply": ("tweet_text",),
    "generate_thread_plan": ("topic", "objective", "target_audience"),
}
"""Tools that ask an LLM, with their free texts."""


@stimulus("tuitbot", exercises=("TB-ERR-validation_error", "TB-SRV-01", "TB-SRV-03"), sweep=True)
async def every_parameter_beside_a_gate_is_swept(bench: TuitbotBench) -> None:
    """Missing, of another type, and beyond each bound, in the tools of workflow, or of write and admin."""
    await _all_parameters(bench, GATED_PROFILES)


@stimulus("tuitbot", exercises=("TB-ERR-validation_error", "TB-SRV-01", "TB-SRV-03"), sweep=True)
async def every_parameter_without_a_gate_is_swept(bench: TuitbotBench) -> None:
    """Missing, of another type, and beyond each bound, in the tools of api, or of readonly and api-readonly."""
    await _all_parameters(bench, UNGATED_PROFILES)


async def _all_parameters(bench: TuitbotBench, kind: Collection[str]) -> None:
    for server, tools in await bench.each_tool_once(kind):
        calls = await Calls.at(server)
        await apart(*[_swept(calls, tool) for tool in tools if server.contract.tools[tool].inputSchema["properties"]])


async def _swept(calls: Calls, tool: str) -> None:
    """A refused call changes nothing, so that what a good one is about serves them all; a good one ends it."""
    given = await calls.arguments(tool)
    schema = calls.bench.contract.tools[tool].inputSchema
    for each in broken(schema, given):
        await calls.bench.call(tool, each.arguments)
    await calls.bench.call(tool, given)


@stimulus("tuitbot", exercises=("TB-SRV-03",), sweep=True)
async def extreme_values_are_given(bench: TuitbotBench) -> None:
    """Lists of nothing, numbers below and above all that is meant, blank texts, a NUL."""
    for server, tools in await bench.each_tool_once(GATED_PROFILES):
        calls = await Calls.at(server)
        for tool in tools:
            given = calls.plain(tool)
            for name, schema in server.contract.tools[tool].inputSchema["properties"].items():
                for value in _extremes(name, schema):
                    await server.call(tool, {**given, name: value})
        for tool, name in WITH_NUL:
            await calls.call(tool, **{name: f"{calls.words()}\0"})


def _extremes(name: str, schema: dict[str, Json]) -> tuple[Json, ...]:
    """Values beyond what anybody means, by the type of a parameter; of ids, more than any tool takes at once."""
    named = schema.get("type")
    types = named if isinstance(named, list) else [named]
    many: tuple[Json, ...] = ()
    if name.endswith("_ids") and "array" in types:
        lists = schema["items"].get("type") == "array"
        many = ([TOO_MANY] if lists else TOO_MANY,)
    return (*next((EXTREMES[str(each)] for each in types if each in EXTREMES), ()), *many)


@stimulus("tuitbot", exercises=("TB-SRV-01", "TB-SRV-02"), sweep=True)
async def difficult_texts_are_written(bench: TuitbotBench) -> None:
    """In posts, answers, quotes, threads and drafts, each read over another connection."""
    server = await bench.working()
    calls = await Calls.at(server)
    other = await server.lane()
    await apart(*[_written(calls, other, text) for text in TEXTS])


async def _written(calls: Calls, other: TuitbotBench, text: str) -> None:
    posted = []
    for tool in POSTING:
        made = await calls.call(tool, text=f"{calls.words()} {text}")
        posted.append(made.given.get("id"))
    thread: Json = [f"{calls.words()} {text}", f"{calls.words()} {text}"]
    ids = (await calls.bench.call("x_post_thread", {"tweets": thread})).given.get("thread_tweet_ids")
    for each in (*posted, *(ids if isinstance(ids, list) else ())):
        if isinstance(each, str):
            await other.call("get_tweet_by_id", {"tweet_id": each})
    await calls.call("compose_tweet", content=f"{calls.words()} {text}")
    await calls.call("score_tweet", text=text)
    await look(other, QUEUE)


@stimulus("tuitbot", exercises=("TB-SRV-01", "TB-SRV-03"), sweep=True)
async def difficult_texts_are_given_to_an_llm(bench: TuitbotBench) -> None:
    """Each of them to one of the tools that ask it, in turn; all of them together to each. Such calls cost money."""
    calls = await Calls.at(await bench.working())
    tools = [tool for tool in ASKED if bench.supports(tool)]
    for number, text in enumerate(TEXTS if tools else ()):
        await _asked(calls, tools[number % len(tools)], text)
    for tool in tools:
        await _asked(calls, tool, " ".join(TEXTS))


async def _asked(calls: Calls, tool: str, text: str) -> None:
    given: dict[str, Json] = dict.fromkeys(ASKED[tool], text)
    await calls.call(tool, **given)

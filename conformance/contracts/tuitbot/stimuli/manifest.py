"""Tool Manifest of seed 000: each profile's list, reads that change nothing, mutations that change something."""

from collections.abc import Iterator

from conformance.contracts.tuitbot.bench import ASKED, WORKING, TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.looking import about_post, about_queue, about_target, look, whole
from conformance.contracts.tuitbot.manifest import manifest, tools_of
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

BLOCK = 8
"""Reads between two looks at the whole."""
PAIRS = (
    ("x_like_tweet", "x_unlike_tweet"),
    ("x_retweet", "x_unretweet"),
    ("x_bookmark_tweet", "x_unbookmark_tweet"),
    ("x_follow_user", "x_unfollow_user"),
)
QUEUED = ("propose_and_queue_replies", "approve_item", "reject_item", "approve_all")


@stimulus("tuitbot", exercises=("TB-MAN-03", "TB-MAN-12", "TB-PROF-06"))
async def the_workflow_profile_is_listed(bench: TuitbotBench) -> None:
    """Its whole tools/list."""
    await (await bench.workflow()).tools()


@stimulus("tuitbot", exercises=("TB-MAN-03", "TB-MAN-12", "TB-PROF-06"))
async def the_api_profile_is_listed(bench: TuitbotBench) -> None:
    """Its whole tools/list."""
    await (await bench.api()).tools()


@stimulus("tuitbot", exercises=("TB-MAN-05", "TB-MAN-06"))
async def everything_is_read_in_workflow(bench: TuitbotBench) -> None:
    """Each tool that reads, with a look at the whole every now and then."""
    await _read_all(await Calls.at(await bench.workflow(**WORKING)), "workflow")


@stimulus("tuitbot", exercises=("TB-MAN-05", "TB-MAN-06"))
async def everything_is_read_in_api(bench: TuitbotBench) -> None:
    """Each tool that reads, with a look at the whole every now and then."""
    await _read_all(await Calls.at(await bench.api()), "api")


async def _read_all(calls: Calls, profile: str) -> None:
    shown = whole(calls.subjects, profile)
    await look(calls.bench, shown)
    reads = [name for name in tools_of(profile) if not manifest()[name].mutation]
    for number, tool in enumerate(reads, 1):
        await calls.call(tool)
        if number % BLOCK == 0:
            await look(calls.bench, shown)
    await calls.bench.call("get_tweet_by_id", {"tweet_id": "0"})
    await look(calls.bench, shown)


@stimulus("tuitbot", exercises=("TB-MAN-06", "TB-POL-02"), needs=("policy",))
async def mutations_are_allowed_in_workflow(bench: TuitbotBench) -> None:
    """Each mutation that shows, with reads around it, where the gate is asked and allows."""
    calls = await Calls.at(await bench.workflow(**ASKED))
    await _engage(calls)
    await _post(calls)
    for tool in QUEUED:
        arguments = await calls.arguments(tool)
        await look(calls.bench, about_queue())
        await calls.bench.call(tool, arguments)
        await look(calls.bench, about_queue())


@stimulus("tuitbot", exercises=("TB-MAN-06",))
async def mutations_are_made_in_api(bench: TuitbotBench) -> None:
    """Each mutation that shows, with reads around it."""
    calls = await Calls.at(await bench.api())
    await _engage(calls)
    await _post(calls)


async def _engage(calls: Calls) -> None:
    """Done, taken back and done again: one of the three at least has something to do."""
    for do, undo in PAIRS:
        await look(calls.bench, about_target(do, calls.subjects))
        for tool in (do, undo, do):
            await calls.call(tool)
            await look(calls.bench, about_target(do, calls.subjects))


async def _post(calls: Calls) -> None:
    """A tweet with a picture, a reply, a quote, a thread, and the first tweet deleted."""
    word, bench = calls.words().partition(" ")[0], calls.bench
    picture = taken(await calls.call("x_upload_media"), "media_id")
    shown = about_post(word)
    await look(bench, shown)
    first = taken(await calls.call("x_post_tweet", text=f"{word} posted", media_ids=[picture]), "id")
    for tool, changes in _further_posts(word):
        await look(bench, shown)
        await calls.call(tool, **changes)
    await look(bench, shown)
    await bench.call("x_delete_tweet", {"tweet_id": first})
    await look(bench, shown)


def _further_posts(word: str) -> Iterator[tuple[str, dict[str, Json]]]:
    yield "x_reply_to_tweet", {"text": f"{word} replied"}
    yield "x_quote_tweet", {"text": f"{word} quoted"}
    yield "x_post_thread", {"tweets": [f"{word} first", f"{word} second"]}

"""The Session 05 contract's manifest: each profile's list, reads that change nothing, mutations that do."""

from collections.abc import Collection, Iterator

from conformance.contracts.tuitbot.bench import FIRST, WORKING, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES, UNGATED_PROFILES
from conformance.contracts.tuitbot.looking import QUEUE, about_post, about_target, look, whole
from conformance.contracts.tuitbot.manifest import manifest
from conformance.contracts.tuitbot.stimuli.sweeping import routing
from conformance.drive.bench import side_by_side, taken
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
QUEUED = ("approve_item", "reject_item", "approve_all")


LISTED = ("TB-MAN-03", "TB-MAN-12", "TB-PROF-01", "TB-PROF-02", "TB-PROF-03", "TB-PROF-06")


@stimulus("tuitbot", exercises=LISTED)
async def the_profiles_are_listed(bench: TuitbotBench) -> None:
    """The whole tools/list of each."""
    found = await bench.profiles(wished={})
    await side_by_side(*[server.tools() for _, server in found])


@stimulus("tuitbot", exercises=("TB-MAN-05", "TB-MAN-06"))
async def everything_is_read_in_workflow(bench: TuitbotBench) -> None:
    """Each tool that reads beside a gate, with a look at the whole every now and then."""
    await _read_everywhere(bench, GATED_PROFILES)


@stimulus("tuitbot", exercises=("TB-MAN-05", "TB-MAN-06"))
async def everything_is_read_in_api(bench: TuitbotBench) -> None:
    """Each tool that reads without a gate, with a look at the whole every now and then."""
    await _read_everywhere(bench, UNGATED_PROFILES)


async def _read_everywhere(bench: TuitbotBench, kind: Collection[str]) -> None:
    found = await bench.each_tool_once(kind)
    await apart(*[_read_all(server, tools) for server, tools in found])


async def _read_all(server: TuitbotBench, tools: list[str]) -> None:
    calls = await Calls.at(server)
    shown = whole(calls.subjects, server.profile or "")
    await look(calls.bench, shown)
    reads = [name for name in tools if not manifest(server.contract.edition)[name].mutation]
    parts = [calls.call(tool) for tool in reads]
    for number in range(BLOCK, len(parts) + BLOCK, BLOCK):
        await apart(*parts[number - BLOCK : number], look(calls.bench, shown))
    await calls.bench.call("get_tweet_by_id", {"tweet_id": "1999999999999999999"})
    await look(calls.bench, shown)


@stimulus("tuitbot", exercises=("TB-MAN-06", "TB-POL-02", "TB-SRV-01"))
async def mutations_are_allowed_in_workflow(bench: TuitbotBench) -> None:
    """Each mutation that shows, with reads around it, where the gate is asked and allows."""
    calls = await Calls.at(await bench.working({**WORKING, "policy": bench.policies.everything("allow")}))
    await apart(_engage(calls), _post(calls), _propose(calls), *[_decide(bench, tool) for tool in QUEUED])


@stimulus("tuitbot", exercises=("TB-MAN-06", "TB-SRV-01"), editions=FIRST)
async def mutations_are_made_in_api(bench: TuitbotBench) -> None:
    """Each mutation that shows, with reads around it."""
    calls = await Calls.at(await bench.raw())
    await apart(_engage(calls), _post(calls))


async def _propose(calls: Calls) -> None:
    arguments = await calls.arguments("propose_and_queue_replies")
    await look(calls.bench, QUEUE)
    await calls.bench.call("propose_and_queue_replies", arguments)
    await look(calls.bench, QUEUE)


async def _decide(bench: TuitbotBench, tool: str) -> None:
    """A word on what waits for approval."""
    calls = await Calls.at(await routing(bench))
    arguments = await calls.arguments(tool)
    await look(calls.bench, QUEUE)
    await calls.bench.call(tool, arguments)
    await look(calls.bench, QUEUE)


async def _engage(calls: Calls) -> None:
    """Done, taken back and done again, to a tweet that nobody knows yet: each of the three has something to do."""
    tweet = await calls.own_tweet()
    await apart(*[_one_pair(calls, tweet, do, undo) for do, undo in PAIRS])


async def _one_pair(calls: Calls, tweet: str, do: str, undo: str) -> None:
    follows = "follow" in do
    user = calls.subjects.user_id if follows else await _author(calls, tweet)
    about: dict[str, Json] = {"target_user_id": user} if follows else {"tweet_id": tweet}
    reads = about_target(do, tweet, user)
    await look(calls.bench, reads)
    turns: list[tuple[str, ...]] = [(undo, do, undo, do) if follows else (do, undo, do)]
    if calls.guards(do):
        # none may be repeated: done and taken back here, taken back and done elsewhere
        turns = [(do, undo), (undo, do)]
    for number, tools in enumerate(turns):
        if number:
            other = await calls.things.user() if follows else await calls.own_tweet()
            about = {"target_user_id": other} if follows else {"tweet_id": other}
            reads = about_target(do, other if not follows else tweet, other if follows else user)
            await look(calls.bench, reads)
        for tool in tools:
            await calls.bench.call(tool, about)
            await look(calls.bench, reads)


async def _author(calls: Calls, tweet: str) -> str:
    return str(taken(await calls.bench.call("get_tweet_by_id", {"tweet_id": tweet}), "author_id"))


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
    await bench.call("get_tweet_by_id", {"tweet_id": first})


def _further_posts(word: str) -> Iterator[tuple[str, dict[str, Json]]]:
    yield "x_reply_to_tweet", {"text": f"{word} replied"}
    yield "x_quote_tweet", {"text": f"{word} quoted"}
    yield "x_post_thread", {"tweets": [f"{word} first", f"{word} second"]}

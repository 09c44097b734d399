"""Approval (Architecture decisions): what is routed is approved or rejected, once, twice, by two, and while X fails."""

from conformance.contracts.tuitbot.bench import TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import DELETES
from conformance.contracts.tuitbot.looking import QUEUE, Reads, item_of, look, own_lists, posts_of
from conformance.contracts.tuitbot.stimuli.sweeping import routing
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

POSTS = ("x_reply_to_tweet", "x_quote_tweet", "x_post_thread")
MARKS = (
    "x_like_tweet", "x_unlike_tweet", "x_retweet", "x_unretweet", "x_bookmark_tweet", "x_unbookmark_tweet",
    "x_follow_user", "x_unfollow_user",
)  # fmt: skip
"""What is done to a tweet or an account, each before it is taken back."""


@stimulus("tuitbot", exercises=("TB-POL-03", "TB-POL-04", "TB-SRV-02"), needs=("policy",))
async def routed_posts_are_approved_or_rejected(bench: TuitbotBench) -> None:
    """One approved twice over, one rejected and then approved, one approved and then rejected, one with all others."""
    server = await routing(bench)
    calls = await Calls.at(server)
    own = await own_lists(calls)
    approved, rejected, among = [await _routed(server, calls) for _ in range(3)]
    await look(server, QUEUE)
    for tool, item in (("approve_item", approved), ("reject_item", rejected)):
        await server.call(tool, {"id": item})
        await look(server, (*own, *QUEUE))
    for tool, item in (("approve_item", approved), ("approve_item", rejected), ("reject_item", approved)):
        await server.call(tool, {"id": item})
    await look(server, own)
    await server.call("approve_all", {})
    await server.call("approve_item", {"id": among})
    await look(server, (*own, *QUEUE))


@stimulus("tuitbot", exercises=("TB-POL-04",), needs=("policy",))
async def threads_are_approved_with_all_others(bench: TuitbotBench) -> None:
    """A thread between two posts; all that waits is approved at once."""
    policies = bench.policies
    tools = ("x_post_tweet", "x_post_thread")
    rule = policies.rule("require_approval", *tools, priority=policies.naming.first)
    server = await bench.workflow(policy=policies.ruled(rule))
    calls = await Calls.at(server)
    own = await own_lists(calls)
    for tool in ("x_post_tweet", "x_post_thread", "x_post_tweet"):
        await server.call(tool, calls.plain(tool))
    await look(server, QUEUE)
    await server.call("approve_all", {})
    await look(server, (*own, *QUEUE))


@stimulus("tuitbot", exercises=("TB-POL-04",), needs=("policy",))
async def two_people_decide_at_once(bench: TuitbotBench) -> None:
    """Two approvals of one item, an approval and a rejection of another, an approval of a third and of all."""
    server = await routing(bench)
    calls = await Calls.at(server)
    other, own = await server.lane(), await own_lists(calls)
    for second in ("approve_item", "reject_item", "approve_all"):
        item = await _routed(server, calls)
        given: dict[str, Json] = {} if second == "approve_all" else {"id": item}
        await server.together(server.call("approve_item", {"id": item}), other.call(second, given))
        await look(server, (*own, *QUEUE))


@stimulus("tuitbot", exercises=("TB-POL-04", "TB-SRV-02"), needs=("policy",))
async def every_kind_of_mutation_is_approved(bench: TuitbotBench) -> None:
    """Posts of each kind, a like and the like, each taken back, and a deletion are routed and approved, one by one."""
    policies = bench.policies
    rule = policies.rule("require_approval", *POSTS, *MARKS, DELETES, priority=policies.naming.first)
    calls = await Calls.at(await bench.workflow(policy=policies.ruled(rule)))
    tweet, user = await calls.own_tweet(), await calls.things.stranger()
    shown = await calls.bench.call("get_tweet_by_id", {"tweet_id": tweet})
    me: dict[str, Json] = {"user_id": taken(shown, "author_id")}
    reads: Reads = (
        ("get_tweet_by_id", {"tweet_id": tweet}),
        ("x_get_bookmarks", {"max_results": 100}),
        ("x_get_liked_tweets", {**me, "max_results": 100}),
        ("x_get_following", {**me, "max_results": 1_000}),
    )
    own = posts_of(me["user_id"])
    posts = [_approve(calls, tool, _with_capitals(calls.plain(tool)), own) for tool in POSTS]
    about = [
        (tool, {"target_user_id": user} if "follow" in tool else {"tweet_id": tweet}) for tool in (*MARKS, DELETES)
    ]
    await apart(*posts, *[_approve(calls, tool, dict(given), reads) for tool, given in about])


def _with_capitals(given: dict[str, Json]) -> dict[str, Json]:
    return {**given, "text": f"{given['text']}, As It Is Written"} if "text" in given else given


async def _approve(calls: Calls, tool: str, given: dict[str, Json], reads: Reads) -> None:
    routed = await calls.bench.call(tool, given)
    await look(calls.bench, QUEUE)
    await calls.bench.call("approve_item", {"id": await item_of(calls.bench, routed)})
    await look(calls.bench, (*QUEUE, *reads))


@stimulus("tuitbot", exercises=("TB-POL-04",), needs=("policy", "x"))
async def approvals_meet_a_failing_x(bench: TuitbotBench) -> None:
    """One approved while X refuses, and again when it does not; the same with all that waits."""
    server = await routing(bench)
    calls = await Calls.at(server)
    own, failing = await own_lists(calls), await server.under(x="forbidden")
    for tool in ("approve_item", "approve_all"):
        item = await _routed(server, calls)
        given: dict[str, Json] = {"id": item} if tool == "approve_item" else {}
        await failing.call(tool, given)
        await look(server, (*own, *QUEUE))
        await server.call(tool, given)
        await look(server, (*own, *QUEUE))


async def _routed(server: TuitbotBench, calls: Calls) -> Json:
    """The queue id of a post that waits for approval."""
    return await item_of(server, await server.call("x_post_tweet", {"text": calls.words()}))

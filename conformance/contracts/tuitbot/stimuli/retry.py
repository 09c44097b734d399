"""Retry Semantics: one code from several tools, and callers who would like it otherwise."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

RETRYABLE = tuple(f"TB-RETRY-0{number}" for number in (1, 2, 3))
NOBODY = "1999999999999999999"
WISHES = (True, False)


@stimulus("tuitbot", exercises=(*RETRYABLE, "TB-ERR-not_found", "TB-ERR-validation_error"))
async def callers_wish_to_retry(bench: TuitbotBench) -> None:
    """Refused calls as they are; then with retryable among the arguments and in _meta, true and false."""
    for _, server in await bench.profiles():
        calls = await Calls.at(server)
        for tool in ("get_tweet_by_id", "x_search_tweets"):
            await calls.call(tool)
        await server.call("get_tweet_by_id", {"tweet_id": NOBODY})
        await server.call("x_get_user_by_id", {"user_id": NOBODY})
        await server.call("get_tweet_by_id", {})
        await server.call("x_search_tweets", {"query": 1})
        for wish in WISHES:
            await server.call("get_tweet_by_id", {"tweet_id": NOBODY, "retryable": wish})
            await server.call("get_tweet_by_id", {"retryable": wish})
            await server.call("x_search_tweets", {"query": 1, "error": {"retryable": wish}})
            meta: dict[str, Json] = {"retryable": wish, "com.example/error": {"retryable": wish}}
            for arguments in ({"tweet_id": NOBODY}, {}):
                named: dict[str, Json] = {"name": "get_tweet_by_id", "arguments": arguments, "_meta": meta}
                await server.request("tools/call", named)


@stimulus("tuitbot", exercises=("TB-RETRY-02",), needs=("x",))
async def callers_wish_while_x_fails(bench: TuitbotBench) -> None:
    """A code that is retryable and one that is not, with a wish in _meta and without."""
    for _, server in await bench.profiles():
        calls = await Calls.at(server)
        await calls.call("x_get_home_timeline")
        for failure in ("network_error", "forbidden"):
            failing = await server.under(x=failure)
            await failing.call("x_get_home_timeline", {})
            for wish in WISHES:
                named: dict[str, Json] = {"name": "x_get_home_timeline", "arguments": {}, "_meta": {"retryable": wish}}
                await failing.request("tools/call", named)


@stimulus("tuitbot", exercises=("TB-RETRY-01", "TB-RETRY-03"), needs=("database",))
async def several_tools_fail_alike(bench: TuitbotBench) -> None:
    """The database fails under tools of several kinds: reads, approvals, checks."""
    failing = await (await bench.working()).given(database="failing")
    for tool in ("get_stats", "list_pending_approvals", "get_pending_count", "suggest_topics", "health_check"):
        await failing.call(tool, {})
    await failing.call("reject_item", {"id": 1})

"""Retry Semantics: one code from several tools, and callers who would like it otherwise."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.drive.stimulus import stimulus

RETRYABLE = tuple(f"TB-RETRY-0{number}" for number in (1, 2, 3))
NOBODY = "0"
WISHES = (True, False)


@stimulus("tuitbot", exercises=(*RETRYABLE, "TB-ERR-not_found", "TB-ERR-validation_error"))
async def callers_wish_to_retry(bench: TuitbotBench) -> None:
    """Refused calls as they are; then with retryable among the arguments and in _meta, true and false."""
    for server in await bench.profiles():
        await server.call("get_tweet_by_id", {"tweet_id": NOBODY})
        await server.call("x_get_user_by_id", {"user_id": NOBODY})
        await server.call("get_tweet_by_id", {})
        for wish in WISHES:
            await server.call("get_tweet_by_id", {"tweet_id": NOBODY, "retryable": wish})
            await server.call("get_tweet_by_id", {"retryable": wish})
            await server.call("x_search_tweets", {"query": 1, "error": {"retryable": wish}})
            meta = {"retryable": wish, "com.example/error": {"retryable": wish}}
            for arguments in ({"tweet_id": NOBODY}, {}):
                named = {"name": "get_tweet_by_id", "arguments": arguments, "_meta": meta}
                await server.request("tools/call", named)


@stimulus("tuitbot", exercises=("TB-RETRY-01", "TB-RETRY-03", "TB-ERR-db_error"), needs=("database",))
async def several_tools_fail_alike(bench: TuitbotBench) -> None:
    """The database fails under tools of several kinds: reads, approvals, checks."""
    failing = await (await bench.workflow()).under(database="failing")
    for tool in ("get_stats", "list_pending_approvals", "get_pending_count", "suggest_topics", "health_check"):
        await failing.call(tool, {})
    await failing.call("reject_item", {"id": 1})

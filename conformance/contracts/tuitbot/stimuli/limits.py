"""The hourly limit of seed 000: used up, over, and what does not use it up."""

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

LIMITED: dict[str, Json] = {"require_approval_for": [], "max_mutations_per_hour": 2}
HALF_AN_HOUR, NEXT_HOUR = 1_800, 4_000
"""Seconds: well within the window, and well after it since every mutation in it."""


@stimulus("tuitbot", exercises=("TB-POL-08",), needs=("policy", "clock"))
async def the_limit_of_an_hour_is_reached(bench: TuitbotBench) -> None:
    """Two mutations where an hour has two, others and reads beyond them, half an hour later, and in the next hour."""
    calls = await Calls.at(await bench.workflow(policy=LIMITED))
    first = taken(await _post(calls.bench), "id")
    await calls.bench.call("get_tweet_by_id", {"tweet_id": first})
    await _post(calls.bench)
    for tool in ("x_retweet", "x_like_tweet", "compose_tweet", "get_mode", "x_get_home_timeline", "get_pending_count"):
        await calls.call(tool)
    await _post(await calls.bench.under(clock=HALF_AN_HOUR))
    later = await calls.bench.under(clock=NEXT_HOUR)
    for _ in range(2):
        await _post(later)


@stimulus("tuitbot", exercises=("TB-POL-10",), needs=("policy", "x"))
async def mutations_fail_below_the_limit(bench: TuitbotBench) -> None:
    """Refused by X, for their arguments and for a tweet that there is not; then as many as an hour has."""
    calls = await Calls.at(await bench.workflow(policy=LIMITED))
    for failure in ("forbidden", "rate_limited"):
        await _post(await calls.bench.under(x=failure))
    await calls.bench.call("x_post_tweet", {})
    await calls.bench.call("x_retweet", {"tweet_id": "0"})
    for _ in range(2):
        await _post(calls.bench)


async def _post(server: TuitbotBench) -> Exchange:
    return await server.call("x_post_tweet", {"text": server.unique("post")})

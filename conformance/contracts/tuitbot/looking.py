"""Which reads show what a mutation does: made before and after it, they tell whether it happened."""

from datetime import UTC, datetime

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.gate import GATED_PROFILES, ROUTED, decision, queue_id
from conformance.contracts.tuitbot.subjects import Subjects, objects
from conformance.drive.bench import stuck, taken
from conformance.drive.errors import StuckError
from conformance.model.events import Json
from conformance.model.exchange import Exchange

Reads = tuple[tuple[str, dict[str, Json]], ...]
"""Tools with their arguments."""
TIMELINE: Reads = (("x_get_home_timeline", {}),)
QUEUE: Reads = (("list_pending_approvals", {}), ("get_pending_count", {}))
"""Show what waits for approval."""


async def look(bench: TuitbotBench, reads: Reads) -> None:
    """Makes the reads, but for those that the target's statement leaves out: the others tell all the same."""
    for tool, arguments in reads:
        if bench.supports(tool):
            await bench.call(tool, arguments)


async def own_lists(calls: Calls) -> Reads:
    """The lists that hold what the account posts, of which a server's home timeline need not be one.

    Whose posts these are is told by a quote; where it cannot be had, the timeline has to do.
    """
    if not all(map(calls.bench.supports, ("x_quote_tweet", "get_tweet_by_id", "x_get_user_tweets"))):
        return TIMELINE
    try:
        quote = taken(await calls.bench.call("x_quote_tweet", calls.plain("x_quote_tweet")), "id")
        author = taken(await calls.bench.call("get_tweet_by_id", {"tweet_id": quote}), "author_id")
    except StuckError:
        return TIMELINE
    return posts_of(author)


def posts_of(author: Json) -> Reads:
    """The lists that hold what an account posts, if it is the acting one."""
    return (*TIMELINE, ("x_get_user_tweets", {"user_id": author, "max_results": 100}))


async def item_of(server: TuitbotBench, routed: Exchange) -> Json:
    """The queue id of a routed mutation: a failure need not name it, and then it is what came into the queue last."""
    if routed.accepted or decision(routed) != ROUTED:
        return taken(routed, "approval_queue_id")
    named = queue_id(routed)
    listed = (await server.call("list_pending_approvals", {})).payload if named is None else None
    waiting = [each.get("id") for each in objects(listed)]
    numbers = [each for each in waiting if isinstance(each, int)]
    if named is None and not numbers:
        raise stuck(routed, "approval_queue_id")
    return max(numbers) if named is None else named


async def server_time(server: TuitbotBench) -> datetime:
    """The time in UTC by the server's calendar, as a new tweet tells it; StuckError where it does not."""
    posted = await server.call("x_post_tweet", {"text": server.unique("now")})
    shown = taken(await server.call("get_tweet_by_id", {"tweet_id": taken(posted, "id")}), "created_at")
    message = f"a tweet's created_at is {shown!r}, which tells no time"
    try:
        told = datetime.fromisoformat(str(shown))
        # without an offset it would be read by the clock of this machine
        moment = told.astimezone(UTC) if told.tzinfo is not None else None
    except (ValueError, OverflowError) as error:
        raise StuckError(message) from error
    if moment is None:
        raise StuckError(message)
    return moment


def about_post(word: str) -> Reads:
    """Show posts that hold a word of their own."""
    return (*TIMELINE, ("x_search_tweets", {"query": word}))


def about_target(tool: str, tweet_id: str, user_id: str) -> Reads:
    """Show what is done to a tweet or a user by liking, bookmarking, following and the like."""
    tweet: dict[str, Json] = {"tweet_id": tweet_id}
    user: dict[str, Json] = {"user_id": user_id}
    if "follow" in tool:
        return (("x_get_user_by_id", user), ("x_get_followers", user))
    if "bookmark" in tool:
        return (("get_tweet_by_id", tweet), ("x_get_bookmarks", {}))
    return (("get_tweet_by_id", tweet), ("x_get_user_tweets", user), *TIMELINE)


def whole(subjects: Subjects, profile: str) -> Reads:
    """A look at everything: posts, the subjects, what is bookmarked, who follows whom, the queue."""
    tweet: dict[str, Json] = {"tweet_id": subjects.tweet_id}
    user: dict[str, Json] = {"user_id": subjects.user_id}
    shown: Reads = (*TIMELINE, ("get_tweet_by_id", tweet))
    if profile != "readonly":
        shown = (*shown, ("x_get_bookmarks", {}), ("x_get_followers", user))
    return (*shown, *QUEUE) if profile in GATED_PROFILES else shown

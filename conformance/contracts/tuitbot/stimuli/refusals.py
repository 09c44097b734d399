"""What was refused is not done: marks are to be taken back while something is away, and are read afterwards."""

from conformance.contracts.tuitbot.bench import WORKING, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.deeds import OPPOSITES
from conformance.contracts.tuitbot.gate import GUARDED_PROFILES
from conformance.contracts.tuitbot.looking import Reads, look
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

AWAY: tuple[tuple[str, Json], ...] = (
    ("policy", "failing"),
    ("x_client", False),
    ("backend", "scraper"),
    ("x", "rate_limited"),
    ("x", "forbidden"),
)
"""Conditions under which X is changed by nothing, and the code says so. What X forbids may not be repeated at once."""
Marks = list[tuple[str, dict[str, Json]]]
"""Calls that take something back, with arguments that are good."""


@stimulus("tuitbot", exercises=("TB-SRV-02",))
async def what_was_refused_is_not_done(bench: TuitbotBench) -> None:
    """Likes and the like, a tweet, and what the later edition keeps: made, refused to be taken back, and read."""
    wished = {**WORKING, "policy": bench.policies.everything("allow")}
    calls = await Calls.at(await bench.working(wished))
    tweet, me, user = await calls.own_tweet(), await calls.things.me(), await calls.things.user()
    marks: Marks = []
    reads: Reads = (
        ("get_tweet_by_id", {"tweet_id": tweet}),
        ("x_get_bookmarks", {"max_results": 100}),
        ("x_get_liked_tweets", {"user_id": me, "max_results": 100}),
        ("x_get_following", {"user_id": me, "max_results": 1_000}),
    )
    for do, undo in OPPOSITES.items():
        about: dict[str, Json] = {"target_user_id": user} if "follow" in do else {"tweet_id": tweet}
        await calls.bench.call(do, about)
        marks.append((undo, about))
    marks.append(("x_delete_tweet", {"tweet_id": tweet}))
    parts = [_refused(calls, marks, reads)]
    if "x_v2_lists_get" in bench.served(calls.bench.profile or ""):
        parts.append(_of_later(calls, me, user))
    await apart(*parts)


async def _of_later(calls: Calls, me: str, user: str) -> None:
    kept, reply, own = await calls.things.new_list(), await calls.things.reply(), await calls.own_tweet()
    other = await calls.things.user()
    mine: dict[str, Json] = {"user_id": me}
    account: dict[str, Json] = {**mine, "target_user_id": other if other != user else user}
    shown: dict[str, Json] = {**mine, "list_id": kept}
    made: Marks = [
        ("x_v2_lists_pin", shown),
        ("x_v2_lists_follow", shown),
        ("x_v2_lists_members_add", {"id": kept, "user_id": user}),
        ("x_v2_mutes_create", account),
        ("x_v2_users_pin_tweet", {**mine, "tweet_id": own}),
        ("x_v2_tweets_hide_reply", {"id": reply, "hidden": True}),
    ]
    for tool, given in made:
        await calls.bench.call(tool, given)
    marks: Marks = [
        ("x_v2_lists_unfollow", shown),
        ("x_v2_lists_members_remove", {"id": kept, "target_user_id": user}),
        ("x_v2_lists_update", {"id": kept, "name": calls.words().partition(" ")[0]}),
        ("x_v2_lists_delete", {"id": kept}),
        ("x_v2_mutes_delete", account),
        ("x_v2_users_unpin_tweet", mine),
        ("x_v2_tweets_unhide_reply", {"id": reply, "hidden": False}),
    ]
    reads: Reads = (
        ("x_v2_lists_get", {"id": kept}),
        ("x_v2_lists_followers", {"id": kept}),
        ("x_v2_lists_members", {"id": kept}),
        ("x_v2_mutes_list", mine),
        ("x_get_user_by_id", mine),
        ("get_tweet_by_id", {"tweet_id": reply}),
    )
    await _refused(calls, marks, reads)


async def _refused(calls: Calls, marks: Marks, reads: Reads) -> None:
    """Each of them under each condition that can be brought about while the server goes on, with reads afterwards."""
    for name, value in AWAY:
        # where a scraper may mutate, it would take the marks back, and nothing would be left for what comes after
        if not calls.bench.toggles(name) or (name == "backend" and calls.bench.profile not in GUARDED_PROFILES):
            continue
        under = await calls.bench.given(**{name: value})
        for tool, given in marks:
            await under.call(tool, given)
        await look(calls.bench, reads)

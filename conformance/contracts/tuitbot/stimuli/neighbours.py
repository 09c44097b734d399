"""What is taken back of one thing stays with the other: lists, their members and followers, blocks, mutes, replies."""

from conformance.contracts.tuitbot.bench import LATER, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.looking import Reads, look
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

Steps = tuple[tuple[str, dict[str, Json]], ...]
"""Tools with their arguments."""


@stimulus("tuitbot", exercises=("TB-SRV-02",), editions=LATER)
async def one_of_two_is_taken_back(bench: TuitbotBench) -> None:
    """Two of each are made, and one is taken back: both are read over another connection."""
    calls = await Calls.at(await bench.working())
    other = await calls.bench.lane()
    me, first, second = await calls.things.me(), await calls.things.user(), await calls.things.user()
    parts = [_lists(calls, other, me, (first, second)), _replies(calls, other)]
    if first != second:
        parts += [_accounts(calls, other, me, kind, (first, second)) for kind in ("blocks", "mutes")]
    await apart(*parts)


async def _lists(calls: Calls, other: TuitbotBench, me: str, users: tuple[str, str]) -> None:
    gone, kept = await calls.things.new_list(), await calls.things.new_list()
    own: dict[str, Json] = {"user_id": me}
    reads: Reads = (
        *[(f"x_v2_lists_{name}", {"id": each}) for each in (kept, gone) for name in ("get", "members", "followers")],
        *[(f"x_v2_lists_{name}", own) for name in ("pinned", "owned")],
        *[("x_v2_lists_memberships", {"user_id": user}) for user in dict.fromkeys(users)],
    )
    made: Steps = tuple(
        (f"x_v2_lists_{verb}", {**own, "list_id": each}) for each in (gone, kept) for verb in ("pin", "follow")
    )
    members: Steps = tuple(
        ("x_v2_lists_members_add", {"id": each, "user_id": user})
        for each in (gone, kept)
        for user in dict.fromkeys(users)
    )
    for tool, given in (*made, *members):
        await calls.bench.call(tool, given)
    await look(other, reads)
    taken_back: Steps = (
        ("x_v2_lists_unfollow", {**own, "list_id": gone}),
        ("x_v2_lists_members_remove", {"id": gone, "target_user_id": users[0]}),
        ("x_v2_lists_update", {"id": gone, "name": calls.words().partition(" ")[0]}),
        ("x_v2_lists_delete", {"id": gone}),
    )
    for tool, given in taken_back:
        await calls.bench.call(tool, given)
        await look(other, reads)


async def _accounts(calls: Calls, other: TuitbotBench, me: str, kind: str, users: tuple[str, str]) -> None:
    own: dict[str, Json] = {"user_id": me}
    for user in users:
        await calls.bench.call(f"x_v2_{kind}_create", {**own, "target_user_id": user})
    await calls.bench.call(f"x_v2_{kind}_delete", {**own, "target_user_id": users[0]})
    await look(other, ((f"x_v2_{kind}_list", own),))


async def _replies(calls: Calls, other: TuitbotBench) -> None:
    shown_again, hidden = await calls.things.reply(), await calls.things.reply()
    for reply in (shown_again, hidden):
        await calls.bench.call("x_v2_tweets_hide_reply", {"id": reply, "hidden": True})
    await calls.bench.call("x_v2_tweets_unhide_reply", {"id": shown_again, "hidden": False})
    await look(other, tuple(("get_tweet_by_id", {"tweet_id": reply}) for reply in (shown_again, hidden)))

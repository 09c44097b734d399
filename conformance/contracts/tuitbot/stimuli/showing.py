"""What is written is read: over another connection, in every list that shows it, and after it was deleted."""

from conformance.contracts.tuitbot.bench import FIRST, LATER, TuitbotBench, apart
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.looking import QUEUE, Reads, item_of, look
from conformance.contracts.tuitbot.stimuli.sweeping import routing
from conformance.contracts.tuitbot.things import posted_by
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

TEXTS = (
    "A plain sentence, no more",
    "caf\u00e9 na\u00efve \u4e2d\u6587 \U0001f600",
    "quotes 'single' and \"double\"",
    "two\nlines",
    "this & that, 1 < 2 > 0",
)
PAIRS = (
    ("x_like_tweet", "x_unlike_tweet"),
    ("x_bookmark_tweet", "x_unbookmark_tweet"),
    ("x_retweet", "x_unretweet"),
)
FOLLOW = ("x_follow_user", "x_unfollow_user")

AGAIN_S = 60
"""Seconds from one call to the next: more than the 30 in which a repeated mutation is refused."""
OWN, MARKED = 12, 3
"""Own tweets that are three pages of five or two of ten, and those of them that are liked and bookmarked."""
MOST_PAGES = 8


@stimulus("tuitbot", exercises=("TB-SRV-02",))
async def what_is_posted_is_read_in_workflow(bench: TuitbotBench) -> None:
    """Posts, a reply, a quote and a thread, each read over two connections; then the first is deleted."""
    await _post_and_read(await bench.working())


@stimulus("tuitbot", exercises=("TB-SRV-02",))
async def lists_are_read_page_by_page(bench: TuitbotBench) -> None:
    """Own tweets, likes, bookmarks and follows, more than a page holds: each list from its first page to its last."""
    calls = await Calls.at(await bench.working())
    own = [await calls.own_tweet() for _ in range(OWN)]
    shown = await calls.bench.call("get_tweet_by_id", {"tweet_id": own[0]})
    me: dict[str, Json] = {"user_id": taken(shown, "author_id")}
    for tool in ("x_like_tweet", "x_bookmark_tweet"):
        for tweet in own[:MARKED]:
            await calls.bench.call(tool, {"tweet_id": tweet})
    for user in [await calls.things.user() for _ in range(2)]:
        await calls.bench.call("x_follow_user", {"target_user_id": user})
    pages: Reads = (
        ("x_get_user_tweets", {**me, "max_results": 5}),
        ("x_get_liked_tweets", {**me, "max_results": 1}),
        ("x_get_bookmarks", {"max_results": 1}),
        ("x_get_following", {**me, "max_results": 1}),
    )
    known = {tool: given for tool, given in pages if calls.bench.supports(tool, "max_results", "pagination_token")}
    await _turn_pages(calls.bench, known)


async def _turn_pages(bench: TuitbotBench, lists: dict[str, dict[str, Json]]) -> None:
    """A page of each list in turn, from the first ones on, as many as a short one has at the most."""
    asked = dict(lists)
    for _ in range(MOST_PAGES):
        for tool, given in list(asked.items()):
            meta = (await bench.call(tool, given)).given.get("meta")
            token = meta.get("next_token") if isinstance(meta, dict) else None
            if isinstance(token, str):
                asked[tool] = {**lists[tool], "pagination_token": token}
            else:
                asked.pop(tool)


@stimulus("tuitbot", exercises=("TB-SRV-02",), editions=FIRST)
async def what_is_posted_is_read_in_api(bench: TuitbotBench) -> None:
    """Posts, a reply, a quote and a thread, each read over two connections; then the first is deleted."""
    await _post_and_read(await bench.raw())


async def _post_and_read(server: TuitbotBench) -> None:
    calls = await Calls.at(server)
    other = await server.lane()
    first = await calls.own_tweet()
    me = taken(await server.call("get_tweet_by_id", {"tweet_id": first}), "author_id")
    await apart(
        *[_one(calls, other, "x_post_tweet", {"text": f"{calls.words()} {text}"}) for text in TEXTS],
        *[
            _one(calls, other, tool, calls.plain(tool))
            for tool in ("x_reply_to_tweet", "x_quote_tweet", "x_post_thread")
        ],
        *[_mark(calls, other, pair, first, str(me)) for pair in PAIRS],
        _follow(calls, other, str(me)),
        *[_one_of_two(calls, other, pair, str(me)) for pair in PAIRS],
        _unfollow_one_of_two(calls, other, str(me)),
    )
    await _delete(server, other, first, str(me), calls.subjects.tweet_id)


async def _one(calls: Calls, other: TuitbotBench, tool: str, given: dict[str, Json]) -> None:
    """Posted over one connection and read over another."""
    posted = await calls.bench.call(tool, given)
    ids = posted.given.get("thread_tweet_ids") if tool == "x_post_thread" else [taken(posted, "id")]
    names = [str(each) for each in ids] if isinstance(ids, list) else []
    for each in names:
        await other.call("get_tweet_by_id", {"tweet_id": each})
    await look(other, (("x_get_home_timeline", {}), *_of_later(other, names, given)))


def _of_later(bench: TuitbotBench, tweets: list[str], given: dict[str, Json]) -> Reads:
    """Reads of the later edition that show tweets: asked for together, and as quotes of another."""
    reads: Reads = (("x_v2_tweets_lookup", {"ids": ",".join(tweets)}),)
    if "quoted_tweet_id" in given:
        reads = (*reads, ("x_v2_tweets_quote_tweets", {"id": given["quoted_tweet_id"], "max_results": 100}))
    return tuple(read for read in reads if read[0] in bench.served(bench.profile or ""))


async def _mark(calls: Calls, other: TuitbotBench, pair: tuple[str, str], tweet: str, me: str) -> None:
    """A like or a bookmark, and back."""
    reads = _showing_mark(other, pair[0], tweet, me)
    for tool in _each_twice(*pair):
        await calls.bench.call(tool, {"tweet_id": tweet})
        await look(other, reads)


def _showing_mark(bench: TuitbotBench, tool: str, tweet: str, me: str) -> Reads:
    if tool == "x_retweet":
        retweeted = "x_v2_tweets_retweeted_by"
        known = retweeted in bench.served(bench.profile or "")
        return ((retweeted, {"id": tweet}),) if known else (("get_tweet_by_id", {"tweet_id": tweet}),)
    return (
        ("x_get_liked_tweets", {"user_id": me, "max_results": 100}),
        ("x_get_tweet_liking_users", {"tweet_id": tweet}),
        ("x_get_bookmarks", {"max_results": 100}),
    )


async def _follow(calls: Calls, other: TuitbotBench, me: str) -> None:
    user = calls.subjects.user_id
    for tool in _each_twice(*FOLLOW):
        await calls.bench.call(tool, {"target_user_id": user})
        await look(other, _showing_follow(me, user))


def _showing_follow(me: str, user: str) -> Reads:
    return ("x_get_following", {"user_id": me}), ("x_get_followers", {"user_id": user})


def _each_twice(done: str, undone: str) -> tuple[str, ...]:
    """A mark and its opposite, each twice, and the mark again: after a second call a toggle would show."""
    return done, done, undone, undone, done


@stimulus("tuitbot", exercises=("TB-SRV-02",), needs=("clock",), editions=LATER)
async def marks_are_made_again_after_a_while(bench: TuitbotBench) -> None:
    """Each mark and its opposite twice, each call after the time in which the same one is refused."""
    server = await bench.working()
    calls = await Calls.at(server)
    me, user, tweet = await calls.things.me(), await calls.things.user(), await calls.own_tweet()
    marks = [(pair, {"tweet_id": tweet}, _showing_mark(server, pair[0], tweet, me)) for pair in PAIRS]
    ahead = 0
    for pair, given, reads in (*marks, (FOLLOW, {"target_user_id": user}, _showing_follow(me, user))):
        for tool in _each_twice(*pair):
            ahead += AGAIN_S
            later = await server.under(clock=ahead)
            await later.call(tool, given)
            await look(later, reads)


async def _one_of_two(calls: Calls, other: TuitbotBench, pair: tuple[str, str], me: str) -> None:
    """Two tweets are liked or bookmarked, and one of them no more: the other is all the same."""
    gone, kept = [await calls.own_tweet() for _ in range(2)]
    for tool, tweet in ((pair[0], gone), (pair[0], kept), (pair[1], gone)):
        await calls.bench.call(tool, {"tweet_id": tweet})
    reads: Reads = (
        ("get_tweet_by_id", {"tweet_id": kept}),
        ("x_get_liked_tweets", {"user_id": me, "max_results": 100}),
        ("x_get_tweet_liking_users", {"tweet_id": kept}),
        ("x_get_bookmarks", {"max_results": 100}),
    )
    await look(other, reads)


async def _unfollow_one_of_two(calls: Calls, other: TuitbotBench, me: str) -> None:
    gone, kept = [await calls.things.user() for _ in range(2)]
    for tool, user in (("x_follow_user", gone), ("x_follow_user", kept), ("x_unfollow_user", gone)):
        await calls.bench.call(tool, {"target_user_id": user})
    await look(other, (("x_get_following", {"user_id": me}), ("x_get_followers", {"user_id": kept})))


async def _delete(server: TuitbotBench, other: TuitbotBench, tweet: str, me: str, foreign: str) -> None:
    """What was deleted is in no read, and not answered, quoted or liked any more."""
    reads: Reads = (
        ("get_tweet_by_id", {"tweet_id": tweet}),
        *_of_later(other, [tweet], {}),
        ("x_get_user_tweets", {"user_id": me, "max_results": 100}),
        ("x_get_home_timeline", {"max_results": 100}),
        ("x_get_bookmarks", {"max_results": 100}),
        ("x_get_liked_tweets", {"user_id": me, "max_results": 100}),
    )
    await look(other, reads)
    await server.call("x_delete_tweet", {"tweet_id": tweet})
    await look(other, reads)
    # what is another's stays, whatever the answer says
    await server.call("x_delete_tweet", {"tweet_id": foreign})
    await look(other, (("get_tweet_by_id", {"tweet_id": foreign}),))


@stimulus("tuitbot", exercises=("TB-SRV-02",), needs=("policy",))
async def what_is_routed_is_in_the_queue(bench: TuitbotBench) -> None:
    """Posts that wait for approval, read over two connections; then one is approved and one rejected."""
    server = await routing(bench)
    calls = await Calls.at(server)
    other = await server.lane()
    waiting = []
    for text in TEXTS:
        routed = await server.call("x_post_tweet", {"text": f"{calls.words()} {text}"})
        waiting.append(await item_of(server, routed))
        await look(other, QUEUE)
    # others wait before and after the one that is rejected
    for tool, item in zip(("approve_item", "reject_item"), waiting[::2], strict=False):
        await server.call(tool, {"id": item})
        await look(other, QUEUE)


@stimulus("tuitbot", exercises=("TB-SRV-02",))
async def settings_are_shown(bench: TuitbotBench) -> None:
    """The configuration of a server that was set to limits of its own."""
    limits: Json = {"max_replies_per_author_per_day": 3, "banned_phrases": ["never say this"]}
    server = await bench.working({"limits": limits, "mode": "autopilot", "approval_mode": False})
    for tool in ("get_config", "get_mode", "validate_config"):
        await server.call(tool, {})


@stimulus("tuitbot", exercises=("TB-SRV-02",), editions=LATER)
async def what_universal_requests_write_is_read(bench: TuitbotBench) -> None:
    """A tweet that is posted and deleted, a list that is named, by requests of X's own, each read by other tools."""
    server = await bench.working_in("admin")
    calls = await Calls.at(server)
    other = await server.lane()
    posted = await server.call("x_post", await calls.arguments("x_post"))
    tweet = posted_by(posted) or await calls.own_tweet()
    reads: Reads = (("get_tweet_by_id", {"tweet_id": tweet}), *_of_later(other, [tweet], {}))
    await look(other, reads)
    await server.call("x_delete", {"path": f"/2/tweets/{tweet}"})
    await look(other, reads)
    renamed = await calls.arguments("x_put")
    kept: Reads = (("x_v2_lists_get", {"id": str(renamed["path"]).rpartition("/")[2]}),)
    await look(other, kept)
    await server.call("x_put", renamed)
    await look(other, kept)


@stimulus("tuitbot", exercises=("TB-SRV-02", "TB-MAN-06"), editions=LATER)
async def lists_blocks_and_mutes_are_read(bench: TuitbotBench) -> None:
    """A list from its making to its end, a block and a mute made and taken back, each read over two connections."""
    calls = await Calls.at(await bench.working())
    other = await calls.bench.lane()
    me, user = await calls.things.me(), await calls.things.user()
    await apart(
        _list(calls, other, me, user),
        *[_moderate(calls, other, kind, {"user_id": me, "target_user_id": user}) for kind in ("blocks", "mutes")],
    )


async def _list(calls: Calls, other: TuitbotBench, me: str, user: str) -> None:
    kept = await calls.things.new_list()
    reads: Reads = (
        ("x_v2_lists_get", {"id": kept}),
        ("x_v2_lists_members", {"id": kept}),
        ("x_v2_lists_pinned", {"user_id": me}),
        ("x_v2_lists_owned", {"user_id": me}),
        ("x_v2_lists_followers", {"id": kept}),
    )
    steps: tuple[tuple[str, dict[str, Json]], ...] = (
        ("members_add", {"user_id": user}),
        ("update", {"name": calls.words().partition(" ")[0]}),
        ("update", {"description": calls.words(), "private": True}),
        ("update", {"name": calls.words().partition(" ")[0]}),
        ("update", {"private": False}),
        ("members_remove", {"target_user_id": user}),
        ("delete", {}),
    )
    await look(other, reads)
    for verb in ("pin", "follow", "unfollow"):
        await calls.bench.call(f"x_v2_lists_{verb}", {"user_id": me, "list_id": kept})
        await look(other, reads)
    for name, given in steps:
        await calls.bench.call(f"x_v2_lists_{name}", {"id": kept, **given})
        await look(other, reads)


async def _moderate(calls: Calls, other: TuitbotBench, kind: str, given: dict[str, Json]) -> None:
    read: Reads = ((f"x_v2_{kind}_list", {"user_id": given["user_id"]}),)
    await look(other, read)
    for verb in ("create", "delete"):
        await calls.bench.call(f"x_v2_{kind}_{verb}", dict(given))
        await look(other, read)


@stimulus("tuitbot", exercises=("TB-SRV-02",), editions=LATER)
async def what_is_hidden_or_pinned_is_read(bench: TuitbotBench) -> None:
    """A reply hidden and shown again; one tweet pinned, then another, then none: each read over another connection."""
    calls = await Calls.at(await bench.working())
    other = await calls.bench.lane()
    await apart(_hide(calls, other), _pin(calls, other))


async def _hide(calls: Calls, other: TuitbotBench) -> None:
    reply = await calls.things.reply()
    reads: Reads = (("get_tweet_by_id", {"tweet_id": reply}), ("x_v2_tweets_lookup", {"ids": reply}))
    for tool, hidden in (("x_v2_tweets_hide_reply", True), ("x_v2_tweets_unhide_reply", False)):
        await calls.bench.call(tool, {"id": reply, "hidden": hidden})
        await look(other, reads)


async def _pin(calls: Calls, other: TuitbotBench) -> None:
    own: dict[str, Json] = {"user_id": await calls.things.me()}
    shown = await calls.bench.call("x_get_user_by_id", own)
    asked: dict[str, Json] = {"usernames": taken(shown, "username"), "user_fields": "pinned_tweet_id"}
    reads: Reads = (("x_v2_users_lookup_by_usernames", asked), ("x_get_user_by_id", own))
    for _ in range(2):
        pinned: dict[str, Json] = {**own, "tweet_id": await calls.own_tweet()}
        await calls.bench.call("x_v2_users_pin_tweet", pinned)
        await look(other, reads)
    await calls.bench.call("x_v2_users_unpin_tweet", own)
    await look(other, reads)

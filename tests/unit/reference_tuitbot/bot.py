"""One instance of the tuitbot on a calendar that stands still, and a call that works for each of its tools."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reference_server.application import Answer, Request
from reference_server.tuitbot import Tuitbot, open_tuitbot
from reference_server.tuitbot.x.world import AccountList, Tweet

NOON = 2_000_030_400.0
"""12:00 UTC on a day after the seeds' own times."""
UNGATED = {"policy": {"enforce_for_mutations": False}}
OWN, OTHER = "1001", "2003"
PNG = b"\x89PNG\r\n\x1a\n"


class Bot:
    """Calls one instance without an event loop: no tool awaits anything."""

    def __init__(self, settings: Mapping[str, Any] | None = None, edition: str = "session-05", **more: Any) -> None:
        self.tuitbot: Tuitbot = open_tuitbot({**(settings or {}), **more}, edition)
        self.tuitbot.clock.source = lambda: NOON

    def call(
        self, tool: str, arguments: Any = None, /, *, under: Mapping[str, Any] | None = None, **named: Any
    ) -> Answer:
        """Any call; `under` are its conditions."""
        coroutine = self.tuitbot.call(Request(tool, named if arguments is None else arguments, conditions=under or {}))
        try:
            coroutine.send(None)
        except StopIteration as done:
            answer: Answer = done.value
            return answer
        raise AssertionError("a tool awaited something")

    def data(self, tool: str, *, under: Mapping[str, Any] | None = None, **arguments: Any) -> Any:
        """The data of a call that succeeds."""
        envelope = self.call(tool, arguments, under=under).envelope
        assert envelope["success"] is True, envelope
        return envelope["data"]

    def error(self, tool: str, *, under: Mapping[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
        """The error of a call that fails."""
        answer = self.call(tool, arguments, under=under)
        assert answer.failed, answer.envelope
        error: dict[str, Any] = answer.envelope["error"]
        return error

    def code(self, tool: str, *, under: Mapping[str, Any] | None = None, **arguments: Any) -> str:
        """The code of a call that fails."""
        code: str = self.error(tool, under=under, **arguments)["code"]
        return code

    def found(self, author: str = OTHER) -> str:
        """A discovered tweet of an author."""
        candidates = self.data("find_reply_opportunities", query=f"from:{HANDLES[author]}")["candidates"]
        tweet: str = candidates[0]["tweet_id"]
        return tweet

    def tweet(self) -> str:
        """Somebody's tweet."""
        tweet: str = next(each.id for each in self.tuitbot.world.tweets.values() if each.author_id == OTHER)
        return tweet

    def own_tweet(self) -> str:
        """A tweet of one's own, posted by other means than a tool."""
        world = self.tuitbot.world
        own_id = world.new_id()
        return world.add(Tweet(own_id, f"own tweet {own_id}", OWN, NOON, own_id)).id

    def own_list(self) -> str:
        """A list of one's own, made by other means than a tool."""
        world = self.tuitbot.world
        kept = AccountList(world.new_id(), "own list", "", private=False, owner_id=OWN, created_at=NOON)
        world.lists[kept.id] = kept
        return kept.id

    def own_reply(self) -> str:
        """A reply to a tweet of one's own."""
        world, tweet = self.tuitbot.world, self.own_tweet()
        own_id = world.new_id()
        return world.add(Tweet(own_id, f"reply {own_id}", OTHER, NOON, tweet, in_reply_to=tweet)).id

    def space(self) -> str:
        """A space that goes on."""
        return next(iter(self.tuitbot.world.spaces))

    def mutation(self) -> str:
        """The id of a mutation that was kept."""
        mutations = self.tuitbot.store.mutations
        mutations.note("x_post_tweet", "success", "{}", NOON, result_summary="{}", error_message=None, elapsed_ms=1)
        return next(reversed(mutations.rows))

    def waiting(self) -> int:
        """An item of the approval queue."""
        store = self.tuitbot.store
        return store.approvals.add("x_like_tweet", {"tweet_id": self.tweet()}, "test", NOON).id


HANDLES = {OWN: "tuitbot_ref", OTHER: "linus_reads", "2001": "ada_codes", "2002": "grace_ships"}
NOTHING: dict[str, Any] = {}
WORKING: dict[str, Callable[[Bot, Path], dict[str, Any]]] = {
    "approve_item": lambda bot, _: {"id": bot.waiting()},
    "reject_item": lambda bot, _: {"id": bot.waiting()},
    "compose_tweet": lambda *_: {"content": "a draft"},
    "draft_replies_for_candidates": lambda bot, _: {"candidate_ids": [bot.found()]},
    "find_reply_opportunities": lambda *_: {"query": "rust"},
    "generate_reply": lambda *_: {"tweet_text": "how?", "tweet_author": "ada"},
    "generate_thread_plan": lambda *_: {"topic": "testing"},
    "get_author_context": lambda *_: {"identifier": "ada_codes"},
    "get_tweet_by_id": lambda bot, _: {"tweet_id": bot.tweet()},
    "propose_and_queue_replies": lambda bot, _: {"items": [{"candidate_id": bot.found(), "pre_drafted_text": "Why?"}]},
    "recommend_engagement_action": lambda *_: {"author_username": "ada_codes", "tweet_text": "rust?"},
    "score_tweet": lambda *_: {
        "text": "rust testing",
        "author_username": "ada",
        "author_followers": 5000,
        "likes": 3,
        "retweets": 1,
        "replies": 0,
        "created_at": "2026-01-01T00:00:00Z",
    },
    "x_bookmark_tweet": lambda bot, _: {"tweet_id": bot.tweet()},
    "x_delete_tweet": lambda bot, _: {"tweet_id": bot.own_tweet()},
    "x_follow_user": lambda *_: {"target_user_id": OTHER},
    "x_get_followers": lambda *_: {"user_id": OWN},
    "x_get_following": lambda *_: {"user_id": OWN},
    "x_get_liked_tweets": lambda *_: {"user_id": OWN},
    "x_get_tweet_liking_users": lambda bot, _: {"tweet_id": bot.tweet()},
    "x_get_user_by_id": lambda *_: {"user_id": OTHER},
    "x_get_user_by_username": lambda *_: {"username": "@Ada_Codes"},
    "x_get_user_tweets": lambda *_: {"user_id": OTHER},
    "x_get_users_by_ids": lambda *_: {"user_ids": [OWN, OTHER]},
    "x_like_tweet": lambda bot, _: {"tweet_id": bot.tweet()},
    "x_post_thread": lambda *_: {"tweets": ["one", "two"]},
    "x_post_tweet": lambda *_: {"text": "hello"},
    "x_quote_tweet": lambda bot, _: {"text": "look", "quoted_tweet_id": bot.tweet()},
    "x_reply_to_tweet": lambda bot, _: {"text": "yes", "in_reply_to_id": bot.tweet()},
    "x_retweet": lambda bot, _: {"tweet_id": bot.tweet()},
    "x_search_tweets": lambda *_: {"query": "rust"},
    "x_unbookmark_tweet": lambda bot, _: {"tweet_id": bot.tweet()},
    "x_unfollow_user": lambda *_: {"target_user_id": OTHER},
    "x_unlike_tweet": lambda bot, _: {"tweet_id": bot.tweet()},
    "x_unretweet": lambda bot, _: {"tweet_id": bot.tweet()},
    "get_mutation_detail": lambda bot, _: {"correlation_id": bot.mutation()},
    "x_get": lambda *_: {"path": "/2/users/me"},
    "x_post": lambda *_: {"path": "/2/tweets", "body": '{"text": "by hand"}'},
    "x_put": lambda bot, _: {"path": f"/2/lists/{bot.own_list()}", "body": '{"name": "renamed"}'},
    "x_delete": lambda bot, _: {"path": f"/2/tweets/{bot.own_tweet()}"},
    "x_post_thread_dry_run": lambda *_: {"tweets": ["one", "two"]},
    "x_post_tweet_dry_run": lambda *_: {"text": "hello"},
    **{
        f"x_v2_{kind}_{verb}": lambda *_: {"user_id": OWN, "target_user_id": OTHER}
        for kind in ("blocks", "mutes")
        for verb in ("create", "delete")
    },
    **{
        f"x_v2_{name}": lambda *_: {"user_id": OWN}
        for name in (
            "blocks_list",
            "mutes_list",
            "lists_pinned",
            "lists_owned",
            "lists_memberships",
            "users_unpin_tweet",
        )
    },
    **{
        f"x_v2_lists_{name}": lambda bot, _: {"id": bot.own_list()}
        for name in ("delete", "get", "members", "followers", "tweets")
    },
    **{
        f"x_v2_lists_{name}": lambda bot, _: {"user_id": OWN, "list_id": bot.own_list()}
        for name in ("follow", "unfollow", "pin")
    },
    "x_v2_lists_create": lambda *_: {"name": "tools"},
    "x_v2_lists_members_add": lambda bot, _: {"id": bot.own_list(), "user_id": OTHER},
    "x_v2_lists_members_remove": lambda bot, _: {"id": bot.own_list(), "target_user_id": OTHER},
    "x_v2_lists_update": lambda bot, _: {"id": bot.own_list(), "name": "renamed"},
    **{f"x_v2_spaces_{name}": lambda bot, _: {"id": bot.space()} for name in ("buyers", "get", "tweets")},
    "x_v2_spaces_by_creator": lambda *_: {"user_ids": "2001"},
    "x_v2_spaces_lookup": lambda bot, _: {"ids": bot.space()},
    "x_v2_spaces_search": lambda *_: {"query": "testing"},
    "x_v2_tweets_counts_recent": lambda *_: {"query": "testing"},
    "x_v2_tweets_hide_reply": lambda bot, _: {"id": bot.own_reply(), "hidden": True},
    "x_v2_tweets_unhide_reply": lambda bot, _: {"id": bot.own_reply(), "hidden": False},
    "x_v2_tweets_lookup": lambda bot, _: {"ids": bot.tweet()},
    "x_v2_tweets_quote_tweets": lambda bot, _: {"id": bot.tweet()},
    "x_v2_tweets_retweeted_by": lambda bot, _: {"id": bot.tweet()},
    "x_v2_users_lookup_by_usernames": lambda *_: {"usernames": "ada_codes"},
    "x_v2_users_pin_tweet": lambda bot, _: {"user_id": OWN, "tweet_id": bot.own_tweet()},
    "x_upload_media": lambda _, folder: {"file_path": str(picture(folder))},
}
"""Arguments by tool; a tool that is not here takes none."""


def picture(folder: Path, name: str = "a.png") -> Path:
    """A file that X takes."""
    path = folder / name
    path.write_bytes(PNG)
    return path


def working(bot: Bot, tool: str, folder: Path) -> dict[str, Any]:
    """Arguments with which the tool succeeds on this instance now."""
    return WORKING[tool](bot, folder) if tool in WORKING else NOTHING

"""A call that works, for each of the 65 tools: made again it works again, with a fresh subject where it needs one."""

import zlib
from collections.abc import Callable, Mapping
from importlib.resources import files

from msgspec import Struct

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.drive.bench import taken
from conformance.drive.errors import StuckError
from conformance.model.events import Json
from conformance.model.exchange import Exchange

PICTURE = str(files(__package__).joinpath("media", "pixel.png"))
"""An image that can be uploaded, where the server reads the suite's own files."""
TEXT = "What do you measure first?"
SCORED: dict[str, Json] = {
    "text": "How do you test developer tools?",
    "author_username": "ada",
    "author_followers": 5_000,
    "likes": 3,
    "retweets": 1,
    "replies": 0,
    "created_at": "2026-01-01T00:00:00Z",
}
FIXED: Mapping[str, dict[str, Json]] = {
    "compose_tweet": {"content": "A draft to come back to"},
    "find_reply_opportunities": {"query": "automation OR testing OR rust OR is OR the OR we", "limit": 50},
    "generate_reply": {"tweet_text": "How do you test developer tools?", "tweet_author": "ada"},
    "generate_thread_plan": {"topic": "testing"},
    "score_tweet": SCORED,
    "x_post_thread": {"tweets": ["First of two", "Second of two"]},
    "x_post_tweet": {"text": TEXT},
    "x_search_tweets": {"query": "automation"},
    "x_upload_media": {"file_path": PICTURE},
}
"""Arguments that never change. A tool that is in no table here takes none."""


class Subjects(Struct, frozen=True):
    """What calls are about: another account, and a tweet of its."""

    tweet_id: str
    user_id: str
    username: str


ABOUT: Mapping[str, Callable[[Subjects], dict[str, Json]]] = {
    "get_author_context": lambda s: {"identifier": s.username},
    "get_tweet_by_id": lambda s: {"tweet_id": s.tweet_id},
    "recommend_engagement_action": lambda s: {"author_username": s.username, "tweet_text": "What about testing?"},
    "x_bookmark_tweet": lambda s: {"tweet_id": s.tweet_id},
    "x_follow_user": lambda s: {"target_user_id": s.user_id},
    "x_get_followers": lambda s: {"user_id": s.user_id},
    "x_get_following": lambda s: {"user_id": s.user_id},
    "x_get_liked_tweets": lambda s: {"user_id": s.user_id},
    "x_get_tweet_liking_users": lambda s: {"tweet_id": s.tweet_id},
    "x_get_user_by_id": lambda s: {"user_id": s.user_id},
    "x_get_user_by_username": lambda s: {"username": s.username},
    "x_get_user_tweets": lambda s: {"user_id": s.user_id},
    "x_get_users_by_ids": lambda s: {"user_ids": [s.user_id]},
    "x_like_tweet": lambda s: {"tweet_id": s.tweet_id},
    "x_quote_tweet": lambda s: {"text": TEXT, "quoted_tweet_id": s.tweet_id},
    "x_reply_to_tweet": lambda s: {"text": TEXT, "in_reply_to_id": s.tweet_id},
    "x_retweet": lambda s: {"tweet_id": s.tweet_id},
    "x_unbookmark_tweet": lambda s: {"tweet_id": s.tweet_id},
    "x_unfollow_user": lambda s: {"target_user_id": s.user_id},
    "x_unlike_tweet": lambda s: {"tweet_id": s.tweet_id},
    "x_unretweet": lambda s: {"tweet_id": s.tweet_id},
}
"""Arguments about the subjects."""


class Calls:
    """Working calls on one instance, set up by WORKING (or by ASKED, where the policy gate is to be asked).

    What a call needs is made with `bench`; the call itself may be made on another bench of the same instance, under
    conditions.
    """

    def __init__(self, bench: TuitbotBench, subjects: Subjects) -> None:
        self.bench = bench
        self.subjects = subjects
        self._known: list[str] = []
        self._untried: list[str] | None = None

    @classmethod
    async def at(cls, bench: TuitbotBench) -> "Calls":
        """Looks for subjects; StuckError where the account sees nobody else's tweet."""
        mentions = await bench.call("x_get_user_mentions", {})
        for tweet in _objects(taken(mentions, "data")):
            author, tweet_id = tweet.get("author_id"), tweet.get("id")
            if isinstance(author, str) and isinstance(tweet_id, str):
                user = await bench.call("x_get_user_by_id", {"user_id": author})
                return cls(bench, Subjects(tweet_id, author, str(taken(user, "username"))))
        message = "nobody mentions the account, so that there is no tweet to call about"
        raise StuckError(message)

    async def call(self, tool: str, *, on: TuitbotBench | None = None, label: str = "", **changes: Json) -> Exchange:
        """Makes the call, on this bench or another of the same instance; `changes` are put over its arguments."""
        arguments = {**await self.arguments(tool), **changes}
        return await (on or self.bench).call(tool, arguments, label=label)

    async def arguments(self, tool: str) -> dict[str, Json]:
        """Arguments with which the tool succeeds now."""
        match tool:
            case "approve_item" | "reject_item":
                return {"id": await self.waiting()}
            case "approve_all":
                await self.waiting()
            case "draft_replies_for_candidates":
                return {"candidate_ids": [await self.candidate()]}
            case "propose_and_queue_replies":
                candidate = await self._next() or await self.candidate()
                return {"items": [{"candidate_id": candidate, "pre_drafted_text": self.words()}]}
            case "x_delete_tweet":
                return {"tweet_id": await self.own_tweet()}
        return ABOUT[tool](self.subjects) if tool in ABOUT else dict(FIXED.get(tool, {}))

    async def own_tweet(self) -> str:
        """A new tweet of the account's own."""
        posted = await self.bench.call("x_post_tweet", {"text": self.bench.unique("tweet")})
        return str(taken(posted, "id"))

    async def waiting(self) -> Json:
        """The id of an item of the approval queue, else of a reply proposed now; StuckError where none is queued."""
        queue = await self.bench.call("list_pending_approvals", {})
        for each in _objects(queue.payload):
            if "id" in each:
                return each["id"]
        for _ in range(2):  # what was rejected meanwhile may be answered again
            while candidate := await self._next():
                item = {"candidate_id": candidate, "pre_drafted_text": self.words()}
                proposed = await self.bench.call("propose_and_queue_replies", {"items": [item]})
                for each in _objects(proposed.payload):
                    if "approval_queue_id" in each:
                        return each["approval_queue_id"]
        message = "no proposed reply was queued for approval"
        raise StuckError(message)

    async def candidate(self) -> str:
        """A discovered tweet; StuckError where there is none."""
        if not self._known:
            await self._discover()
        if not self._known:
            message = "find_reply_opportunities found nothing to answer"
            raise StuckError(message)
        return self._known[-1]

    async def _next(self) -> str | None:
        """A discovered tweet that was not tried yet; None where all were, and then they are tried anew."""
        if self._untried is None:
            await self._discover()
        if self._untried:
            return self._untried.pop(0)
        self._untried = None
        return None

    async def _discover(self) -> None:
        found = await self.bench.call("find_reply_opportunities", FIXED["find_reply_opportunities"])
        ids = [each.get("tweet_id") for each in _objects(taken(found, "candidates"))]
        self._known = [each for each in ids if isinstance(each, str)]
        self._untried = list(self._known)

    def words(self) -> str:
        """A short text that shares no word with any other."""
        mark = zlib.crc32(self.bench.unique("words").encode())
        return " ".join(f"{mark:08x}{number}" for number in range(6))


def _objects(value: Json) -> list[dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []

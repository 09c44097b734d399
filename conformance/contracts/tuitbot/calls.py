"""A call that works, for each tool of both editions: made again it works again, with a fresh subject where need be."""

import contextlib
import json
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from importlib.resources import files

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.candidates import Candidate, candidates
from conformance.contracts.tuitbot.deeds import OPPOSITES, UNDOES
from conformance.contracts.tuitbot.gate import GUARDED_PROFILES, ROUTED, decision, queue_id
from conformance.contracts.tuitbot.manifest import manifest, tools_of
from conformance.contracts.tuitbot.subjects import Subjects, objects
from conformance.contracts.tuitbot.things import Things
from conformance.drive.bench import stuck, taken
from conformance.drive.errors import StuckError
from conformance.model.events import Json
from conformance.model.exchange import Exchange

MEDIA = files("conformance.contracts.tuitbot").joinpath("media")
PICTURE = str(MEDIA.joinpath("pixel.png"))
"""An image that can be uploaded, where the server reads the suite's own files."""
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
    "generate_reply": {"tweet_text": "How do you test developer tools?", "tweet_author": "ada"},
    "generate_thread_plan": {"topic": "testing"},
    "score_tweet": SCORED,
    "x_search_tweets": {"query": "automation"},
    "x_upload_media": {"file_path": PICTURE},
}
"""Arguments that never change. A tool that is in no table here takes none."""
BROAD = "automation OR testing OR rust OR is OR the OR we"
"""Words of which any tweet may have one."""
WIDE: dict[str, Json] = {"limit": 50, "min_score": 0}
"""What a search for candidates leaves nothing out by: a server may score all of them below its own threshold."""
TEXTS: Mapping[str, Callable[[str], dict[str, Json]]] = {
    "compose_tweet": lambda text: {"content": text},
    "x_post_thread": lambda text: {"tweets": [f"{text} first", f"{text} second"]},
    "x_post_tweet": lambda text: {"text": text},
}
"""Arguments with a text of their own: X takes no text twice."""
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
    "x_retweet": lambda s: {"tweet_id": s.tweet_id},
    "x_unbookmark_tweet": lambda s: {"tweet_id": s.tweet_id},
    "x_unfollow_user": lambda s: {"target_user_id": s.user_id},
    "x_unlike_tweet": lambda s: {"tweet_id": s.tweet_id},
    "x_unretweet": lambda s: {"tweet_id": s.tweet_id},
}
"""Arguments about the subjects."""
REMARKS: Mapping[str, Callable[[Subjects, str], dict[str, Json]]] = {
    "x_quote_tweet": lambda s, text: {"text": text, "quoted_tweet_id": s.tweet_id},
    "x_reply_to_tweet": lambda s, text: {"text": text, "in_reply_to_id": s.tweet_id},
}
"""Arguments about the subjects with a text of their own."""

ABOUT_USERS = {"x_follow_user": ("target_user_id",), "x_unfollow_user": ("target_user_id",)}
"""Tools about another account, with the argument that names it."""


def is_later(tool: str) -> bool:
    """Whether the later edition alone has a tool."""
    return tool in manifest("convergence") and tool not in manifest("session-05")


class Calls:
    """Working calls on one instance, set up by WORKING as far as it can be.

    What a call needs is made with `bench`; the call itself may be made on another bench of the same instance, under
    conditions.
    """

    def __init__(self, bench: TuitbotBench, subjects: Subjects) -> None:
        self.bench = bench
        self.subjects = subjects
        self.things = Things(self)
        self._made: set[tuple[str, str]] = set()
        """Mutations whose arguments were handed out."""
        self.found: list[Candidate] = []
        """Discovered tweets."""
        self._untried: list[str] | None = None
        self._given: set[str] = set()
        """Items of the queue that were handed out."""

    @classmethod
    async def at(cls, bench: TuitbotBench) -> "Calls":
        """Looks for subjects, or makes them up where the account sees no tweet."""
        return cls(bench, await Subjects.at(bench))

    async def call(self, tool: str, **changes: Json) -> Exchange:
        """Makes the call; `changes` are put over its arguments."""
        return await self.bench.call(tool, {**await self.arguments(tool), **changes})

    @property
    def posts(self) -> bool:
        """Whether the profile has a tool that posts."""
        return "x_post_tweet" in tools_of(self.bench.contract, self.bench.profile or "")

    def guards(self, tool: str) -> bool:
        """Whether a call of the tool may be refused that repeats another one."""
        about = manifest(self.bench.contract.edition).get(tool)
        return about is not None and about.mutation and self.bench.profile in GUARDED_PROFILES

    async def arguments(self, tool: str) -> dict[str, Json]:
        """Arguments with which the tool succeeds now.

        A mutation that may not be repeated is about something else, and what is to be taken back is done first: X may
        refuse to do what is done already, and to take back what is not.
        """
        given = await self._arguments(tool)
        takes_back = tool in UNDOES and tool not in OPPOSITES
        if not (self.guards(tool) or tool in UNDOES):
            return given
        if takes_back:
            with contextlib.suppress(StuckError):  # where nothing can be posted, what is there has to do
                given = await self._about_another(tool, given)
        elif (tool, json.dumps(given, sort_keys=True)) in self._made:
            given = await self._about_another(tool, given)
        self._made.add((tool, json.dumps(given, sort_keys=True)))
        if takes_back:
            await self.bench.call(UNDOES[tool], given)
        return given

    async def _about_another(self, tool: str, given: dict[str, Json]) -> dict[str, Json]:
        """The arguments, but about a new tweet or another account."""
        for name in given:
            if name == "tweet_id":
                given = {**given, name: await self.own_tweet()}
            elif name in ("target_user_id", "user_id") and name in ABOUT_USERS.get(tool, ()):
                given = {**given, name: await self.things.user()}
        return given

    async def _arguments(self, tool: str) -> dict[str, Json]:
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
        return await self.things.arguments(tool) if is_later(tool) else self.plain(tool)

    def plain(self, tool: str) -> dict[str, Json]:
        """Arguments for a tool that needs nothing to be made beforehand; those of the later edition are made up."""
        if is_later(tool):
            return self.things.made_up(tool)
        if tool in TEXTS:
            return TEXTS[tool](self.words())
        if tool in REMARKS:
            return REMARKS[tool](self.subjects, self.words())
        return ABOUT[tool](self.subjects) if tool in ABOUT else dict(FIXED.get(tool, {}))

    async def own_tweet(self) -> str:
        """A new tweet of the account's own."""
        posted = await self.bench.call("x_post_tweet", {"text": self.words()})
        return str(taken(posted, "id"))

    async def waiting(self) -> Json:
        """The id of an item of the approval queue, none twice; StuckError where none is queued.

        One that waits already, else a post that the policy routes there, else a proposed reply.
        """
        async for found in self._queued():
            if isinstance(found, int) and str(found) not in self._given:
                self._given.add(str(found))
                return found
        message = "nothing was queued for approval: neither a post nor a proposed reply"
        raise StuckError(message)

    async def _queued(self) -> AsyncIterator[Json]:
        for each in objects((await self.bench.call("list_pending_approvals", {})).payload):
            yield each.get("id")
        routed = await self.bench.call("x_post_tweet", {"text": self.words()})
        yield queue_id(routed)
        if routed.refused and decision(routed) == ROUTED:
            for each in objects((await self.bench.call("list_pending_approvals", {})).payload):
                yield each.get("id")
        for _ in range(2):  # what was rejected meanwhile may be answered again
            while candidate := await self._next():
                item = {"candidate_id": candidate, "pre_drafted_text": self.words()}
                proposed = await self.bench.call("propose_and_queue_replies", {"items": [item]})
                for each in objects(proposed.payload):
                    yield each.get("approval_queue_id")

    async def candidate(self) -> str:
        """A discovered tweet; StuckError where there is none."""
        if not self.found:
            await self.discover()
        if not self.found:
            message = "find_reply_opportunities found nothing to answer"
            raise StuckError(message)
        return self.found[-1].tweet_id

    async def _next(self) -> str | None:
        """A discovered tweet that was not tried yet; None where all were, and then they are tried anew."""
        if self._untried is None:
            await self.discover()
        if self._untried:
            return self._untried.pop(0)
        self._untried = None
        return None

    async def discover(self) -> None:
        """Looks for tweets to answer: by the server's own keywords, and by words of a tweet that the account sees."""
        answers = [await self.bench.call("find_reply_opportunities", {})]
        words = [word for word in self.subjects.text.split() if word.isalpha()]
        for query in (BROAD, *words[:2]):
            answers.append(await self.bench.call("find_reply_opportunities", {**WIDE, "query": query}))
            if any(candidates(answers[-1])):
                break
        if not any(answer.accepted for answer in answers):
            raise stuck(answers[0], "candidates")
        self.found = list({each.tweet_id: each for answer in answers for each in candidates(answer)}.values())
        self._untried = [each.tweet_id for each in self.found]

    def words(self) -> str:
        """A short text that shares no word with any other."""
        mark = zlib.crc32(self.bench.unique("words").encode())
        return " ".join(f"{mark:08x}{number}" for number in range(6))

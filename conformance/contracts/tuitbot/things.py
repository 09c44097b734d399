"""What calls of the later edition are about: the own account, lists, spaces, replies, each made or found at need."""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from conformance.contracts.tuitbot.manifest import UNIVERSAL, tools_of
from conformance.contracts.tuitbot.subjects import objects
from conformance.drive.bench import stuck, taken
from conformance.drive.errors import StuckError
from conformance.model.events import Json
from conformance.model.exchange import Exchange

if TYPE_CHECKING:
    from conformance.contracts.tuitbot.calls import Calls

WORDS = ("testing", "developer", "automation", "the", "a")
"""What spaces are looked for by."""
FOUND: Mapping[str, Callable[[str], dict[str, Json]]] = {
    "x_v2_tweets_lookup": lambda tweet: {"ids": tweet},
    "x_v2_tweets_quote_tweets": lambda tweet: {"id": tweet},
    "x_v2_tweets_retweeted_by": lambda tweet: {"id": tweet},
}
USERNAMES = "x_v2_users_lookup_by_usernames"
QUERY: dict[str, Json] = {"query": "testing"}


def data_of(call: Exchange) -> dict[str, Json]:
    """What a generated tool gives: X's own answer, whose data stands under that name."""
    inner = call.given.get("data")
    return inner if isinstance(inner, dict) else call.given


def posted_by(request: Exchange) -> str | None:
    """The tweet that a universal request posted, where its answer holds X's own as JSON."""
    inner = request.given.get("json")
    name = inner["data"].get("id") if isinstance(inner, dict) and isinstance(inner.get("data"), dict) else None
    return name if isinstance(name, str) else None


class Things:
    """Things of one instance."""

    def __init__(self, calls: "Calls") -> None:
        self._calls = calls
        self._me: str | None = None
        self._list: str | None = None
        self._space: dict[str, Json] | None = None
        self._users: list[str] | None = None
        self._turn = itertools.count()

    async def arguments(self, tool: str) -> dict[str, Json]:
        """Arguments with which a tool of the later edition succeeds now; StuckError where they cannot be had."""
        kind = tool.removeprefix("x_v2_").partition("_")[0]
        if tool in UNIVERSAL:
            return await self._request(tool)
        if kind == "spaces":
            return await self._of_spaces(tool)
        if kind == "lists":
            return await self._of_lists(tool)
        if kind in ("blocks", "mutes", "users") and tool != USERNAMES:
            return await self._of_the_account(tool)
        if tool.endswith("hide_reply"):
            return {"id": await self.reply(), "hidden": tool.endswith("_hide_reply")}
        return {"correlation_id": await self._mutation()} if tool == "get_mutation_detail" else self.made_up(tool)

    async def _of_the_account(self, tool: str) -> dict[str, Json]:
        """The acting account, and whom or what it blocks, mutes or pins."""
        own: dict[str, Json] = {"user_id": await self.me()}
        if tool == "x_v2_users_pin_tweet":
            return {**own, "tweet_id": await self._calls.own_tweet()}
        alone = tool.endswith("_list") or tool == "x_v2_users_unpin_tweet"
        return own if alone else {**own, "target_user_id": await self.user()}

    def made_up(self, tool: str) -> dict[str, Json]:
        """Arguments that keep the schema, about what need not be there."""
        subjects, text = self._calls.subjects, self._calls.words().partition(" ")[0]
        user, target = {"user_id": subjects.user_id}, {"target_user_id": subjects.user_id}
        made: dict[str, dict[str, Json]] = {
            "get_mutation_detail": {"correlation_id": text},
            "x_v2_lists_create": {"name": text},
            "x_v2_lists_members_add": {"id": "1", **user},
            "x_v2_lists_members_remove": {"id": "1", **target},
            "x_v2_spaces_by_creator": {"user_ids": subjects.user_id},
            "x_v2_spaces_lookup": {"ids": "1"},
            "x_v2_spaces_search": dict(QUERY),
            "x_v2_tweets_counts_recent": dict(QUERY),
            "x_v2_tweets_hide_reply": {"id": subjects.tweet_id, "hidden": True},
            "x_v2_tweets_unhide_reply": {"id": subjects.tweet_id, "hidden": False},
            "x_v2_users_lookup_by_usernames": {"usernames": subjects.username},
            "x_v2_users_pin_tweet": {**user, "tweet_id": subjects.tweet_id},
            "x_v2_users_unpin_tweet": user,
            "x_get": {"path": "/2/users/me"},
            "x_post": {"path": "/2/tweets", "body": json.dumps({"text": self._calls.words()})},
            "x_put": {"path": "/2/lists/1", "body": json.dumps({"name": text})},
            "x_delete": {"path": "/2/tweets/1999999999999999999"},
            "x_post_tweet_dry_run": {"text": self._calls.words()},
            "x_post_thread_dry_run": {"tweets": [self._calls.words()]},
        }
        if tool in made or not tool.startswith("x_v2_"):
            return made.get(tool, {})
        if tool in FOUND:
            return FOUND[tool](subjects.tweet_id)
        name = tool.removeprefix("x_v2_")
        if name.startswith(("blocks_", "mutes_")):
            return user if name.endswith("_list") else {**user, **target}
        if name in ("lists_follow", "lists_unfollow", "lists_pin"):
            return {**user, "list_id": "1"}
        return user if name in ("lists_owned", "lists_memberships", "lists_pinned") else {"id": "1"}

    def requests(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """Universal requests that need nothing to be made beforehand."""
        for tool in ("x_post", "x_put", "x_delete"):
            yield tool, self.made_up(tool)

    async def me(self) -> str:
        """The acting account: as x_get_me shows it, or by a tweet that it posts."""
        if self._me is None:
            bench = self._calls.bench
            if "x_get_me" in tools_of(bench.contract, bench.profile or ""):
                self._me = str(taken(await bench.call("x_get_me", {}), "id"))
            else:
                tweet = await bench.call("get_tweet_by_id", {"tweet_id": await self._calls.own_tweet()})
                self._me = str(taken(tweet, "author_id"))
        return self._me

    async def user(self) -> str:
        """Another account, as often as can be one that was not named before."""
        if self._users is None:
            bench, own = self._calls.bench, await self.me()
            found: list[str] = []
            for tool, given in (("x_search_tweets", {"query": "the"}), ("x_get_home_timeline", {})):
                answer = await bench.call(tool, given)
                found += [str(each["author_id"]) for each in objects(answer.given.get("data")) if "author_id" in each]
            followers = await bench.call("x_get_followers", {"user_id": own})
            found += [str(each["id"]) for each in objects(followers.given.get("data")) if "id" in each]
            known = self._calls.subjects.user_id
            self._users = [each for each in dict.fromkeys((*found, known)) if each not in (own, known)] + [known]
        return self._users[next(self._turn) % len(self._users)]

    async def stranger(self) -> str:
        """Another account that the own one does not follow, as far as one of the first can be found."""
        asked: dict[str, Json] = {"user_id": await self.me()}
        following = await self._calls.bench.call("x_get_following", asked)
        known = {each.get("id") for each in objects(following.given.get("data"))}
        user = await self.user()
        for _ in range(len(self._users or ())):
            if user not in known:
                break
            user = await self.user()
        return user

    async def new_list(self) -> str:
        """A new list of the own account."""
        made = await self._calls.bench.call("x_v2_lists_create", {"name": self._calls.words().partition(" ")[0]})
        identifier = data_of(made).get("id")
        if not made.accepted or not isinstance(identifier, str):
            raise stuck(made, "data.id")
        return identifier

    async def known_list(self) -> str:
        """A list that stays: a new one, or where none can be made one that an account keeps or is on."""
        if self._list is None:
            self._list = await self.new_list() if self._calls.posts else await self._foreign_list()
        return self._list

    async def _foreign_list(self) -> str:
        users = (await self.me(), self._calls.subjects.user_id)
        for tool, user in itertools.product(("x_v2_lists_memberships", "x_v2_lists_owned"), users):
            found = await self._calls.bench.call(tool, {"user_id": user})
            for each in objects(found.given.get("data")):
                if isinstance(each.get("id"), str):
                    return str(each["id"])
        message = "no list was found that the account or another one keeps or is on"
        raise StuckError(message)

    async def space(self) -> dict[str, Json]:
        """A space; StuckError where X shows none."""
        if self._space is None:
            for word in WORDS:
                found = await self._calls.bench.call("x_v2_spaces_search", {"query": word})
                self._space = next((each for each in objects(found.given.get("data")) if "id" in each), None)
                if self._space is not None:
                    break
            else:
                message = "no space was found, by whichever word"
                raise StuckError(message)
        return self._space

    async def _of_spaces(self, tool: str) -> dict[str, Json]:
        if tool == "x_v2_spaces_search":
            return dict(QUERY)
        if tool == "x_v2_spaces_by_creator":
            return {"user_ids": self._calls.subjects.user_id}
        identifier = (await self.space())["id"]
        return {"ids": identifier} if tool == "x_v2_spaces_lookup" else {"id": identifier}

    async def _of_lists(self, tool: str) -> dict[str, Json]:
        word = self._calls.words().partition(" ")[0]
        name = tool.removeprefix("x_v2_lists_")
        if name == "create":
            return {"name": word}
        if name in ("owned", "memberships", "pinned"):
            return {"user_id": await self.me()}
        if name in ("follow", "unfollow", "pin"):
            return {"user_id": await self.me(), "list_id": await self.new_list()}
        more: dict[str, dict[str, Json]] = {"delete": {}, "update": {"description": word}}
        if name in ("members_add", "members_remove"):
            more[name] = {("user_id" if name == "members_add" else "target_user_id"): await self.user()}
        return {"id": await self.new_list(), **more[name]} if name in more else {"id": await self.known_list()}

    async def reply(self) -> str:
        """A reply to an own tweet."""
        given = {"in_reply_to_id": await self._calls.own_tweet(), "text": self._calls.words()}
        return str(taken(await self._calls.bench.call("x_reply_to_tweet", given), "id"))

    async def _mutation(self) -> str:
        """The id of a mutation that was made."""
        await self._calls.own_tweet()
        found = await self._calls.bench.call("get_recent_mutations", {})
        for each in objects(found.given.get("mutations")):
            if isinstance(each.get("correlation_id"), str):
                return str(each["correlation_id"])
        raise stuck(found, "mutations")

    async def _request(self, tool: str) -> dict[str, Json]:
        match tool:
            case "x_put":
                body = {"name": self._calls.words().partition(" ")[0]}
                return {"path": f"/2/lists/{await self.new_list()}", "body": json.dumps(body)}
            case "x_delete":
                return {"path": f"/2/tweets/{await self._calls.own_tweet()}"}
        return self.made_up(tool)

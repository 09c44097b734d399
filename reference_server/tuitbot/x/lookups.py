"""Several objects at once, and what is counted of them, in the X in memory."""
# ruff: noqa: D102 - methods are those of LookupsClient

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.x.acting import Acting
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.fields import chosen
from reference_server.tuitbot.x.protocol import Asked, Window
from reference_server.tuitbot.x.query import matcher
from reference_server.tuitbot.x.world import Space

SPANS_S: Final = {"minute": 60, "hour": 3_600, "day": 86_400}
RECENT_S: Final = 7 * 86_400
MOST: Final = 100
STATES: Final = ("live", "scheduled")
ALL: Final = Window(1_000)


class Lookups(Acting):
    """Implements `LookupsClient`."""

    def tweets(self, tweet_ids: Sequence[str], asked: Asked) -> dict[str, Json]:
        self._line.request("tweets", tweet_ids=list(tweet_ids))
        _few(tweet_ids)
        found = [self._world.tweets[each] for each in tweet_ids if each in self._world.tweets]
        shown = [chosen(self._world.shown_tweet(each), "tweet", asked) for each in found]
        return {
            "data": shown,
            **self._beside((tweet.author_id for tweet in found), asked),
            **_missing(tweet_ids, self._world.tweets, "tweet"),
        }

    def quote_tweets(self, tweet_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("quote_tweets", tweet_id=tweet_id)
        quoted = self._tweet(tweet_id).id
        return self._tweets((each for each in self._world.tweets.values() if each.quoted == quoted), window, asked)

    def retweeted_by(self, tweet_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("retweeted_by", tweet_id=tweet_id)
        return self._users(list(self._world.retweets.get(self._tweet(tweet_id).id, ())), window, asked)

    def count_tweets(self, query: str, granularity: str, start: float | None, end: float | None) -> dict[str, Json]:
        self._line.request("count_tweets", query=query)
        if granularity not in SPANS_S:
            raise XFailureError(Failure.INVALID_REQUEST, f"granularity is one of {', '.join(SPANS_S)}")
        span, now, matches = SPANS_S[granularity], self._world.clock.now(), matcher(query, self._world)
        until = now if end is None else end
        since = until - RECENT_S if start is None else start
        if since >= until:
            raise XFailureError(Failure.INVALID_REQUEST, "start_time is not before end_time")
        within = (each for each in self._world.tweets.values() if since <= each.created_at < until and matches(each))
        counts = Counter(each.created_at // span * span for each in within)
        instant = self._world.clock.instant
        rows = [{"start": instant(at), "end": instant(at + span), "tweet_count": n} for at, n in sorted(counts.items())]
        return {"data": rows, "meta": {"total_tweet_count": counts.total()}}

    def users_by_usernames(self, usernames: Sequence[str], asked: Asked) -> dict[str, Json]:
        self._line.request("users_by_usernames", usernames=list(usernames))
        _few(usernames)
        known = {user.username.lower(): user.id for user in self._world.users.values()}
        wanted = {name: name.lower().removeprefix("@") for name in usernames}
        found = [self._shown_user(known[name], asked) for name in wanted.values() if name in known]
        return {"data": found, **_missing(list(wanted.values()), known, "user")}

    def space(self, space_id: str, asked: Asked) -> dict[str, Json]:
        self._line.request("space", space_id=space_id)
        found = self._space(space_id)
        return {"data": self._shown_space(found, asked), **self._beside([found.creator_id], asked)}

    def spaces(self, space_ids: Sequence[str], asked: Asked) -> dict[str, Json]:
        self._line.request("spaces", space_ids=list(space_ids))
        _few(space_ids)
        found = [self._world.spaces[each] for each in space_ids if each in self._world.spaces]
        return {**self._shown_spaces(found, asked), **_missing(space_ids, self._world.spaces, "space")}

    def spaces_by_creator(self, user_ids: Sequence[str], asked: Asked) -> dict[str, Json]:
        self._line.request("spaces_by_creator", user_ids=list(user_ids))
        _few(user_ids)
        return self._shown_spaces((each for each in self._world.spaces.values() if each.creator_id in user_ids), asked)

    def search_spaces(self, query: str, state: str, asked: Asked) -> dict[str, Json]:
        self._line.request("search_spaces", query=query)
        if state not in (*STATES, "all"):
            raise XFailureError(Failure.INVALID_REQUEST, f"state is one of {', '.join(STATES)}, all")
        wanted = STATES if state == "all" else (state,)
        found = (s for s in self._world.spaces.values() if query.lower() in s.title.lower() and s.state in wanted)
        return self._shown_spaces(found, asked)

    def space_buyers(self, space_id: str, asked: Asked) -> dict[str, Json]:
        self._line.request("space_buyers", space_id=space_id)
        return self._users(list(self._space(space_id).buyer_ids), ALL, asked)

    def space_tweets(self, space_id: str, asked: Asked) -> dict[str, Json]:
        self._line.request("space_tweets", space_id=space_id)
        shared = self._space(space_id).tweet_ids
        return self._tweets((self._world.tweets[each] for each in shared if each in self._world.tweets), ALL, asked)

    def _shown_space(self, space: Space, asked: Asked) -> dict[str, Json]:
        return chosen(self._world.shown_space(space), "space", asked)

    def _shown_spaces(self, spaces: Iterable[Space], asked: Asked) -> dict[str, Json]:
        found = list(spaces)
        shown = [self._shown_space(each, asked) for each in found]
        beside = self._beside((each.creator_id for each in found), asked)
        return {"data": shown, **beside, "meta": {"result_count": len(shown)}}


def _few(wanted: Sequence[str]) -> None:
    if not 1 <= len(wanted) <= MOST:
        raise XFailureError(Failure.INVALID_REQUEST, f"{len(wanted)} are asked for; 1 to {MOST} are allowed")


def _missing(wanted: Sequence[str], known: Iterable[str], kind: str) -> dict[str, Json]:
    """What X says of the objects that it does not have."""
    held = set(known)
    errors = [{"value": each, "title": "Not Found", "resource_type": kind} for each in wanted if each not in held]
    return {"errors": errors} if errors else {}

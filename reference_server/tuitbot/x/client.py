"""The client of the X in memory: every method is one request on the line, then the work in the world."""
# ruff: noqa: D102 - methods are those of XClient

from collections.abc import Iterable, Sequence

from reference_server.application import Json
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.line import Line
from reference_server.tuitbot.x.paging import cut
from reference_server.tuitbot.x.protocol import Draft, Window
from reference_server.tuitbot.x.query import matcher
from reference_server.tuitbot.x.world import Tweet, User, World


class MemoryClient:
    """Acts in `world` as the account `own`. Implements `XClient`."""

    def __init__(self, world: World, own: str, line: Line) -> None:
        self._world = world
        self._own = own
        self._line = line

    def me(self) -> dict[str, Json]:
        self._line.request("me")
        return self._world.shown_user(self._world.users[self._own])

    def tweet(self, tweet_id: str) -> dict[str, Json]:
        self._line.request("tweet", tweet_id=tweet_id)
        return self._world.shown_tweet(self._tweet(tweet_id))

    def user(self, user_id: str) -> dict[str, Json]:
        self._line.request("user", user_id=user_id)
        return self._world.shown_user(self._user(user_id))

    def user_by_username(self, username: str) -> dict[str, Json]:
        self._line.request("user_by_username", username=username)
        wanted = username.lower().removeprefix("@")
        for user in self._world.users.values():
            if user.username.lower() == wanted:
                return self._world.shown_user(user)
        raise XFailureError(Failure.NOT_FOUND, f"X knows no user @{wanted}")

    def users(self, user_ids: Sequence[str]) -> dict[str, Json]:
        self._line.request("users", user_ids=list(user_ids))
        found = [self._world.users[each] for each in dict.fromkeys(user_ids) if each in self._world.users]
        return {"data": [self._world.shown_user(user) for user in found], "meta": {"result_count": len(found)}}

    def search(self, query: str, window: Window) -> dict[str, Json]:
        self._line.request("search", query=query)
        matches = matcher(query, self._world)
        return self._tweets((tweet for tweet in self._world.tweets.values() if matches(tweet)), window)

    def mentions(self, window: Window) -> dict[str, Json]:
        self._line.request("mentions")
        tag = f"@{self._world.users[self._own].username}".lower()
        mine = {tweet.id for tweet in self._world.tweets.values() if tweet.author_id == self._own}
        found = (
            tweet
            for tweet in self._world.tweets.values()
            if tweet.author_id != self._own and (tag in tweet.text.lower() or tweet.in_reply_to in mine)
        )
        return self._tweets(found, window)

    def home_timeline(self, window: Window) -> dict[str, Json]:
        self._line.request("home_timeline")
        authors = {self._own, *self._world.follows.get(self._own, ())}
        return self._tweets((tweet for tweet in self._world.tweets.values() if tweet.author_id in authors), window)

    def user_tweets(self, user_id: str, window: Window) -> dict[str, Json]:
        self._line.request("user_tweets", user_id=user_id)
        author = self._user(user_id).id
        return self._tweets((tweet for tweet in self._world.tweets.values() if tweet.author_id == author), window)

    def liked_tweets(self, user_id: str, window: Window) -> dict[str, Json]:
        self._line.request("liked_tweets", user_id=user_id)
        fan = self._user(user_id).id
        return self._tweets((self._tweet(each) for each, fans in self._world.likes.items() if fan in fans), window)

    def bookmarks(self, window: Window) -> dict[str, Json]:
        self._line.request("bookmarks")
        return self._tweets((self._tweet(each) for each in self._world.bookmarks.get(self._own, ())), window)

    def followers(self, user_id: str, window: Window) -> dict[str, Json]:
        self._line.request("followers", user_id=user_id)
        followed = self._user(user_id).id
        return self._users([each for each, whom in self._world.follows.items() if followed in whom], window)

    def following(self, user_id: str, window: Window) -> dict[str, Json]:
        self._line.request("following", user_id=user_id)
        return self._users(list(self._world.follows.get(self._user(user_id).id, ())), window)

    def liking_users(self, tweet_id: str, window: Window) -> dict[str, Json]:
        self._line.request("liking_users", tweet_id=tweet_id)
        return self._users(list(self._world.likes.get(self._tweet(tweet_id).id, ())), window)

    def post(self, draft: Draft) -> dict[str, Json]:
        named = {"media_ids": list(draft.media_ids), "in_reply_to": draft.in_reply_to, "quoted": draft.quoted}
        given = {name: value for name, value in named.items() if value}
        self._line.request("post", mutation=True, text=draft.text, **given)
        if unknown := [media for media in draft.media_ids if media not in self._world.media]:
            raise XFailureError(Failure.INVALID_REQUEST, f"X knows no media {unknown[0]!r}")
        replied = self._tweet(draft.in_reply_to) if draft.in_reply_to is not None else None
        if draft.quoted is not None:
            self._tweet(draft.quoted)
        own_id = self._world.new_id()
        tweet = Tweet(
            id=own_id,
            text=draft.text,
            author_id=self._own,
            created_at=self._world.clock.now(),
            conversation_id=replied.conversation_id if replied else own_id,
            in_reply_to=draft.in_reply_to,
            quoted=draft.quoted,
            media_ids=draft.media_ids,
        )
        return self._world.shown_tweet(self._world.add(tweet))

    def delete(self, tweet_id: str) -> None:
        self._line.request("delete", mutation=True, tweet_id=tweet_id)
        if self._tweet(tweet_id).author_id != self._own:
            raise XFailureError(Failure.FORBIDDEN, "X answered 403: the tweet is another account's")
        self._world.remove(tweet_id)

    def like(self, tweet_id: str) -> None:
        self._line.request("like", mutation=True, tweet_id=tweet_id)
        self._world.likes.setdefault(self._tweet(tweet_id).id, {})[self._own] = None

    def unlike(self, tweet_id: str) -> None:
        self._line.request("unlike", mutation=True, tweet_id=tweet_id)
        self._world.likes.get(self._tweet(tweet_id).id, {}).pop(self._own, None)

    def retweet(self, tweet_id: str) -> None:
        self._line.request("retweet", mutation=True, tweet_id=tweet_id)
        self._world.retweets.setdefault(self._tweet(tweet_id).id, {})[self._own] = None

    def unretweet(self, tweet_id: str) -> None:
        self._line.request("unretweet", mutation=True, tweet_id=tweet_id)
        self._world.retweets.get(self._tweet(tweet_id).id, {}).pop(self._own, None)

    def bookmark(self, tweet_id: str) -> None:
        self._line.request("bookmark", mutation=True, tweet_id=tweet_id)
        self._world.bookmarks.setdefault(self._own, {})[self._tweet(tweet_id).id] = None

    def unbookmark(self, tweet_id: str) -> None:
        self._line.request("unbookmark", mutation=True, tweet_id=tweet_id)
        self._world.bookmarks.get(self._own, {}).pop(self._tweet(tweet_id).id, None)

    def follow(self, user_id: str) -> None:
        self._line.request("follow", mutation=True, user_id=user_id)
        if self._user(user_id).id == self._own:
            raise XFailureError(Failure.INVALID_REQUEST, "an account cannot follow itself")
        self._world.follows.setdefault(self._own, {})[user_id] = None

    def unfollow(self, user_id: str) -> None:
        self._line.request("unfollow", mutation=True, user_id=user_id)
        self._world.follows.get(self._own, {}).pop(self._user(user_id).id, None)

    def upload(self, content: bytes, media_type: str) -> str:
        self._line.request("upload", mutation=True, media_type=media_type, size=len(content))
        media_id = self._world.new_id()
        self._world.media[media_id] = media_type
        return media_id

    def _tweet(self, tweet_id: str) -> Tweet:
        if tweet_id not in self._world.tweets:
            raise XFailureError(Failure.NOT_FOUND, f"X knows no tweet {tweet_id!r}")
        return self._world.tweets[tweet_id]

    def _user(self, user_id: str) -> User:
        if user_id not in self._world.users:
            raise XFailureError(Failure.NOT_FOUND, f"X knows no user {user_id!r}")
        return self._world.users[user_id]

    def _tweets(self, found: Iterable[Tweet], window: Window) -> dict[str, Json]:
        """Newest first, as every timeline of X."""
        newest = sorted((tweet.id for tweet in found), key=_age, reverse=True)
        if window.since_id is not None:
            newest = [each for each in newest if _age(each) > _age(window.since_id)]
        page, token = cut(newest, window)
        tweets = [self._world.tweets[each] for each in page]
        meta: dict[str, Json] = {"result_count": len(page)}
        if page:
            meta |= {"newest_id": page[0], "oldest_id": page[-1]}
        if token:
            meta["next_token"] = token
        authors = dict.fromkeys(tweet.author_id for tweet in tweets)
        users = [self._world.shown_user(self._world.users[each]) for each in authors]
        return {"data": [self._world.shown_tweet(each) for each in tweets], "includes": {"users": users}, "meta": meta}

    def _users(self, ids: list[str], window: Window) -> dict[str, Json]:
        page, token = cut(ids, window)
        meta: dict[str, Json] = {"result_count": len(page)}
        if token:
            meta["next_token"] = token
        return {"data": [self._world.shown_user(self._world.users[each]) for each in page], "meta": meta}


def _age(tweet_id: str) -> tuple[int, str]:
    """Orders ids by their number without reading them as one: a caller's since_id may be no number."""
    return len(tweet_id), tweet_id

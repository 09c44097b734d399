"""The client of the X in memory: every method is one request on the line, then the work in the world."""
# ruff: noqa: D102 - methods are those of XClient

from collections.abc import Sequence

from reference_server.application import Json
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.lists import Lists
from reference_server.tuitbot.x.lookups import Lookups
from reference_server.tuitbot.x.moderation import Moderation
from reference_server.tuitbot.x.protocol import Draft, HttpRequest, Window
from reference_server.tuitbot.x.query import matcher
from reference_server.tuitbot.x.routes import answered
from reference_server.tuitbot.x.world import Tweet


class MemoryClient(Lists, Moderation, Lookups):
    """Implements `XClient`."""

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
        unknown = [media for media in draft.media_ids if media not in self._world.media]
        refusal = XFailureError(Failure.INVALID_REQUEST, f"X knows no media {unknown[0]!r}") if unknown else None
        self._line.request("post", mutation=True, refusal=refusal, text=draft.text, **given)
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

    def request(self, request: HttpRequest) -> dict[str, Json]:
        found = answered(self, request)
        if found is None:
            self._line.request("http", mutation=request.method != "GET", method=request.method, path=request.path)
            raise XFailureError(Failure.NOT_FOUND, f"X answered 404: it has no {request.method} {request.path}")
        return found

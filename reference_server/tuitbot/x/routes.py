"""Paths of the X API v2, for requests in X's own terms: each leads to the client's method of the same meaning."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.fields import names
from reference_server.tuitbot.x.protocol import Asked, Draft, HttpRequest, Window, XClient

PAGE: Final = 100
MOST: Final = 1_000
CREATED: Final = 201


@dataclass(frozen=True, slots=True)
class Given:
    """What a request names: in its path, its query, its body."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Json]

    def __getitem__(self, name: str) -> Json:
        """What the body has under a name. XFailureError: it has nothing."""
        if name not in self.body:
            raise XFailureError(Failure.INVALID_REQUEST, f"X answered 400: the body lacks {name}")
        return self.body[name]

    def asked(self, name: str) -> str:
        """What the query has under a name. XFailureError: it has nothing."""
        if name not in self.query:
            raise XFailureError(Failure.INVALID_REQUEST, f"X answered 400: the query lacks {name}")
        return self.query[name]

    @property
    def window(self) -> Window:
        """The page that is asked for."""
        size = self.query.get("max_results", str(PAGE))
        if not (size.isascii() and size.isdigit() and 1 <= int(size) <= MOST):
            raise XFailureError(Failure.INVALID_REQUEST, f"X answered 400: max_results is not from 1 to {MOST}")
        return Window(int(size), self.query.get("pagination_token"), self.query.get("since_id"))

    @property
    def fields(self) -> Asked:
        """The fields that are asked for, by X's own names of them."""
        kinds = ("tweet", "user", "list", "space")
        return Asked(
            **{f"{kind}_fields": self.query.get(f"{kind}.fields") for kind in kinds},
            expansions=self.query.get("expansions"),
        )


KINDS: Final = {"name": str, "description": str, "private": bool}
"""What a list's body may change."""
Answers = Callable[[XClient, Given], Json]


def _post(client: XClient, given: Given) -> Json:
    media, reply = given.body.get("media") or {}, given.body.get("reply") or {}
    text, parts = given["text"], (media, reply)
    if not isinstance(text, str) or not all(isinstance(part, dict) for part in parts):
        raise XFailureError(Failure.INVALID_REQUEST, "X answered 400: the body is no tweet")
    quoted = given.body.get("quote_tweet_id")
    return client.post(Draft(text, tuple(media.get("media_ids") or ()), reply.get("in_reply_to_tweet_id"), quoted))


def _hidden(client: XClient, given: Given) -> Json:
    hidden = given["hidden"]
    if not isinstance(hidden, bool):
        raise XFailureError(Failure.INVALID_REQUEST, "X answered 400: hidden is no boolean")
    client.hide(given.path["id"], hidden=hidden)
    return {"data": {"hidden": hidden}}


def _changes(given: Given) -> dict[str, Json]:
    changes = {name: value for name, value in given.body.items() if name in KINDS}
    for name, value in changes.items():
        if not isinstance(value, KINDS[name]):
            raise XFailureError(Failure.INVALID_REQUEST, f"X answered 400: {name} is of another type")
    return changes


def _made(client: XClient, given: Given) -> Json:
    about = {"name": given["name"], **_changes(given)}
    return client.create_list(about["name"], about.get("description", ""), private=about.get("private", False))


def _marked(name: str, value: bool, act: Callable[[XClient, Given], None]) -> Answers:  # noqa: FBT001 - what is answered
    def done(client: XClient, given: Given) -> Json:
        act(client, given)
        return {name: value}

    return done


def _data(act: Answers) -> Answers:
    return lambda client, given: {"data": act(client, given)}


def _did(name: str, value: bool, act: Callable[[XClient, Given], None]) -> Answers:  # noqa: FBT001 - what is answered
    return _data(_marked(name, value, act))


ROUTES: Final[tuple[tuple[str, str, Answers], ...]] = (
    ("GET", "/2/users/me", _data(lambda c, _: c.me())),
    ("GET", "/2/users/by", lambda c, g: c.users_by_usernames(names(g.asked("usernames")), g.fields)),
    ("GET", "/2/users/by/username/{name}", _data(lambda c, g: c.user_by_username(g.path["name"]))),
    ("GET", "/2/users/{id}", _data(lambda c, g: c.user(g.path["id"]))),
    ("GET", "/2/users/{id}/tweets", lambda c, g: c.user_tweets(g.path["id"], g.window)),
    ("GET", "/2/users/{id}/mentions", lambda c, g: c.mentions(g.window)),
    ("GET", "/2/users/{id}/timelines/reverse_chronological", lambda c, g: c.home_timeline(g.window)),
    ("GET", "/2/users/{id}/liked_tweets", lambda c, g: c.liked_tweets(g.path["id"], g.window)),
    ("GET", "/2/users/{id}/bookmarks", lambda c, g: c.bookmarks(g.window)),
    ("GET", "/2/users/{id}/followers", lambda c, g: c.followers(g.path["id"], g.window)),
    ("GET", "/2/users/{id}/following", lambda c, g: c.following(g.path["id"], g.window)),
    ("GET", "/2/users/{id}/blocking", lambda c, g: c.blocked(g.path["id"], g.window, g.fields)),
    ("GET", "/2/users/{id}/muting", lambda c, g: c.muted(g.path["id"], g.window, g.fields)),
    ("GET", "/2/users/{id}/owned_lists", lambda c, g: c.owned_lists(g.path["id"], g.window, g.fields)),
    ("GET", "/2/users/{id}/list_memberships", lambda c, g: c.memberships(g.path["id"], g.window, g.fields)),
    ("GET", "/2/users/{id}/pinned_lists", lambda c, g: c.pinned_lists(g.path["id"], g.fields)),
    ("GET", "/2/tweets", lambda c, g: c.tweets(names(g.asked("ids")), g.fields)),
    ("GET", "/2/tweets/search/recent", lambda c, g: c.search(g.asked("query"), g.window)),
    ("GET", "/2/tweets/{id}", _data(lambda c, g: c.tweet(g.path["id"]))),
    ("GET", "/2/tweets/{id}/quote_tweets", lambda c, g: c.quote_tweets(g.path["id"], g.window, g.fields)),
    ("GET", "/2/tweets/{id}/retweeted_by", lambda c, g: c.retweeted_by(g.path["id"], g.window, g.fields)),
    ("GET", "/2/tweets/{id}/liking_users", lambda c, g: c.liking_users(g.path["id"], g.window)),
    ("GET", "/2/lists/{id}", lambda c, g: c.list_by_id(g.path["id"], g.fields)),
    ("GET", "/2/lists/{id}/members", lambda c, g: c.list_members(g.path["id"], g.window, g.fields)),
    ("GET", "/2/lists/{id}/followers", lambda c, g: c.list_followers(g.path["id"], g.window, g.fields)),
    ("GET", "/2/lists/{id}/tweets", lambda c, g: c.list_tweets(g.path["id"], g.window, g.fields)),
    ("GET", "/2/spaces", lambda c, g: c.spaces(names(g.asked("ids")), g.fields)),
    ("GET", "/2/spaces/search", lambda c, g: c.search_spaces(g.asked("query"), g.query.get("state", "all"), g.fields)),
    ("GET", "/2/spaces/by/creator_ids", lambda c, g: c.spaces_by_creator(names(g.asked("user_ids")), g.fields)),
    ("GET", "/2/spaces/{id}", lambda c, g: c.space(g.path["id"], g.fields)),
    ("GET", "/2/spaces/{id}/buyers", lambda c, g: c.space_buyers(g.path["id"], g.fields)),
    ("GET", "/2/spaces/{id}/tweets", lambda c, g: c.space_tweets(g.path["id"], g.fields)),
    ("POST", "/2/tweets", _data(_post)),
    ("DELETE", "/2/tweets/{id}", _did("deleted", True, lambda c, g: c.delete(g.path["id"]))),
    ("PUT", "/2/tweets/{id}/hidden", _hidden),
    ("POST", "/2/users/{id}/likes", _did("liked", True, lambda c, g: c.like(g["tweet_id"]))),
    ("DELETE", "/2/users/{id}/likes/{to}", _did("liked", False, lambda c, g: c.unlike(g.path["to"]))),
    ("POST", "/2/users/{id}/retweets", _did("retweeted", True, lambda c, g: c.retweet(g["tweet_id"]))),
    ("DELETE", "/2/users/{id}/retweets/{to}", _did("retweeted", False, lambda c, g: c.unretweet(g.path["to"]))),
    ("POST", "/2/users/{id}/bookmarks", _did("bookmarked", True, lambda c, g: c.bookmark(g["tweet_id"]))),
    ("DELETE", "/2/users/{id}/bookmarks/{to}", _did("bookmarked", False, lambda c, g: c.unbookmark(g.path["to"]))),
    ("POST", "/2/users/{id}/following", _did("following", True, lambda c, g: c.follow(g["target_user_id"]))),
    ("DELETE", "/2/users/{id}/following/{to}", _did("following", False, lambda c, g: c.unfollow(g.path["to"]))),
    ("POST", "/2/users/{id}/blocking", _did("blocking", True, lambda c, g: c.block(g.path["id"], g["target_user_id"]))),
    (
        "DELETE",
        "/2/users/{id}/blocking/{to}",
        _did("blocking", False, lambda c, g: c.unblock(g.path["id"], g.path["to"])),
    ),
    ("POST", "/2/users/{id}/muting", _did("muting", True, lambda c, g: c.mute(g.path["id"], g["target_user_id"]))),
    ("DELETE", "/2/users/{id}/muting/{to}", _did("muting", False, lambda c, g: c.unmute(g.path["id"], g.path["to"]))),
    ("PUT", "/2/users/{id}/pinned_tweet", _did("pinned", True, lambda c, g: c.pin_tweet(g.path["id"], g["tweet_id"]))),
    ("DELETE", "/2/users/{id}/pinned_tweet", _did("pinned", False, lambda c, g: c.unpin_tweet(g.path["id"]))),
    ("POST", "/2/users/{id}/pinned_lists", _did("pinned", True, lambda c, g: c.pin_list(g.path["id"], g["list_id"]))),
    (
        "POST",
        "/2/users/{id}/followed_lists",
        _did("following", True, lambda c, g: c.follow_list(g.path["id"], g["list_id"])),
    ),
    (
        "DELETE",
        "/2/users/{id}/followed_lists/{to}",
        _did("following", False, lambda c, g: c.unfollow_list(g.path["id"], g.path["to"])),
    ),
    ("POST", "/2/lists", _data(_made)),
    ("PUT", "/2/lists/{id}", _did("updated", True, lambda c, g: c.update_list(g.path["id"], _changes(g)))),
    ("DELETE", "/2/lists/{id}", _did("deleted", True, lambda c, g: c.delete_list(g.path["id"]))),
    ("POST", "/2/lists/{id}/members", _did("is_member", True, lambda c, g: c.add_member(g.path["id"], g["user_id"]))),
    (
        "DELETE",
        "/2/lists/{id}/members/{to}",
        _did("is_member", False, lambda c, g: c.remove_member(g.path["id"], g.path["to"])),
    ),
)
"""The first that fits decides: fixed words stand before what may be any."""


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)))


COMPILED: Final = tuple((method, _pattern(path), answers) for method, path, answers in ROUTES)


def answered(client: XClient, request: HttpRequest) -> dict[str, Json] | None:
    """`{status, headers, json, body_text}` of a request; None: X has no such path. XFailureError: X refuses it."""
    for method, pattern, answers in COMPILED:
        found = pattern.fullmatch(request.path)
        if found is not None and method == request.method:
            given = Given(found.groupdict(), dict(request.query), _body(request.body))
            answer = answers(client, given)
            text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
            status = CREATED if method == "POST" else 200
            headers = {"content-type": "application/json"}
            return {"status": status, "headers": headers, "json": answer, "body_text": text}
    return None


def _body(text: str | None) -> dict[str, Json]:
    """XFailureError: the body is no JSON object."""
    if not text:
        return {}
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise XFailureError(Failure.INVALID_REQUEST, "X answered 400: the body is no JSON object")
    return body

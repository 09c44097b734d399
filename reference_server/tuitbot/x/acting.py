"""What every part of the client in memory works with: the world, the acting account, the line, pages of lists."""

from collections.abc import Iterable

from reference_server.application import Json
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.fields import accounts, chosen
from reference_server.tuitbot.x.line import Line
from reference_server.tuitbot.x.paging import cut
from reference_server.tuitbot.x.protocol import Asked, Window
from reference_server.tuitbot.x.world import AccountList, Space, Tweet, User, World

WHOLE = Asked(expansions="author_id")
"""All fields, with the accounts that are named."""


class Acting:
    """Acts in `world` as the account `own`."""

    def __init__(self, world: World, own: str, line: Line) -> None:
        self._world = world
        self._own = own
        self._line = line

    def _tweet(self, tweet_id: str) -> Tweet:
        if tweet_id not in self._world.tweets:
            raise XFailureError(Failure.NOT_FOUND, f"X knows no tweet {tweet_id!r}")
        return self._world.tweets[tweet_id]

    def _user(self, user_id: str) -> User:
        if user_id not in self._world.users:
            raise XFailureError(Failure.NOT_FOUND, f"X knows no user {user_id!r}")
        return self._world.users[user_id]

    def _list(self, list_id: str) -> AccountList:
        """A list that the account may see: a private one is its owner's alone."""
        found = self._world.lists.get(list_id)
        if found is None or (found.private and found.owner_id != self._own):
            raise XFailureError(Failure.NOT_FOUND, f"X knows no list {list_id!r}")
        return found

    def _space(self, space_id: str) -> Space:
        if space_id not in self._world.spaces:
            raise XFailureError(Failure.NOT_FOUND, f"X knows no space {space_id!r}")
        return self._world.spaces[space_id]

    def _self(self, user_id: str) -> str:
        """The acting account, which alone acts for itself."""
        if self._user(user_id).id != self._own:
            raise XFailureError(Failure.FORBIDDEN, "X answered 403: an account acts for itself alone")
        return user_id

    def _tweets(self, found: Iterable[Tweet], window: Window, asked: Asked = WHOLE) -> dict[str, Json]:
        """Newest first, as every timeline of X."""
        newest = sorted((tweet.id for tweet in found), key=_age, reverse=True)
        if window.since_id is not None:
            newest = [each for each in newest if _age(each) > _age(window.since_id)]
        page, token = cut(newest, window)
        meta = _meta(page, token)
        if page:
            meta |= {"newest_id": page[0], "oldest_id": page[-1]}
        tweets = [self._world.tweets[each] for each in page]
        shown = [chosen(self._world.shown_tweet(each), "tweet", asked) for each in tweets]
        return {"data": shown, **self._beside((tweet.author_id for tweet in tweets), asked), "meta": meta}

    def _users(self, ids: list[str], window: Window, asked: Asked = WHOLE) -> dict[str, Json]:
        page, token = cut(ids, window)
        return {"data": [self._shown_user(each, asked) for each in page], "meta": _meta(page, token)}

    def _lists(self, found: Iterable[AccountList], window: Window, asked: Asked) -> dict[str, Json]:
        page, token = cut([kept.id for kept in found], window)
        shown = [chosen(self._world.shown_list(self._world.lists[each]), "list", asked) for each in page]
        return {"data": shown, "meta": _meta(page, token)}

    def _shown_user(self, user_id: str, asked: Asked) -> dict[str, Json]:
        return chosen(self._world.shown_user(self._world.users[user_id]), "user", Asked(user_fields=asked.user_fields))

    def _beside(self, user_ids: Iterable[str], asked: Asked) -> dict[str, Json]:
        """The accounts that objects name, where they are asked for."""
        if not accounts(asked):
            return {}
        return {"includes": {"users": [self._shown_user(each, asked) for each in dict.fromkeys(user_ids)]}}


def _meta(page: list[str], token: str | None) -> dict[str, Json]:
    return {"result_count": len(page), **({"next_token": token} if token else {})}


def _age(tweet_id: str) -> tuple[int, str]:
    """Orders ids by their number without reading them as one: a caller's since_id may be no number."""
    return len(tweet_id), tweet_id

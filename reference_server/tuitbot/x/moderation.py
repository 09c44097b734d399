"""Blocks, mutes, hidden replies and the pinned tweet in the X in memory."""
# ruff: noqa: D102 - methods are those of ModerationClient

from reference_server.application import Json
from reference_server.tuitbot.x.acting import Acting
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.protocol import Asked, Window


class Moderation(Acting):
    """Implements `ModerationClient`."""

    def block(self, user_id: str, target_user_id: str) -> None:
        self._line.request("block", mutation=True, target_user_id=target_user_id)
        target = self._other(target_user_id)
        self._world.blocks.setdefault(self._self(user_id), {})[target] = None
        # who blocks somebody neither follows nor is followed
        self._world.follows.get(user_id, {}).pop(target, None)
        self._world.follows.get(target, {}).pop(user_id, None)

    def unblock(self, user_id: str, target_user_id: str) -> None:
        self._line.request("unblock", mutation=True, target_user_id=target_user_id)
        self._world.blocks.get(self._self(user_id), {}).pop(self._other(target_user_id), None)

    def blocked(self, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("blocked", user_id=user_id)
        return self._users(list(self._world.blocks.get(self._self(user_id), ())), window, asked)

    def mute(self, user_id: str, target_user_id: str) -> None:
        self._line.request("mute", mutation=True, target_user_id=target_user_id)
        self._world.mutes.setdefault(self._self(user_id), {})[self._other(target_user_id)] = None

    def unmute(self, user_id: str, target_user_id: str) -> None:
        self._line.request("unmute", mutation=True, target_user_id=target_user_id)
        self._world.mutes.get(self._self(user_id), {}).pop(self._other(target_user_id), None)

    def muted(self, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("muted", user_id=user_id)
        return self._users(list(self._world.mutes.get(self._self(user_id), ())), window, asked)

    def hide(self, tweet_id: str, *, hidden: bool) -> None:
        self._line.request("hide", mutation=True, tweet_id=tweet_id, hidden=hidden)
        reply = self._tweet(tweet_id)
        begun = self._world.tweets.get(reply.conversation_id)
        if begun is None or begun.author_id != self._own or reply.id == begun.id:
            raise XFailureError(
                Failure.FORBIDDEN, "X answered 403: only replies to the account's own tweets are hidden"
            )
        if hidden:
            self._world.hidden[tweet_id] = None
        else:
            self._world.hidden.pop(tweet_id, None)

    def pin_tweet(self, user_id: str, tweet_id: str) -> None:
        self._line.request("pin_tweet", mutation=True, tweet_id=tweet_id)
        if self._tweet(tweet_id).author_id != self._own:
            raise XFailureError(Failure.FORBIDDEN, "X answered 403: the tweet is another account's")
        self._world.pinned[self._self(user_id)] = tweet_id

    def unpin_tweet(self, user_id: str) -> None:
        self._line.request("unpin_tweet", mutation=True, user_id=user_id)
        self._world.pinned.pop(self._self(user_id), None)

    def _other(self, user_id: str) -> str:
        if self._user(user_id).id == self._own:
            raise XFailureError(Failure.INVALID_REQUEST, "an account cannot do this to itself")
        return user_id

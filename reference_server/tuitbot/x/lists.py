"""Lists of accounts in the X in memory."""
# ruff: noqa: D102 - methods are those of ListsClient

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reference_server.application import Json
from reference_server.tuitbot.x.acting import Acting
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.fields import chosen
from reference_server.tuitbot.x.protocol import Asked, Window
from reference_server.tuitbot.x.world import AccountList

LONGEST_NAME, LONGEST_DESCRIPTION = 25, 100
ALL = Window(1_000)


class Lists(Acting):
    """Implements `ListsClient`."""

    def create_list(self, name: str, description: str, *, private: bool) -> dict[str, Json]:
        self._line.request("create_list", mutation=True, name=name)
        _fits(name, description)
        kept = AccountList(self._world.new_id(), name, description, private, self._own, self._world.clock.now())
        self._world.lists[kept.id] = kept
        return {"id": kept.id, "name": kept.name}

    def update_list(self, list_id: str, changes: Mapping[str, Json]) -> None:
        self._line.request("update_list", mutation=True, list_id=list_id, **changes)
        changed = replace(self._owned(list_id), **changes)
        _fits(changed.name, changed.description)
        self._world.lists[list_id] = changed

    def delete_list(self, list_id: str) -> None:
        self._line.request("delete_list", mutation=True, list_id=list_id)
        self._world.drop(self._owned(list_id).id)

    def list_by_id(self, list_id: str, asked: Asked) -> dict[str, Json]:
        self._line.request("list", list_id=list_id)
        kept = self._list(list_id)
        shown = chosen(self._world.shown_list(kept), "list", asked)
        return {"data": shown, **self._beside([kept.owner_id], asked)}

    def list_members(self, list_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("list_members", list_id=list_id)
        return self._users([*self._world.members.get(self._list(list_id).id, ())], window, asked)

    def list_followers(self, list_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("list_followers", list_id=list_id)
        return self._users([*self._world.list_followers.get(self._list(list_id).id, ())], window, asked)

    def list_tweets(self, list_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("list_tweets", list_id=list_id)
        members = self._world.members.get(self._list(list_id).id, {})
        return self._tweets((t for t in self._world.tweets.values() if t.author_id in members), window, asked)

    def add_member(self, list_id: str, user_id: str) -> None:
        self._line.request("add_member", mutation=True, list_id=list_id, user_id=user_id)
        self._world.members.setdefault(self._owned(list_id).id, {})[self._user(user_id).id] = None

    def remove_member(self, list_id: str, user_id: str) -> None:
        self._line.request("remove_member", mutation=True, list_id=list_id, user_id=user_id)
        self._world.members.get(self._owned(list_id).id, {}).pop(self._user(user_id).id, None)

    def owned_lists(self, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("owned_lists", user_id=user_id)
        owner = self._user(user_id).id
        return self._lists((kept for kept in self._visible() if kept.owner_id == owner), window, asked)

    def memberships(self, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
        self._line.request("memberships", user_id=user_id)
        member = self._user(user_id).id
        on = (kept for kept in self._visible() if member in self._world.members.get(kept.id, ()))
        return self._lists(on, window, asked)

    def pinned_lists(self, user_id: str, asked: Asked) -> dict[str, Json]:
        self._line.request("pinned_lists", user_id=user_id)
        pinned = self._world.pinned_lists.get(self._self(user_id), {})
        return self._lists((self._world.lists[each] for each in pinned), ALL, asked)

    def follow_list(self, user_id: str, list_id: str) -> None:
        self._line.request("follow_list", mutation=True, list_id=list_id)
        self._world.list_followers.setdefault(self._list(list_id).id, {})[self._self(user_id)] = None

    def unfollow_list(self, user_id: str, list_id: str) -> None:
        self._line.request("unfollow_list", mutation=True, list_id=list_id)
        self._world.list_followers.get(self._list(list_id).id, {}).pop(self._self(user_id), None)

    def pin_list(self, user_id: str, list_id: str) -> None:
        self._line.request("pin_list", mutation=True, list_id=list_id)
        self._world.pinned_lists.setdefault(self._self(user_id), {})[self._list(list_id).id] = None

    def _visible(self) -> Iterator[AccountList]:
        return (kept for kept in self._world.lists.values() if not kept.private or kept.owner_id == self._own)

    def _owned(self, list_id: str) -> AccountList:
        kept = self._list(list_id)
        if kept.owner_id != self._own:
            raise XFailureError(Failure.FORBIDDEN, "X answered 403: the list is another account's")
        return kept


def _fits(name: str, description: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME:
        raise XFailureError(Failure.INVALID_REQUEST, f"a list's name has 1 to {LONGEST_NAME} characters")
    if len(description) > LONGEST_DESCRIPTION:
        raise XFailureError(
            Failure.INVALID_REQUEST, f"a list's description has at most {LONGEST_DESCRIPTION} characters"
        )

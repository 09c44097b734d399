"""Lists of accounts, raw: one call of X each. All raise `ToolkitError`."""

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.x.protocol import Asked, Window, XClient


def create_list(client: XClient, name: str, description: str | None, *, private: bool) -> dict[str, Json]:
    """Makes a list of the own account, `{data: {id, name}}`."""
    with asking_x():
        return {"data": client.create_list(name, description or "", private=private)}


def update_list(
    client: XClient, list_id: str, name: str | None, description: str | None, *, private: bool | None
) -> dict[str, Json]:
    """Changes what is given of an own list. InvalidInputError: nothing is."""
    given = {"name": name, "description": description, "private": private}
    changes = {key: value for key, value in given.items() if value is not None}
    if not changes:
        raise InvalidInputError("neither name nor description nor private is given: nothing would change")
    with asking_x():
        client.update_list(list_id, changes)
    return {"data": {"updated": True}}


def delete_list(client: XClient, list_id: str) -> dict[str, Json]:
    """Deletes an own list."""
    with asking_x():
        client.delete_list(list_id)
    return {"data": {"deleted": True}}


def get_list(client: XClient, list_id: str, asked: Asked) -> dict[str, Json]:
    """One list. NotFoundError: X does not know it, or it is another's and private."""
    with asking_x():
        return client.list_by_id(list_id, asked)


def get_members(client: XClient, list_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Accounts on a list."""
    with asking_x():
        return client.list_members(list_id, window, asked)


def get_list_followers(client: XClient, list_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Accounts that follow a list."""
    with asking_x():
        return client.list_followers(list_id, window, asked)


def get_list_tweets(client: XClient, list_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Tweets of the accounts on a list, newest first."""
    with asking_x():
        return client.list_tweets(list_id, window, asked)


def add_member(client: XClient, list_id: str, user_id: str) -> dict[str, Json]:
    """Puts an account on an own list."""
    with asking_x():
        client.add_member(list_id, user_id)
    return {"data": {"is_member": True}}


def remove_member(client: XClient, list_id: str, user_id: str) -> dict[str, Json]:
    """Takes an account off an own list."""
    with asking_x():
        client.remove_member(list_id, user_id)
    return {"data": {"is_member": False}}


def get_owned_lists(client: XClient, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Lists that an account keeps."""
    with asking_x():
        return client.owned_lists(user_id, window, asked)


def get_memberships(client: XClient, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Lists that an account is on."""
    with asking_x():
        return client.memberships(user_id, window, asked)


def get_pinned_lists(client: XClient, user_id: str, asked: Asked) -> dict[str, Json]:
    """Lists that the own account pinned."""
    with asking_x():
        return client.pinned_lists(user_id, asked)


def follow_list(client: XClient, user_id: str, list_id: str) -> dict[str, Json]:
    """Follows a list."""
    with asking_x():
        client.follow_list(user_id, list_id)
    return {"data": {"following": True}}


def unfollow_list(client: XClient, user_id: str, list_id: str) -> dict[str, Json]:
    """Stops following a list."""
    with asking_x():
        client.unfollow_list(user_id, list_id)
    return {"data": {"following": False}}


def pin_list(client: XClient, user_id: str, list_id: str) -> dict[str, Json]:
    """Pins a list."""
    with asking_x():
        client.pin_list(user_id, list_id)
    return {"data": {"pinned": True}}

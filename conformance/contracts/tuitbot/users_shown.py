"""What reads show of users: the tweet that an account pinned, where that field is shown or asked for."""

from collections.abc import Iterator

from conformance.contracts.tuitbot.places import HEAD, place
from conformance.contracts.tuitbot.tweets import listed
from conformance.judge.registers import Showing
from conformance.model.events import Json
from conformance.model.exchange import Exchange

OF_USERS = (
    "x_get_me", "x_get_user_by_id", "x_get_user_by_username", "x_get_users_by_ids", "x_v2_users_lookup_by_usernames",
)  # fmt: skip
FIELD = "pinned_tweet_id"
"""X leaves it out where it is not asked for, and where nothing is pinned."""
ALWAYS = frozenset({"id", "username", "name"})
"""What X shows of a user whatever is asked for."""


def shown(call: Exchange) -> Iterator[Showing]:
    """What an accepted read shows."""
    if call.tool not in OF_USERS:
        return
    fields = call.argument("user_fields")
    asked = {name.strip() for name in fields.split(",")} if isinstance(fields, str) else set()
    for pointer, user in _users(call):
        # what shows more than was asked for does not go by the names asked for: nothing promises that a tool does
        if FIELD in user or (FIELD in asked and set(user) <= ALWAYS | asked):
            register = place(call.instance, HEAD, user.get("id"))
            pinned = user.get(FIELD) or False
            yield Showing(register, pinned, call, f"{pointer}/{FIELD}", "the pinned tweet")


def _users(call: Exchange) -> Iterator[tuple[str, dict[str, Json]]]:
    entries = listed(call)
    if entries is None:
        inner = call.given.get("data")
        yield ("/data", inner) if isinstance(inner, dict) else ("", call.given)
    for number, user in enumerate(entries or ()):
        yield f"/data/{number}", user

"""What the later edition's mutations write, and what its reads show of it: lists, blocks, mutes, pinned and hidden."""

from collections.abc import Callable, Iterator, Mapping

from conformance.contracts.tuitbot.pages import whole
from conformance.contracts.tuitbot.places import (
    BLOCK,
    DESCRIBED,
    FOLLOW,
    HEAD,
    HIDDEN,
    LIST,
    MUTE,
    NAME,
    OWNED,
    PINNED,
    PRIVATE,
    follower,
    member,
    membership,
    place,
)  # fmt: skip
from conformance.contracts.tuitbot.shown_so_far import made_list
from conformance.contracts.tuitbot.tweets import listed
from conformance.judge.faults import declined
from conformance.judge.kinds import spelled, text
from conformance.judge.registers import Assignment, Showing
from conformance.model.events import Json
from conformance.model.exchange import Exchange

GONE = ("not_found", "x_api_error", "x_forbidden")
"""With these a read of a list says that it is not there."""
OWN = {
    "x_v2_blocks_list": (BLOCK, "the block"),
    "x_v2_mutes_list": (MUTE, "the mute"),
    "x_v2_lists_pinned": (PINNED, "the list"),
    "x_v2_lists_owned": (OWNED, "the list"),
}
"""Reads of what the acting account did, each with what it shows."""
OF = {
    "x_v2_lists_members": (member, "id", "the user"),
    "x_v2_lists_followers": (follower, "id", "the follower"),
    "x_v2_lists_memberships": (membership, "user_id", "the list"),
}
"""Reads of the accounts that have to do with a list, and of the lists that an account is on; what names it."""
LISTS = ("x_v2_lists_get", "x_v2_lists_owned", "x_v2_lists_memberships", "x_v2_lists_pinned")
"""Reads that show lists."""
KEPT = {NAME: "name", DESCRIBED: "description", PRIVATE: "private"}
"""What a list keeps of what it was given."""


def written(call: Exchange) -> Iterator[Assignment]:
    """What an accepted mutation wrote, or one that may have happened."""
    about = WRITES.get((call.tool or "").removeprefix("x_v2_"))
    for kind, name, value in about(call) if about is not None else ():
        yield Assignment(place(call.instance, kind, name), value, call, doubtful=value is None)


Places = Iterator[tuple[str, Json, Json]]
"""Kind, name and value; None: what it is now nobody can say."""


def _created(call: Exchange) -> Places:
    made = made_list(call)
    if made is not None:
        yield LIST, made, True
        yield OWNED, made, None if call.argument("private") else True
        yield from _given(call, made)


def _updated(call: Exchange) -> Places:
    yield from _given(call, call.argument("id"))
    if call.argument("private") is not None:
        # whether a private list is among those that an account keeps is X's to say
        yield OWNED, call.argument("id"), None if call.argument("private") else True


def _given(call: Exchange, name: Json) -> Places:
    for kind, argument in KEPT.items():
        if call.argument(argument) is not None:
            yield kind, name, call.argument(argument)


def _blocked(call: Exchange) -> Places:
    yield BLOCK, call.argument("target_user_id"), True
    # who is blocked may not be followed any more
    yield FOLLOW, call.argument("target_user_id"), None


def _deleted(call: Exchange) -> Places:
    yield LIST, call.argument("id"), False
    yield OWNED, call.argument("id"), False
    yield PINNED, call.argument("id"), None


def _of(kind: str, argument: str, *, value: bool) -> Callable[[Exchange], Places]:
    return lambda call: iter([(kind, call.argument(argument), value)])


def _hidden(*, value: bool) -> Callable[[Exchange], Places]:
    """What an argument says that contradicts the tool leaves in doubt."""
    return lambda call: iter([(HIDDEN, call.argument("id"), value if call.argument("hidden") is value else None)])


WRITES: Mapping[str, Callable[[Exchange], Places]] = {
    "lists_create": _created,
    "lists_update": _updated,
    "lists_delete": _deleted,
    "lists_pin": _of(PINNED, "list_id", value=True),
    "lists_follow": lambda call: iter([(follower(call.argument("list_id")), call.argument("user_id"), True)]),
    "lists_unfollow": lambda call: iter([(follower(call.argument("list_id")), call.argument("user_id"), False)]),
    "lists_members_add": lambda call: iter([(member(call.argument("id")), call.argument("user_id"), True)]),
    "lists_members_remove": lambda call: iter([(member(call.argument("id")), call.argument("target_user_id"), False)]),
    "blocks_create": _blocked,
    "blocks_delete": _of(BLOCK, "target_user_id", value=False),
    "mutes_create": _of(MUTE, "target_user_id", value=True),
    "mutes_delete": _of(MUTE, "target_user_id", value=False),
    "tweets_hide_reply": _hidden(value=True),
    "tweets_unhide_reply": _hidden(value=False),
    "users_pin_tweet": lambda call: iter([(HEAD, call.argument("user_id"), call.argument("tweet_id"))]),
    "users_unpin_tweet": _of(HEAD, "user_id", value=False),
}
"""By tool, without its prefix."""


def shown(call: Exchange, names: Callable[[str], list[str]], own: set[str]) -> Iterator[Showing]:
    """What a read shows. `names` gives what was written of a kind, as JSON text; `own` are the acting accounts."""
    tool = call.tool or ""
    if tool == "x_v2_lists_get":
        yield from _list(call)
    elif call.accepted and tool in OWN and text(call.argument("user_id")) in own:
        kind, what = OWN[tool]
        yield from _entries(call, kind, names(kind), what)
    elif call.accepted and tool in OF:
        of, about, what = OF[tool]
        kind = of(call.argument(about))
        yield from _entries(call, kind, names(kind), what)
    if call.accepted and tool in LISTS:
        yield from _kept(call)


def _list(call: Exchange) -> Iterator[Showing]:
    name = call.argument("id")
    if call.accepted or (declined(call) and call.code in GONE):
        yield Showing(place(call.instance, LIST, name), call.accepted, call, pointer="", what="the list")


def _kept(call: Exchange) -> Iterator[Showing]:
    """What each list that is shown has of what it was given. Which fields are shown is the server's own."""
    inner = call.given.get("data")
    entries = [("/data", call.argument("id"), inner)] if isinstance(inner, dict) else []
    entries += [(f"/data/{number}", each.get("id"), each) for number, each in enumerate(listed(call) or ())]
    for pointer, name, entry in entries:
        for kind, field in KEPT.items():
            if entry.get(field) is not None:
                yield Showing(
                    place(call.instance, kind, name), entry[field], call, f"{pointer}/{field}", f"its {field}"
                )


def _entries(call: Exchange, kind: str, written_of: list[str], what: str) -> Iterator[Showing]:
    """Which of those that were written of a list holds; one that is a page of a longer list shows those alone."""
    found = listed(call)
    ids = {spelled(each.get("id")) for each in found or ()}
    for name in written_of:
        if whole(call) or name in ids:
            yield Showing((call.instance, kind, name), name in ids, call, "/data", what)

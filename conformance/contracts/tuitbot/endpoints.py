"""Which arguments of the later edition's tools are good: lists, spaces, moderation, universal requests, dry runs."""

from collections.abc import Callable, Mapping

from conformance.contracts.tuitbot.clock import ServerClock
from conformance.contracts.tuitbot.manifest import PREFIX, UNIVERSAL
from conformance.contracts.tuitbot.shown_so_far import Shown, body_of
from conformance.contracts.tuitbot.weight import LIMIT, at_most
from conformance.judge.instants import instant
from conformance.judge.kinds import integer, spelled, text
from conformance.model.events import Json
from conformance.model.exchange import Exchange

FIELDS: Mapping[str, frozenset[str]] = {
    "tweet_fields": frozenset({"author_id", "created_at", "public_metrics", "conversation_id"}),
    "user_fields": frozenset({"public_metrics", "pinned_tweet_id"}),
    "list_fields": frozenset({"description", "private", "owner_id", "created_at", "member_count", "follower_count"}),
    "space_fields": frozenset({"title", "creator_id", "host_ids", "created_at", "participant_count"}),
}
"""Fields that X documents of each kind of object."""
EXPANSIONS = {"tweets": "author_id", "lists": "owner_id", "spaces": "creator_id", "users": "pinned_tweet_id"}
TWEETS_OF = ("lists_tweets", "spaces_tweets")
ONE_OF = {"state": ("live", "scheduled", "all"), "granularity": ("minute", "hour", "day")}
MOST, LEAST = 100, 10
"""Entries of a page that every list of X gives."""
LONGEST_NAME, LONGEST_DESCRIPTION = 25, 100
DAY_S, MARGIN_S = 86_400, 600
RECENT_S = 6 * DAY_S
HOSTS = ("api.x.com",)
MOST_PAGES = 10
MOST_TWEETS = 25


def is_good(call: Exchange, shown: Shown, clock: ServerClock) -> bool | None:
    """Whether nothing speaks against a call by its arguments; None where the tool is of both editions."""
    tool = call.tool or ""
    given = {k: v for k, v in (call.arguments if isinstance(call.arguments, dict) else {}).items() if v is not None}
    if tool in UNIVERSAL:
        return _request(call, given, shown)
    if tool.endswith("_dry_run"):
        return _dry_run(given)
    if tool == "get_mutation_detail":
        return text(given.get("correlation_id")) in shown.mutations
    if not tool.startswith(PREFIX):
        return None
    name = tool.removeprefix(PREFIX)
    if "pagination_token" in given and (tool, spelled(call.arguments)) not in shown.pages:
        return False
    return _permitted(name, given, shown) and all(
        _value(name, key, value, shown) and _when(key, value, call, clock) for key, value in given.items()
    )


def _dry_run(given: dict[str, Json]) -> bool:
    texts = given.get("tweets", [given.get("text")])
    fits = isinstance(texts, list) and 0 < len(texts) <= MOST_TWEETS and all(map(_fits, texts))
    return fits and "media_ids" not in given


def _fits(text: Json) -> bool:
    return isinstance(text, str) and bool(text.strip()) and text == text.strip() and at_most(text, LIMIT)


def _request(call: Exchange, given: dict[str, Json], shown: Shown) -> bool:
    """The plain requests that the suite makes; of others it is X that says whether they are any good."""
    path, body = given.get("path"), body_of(call)
    headers, query = given.get("headers") or [], given.get("query") or []
    plain = given.get("host", HOSTS[0]) in HOSTS and all(
        isinstance(each, dict) and each.get("key") in ("accept", "user.fields") for each in (*headers, *query)
    )
    pages = integer(given.get("max_pages", 1))
    if not plain or pages is None or not 1 <= pages <= MOST_PAGES or not isinstance(path, str):
        return False
    last = path.rpartition("/")[2]
    match call.tool:
        case "x_get":
            return path == "/2/users/me"
        case "x_post":
            text = body.get("text")
            return path == "/2/tweets" and set(body) == {"text"} and _fits(text) and text not in shown.texts
        case "x_put":
            return (
                path == f"/2/lists/{last}"
                and last in shown.own_lists
                and _says(body.get("name"), LONGEST_NAME)
                and len(body) == 1
            )
    return path == f"/2/tweets/{last}" and last in shown.own - shown.gone


def _permitted(name: str, given: dict[str, Json], shown: Shown) -> bool:
    """Whether a call asks for something that it can be about."""
    if name == "lists_update":
        return bool({"name", "description", "private"} & set(given))
    if name in ("tweets_hide_reply", "tweets_unhide_reply"):
        return given.get("hidden") is (name == "tweets_hide_reply")
    return name not in ("blocks_create", "mutes_create") or given.get("target_user_id") not in shown.me


Test = Callable[[str, Json, Shown], bool]


def _value(name: str, key: str, value: Json, shown: Shown) -> bool:
    if key in FIELDS:
        return isinstance(value, str) and bool(value) and set(value.split(",")) <= FIELDS[key]
    if key in ONE_OF:
        return value in ONE_OF[key]
    test = TESTS.get(key)
    return test is None or test(name, value, shown)


def _own(name: str, value: Json, shown: Shown) -> bool:
    """The acting account, or any that is known, where a tool tells of others as well."""
    if name in ("lists_owned", "lists_memberships", "lists_members_add"):
        return value in shown.users
    return value in shown.me


def _id(name: str, value: Json, shown: Shown) -> bool:
    if name.startswith("lists_"):
        changes = name in ("lists_delete", "lists_update", "lists_members_add", "lists_members_remove")
        return value in (shown.own_lists if changes else shown.lists)
    if name.startswith("spaces_"):
        return value in shown.spaces
    return value in shown.replies if name.endswith("hide_reply") else shown.tweet(value)


def _ids(name: str, value: Json, shown: Shown) -> bool:
    known = shown.spaces if name.startswith("spaces_") else shown.tweets - shown.gone
    return _each(value, known)


def _each(value: Json, known: set[str]) -> bool:
    names = value.split(",") if isinstance(value, str) else []
    return 0 < len(names) <= MOST and known.issuperset(names)


def _says(value: Json, longest: int) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= longest


def _page(_: str, value: Json, __: Shown) -> bool:
    size = integer(value)
    return size is not None and LEAST <= size <= MOST


def _expansion(name: str, value: Json, _: Shown) -> bool:
    kind = "tweets" if name in TWEETS_OF else name.partition("_")[0]
    return bool(value == EXPANSIONS.get(kind))


def _when(key: str, value: Json, call: Exchange, clock: ServerClock) -> bool:
    """Whether a time is within the last days by the server's own calendar."""
    if key not in ("start_time", "end_time"):
        return True
    at, now = instant(value) if isinstance(value, str) and "T" in value else None, clock.now(call)
    return at is not None and now is not None and now - RECENT_S < at < now - MARGIN_S


TESTS: Mapping[str, Test] = {
    "user_id": _own,
    "target_user_id": lambda _, value, shown: value in shown.users - shown.me,
    "list_id": lambda _, value, shown: value in shown.lists,
    "tweet_id": lambda _, value, shown: value in shown.own - shown.gone,
    "id": _id,
    "ids": _ids,
    "user_ids": lambda _, value, shown: _each(value, shown.users),
    "usernames": lambda _, value, shown: _each(value, shown.names),
    "query": lambda _, value, __: isinstance(value, str) and value.isascii() and value.isalpha(),
    "name": lambda _, value, __: _says(value, LONGEST_NAME),
    "description": lambda _, value, __: _says(value, LONGEST_DESCRIPTION),
    "max_results": _page,
    "pagination_token": lambda *_: True,
    "expansions": _expansion,
}
"""By parameter."""

"""Arguments that keep the schema and are refused all the same: which of them say why by themselves."""

import json
import string
from collections.abc import Iterator
from pathlib import PurePosixPath

from conformance.contracts.tuitbot.known import Known
from conformance.model.events import Json
from conformance.model.exchange import Exchange

LIMIT = 280
LIGHT = frozenset(string.ascii_letters + string.digits + " ")
"""Characters that weigh one each, and of which no URL can be made."""
MOST_USERS = 100
POSTS = ("x_post_tweet", "x_reply_to_tweet", "x_quote_tweet")
MEDIA = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".mp4")
NO_MEDIA = (".txt", ".pdf", ".exe", ".zip", ".json", ".html")
QUEUE = ("approve_item", "reject_item")
QUEUE_KEYS = ("id", "approval_queue_id", "ids")
ABOUT_X = {"get_tweet_by_id": "tweet_id", "x_get_user_by_id": "user_id", "x_get_user_by_username": "username"}
"""Reads of one thing, each with the argument that names it."""


def invalid(run: Known) -> Iterator[Exchange]:
    """Lookups of no user or of more than a hundred, and threads of no tweet."""
    for call in run.plain("x_get_users_by_ids", "x_post_thread"):
        named = call.argument("user_ids" if call.tool == "x_get_users_by_ids" else "tweets")
        if isinstance(named, list) and (not named or (len(named) > MOST_USERS and call.tool == "x_get_users_by_ids")):
            yield call


def too_long(run: Known) -> Iterator[Exchange]:
    """Tweets whose weight nobody can doubt: plain letters, more than 280."""
    for call in run.plain(*POSTS, "x_post_thread", "compose_tweet"):
        if any(len(text) > LIMIT and LIGHT.issuperset(text) for text in _texts(call)):
            yield call


def _texts(call: Exchange) -> list[str]:
    given = call.argument("tweets") if call.tool == "x_post_thread" else None
    texts = given if isinstance(given, list) else [call.argument("text"), call.argument("content")]
    return [text for text in texts if isinstance(text, str)]


def unsupported(run: Known) -> Iterator[Exchange]:
    """Uploads of files that are neither pictures nor films by their names."""
    return (call for call in run.plain("x_upload_media") if _path(call).suffix.lower() in NO_MEDIA)


def unreadable(run: Known) -> Iterator[Exchange]:
    """Uploads of files that lie behind a file, so that there are none."""
    for call in run.plain("x_upload_media"):
        behind = any(part.lower().endswith(MEDIA) for part in _path(call).parts[:-1])
        if behind and _path(call).suffix.lower() in MEDIA:
            yield call


def failed_upload(run: Known) -> Iterator[Exchange]:
    """Uploads that X does not take, of files that it took at another time."""
    readable = {str(call.argument("file_path")) for call in run.plain("x_upload_media") if call.accepted}
    for call in run.under("media_upload"):
        if call.tool == "x_upload_media" and call.argument("file_path") in readable:
            yield call


def _path(call: Exchange) -> PurePosixPath:
    given = call.argument("file_path")
    return PurePosixPath(given.replace("\\", "/") if isinstance(given, str) else "")


def fails_midway(call: Exchange, least: int) -> bool:
    """Whether X takes some of a thread's tweets, `least` at least, and not all."""
    after, tweets = call.conditions.get("x_after"), call.argument("tweets")
    spared = after.get("calls") if isinstance(after, dict) else None
    return isinstance(spared, int) and isinstance(tweets, list) and least <= spared < len(tweets)


def about_nothing(run: Known) -> Iterator[Exchange]:
    """Calls about an item of the queue, a tweet or a user that no answer of the instance has shown."""
    shown: dict[str, tuple[set[Json], str]] = {}
    for call in run.plain(*QUEUE, *ABOUT_X):
        if not call.refused:
            continue
        if call.instance not in shown:
            shown[call.instance] = _shown(run, call.instance)
        items, text = shown[call.instance]
        if call.tool in QUEUE:
            wanted = call.argument("id")
            if isinstance(wanted, int) and wanted not in items:
                yield call
        # what X does not show it may also forbid, or refuse in words of its own
        elif not (call.code or "").startswith("x_") and json.dumps(_named(call)) not in text:
            yield call


def _named(call: Exchange) -> Json:
    return call.argument(ABOUT_X[call.tool or ""])


def _shown(run: Known, instance: str) -> tuple[set[Json], str]:
    """Numbers that may name items of an instance's queue, and the text of all that it answered."""
    answers = [call.payload for call in run.history.calls() if call.instance == instance and call.accepted]
    items: set[Json] = set()
    waiting: list[Json] = list(answers)
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += found.values()
            for key in QUEUE_KEYS:
                named = found.get(key)
                items.update(each for each in (named if isinstance(named, list) else [named]) if isinstance(each, int))
        elif isinstance(found, list):
            waiting += found
    return items, json.dumps(answers)

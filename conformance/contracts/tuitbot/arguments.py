"""Arguments that keep the schema and are refused all the same: which of them say why by themselves."""

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from conformance.contracts.tuitbot.gate import UNTOLD, UPLOAD, previews, queue_id
from conformance.contracts.tuitbot.known import Known
from conformance.contracts.tuitbot.tweets import TEXTS, written
from conformance.contracts.tuitbot.weight import LIMIT, weight
from conformance.judge.instants import instant
from conformance.model.events import Json
from conformance.model.exchange import Exchange

MOST_USERS = 100
MEDIA = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".mp4")
NO_MEDIA = (".txt", ".pdf", ".exe", ".zip", ".json", ".html")
QUEUE = ("approve_item", "reject_item")
QUEUE_KEYS = ("id", "approval_queue_id", "ids")
ID, NAME = re.compile(r"[1-9][0-9]{0,18}"), re.compile(r"\w{1,15}", re.ASCII)
NUMBERS = range(1, 2**53)
"""What an item of the queue may have for its number: of any other a server may say that it is none."""
NAMES_ON_X = ("tweet_id", "user_id", "target_user_id", "in_reply_to_id", "quoted_tweet_id", "username")
"""Arguments that name a tweet or a user."""
READS_OF_ONE = {"get_tweet_by_id": "tweet_id", "x_get_user_by_id": "user_id", "x_get_user_by_username": "username"}
"""Reads that give the one thing which an argument names."""


def at_fault(call: Exchange) -> tuple[str, ...]:
    """The arguments whose values the schema allows and no server can use: by them alone the call is refused."""
    return tuple(name for name, value in _given(call).items() if _useless(call.tool, name, value))


def _given(call: Exchange) -> dict[str, Json]:
    return call.arguments if isinstance(call.arguments, dict) else {}


def _useless(tool: str | None, name: str, value: Json) -> bool:
    match name:
        case "user_ids":
            return isinstance(value, list) and not 0 < len(value) <= MOST_USERS
        case "tweets" | "candidate_ids":
            return isinstance(value, list) and not value
        case "scheduled_for":
            return isinstance(value, str) and instant(value) is None and not any(map(str.isdecimal, value))
        case "content" | "text":
            return tool in TEXTS and isinstance(value, str) and not value.strip()
    return False


def invalid(run: Known) -> Iterator[Exchange]:
    """Calls with one such argument."""
    tools = ("x_get_users_by_ids", "x_post_thread", "compose_tweet", "x_post_tweet", "draft_replies_for_candidates")
    return (call for call in run.plain(*tools) if len(at_fault(call)) == 1)


def no_time(call: Exchange) -> bool:
    """Whether a call names a time that is none: that it is refused no other requirement says."""
    return at_fault(call) == ("scheduled_for",)


def too_long(run: Known) -> Iterator[Exchange]:
    """Tweets whose weight nobody can doubt, more than 280."""
    return (call for call in run.plain(*TEXTS) if any((weight(text) or 0) > LIMIT for text in written(call)))


def unsupported(run: Known) -> Iterator[Exchange]:
    """Uploads of files that are neither pictures nor films by their names."""
    return (call for call in run.plain("x_upload_media") if path_of(call).suffix.lower() in NO_MEDIA)


def unreadable(run: Known) -> Iterator[Exchange]:
    """Uploads of files that lie behind a file, so that there are none."""
    for call in run.plain("x_upload_media"):
        behind = any(part.lower().endswith(MEDIA) for part in path_of(call).parts[:-1])
        if behind and path_of(call).suffix.lower() in MEDIA:
            yield call


def failed_upload(run: Known) -> Iterator[Exchange]:
    """Uploads that X does not take. One that only asks what would be done is none."""
    return (call for call in run.under("media_upload") if call.tool == UPLOAD and not previews(call))


def path_of(call: Exchange) -> PurePosixPath:
    """The file that an upload names."""
    given = call.argument("file_path")
    return PurePosixPath(given.replace("\\", "/") if isinstance(given, str) else "")


def unknown_items(run: Known) -> Iterator[Exchange]:
    """Words on an item that is not in the queue, where the queue was read and no answer of the instance names it.

    Nor may a call have put it there whose answer does not tell what it did.
    """
    untold = {call.instance for call in run.history.calls() if call.code == UNTOLD or call.received is None}
    read = {call.instance: call for call in reversed(list(run.history.accepted("list_pending_approvals")))}
    shown: dict[str, set[Json]] = {}
    for call in run.plain(*QUEUE):
        first = read.get(call.instance)
        if first is None or not first.before(call) or call.instance in untold:
            continue
        if call.instance not in shown:
            shown[call.instance] = _items(run, call.instance)
        wanted = call.argument("id")
        if isinstance(wanted, int) and wanted in NUMBERS and wanted not in shown[call.instance]:
            yield call


def unknown_on_x(run: Known) -> Iterator[Exchange]:
    """Refused calls about a tweet or a user that no answer of the instance has shown."""
    texts: dict[str, str] = {}
    for call in run.plain(*{call.tool for call in run.history.calls() if call.tool is not None}):
        named = [value for name, value in _given(call).items() if name in NAMES_ON_X and _may_be(name, value)]
        if not call.refused or len(named) != 1:
            continue
        if call.instance not in texts:
            texts[call.instance] = json.dumps(_answers(run, call.instance))
        if json.dumps(named[0]) not in texts[call.instance]:
            yield call


def found_nothing(run: Known) -> Iterator[tuple[Exchange, Exchange]]:
    """Accepted reads of one thing that no answer of the instance names, each with one that gave what it asked for."""
    texts: dict[str, str] = {}
    for tool, name in READS_OF_ONE.items():
        calls = [call for call in run.plain(tool) if call.accepted and isinstance(call.argument(name), str)]
        like = next((call for call in calls if _names(call.payload, call.argument(name))), None)
        if like is None:
            continue
        for call in calls:
            if _names(call.payload, call.argument(name)) or not _may_be(name, call.argument(name)):
                continue
            if call.instance not in texts:
                texts[call.instance] = json.dumps(_answers(run, call.instance))
            if not _names(texts[call.instance], call.argument(name)):
                yield call, like


def _names(value: Json, name: Json) -> bool:
    """Whether a name stands anywhere in an answer; that of a user however its letters are cased."""
    told = value if isinstance(value, str) else json.dumps(value)
    return json.dumps(name).casefold() in told.casefold()


def _may_be(name: str, value: Json) -> bool:
    """Whether X could have given this id or this name: of any other a server may say itself that it is none."""
    return isinstance(value, str) and (NAME if name == "username" else ID).fullmatch(value) is not None


def _answers(run: Known, instance: str) -> list[Json]:
    return [call.payload for call in run.accepted.get(instance, ())]


def _items(run: Known, instance: str) -> set[Json]:
    """Numbers that may name items of an instance's queue."""
    items: set[Json] = set()
    # a word that is accepted repeats the number that it was given
    waiting: list[Json] = [call.payload for call in run.accepted.get(instance, ()) if call.tool not in QUEUE]
    waiting += [{"id": queue_id(call)} for call in run.history.calls() if call.instance == instance and call.refused]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            waiting += found.values()
            for key in QUEUE_KEYS:
                named = found.get(key)
                items.update(each for each in (named if isinstance(named, list) else [named]) if isinstance(each, int))
        elif isinstance(found, list):
            waiting += found
    return items

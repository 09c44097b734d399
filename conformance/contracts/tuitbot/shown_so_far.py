"""What an instance has shown by the time of a call: tweets, users, uploads, pages, what waits for approval."""

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.candidates import candidates
from conformance.contracts.tuitbot.deeds import OPPOSITES, UNDOES
from conformance.contracts.tuitbot.gate import ROUTED, decision
from conformance.contracts.tuitbot.pages import TOKEN
from conformance.contracts.tuitbot.queue import queued
from conformance.contracts.tuitbot.tweets import posted, written
from conformance.judge.kinds import integer, spelled, text
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.texts import decoded

DELETE = "x_delete_tweet"
DECIDING = ("approve_item", "reject_item")
APPROVING = ("approve_item", "approve_all")
ALONE = ("x_post_tweet", "x_post_thread", "propose_and_queue_replies")
"""What waits of these needs nothing else, where it has no media."""
NOT_WAITING = ("not_found", "invalid_input")
"""With these a word is refused on an item that does not wait."""
TWEETS = ("tweet_id", "in_reply_to_id", "quoted_tweet_id")
NOT_THERE = ("not_found", "x_api_error", "x_forbidden")
"""With these a call is refused about a tweet that X does not have."""
Deed = tuple[str, str]
"""What is done and taken back: the tool that does it, and the tweet or user."""


@dataclass
class Shown:
    """What one instance has shown so far. What may have been undone meanwhile is no longer in it."""

    tweets: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    """Tweets that were posted through the server."""
    gone: set[str] = field(default_factory=set)
    """Tweets that somebody tried to delete."""
    users: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    candidates: set[str] = field(default_factory=set)
    media: set[str] = field(default_factory=set)
    pages: set[tuple[str, str]] = field(default_factory=set)
    """Tools and arguments of the pages that follow those which were shown."""
    wrote: float = 0
    """When the last write was answered."""
    pending: dict[int, Exchange] = field(default_factory=dict)
    """Items of the queue that nobody has decided on, by the mutation that was routed there."""
    decided: set[int] = field(default_factory=set)
    deeds: dict[Deed, bool] = field(default_factory=dict)
    """Whether it is done or taken back, where that is sure."""
    tried: dict[Deed, Exchange] = field(default_factory=dict)
    """The last call that may have done it or taken it back."""
    me: set[str] = field(default_factory=set)
    """The acting account."""
    lists: set[str] = field(default_factory=set)
    own_lists: set[str] = field(default_factory=set)
    """Lists that were made through the server. Those that somebody tried to delete are in neither."""
    gone_lists: set[str] = field(default_factory=set)
    spaces: set[str] = field(default_factory=set)
    replies: set[str] = field(default_factory=set)
    """Replies to own tweets."""
    blocked: set[str] = field(default_factory=set)
    """Accounts that somebody tried to block."""
    mutations: set[str] = field(default_factory=set)
    """Ids of mutations that the server kept."""
    sweeping: list[Exchange] = field(default_factory=list)
    """Words on all that waits."""
    texts: set[str] = field(default_factory=set)
    """Texts that may have been posted: X takes none twice."""

    def tweet(self, name: Json) -> bool:
        """Whether a tweet is there."""
        return name in self.tweets and name not in self.gone

    def postable(self, word: Exchange) -> bool:
        """Whether what a word approves is known, and is a post of its own or an answer, which needs nothing else."""
        items = [integer(word.argument("id"))] if word.tool == "approve_item" else list(self.pending)
        routed = [self.pending.get(item) if item is not None else None for item in items]
        known = [each for each in routed if each is not None and each.tool in ALONE and not each.argument("media_ids")]
        return bool(routed) and len(known) == len(routed)

    def undone(self, call: Exchange) -> bool:
        """Whether a like or the like has surely something to do, a taking back something to take back."""
        return self.deeds.get(_deed(call)) is (call.tool not in OPPOSITES)


def walk(history: History, contract: Contract) -> Iterator[tuple[Exchange, Shown]]:
    """Each call of a tool, in the order sent, with what its instance had shown when it was sent."""
    shown: dict[str, Shown] = defaultdict(Shown)
    waiting: list[tuple[int, int, Exchange]] = []
    for call in history.calls():
        while waiting and waiting[0][0] <= call.sent:
            _learn(shown, heapq.heappop(waiting)[2])
        here = shown[call.instance]
        yield call, here
        _tried(here, call, contract)
        if (call.accepted or decision(call) == ROUTED) and call.received is not None:
            heapq.heappush(waiting, (call.received, call.call, call))


@once
def passed(history: History, contract: Contract) -> Mapping[int, tuple[str, ...]]:
    """Calls about an item that does not surely wait, or a tweet that may be deleted; with the codes that say so.

    What is approved may be about such a tweet in turn.
    """
    found: dict[int, tuple[str, ...]] = {}
    for call, here in walk(history, contract):
        codes: tuple[str, ...] = ()
        if call.tool in DECIDING and integer(call.argument("id")) not in here.pending:
            codes += NOT_WAITING
        about = (call.argument(name) for name in TWEETS)
        gone = any(each in here.gone for each in about if isinstance(each, str))
        if gone or (call.tool in APPROVING and not here.postable(call)):
            codes += NOT_THERE
        if codes:
            found[call.call] = codes
    return found


def _tried(here: Shown, call: Exchange, contract: Contract) -> None:
    """What a call may have changed from the moment it is sent."""
    if call.tool == "approve_all":
        here.sweeping.append(call)
    if call.tool in ("approve_item", "reject_item", "approve_all"):
        named = integer(call.argument("id"))
        for item in [named] if call.tool != "approve_all" else list(here.pending):
            if item is not None:
                _decided(here, item)
    if surely_refused(call, contract):
        return
    mark = contract.marks.get(call.tool or "")
    if mark is not None and mark.effect == "write":
        # what a page ended with may be gone from the list
        here.pages.clear()
        here.wrote = max(here.wrote, math.inf if call.received is None else call.received)
    here.texts.update(written(call))
    _tried_later(here, call)
    if call.tool == DELETE and isinstance(call.argument("tweet_id"), str):
        here.gone.add(str(call.argument("tweet_id")))
    if call.tool in UNDOES:
        here.deeds.pop(_deed(call), None)
        here.tried[_deed(call)] = call


def _tried_later(here: Shown, call: Exchange) -> None:
    """The same of the later edition's tools."""
    match call.tool:
        case "x_post":
            here.texts.add(str(body_of(call).get("text")))
        case "x_delete":
            here.gone.add(str(call.argument("path")).rpartition("/")[2])
        case "x_v2_blocks_create":
            here.blocked.add(str(call.argument("target_user_id")))
        case "x_v2_lists_delete":
            here.gone_lists.add(str(call.argument("id")))
            here.lists.discard(str(call.argument("id")))
            here.own_lists.discard(str(call.argument("id")))


def made_list(call: Exchange) -> str | None:
    """The list that an accepted call made; None where its answer names none."""
    inner = call.given.get("data")
    return text((inner if isinstance(inner, dict) else call.given).get("id"))


def body_of(call: Exchange) -> dict[str, Json]:
    """The body of a universal request, where it is a JSON object."""
    found = decoded(str(call.argument("body")))
    return found if isinstance(found, dict) else {}


def _decided(here: Shown, item: int) -> None:
    here.decided.add(item)
    routed = here.pending.pop(item, None)
    if routed is None:
        return
    if routed.tool == DELETE:
        here.gone.add(str(routed.argument("tweet_id")))
    if routed.tool in UNDOES:
        here.deeds.pop(_deed(routed), None)
        here.tried[_deed(routed)] = routed


def _deed(call: Exchange) -> Deed:
    tool = str(call.tool)
    return tool if tool in OPPOSITES else UNDOES[tool], str(call.argument(target_of(tool)))


def target_of(tool: str) -> str:
    """The argument that names whom or what a like, a retweet, a bookmark or a follow is about."""
    return "target_user_id" if "follow" in tool else "tweet_id"


def _learn(shown: dict[str, Shown], call: Exchange) -> None:
    here, held = shown[call.instance], decision(call)
    # what came into the queue while all that waited was approved may have been among it
    decided = any(word.received is None or word.received > call.sent for word in here.sweeping)
    for item in queued(call):
        if decided:
            here.decided.add(item)
        elif item not in here.decided:
            here.pending[item] = call
    if held is not None:
        return
    own = list(posted(call))
    here.own.update(own)
    here.tweets.update(own)
    for each in own:
        # what was posted just now nobody has liked, retweeted or bookmarked through the server
        for tool in OPPOSITES:
            here.deeds.setdefault((tool, each), False)
    if call.tool in UNDOES and here.tried.get(_deed(call)) is call:
        here.deeds[_deed(call)] = call.tool in OPPOSITES
    here.candidates.update(each.tweet_id for each in candidates(call) if call.tool == "find_reply_opportunities")
    if call.tool == "x_upload_media" and text(call.given.get("media_id")) is not None:
        here.media.add(str(call.given["media_id"]))
    _learn_later(here, call)
    if (call.tool or "").startswith(("x_get_", "x_search", "get_tweet", "x_v2_")):
        _read(here, call)


def _learn_later(here: Shown, call: Exchange) -> None:
    """The acting account, lists, and mutations that were kept."""
    match call.tool:
        case "get_tweet_by_id" if text(call.given.get("id")) in here.own:
            here.me.add(str(call.given.get("author_id")))
        case "x_reply_to_tweet" if text(call.argument("in_reply_to_id")) in here.own:
            here.replies.update(posted(call))
        case "x_get_me":
            here.me.add(str(call.given.get("id")))
        case "get_recent_mutations":
            rows = call.given.get("mutations")
            listed = rows if isinstance(rows, list) else []
            here.mutations.update(str(each.get("correlation_id")) for each in listed if isinstance(each, dict))
        case "x_v2_lists_create" if (made := made_list(call)) is not None:
            here.lists.add(made)
            here.own_lists.add(made)


def _read(here: Shown, call: Exchange) -> None:
    meta = call.given.get("meta")
    token = meta.get("next_token") if isinstance(meta, dict) else None
    if isinstance(token, str) and isinstance(call.arguments, dict) and call.sent > here.wrote:
        here.pages.add((str(call.tool), spelled({**call.arguments, TOKEN: token})))
    waiting: list[Json] = [call.payload]
    while waiting:
        found = waiting.pop()
        if isinstance(found, list):
            waiting += found
        elif isinstance(found, dict):
            waiting += [each for each in found.values() if isinstance(each, dict | list)]
            name = found.get("id")
            if isinstance(name, str) and isinstance(found.get("username"), str):
                here.users.add(name)
                here.names.add(str(found["username"]))
            elif isinstance(name, str) and "text" in found:
                here.tweets.add(name)
            elif isinstance(name, str) and "state" in found:
                here.spaces.add(name)
            elif isinstance(name, str) and "name" in found and name not in here.gone_lists:
                here.lists.add(name)

"""Whether a mutation happened, as far as the reads around it tell."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import decision
from conformance.contracts.tuitbot.manifest import PREFIX, shown_by
from conformance.contracts.tuitbot.timelines import LISTS, of_whom, showing_own
from conformance.contracts.tuitbot.tweets import EXECUTED, PROPOSALS, QUEUED, outcomes
from conformance.judge.kinds import spelled
from conformance.judge.unchanged import sights
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

OPPOSITES = {
    "x_like_tweet": "x_unlike_tweet",
    "x_retweet": "x_unretweet",
    "x_bookmark_tweet": "x_unbookmark_tweet",
    "x_follow_user": "x_unfollow_user",
}
UNDOES = {**OPPOSITES, **{undo: do for do, undo in OPPOSITES.items()}}
LATER = {
    "x_v2_blocks_create": "x_v2_blocks_delete",
    "x_v2_mutes_create": "x_v2_mutes_delete",
    "x_v2_lists_follow": "x_v2_lists_unfollow",
    "x_v2_lists_pin": "x_v2_lists_unpin",
}
_UNDOES = {**UNDOES, **LATER, **{undo: do for do, undo in LATER.items()}}
_COUNTED = {"x_like_tweet": "like_count", "x_retweet": "retweet_count", "x_bookmark_tweet": "bookmark_count"}
COUNTS = {tool: count for do, count in _COUNTED.items() for tool in (do, OPPOSITES[do])}
"""Where a tweet shows how often it is liked, retweeted or bookmarked; some servers leave that out."""
OF_TWEETS = ("get_tweet_by_id", "x_get_user_tweets", "x_get_home_timeline", "x_search_tweets")
QUEUE = ("list_pending_approvals", "get_pending_count")
"""Reads of the approval queue."""
SURE = 2
"""Kinds of read about a mutation that have to agree that it did not happen."""
CREATES = ("x_post", "x_reply", "x_quote", "approve", "reject", "propose")
"""How the tools begin that bring about what they cannot name beforehand: reads of the whole are about it."""
DECIDE = ("approve", "reject")
"""How the tools begin that take something out of the queue."""
SELDOM = (
    "x_v2_tweets_hide_reply", "x_v2_tweets_unhide_reply", "x_v2_users_pin_tweet", "x_v2_users_unpin_tweet",
)  # fmt: skip
"""What they change is in a field of X that a read may leave out."""
IDLE = ("x_v2_lists_update", "x_v2_lists_members_add", "x_v2_lists_members_remove")
"""What they say may be so already."""
SENT = "x_call"
"""The kind of effect that a call of X is reported as."""


class Deed(NamedTuple):
    """An accepted mutation: whether reads show that it happened (None: they do not tell), and which."""

    call: Exchange
    happened: bool | None
    reads: tuple[Exchange, ...]


def deeds(history: History, contract: Contract, tools: Collection[str]) -> Iterator[Deed]:
    """Calls of these tools that were accepted and not held back, under no condition but a moved clock."""
    for call in history.accepted(*tools) if tools else ():
        if decision(call) is not None or not set(call.conditions) <= {"clock"}:
            continue
        agreed: list[Exchange] = []
        shown: set[str | None] = set()
        happened: bool | None = None
        for (before, after), parted in sights(history, contract, call):
            if parted is not None:
                agreed, happened = [before, after], True
                break
            if before.tool in LISTS and _makes(call) and of_whom(before) not in showing_own(history, contract):
                continue
            if _about(before, call) and _may_show(before, call, contract):
                agreed += [before, after]
                shown.add(before.tool)
        if happened is None and len(shown) >= SURE and _due(history, call):
            happened = False
        yield Deed(call, happened, tuple(agreed))


def _may_show(read: Exchange, call: Exchange, contract: Contract) -> bool:
    """Whether a read is one of those that show what a call does, as far as the contract says which these are.

    Replies that were sent are in no queue, and those that wait there in no list of tweets.
    """
    if call.tool == PROPOSALS:
        wanted = QUEUED if read.tool in QUEUE else EXECUTED
        return any(isinstance(each, dict) and each.get("status") == wanted for each in outcomes(call) or ())
    if read.tool in QUEUE:
        return (call.tool or "").startswith(DECIDE)
    shown = shown_by(contract.edition).get(call.tool or "", ())
    return not (call.tool or "").startswith(PREFIX) or read.tool in shown


def _makes(call: Exchange) -> bool:
    return (call.tool or "").startswith(CREATES)


def _about(read: Exchange, call: Exchange) -> bool:
    """Whether a read would show what a call does: it asks for or shows what the call names, or the whole."""
    answered, count = spelled(read.payload), COUNTS.get(call.tool or "")
    if count is not None and read.tool in OF_TWEETS and f'"{count}"' not in answered:
        return False
    asked, named = list(_texts(read.arguments)), [*_texts(call.arguments), *_texts(call.payload)]
    if any(one in other for one in asked for other in named):
        return True
    if not asked and _makes(call):
        return read.tool in QUEUE or read.tool == "x_get_home_timeline"
    return any(f'"{name}"' in answered for name in _texts(call.arguments))


def _texts(value: Json) -> Iterator[str]:
    """The strings in a value that are no keys."""
    if isinstance(value, str) and value:
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _due(history: History, call: Exchange) -> bool:
    """Whether the call has something to do: a like after it was taken back, an approval where something waits."""
    if call.tool in SELDOM or call.tool in IDLE:
        return False
    if call.tool == "approve_all":
        return bool(call.given.get("ids"))
    if call.tool == PROPOSALS:
        return any(isinstance(item, dict) and item.get("status") in (QUEUED, EXECUTED) for item in outcomes(call) or ())
    opposite = _UNDOES.get(call.tool or "")
    if opposite is None:
        return True
    last = None
    for other in history.calls(str(call.tool), opposite):
        alike = other.instance == call.instance and other.arguments == call.arguments and not other.refused
        if alike and other.sent < call.sent:
            last = other
    return last is not None and last.tool == opposite and last.accepted and decision(last) is None and last.before(call)

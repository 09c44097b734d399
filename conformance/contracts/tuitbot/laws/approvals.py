"""Approval of seed 002: what is routed waits in the queue, and is done once it is approved, once."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.deeds import QUEUE, SENT
from conformance.contracts.tuitbot.gate import ROUTED, decision, policy_decision
from conformance.contracts.tuitbot.laws.policy import answered, nothing_sent
from conformance.contracts.tuitbot.tweets import listed, text_of, written
from conformance.judge.effects import effects
from conformance.judge.judgements import holds, told
from conformance.judge.kinds import integer, text
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

SINGLE = "x_"
"""Tools whose names begin so make one call of X each, but for threads."""
THREAD = "x_post_thread"
WORDS = ("approve_item", "approve_all", "reject_item")


@dataclass
class Item:
    """A routed mutation, and what was said of it."""

    routed: Exchange
    approvals: list[Exchange] = field(default_factory=list)
    """Words of approval that were accepted."""
    again: list[Exchange] = field(default_factory=list)
    """Words of approval that were not accepted."""
    rejections: list[Exchange] = field(default_factory=list)
    lost: bool = False
    """Whether it is unknown what became of it."""


@once
def _items(history: History, _: Contract) -> list[Item]:
    items: dict[tuple[str, int], Item] = {}
    for call in history.calls():
        identifier = integer(call.given.get("approval_queue_id"))
        if decision(call) == ROUTED and call.accepted and identifier is not None:
            known = items.setdefault((call.instance, identifier), Item(call))
            known.lost = known.lost or known.routed is not call
    for word in history.calls(*WORDS):
        for identifier in _named(word):
            item = items.get((word.instance, identifier))
            if item is not None:
                _said(item, word)
        if word.received is None and word.tool == "approve_all":
            for (instance, _number), item in items.items():
                item.lost = item.lost or instance == word.instance
    return list(items.values())


def _named(word: Exchange) -> Iterator[int]:
    """The items that a word is about."""
    ids = word.given.get("ids") if word.tool == "approve_all" else [word.argument("id")]
    for each in ids if isinstance(ids, list) else ():
        number = integer(each)
        if number is not None:
            yield number


def _said(item: Item, word: Exchange) -> None:
    if word.received is None or not item.routed.before(word) or word.code in ("x_network_error", "x_api_error"):
        item.lost = True
    elif word.tool == "reject_item":
        if word.accepted:
            item.rejections.append(word)
    else:
        (item.approvals if word.accepted else item.again).append(word)


@law("TB-POL-03")
def what_is_routed_waits(history: History, contract: Contract) -> Iterator[Judgement]:
    """A routed mutation is answered with its queue id and reason, sends nothing, and is seen in the queue."""
    for call in answered(history, contract, ROUTED):
        if call.accepted:
            identifier, reason = call.given.get("approval_queue_id"), call.given.get("reason")
            saw = f"{call.tool} was routed to approval without a queue id"
            yield holds(integer(identifier) is not None, saw, call, pointer="/data/approval_queue_id", got=identifier)
            saw = f"{call.tool} was routed to approval without a reason"
            yield holds(text(reason) is not None, saw, call, pointer="/data/reason", got=reason)
        else:
            told_so = policy_decision(call)
            saw = f"{call.tool} needs approval, and ended as {told(call)}"
            yield holds(told_so == ROUTED, saw, call, pointer="/error/policy_decision", expected=ROUTED, got=told_so)
        yield from nothing_sent(history, contract, call)
        yield from unchanged(history, contract, [call], besides=QUEUE)
    for item in _items(history, contract):
        read = _next_look(history, item)
        if read is not None:
            ids = [each.get("id") for each in read.payload if isinstance(each, dict)]
            wanted = item.routed.given.get("approval_queue_id")
            saw = f"{item.routed.tool} was routed to approval, and its item is not in the queue"
            yield holds(wanted in ids, saw, item.routed, read, expected=wanted, got=ids)


def _next_look(history: History, item: Item) -> Exchange | None:
    """The first whole list of the queue after the routing, where no word on approvals may have come before it."""
    for read in history.accepted("list_pending_approvals"):
        if read.instance == item.routed.instance and item.routed.before(read) and isinstance(read.payload, list):
            words = [w for w in history.calls(*WORDS) if w.instance == read.instance and w.sent < (read.received or 0)]
            return read if all(word.before(item.routed) for word in words) else None
    return None


@law("TB-POL-04")
def an_item_is_done_once_if_approved(history: History, contract: Contract) -> Iterator[Judgement]:
    """What was approved is sent once and its text is read once; what was rejected is neither sent nor read."""
    authors: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
    for call in history.calls():
        for each in written(call) if not call.refused else ():
            authors[call.instance, each].append(call)
    for item in _items(history, contract):
        if item.lost:
            continue
        yield from _sent(history, contract, item)
        words = text_of(item.routed)
        if words is not None and authors[item.routed.instance, words] == [item.routed]:
            yield from _read(history, item, words)


def _sent(history: History, contract: Contract, item: Item) -> Iterator[Judgement]:
    """X is called once, by the first approval; by nothing that is said afterwards, nor by a rejection."""
    seen = effects(history, contract)
    tool = item.routed.tool or ""
    if SENT not in seen.kinds or tool == THREAD or not tool.startswith(SINGLE):
        return
    said = sorted([*item.approvals, *item.again, *item.rejections], key=lambda word: word.sent)
    settled: Exchange | None = None
    for word in said:
        wanted = 1 if settled is None and word in item.approvals else 0
        number = len(seen.of(word.call, SENT))
        if settled is None and word.refused:
            continue  # an approval that fails has perhaps been tried, and leaves the item waiting
        settled = settled or word
        if word.tool != "approve_all":
            saw = f"of a routed {tool}, {settled.tool} having been accepted, {word.tool} called X {number} times"
            yield holds(number == wanted, saw, item.routed, word, expected=wanted, got=number)


def _read(history: History, item: Item, words: str) -> Iterator[Judgement]:
    """Lists of tweets hold the text once after the approval, and never after a rejection."""
    said = [*item.approvals, *item.rejections]
    if not said or (item.approvals and item.rejections):
        return
    wanted = 1 if item.approvals else 0
    for read in history.accepted("x_get_home_timeline", "x_search_tweets", "x_get_user_tweets"):
        if read.instance != item.routed.instance or not said[0].before(read):
            continue
        tweets = listed(read)
        if tweets is None or not set(read.conditions) <= {"clock"}:
            continue
        found = sum(tweet.get("text") == words for tweet in tweets)
        # where the text is not found, only the first page of the account's own timeline tells that it is not there
        if found or not wanted or (read.tool == "x_get_home_timeline" and "pagination_token" not in read.arguments):
            word = "approved once" if wanted else "rejected"
            saw = f"what was {word} is there {found} times"
            yield holds(found == wanted, saw, item.routed, said[0], read, expected=wanted, got=found)

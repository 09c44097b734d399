"""The approval queue: what was routed there, and what was said of it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import ROUTED, decision, queue_id
from conformance.contracts.tuitbot.tweets import outcomes
from conformance.judge.faults import declined
from conformance.judge.kinds import integer
from conformance.judge.memo import once
from conformance.judge.settings import choice
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

WORDS = ("approve_item", "approve_all", "reject_item")
PARTIAL = "thread_partial_failure"
TELLS_NOTHING = ("x_network_error", "x_api_error", "serialization_error")
"""Codes after which a mutation may have been done all the same."""
FAILS_SURELY = ("x_forbidden", "x_auth_expired", "x_account_restricted", "x_rate_limited")
"""Codes with which X says that it did nothing."""
DRAFT = "compose_tweet"
"""What it keeps goes to nobody, so that X cannot keep it from being approved."""


@dataclass
class Item:
    """A routed mutation, and what was said of it."""

    routed: Exchange
    identifier: int
    """Its id in the queue."""
    approvals: list[Exchange] = field(default_factory=list)
    """Words of approval that were accepted."""
    again: list[Exchange] = field(default_factory=list)
    """Words of approval that were not accepted."""
    rejections: list[Exchange] = field(default_factory=list)
    lost: bool = False
    """Whether it is unknown what became of it."""


@once
def items(history: History, _: Contract) -> list[Item]:
    """The routed mutations of a run."""
    found: dict[tuple[str, int], Item] = {}
    for call, identifier in _routed(history):
        known = found.setdefault((call.instance, identifier), Item(call, identifier))
        known.lost = known.lost or known.routed is not call
    for word in history.calls(*WORDS):
        for identifier in _named(word):
            item = found.get((word.instance, identifier))
            if item is not None:
                _said(item, word)
        if word.received is None and word.tool == "approve_all":
            for (instance, _number), item in found.items():
                item.lost = item.lost or instance == word.instance
    return list(found.values())


def _routed(history: History) -> Iterator[tuple[Exchange, int]]:
    """What was routed, with its id: as its answer names it, else the one that the next look at the queue has new."""
    unnamed: dict[str, list[Exchange]] = defaultdict(list)
    seen: dict[str, set[int]] = defaultdict(set)
    for call in history.calls():
        if decision(call) == ROUTED:
            identifier = integer(queue_id(call))
            if identifier is None:
                unnamed[call.instance].append(call)
            else:
                seen[call.instance].add(identifier)
                yield call, identifier
        elif call.tool == "list_pending_approvals" and call.accepted and isinstance(call.payload, list):
            listed = [integer(each.get("id")) for each in call.payload if isinstance(each, dict)]
            new = {each for each in listed if each is not None} - seen[call.instance]
            since = unnamed.pop(call.instance, [])
            if len(since) == len(new) == 1 and since[0].before(call):
                yield since[0], min(new)
            seen[call.instance] |= new


def item_of(history: History, contract: Contract, word: Exchange) -> Item | None:
    """The item that a word is about, None where nothing tells what it is."""
    identifier = integer(word.argument("id"))
    for item in items(history, contract):
        if item.routed.instance == word.instance and item.identifier == identifier and item.routed.before(word):
            return item
    return None


class Word(NamedTuple):
    """What was said of an item of the queue."""

    call: Exchange
    settles: bool | None
    """Whether it waits no longer; None: that is not known."""


@once
def words(history: History, _: Contract) -> dict[tuple[str, int], list[Word]]:
    """By instance and id, all that was said of an item, routed or proposed, that may have settled it."""
    found: dict[tuple[str, int], list[Word]] = defaultdict(list)
    everything: dict[str, list[Exchange]] = defaultdict(list)
    for call in history.calls(*WORDS):
        for number in _named(call):
            if call.accepted:
                found[call.instance, number].append(Word(call, settles=True))
            elif not declined(call) or call.code in (*TELLS_NOTHING, PARTIAL):
                found[call.instance, number].append(Word(call, settles=None))
        if call.tool == "approve_all" and not (call.accepted and isinstance(call.given.get("ids"), list)):
            everything[call.instance].append(call)
    for call in history.calls():
        perhaps = [word for word in everything[call.instance] if call.tool == DRAFT or not _in_vain(word)]
        for number in queued(call):
            found[call.instance, number] += [Word(word, settles=None) for word in perhaps]
    return found


def _in_vain(word: Exchange) -> bool:
    """Whether a word on all items surely did nothing: every call of X failed, and it was refused for that."""
    return "x" in word.conditions and declined(word) and (word.code or "") in FAILS_SURELY


def queued(call: Exchange) -> Iterator[int]:
    """The items that a call put into the queue."""
    routed: list[Json] = [{"approval_queue_id": queue_id(call)}]
    for each in (call.given, *(outcomes(call) or ())) if call.accepted else routed:
        number = integer(each.get("approval_queue_id")) if isinstance(each, dict) else None
        if number is not None:
            yield number


def _named(word: Exchange) -> Iterator[int]:
    """The items that a word is about."""
    ids = word.given.get("ids") if word.tool == "approve_all" else [word.argument("id")]
    for each in ids if isinstance(ids, list) else ():
        number = integer(each)
        if number is not None:
            yield number


def _said(item: Item, word: Exchange) -> None:
    if word.received is None or not item.routed.before(word) or word.code in TELLS_NOTHING:
        item.lost = True
    elif word.tool == "reject_item":
        if word.accepted:
            item.rejections.append(word)
    elif word.accepted:
        item.approvals.append(word)
    elif declined(word):
        item.again.append(word)
    else:
        item.lost = True


def at_once(history: History, contract: Contract) -> bool:
    """Whether the words of approval themselves carry out what they approve."""
    return bool(choice(history, contract, "approvals") != "later")

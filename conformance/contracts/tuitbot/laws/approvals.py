"""Approval of the architecture decisions: what is routed waits in the queue, and is done once it is approved, once."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.beside import beside, let_through_at_some_time, other_values
from conformance.contracts.tuitbot.deeds import QUEUE, SENT
from conformance.contracts.tuitbot.gate import ROUTED, decision, policy_decision
from conformance.contracts.tuitbot.laws.policy import answered, nothing_sent
from conformance.contracts.tuitbot.pages import TOKEN, whole
from conformance.contracts.tuitbot.queue import WORDS, Item, at_once, items
from conformance.contracts.tuitbot.timelines import LISTS, OWN, of_whom, showing_own
from conformance.contracts.tuitbot.tweets import listed, rewritten, text_of, texts_posted, written
from conformance.judge.effects import effects
from conformance.judge.faults import declined
from conformance.judge.instants import instant
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import integer, text
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.judge.unchanged import unchanged
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

SINGLE = "x_"
"""Tools whose names begin so make one call of X each, but for threads."""
THREAD, REPLY = "x_post_thread", "x_reply_to_tweet"
ONE = "get_tweet_by_id"


@law("TB-POL-03")
def what_is_routed_waits(history: History, contract: Contract) -> Iterator[Judgement]:
    """A routed mutation is answered with its queue id and reason, sends nothing, and is seen in the queue."""
    known = let_through_at_some_time(history, contract)
    for call in answered(history, contract, ROUTED):
        if call.accepted:
            identifier, reason = call.given.get("approval_queue_id"), call.given.get("reason")
            saw = f"{call.tool} was routed to approval without a queue id"
            yield holds(integer(identifier) is not None, saw, call, pointer="/data/approval_queue_id", got=identifier)
            saw = f"{call.tool} was routed to approval without a reason"
            yield holds(bool((text(reason) or "").strip()), saw, call, pointer="/data/reason", got=reason)
        elif policy_decision(call) != ROUTED:
            saw = f"{call.tool} needs approval, and ended as {told(call)}"
            yield breach(saw, call, pointer="/error/policy_decision", expected=ROUTED, got=policy_decision(call))
        elif known.beside(call) is None:
            continue
        else:
            yield HELD
        yield from nothing_sent(history, contract, call)
        yield from unchanged(history, contract, [call], besides=QUEUE)
    for item in items(history, contract):
        read = _next_look(history, item)
        if read is not None:
            ids = [each.get("id") for each in read.payload if isinstance(each, dict)]
            saw = f"{item.routed.tool} was routed to approval, and its item is not in the queue"
            yield holds(item.identifier in ids, saw, item.routed, read, expected=item.identifier, got=ids)


def _next_look(history: History, item: Item) -> Exchange | None:
    """The first whole list of the queue after the routing, where no word on approvals may have come before it."""
    for read in history.accepted("list_pending_approvals"):
        if read.instance == item.routed.instance and item.routed.before(read) and isinstance(read.payload, list):
            words = [w for w in history.calls(*WORDS) if w.instance == read.instance and w.sent < (read.received or 0)]
            return read if all(word.before(item.routed) for word in words) else None
    return None


@law("TB-POL-04")
def an_item_is_done_once_if_approved(history: History, contract: Contract) -> Iterator[Judgement]:
    """What was approved is sent once and its text is read once; what was rejected is not approved, sent nor read."""
    authors: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
    for call in history.calls():
        for each in written(call) if not call.refused or decision(call) == ROUTED else ():
            authors[call.instance, each].append(call)
    for item in items(history, contract):
        yield from _approved_after_all(history, contract, item)
        yield from _rejected_after_all(history, contract, item)
        if item.lost:
            continue
        yield from _sent(history, contract, item)
        for words in _posts(item.routed):
            if authors[item.routed.instance, words] == [item.routed] and not rewritten(words):
                yield from _read(history, contract, item, words)


def _posts(routed: Exchange) -> list[str]:
    """The texts that a routed mutation posts: that of a tweet, or those of a thread."""
    alone = text_of(routed)
    return [alone] if alone is not None else written(routed) if routed.tool == THREAD else []


def _approved_after_all(history: History, contract: Contract, item: Item) -> Iterator[Judgement]:
    """No word of approval that follows a rejection is accepted, where such words on other items are."""
    control = beside(history, contract, other_values("id"))
    for rejection in item.rejections[:1]:
        for word in (*item.approvals, *item.again):
            if not rejection.before(word):
                continue
            if word.accepted:
                saw = f"a routed {item.routed.tool} was rejected, and {word.tool} approved it afterwards"
                yield breach(saw, item.routed, rejection, word, got=told(word))
            elif control(word) is not None:
                yield HELD


def _rejected_after_all(history: History, contract: Contract, item: Item) -> Iterator[Judgement]:
    """What was carried out is not said to be rejected. A word that tells what was decided before is none of this."""
    if not item.approvals or not at_once(history, contract):
        return
    first = item.approvals[0]
    if all(first.before(word) for word in item.rejections):
        for word in item.rejections:
            if word.given.get("status") == "rejected":
                saw = f"a routed {item.routed.tool} was approved, and {word.tool} rejected it afterwards"
                yield breach(saw, item.routed, first, word, pointer="/data/status", got="rejected")


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
        together = settled is not None and not settled.before(word)
        settled = settled or word
        if word.tool != "approve_all" and not together and (number or at_once(history, contract)):
            saw = f"of a routed {tool}, {settled.tool} having been accepted, {word.tool} called X {number} times"
            yield holds(number == wanted, saw, item.routed, word, expected=wanted, got=number)


def _as_a_reply(item: Item, read: Exchange, tweets: list[dict[str, Json]]) -> Iterator[Judgement]:
    """A reply that was approved begins no conversation of its own, where a read shows which one it belongs to."""
    for tweet in tweets if item.routed.tool == REPLY else ():
        begun, name = tweet.get("conversation_id"), tweet.get("id")
        if isinstance(begun, str) and isinstance(name, str):
            saw = "a reply was approved, and was posted as a tweet of its own"
            yield holds(begun != name, saw, item.routed, *item.approvals, read, got=begun)


def _goes_back(history: History, contract: Contract, read: Exchange, word: Exchange) -> bool:
    """Whether a first page holds all since a word: it is the whole list, or newest first down to older ones."""
    tweets = listed(read) or []
    if whole(read) or read.argument(TOKEN) is not None:
        return whole(read)
    times = [instant(made) if isinstance(made := tweet.get("created_at"), str) else None for tweet in tweets]
    known = [time for time in times if time is not None]
    older = _first_shown(history, contract)
    shown = (older.get((read.instance, str(tweet.get("id")))) for tweet in tweets)
    newest_first = len(known) == len(times) and known == sorted(known, reverse=True)
    return newest_first and any(when is not None and when <= word.sent for when in shown)


def _is_own(history: History, contract: Contract, read: Exchange) -> bool:
    """Whether a read shows all that the account posts."""
    return read.tool in OWN and of_whom(read) in showing_own(history, contract)


@once
def _first_shown(history: History, _: Contract) -> dict[tuple[str, str], int]:
    """By instance and id, when a list first showed a tweet."""
    found: dict[tuple[str, str], int] = {}
    for read in history.accepted(*LISTS, "x_get_user_mentions"):
        for tweet in listed(read) or ():
            if read.received is not None:
                found.setdefault((read.instance, str(tweet.get("id"))), read.received)
    return found


@once
def _texts(history: History, _: Contract) -> dict[tuple[str, str], set[str]]:
    """By instance and id, what a tweet was posted with, or shown with."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for call in history.accepted():
        tweets = [call.given, *(listed(call) or ())] if call.tool in (ONE, *LISTS) else []
        shown = {str(tweet.get("id")): tweet.get("text") for tweet in tweets}
        for name, words in {**texts_posted(call), **shown}.items():
            if isinstance(words, str):
                found[call.instance, name].add(words)
    return dict(found)


def _may_be_deleted(history: History, contract: Contract, read: Exchange, words: str) -> bool:
    """Whether a tweet of these words may have been deleted before a read: at once, or by an approval."""
    for call in history.calls("x_delete_tweet", "x_delete"):
        if call.instance == read.instance and call.sent < (read.received or 0):
            named = text(call.argument("tweet_id")) or str(call.argument("path")).rpartition("/")[2]
            if not declined(call) or decision(call) == ROUTED:
                known = _texts(history, contract).get((call.instance, named))
                if known is None or words in known:
                    return True
    return False


def _read(history: History, contract: Contract, item: Item, words: str) -> Iterator[Judgement]:
    """Lists of tweets hold the text once after the approval, whatever is said then, and never after a rejection.

    Where approvals are carried out later, or a rejection was said at the same time, once at the most.
    """
    said = sorted([*item.approvals, *item.rejections], key=lambda word: word.sent)
    first = [word for word in said if not said[0].before(word)]
    approved, rejected = (any(word in first for word in kind) for kind in (item.approvals, item.rejections))
    surely = approved and not rejected and at_once(history, contract)
    most, word = (1, "approved once") if approved else (0, "rejected")
    for read in history.accepted(*LISTS):
        if not said or read.instance != item.routed.instance or not all(word.before(read) for word in first):
            continue
        tweets = listed(read)
        if tweets is None or not set(read.conditions) <= {"clock"}:
            continue
        found = sum(tweet.get("text") == words for tweet in tweets)
        # where the text is not found, only a list of all that the account posts tells so, as far as it goes
        if found or not most or (_is_own(history, contract, read) and _goes_back(history, contract, read, said[0])):
            if approved:
                yield from _as_a_reply(item, read, [tweet for tweet in tweets if tweet.get("text") == words])
            saw = f"what was {word} is there {found} times"
            if found < most and _may_be_deleted(history, contract, read, words):
                continue
            ok = found == most or (found < most and not surely)
            yield holds(ok, saw, item.routed, *said, read, expected=most, got=found)

"""What accepted writes wrote: tweets that are there or gone, likes and the like, what waits for approval."""

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot import endpoints_shown, universal
from conformance.contracts.tuitbot.deeds import OPPOSITES, UNDOES
from conformance.contracts.tuitbot.gate import decision
from conformance.contracts.tuitbot.places import (
    ANSWERS,
    CONTENT,
    HEAD,
    LIST,
    MEMBER,
    PLAIN,
    PRIVATE,
    QUOTE,
    RETWEET,
    THERE,
    WAITS,
    WITH,
    place,
    quote,
    text_of_tweet,
)  # fmt: skip
from conformance.contracts.tuitbot.queue import Item, at_once, items, queued, words
from conformance.contracts.tuitbot.shown_so_far import DELETE, target_of
from conformance.contracts.tuitbot.tweets import PROPOSALS, executed, posted, texts_posted, written
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.judge.registers import Assignment
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

MARKS = ("x_like_tweet", "x_bookmark_tweet")
ADDRESS = ("://", "/status/")
"""X makes a quote of a text that ends with another tweet's address, also where that begins with no scheme."""


@once
def assignments(history: History, contract: Contract) -> list[Assignment]:
    """What was written, beyond the rows of [[shown]]."""
    found: list[Assignment] = []
    perhaps_gone = {(call.instance, _deleted(call)) for call in history.calls(DELETE, "x_delete")}
    for call in history.calls():
        found += _posted(call)
        found += _answers(call, perhaps_gone)
        if surely_refused(call, contract) or decision(call) is not None:
            continue
        if call.tool == DELETE:
            found += universal.deleted(call, call.argument("tweet_id"))
        elif call.tool in UNDOES:
            found.append(_done(call, call))
        else:
            found += (*endpoints_shown.written(call), *universal.written(call))
    for item in items(history, contract):
        found += _carried_out(item, later=not at_once(history, contract))
    found += _waiting(history, contract)
    return [*found, *_quotes_gone(found), *_heads_gone(found), *_memberships(found)]


def _posted(call: Exchange) -> Iterator[Assignment]:
    """Tweets that are there from now on. Nobody has liked, retweeted or bookmarked them yet."""
    texts = texts_posted(call)
    for name in posted(call):
        yield Assignment(place(call.instance, THERE, name), True, call)
        for mark in (RETWEET, *MARKS):
            yield Assignment(place(call.instance, mark, name), False, call)
        if call.tool == "x_quote_tweet":
            yield Assignment(place(call.instance, quote(call.argument("quoted_tweet_id")), name), True, call)
        elif not any(part in text for text in written(call) for part in ADDRESS):
            yield Assignment(place(call.instance, PLAIN, name), True, call)
        if call.tool == "x_post_thread" and name in texts:
            yield Assignment(text_of_tweet(call.instance, name), texts[name], call)
    for reply in executed(call):
        if reply.tweet_id is not None and reply.text is not None:
            yield Assignment(place(call.instance, THERE, reply.tweet_id), True, call)
            yield Assignment(text_of_tweet(call.instance, reply.tweet_id), reply.text, call)


def _answers(call: Exchange, perhaps_gone: Collection[tuple[str, str]]) -> Iterator[Assignment]:
    """Replies, and what follows the first tweet of a thread. Where what they answer is gone, nobody can say."""
    names = list(posted(call))
    answered: list[tuple[Json, Json]] = []
    if call.tool == "x_post_thread":
        answered += itertools.pairwise(names)
    elif call.tool == "x_reply_to_tweet":
        answered += [(call.argument("in_reply_to_id"), name) for name in names]
    answered += [(reply.candidate, reply.tweet_id) for reply in executed(call) if reply.tweet_id is not None]
    for of, name in answered:
        if (call.instance, spelled(of)) not in perhaps_gone:
            yield Assignment(place(call.instance, ANSWERS, name), True, call)


def _deleted(call: Exchange) -> str:
    """The tweet that a call may delete, as JSON text."""
    named = call.argument("tweet_id") if call.tool == DELETE else str(call.argument("path")).rpartition("/")[2]
    return spelled(named)


def _quotes_gone(written: Sequence[Assignment]) -> Iterator[Assignment]:
    """A tweet that is gone quotes no other any more; of one that is gone nobody can say what its quotes are."""
    quotes: dict[tuple[str, str], list[str]] = defaultdict(list)
    quoting: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (instance, kind, name), _ in _kinds(written):
        if kind.startswith(QUOTE):
            quotes[instance, name].append(kind)
            quoting[instance, kind].append(name)
    for (instance, kind, name), one in _kinds(written):
        if kind == THERE and one.value is not True:
            for of in quotes.get((instance, name), ()):
                yield Assignment((instance, of, name), False, one.call, one.doubtful)
            for each in quoting.get((instance, f"{QUOTE}{name}"), ()):
                yield Assignment((instance, f"{QUOTE}{name}", each), None, one.call, doubtful=True)


def _heads_gone(written: Sequence[Assignment]) -> Iterator[Assignment]:
    """Where the pinned tweet is gone, nobody can say what is pinned."""
    pinned: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (instance, kind, name), one in _kinds(written):
        if kind == HEAD and isinstance(one.value, str):
            pinned[instance, spelled(one.value)].add(name)
    for (instance, kind, name), one in _kinds(written):
        if kind == THERE and one.value is not True:
            for user in sorted(pinned.get((instance, name), ())):
                yield Assignment((instance, HEAD, user), None, one.call, doubtful=True)


def _memberships(written: Sequence[Assignment]) -> Iterator[Assignment]:
    """An account is on the lists that it is a member of, while they are there.

    A private one X need not show. Of a list that was not made here nobody can say whether it is.
    """
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    public, private = set[tuple[str, str]](), set[tuple[str, str]]()
    for (instance, kind, name), one in _kinds(written):
        if kind.startswith(MEMBER):
            users[instance, spelled(kind.removeprefix(MEMBER))].add(name)
        elif kind == LIST and one.value is True:
            public.add((instance, name))
        elif kind == PRIVATE and one.value is not False:
            private.add((instance, name))
    for (instance, kind, name), one in _kinds(written):
        if kind.startswith(MEMBER):
            kept = spelled(kind.removeprefix(MEMBER))
            shown = one.value is False or (instance, kept) in public - private
            yield Assignment((instance, f"{WITH}{name}", kept), one.value, one.call, one.doubtful or not shown)
        elif kind == LIST and one.value is not True:
            for user in sorted(users.get((instance, name), ())):
                yield Assignment((instance, f"{WITH}{user}", name), False, one.call, one.doubtful)


def _kinds(written: Iterable[Assignment]) -> Iterator[tuple[tuple[str, str, str], Assignment]]:
    """The places of instance, kind and name."""
    for one in written:
        if isinstance(one.register, tuple) and len(one.register) == len(("instance", "kind", "name")):
            yield one.register, one


def _done(call: Exchange, word: Exchange, *, doubtful: bool = False) -> Assignment:
    """A like, a retweet, a bookmark or a follow, or that it was taken back."""
    tool = str(call.tool)
    name = tool if tool in OPPOSITES else UNDOES[tool]
    return Assignment(place(call.instance, name, call.argument(target_of(tool))), tool in OPPOSITES, word, doubtful)


def _waiting(history: History, contract: Contract) -> Iterator[Assignment]:
    """Items that wait, until somebody decides on them, and what they hold."""
    said = words(history, contract)
    for call in history.calls():
        for number in queued(call):
            here = place(call.instance, WAITS, number)
            yield Assignment(here, True, call)
            for word in said.get((call.instance, number), ()):
                yield Assignment(here, False, word.call, doubtful=word.settles is None)
            for text in _content(call, number):
                yield Assignment(place(call.instance, CONTENT, number), text, call)


def _content(call: Exchange, number: int) -> list[str]:
    """The text that an item holds; what one shows of several, of a thread or of replies routed as a whole, is open."""
    if call.tool == PROPOSALS:
        replies = executed(call, "queued") if decision(call) is None else ()
        return [reply.text for reply in replies if reply.item == number and reply.text is not None]
    texts = written(call)
    return texts if len(texts) == 1 else []


def _carried_out(item: Item, *, later: bool) -> Iterator[Assignment]:
    """What an approved deletion, like or the like may have done."""
    doubtful = later or item.lost
    for word in (item.routed, *item.approvals, *item.again):
        for one in (*endpoints_shown.written(item.routed), *universal.written(item.routed)):
            yield one._replace(call=word, doubtful=True)
    for word in (*item.approvals, *(item.again if item.lost else ())):
        if item.routed.tool == DELETE:
            yield from universal.deleted(word, item.routed.argument("tweet_id"), doubtful=doubtful)
        elif item.routed.tool in UNDOES:
            yield _done(item.routed, word, doubtful=doubtful)
    if item.lost and item.routed.tool in (DELETE, *UNDOES):
        yield from universal.deleted(item.routed, item.routed.argument("tweet_id"), doubtful=True)

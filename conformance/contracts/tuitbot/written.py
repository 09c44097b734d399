"""What accepted writes wrote: tweets that are there or gone, likes and the like, what waits for approval."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot import endpoints_shown
from conformance.contracts.tuitbot.deeds import OPPOSITES, UNDOES
from conformance.contracts.tuitbot.gate import decision
from conformance.contracts.tuitbot.queue import Item, at_once, items, queued, words
from conformance.contracts.tuitbot.shown_so_far import DELETE, target_of
from conformance.contracts.tuitbot.tweets import executed, posted, texts_posted, written
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.judge.registers import Assignment, Register
from conformance.judge.unchanged import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

TEXT = "/text"
THERE, WAITS, CONTENT = "there", "waits", "content"
RETWEET = "x_retweet"


def text_of_tweet(instance: str, name: str) -> Register:
    """The text of a tweet, as the rows of [[shown]] name it."""
    return (instance, "tweet", spelled(name)), TEXT


def place(instance: str, what: str, name: Json) -> Register:
    """Whether something holds of a tweet, a user or an item of the queue."""
    return instance, what, spelled(name)


@once
def assignments(history: History, contract: Contract) -> list[Assignment]:
    """What was written, beyond the rows of [[shown]]."""
    found: list[Assignment] = []
    for call in history.calls():
        found += _posted(call)
        if surely_refused(call, contract) or decision(call) is not None:
            continue
        if call.tool == DELETE:
            found += _deleted(call, call.argument("tweet_id"))
        elif call.tool in UNDOES:
            found.append(_done(call, call))
        else:
            found += endpoints_shown.written(call)
    for item in items(history, contract):
        found += _carried_out(item, later=not at_once(history, contract))
    found += _waiting(history, contract)
    return found


def _posted(call: Exchange) -> Iterator[Assignment]:
    """Tweets that are there from now on. Nobody has liked, retweeted or bookmarked them yet."""
    texts = texts_posted(call)
    for name in posted(call):
        yield Assignment(place(call.instance, THERE, name), True, call)
        yield Assignment(place(call.instance, RETWEET, name), False, call)
        if call.tool == "x_post_thread" and name in texts:
            yield Assignment(text_of_tweet(call.instance, name), texts[name], call)
    for reply in executed(call):
        if reply.tweet_id is not None and reply.text is not None:
            yield Assignment(place(call.instance, THERE, reply.tweet_id), True, call)
            yield Assignment(text_of_tweet(call.instance, reply.tweet_id), reply.text, call)


def _deleted(call: Exchange, name: Json, *, doubtful: bool = False) -> Iterator[Assignment]:
    """A tweet that is gone, with what was done to it."""
    yield Assignment(place(call.instance, THERE, name), False, call, doubtful)
    for tool in OPPOSITES:
        yield Assignment(place(call.instance, tool, name), None, call, doubtful=True)


def _done(call: Exchange, word: Exchange, *, doubtful: bool = False) -> Assignment:
    """A like, a retweet, a bookmark or a follow, or that it was taken back."""
    tool = str(call.tool)
    name = tool if tool in OPPOSITES else UNDOES[tool]
    return Assignment(place(call.instance, name, call.argument(target_of(tool))), tool in OPPOSITES, word, doubtful)


def _waiting(history: History, contract: Contract) -> Iterator[Assignment]:
    """Items that wait, until somebody decides on them, and what they hold."""
    said = words(history, contract)
    for call in history.calls():
        texts = written(call)
        for number in queued(call):
            here = place(call.instance, WAITS, number)
            yield Assignment(here, True, call)
            for word in said.get((call.instance, number), ()):
                yield Assignment(here, False, word.call, doubtful=word.settles is None)
            if len(texts) == 1 or call.tool == "x_post_thread":
                for text in texts[:1]:
                    yield Assignment(place(call.instance, CONTENT, number), text, call)


def _carried_out(item: Item, *, later: bool) -> Iterator[Assignment]:
    """What an approved deletion, like or the like may have done."""
    doubtful = later or item.lost
    for word in (item.routed, *item.approvals, *item.again):
        for one in endpoints_shown.written(item.routed):
            yield one._replace(call=word, doubtful=True)
    for word in (*item.approvals, *(item.again if item.lost else ())):
        if item.routed.tool == DELETE:
            yield from _deleted(word, item.routed.argument("tweet_id"), doubtful=doubtful)
        elif item.routed.tool in UNDOES:
            yield _done(item.routed, word, doubtful=doubtful)
    if item.lost and item.routed.tool in (DELETE, *UNDOES):
        yield from _deleted(item.routed, item.routed.argument("tweet_id"), doubtful=True)

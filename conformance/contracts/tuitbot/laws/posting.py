"""What is left of a thread or an upload that fails (Session 05 contract)."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot import arguments
from conformance.contracts.tuitbot.beside import beside, lifted, other_values
from conformance.contracts.tuitbot.deeds import SENT
from conformance.contracts.tuitbot.known import Known, known
from conformance.contracts.tuitbot.threads import DONE, PARTIAL, THREAD, broken_off
from conformance.contracts.tuitbot.timelines import LISTS
from conformance.contracts.tuitbot.tweets import listed, posted_before_failing, written
from conformance.judge.effects import Effects, effects
from conformance.judge.faults import declined
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import integer, text
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

UNSUPPORTED = "unsupported_media_type"


@law("TB-SAFE-06")
def a_broken_thread_tells_what_is_out(history: History, contract: Contract) -> Iterator[Judgement]:
    """A thread that fails midway names the tweets posted and the index that failed; they stay, and no later one is."""
    run, seen = known(history, contract), effects(history, contract)
    surely = {call.call for call in broken_off(history, contract)}
    for call in history.calls(THREAD):
        if not call.refused or not (call.code == PARTIAL or call.call in surely):
            continue
        data: Json = call.envelope.get("data") if call.envelope is not None else None
        told_so = data if isinstance(data, dict) else {}
        failed, ids = integer(told_so.get("failed_at_index")), posted_before_failing(call)
        saw = "a thread failed midway, and data does not tell which tweets were posted"
        yield holds(ids is not None, saw, call, pointer="/data/posted_tweet_ids", got=told_so.get("posted_tweet_ids"))
        saw = f"a thread failed midway, and failed_at_index is {told_so.get('failed_at_index')!r}"
        at = len(ids) if ids is not None else failed
        yield holds(failed is not None and failed == at, saw, call, pointer="/data/failed_at_index", expected=at)
        if SENT in seen.kinds and ids is not None:
            done = _performed(seen, call)
            saw = f"a thread tells of {len(ids)} tweets posted, X took {done}"
            yield holds(done == len(ids), saw, call, pointer="/data/posted_tweet_ids", expected=done, got=ids)
        yield from _left(run, call, ids or [])


def _performed(seen: Effects, call: Exchange) -> int:
    return sum(effect.data.get("outcome") == DONE for effect in seen.of(call.call, SENT))


def _left(run: Known, call: Exchange, ids: list[str]) -> Iterator[Judgement]:
    """Reads show each tweet that was posted, and none of those after the failure."""
    history, texts = run.history, written(call)
    touched = {text(other.argument("tweet_id")) for other in history.calls("x_delete_tweet")}
    for read in history.calls("get_tweet_by_id"):
        name = text(read.argument("tweet_id"))
        answered = read.instance == call.instance and call.before(read) and read.received is not None
        if answered and run.untroubled(read) and name in ids and name not in touched:
            place = ids.index(str(name))
            wanted = texts[place] if place < len(texts) else None
            saw = f"tweet {place} of a thread that failed later is {told(read)}"
            yield holds(read.accepted and read.given.get("text") == wanted, saw, call, read, expected=wanted)
    elsewhere = {each for other in history.calls() if other is not call for each in written(other)}
    later = [each for each in texts[len(ids) :] if each not in elsewhere and each not in texts[: len(ids)]]
    for read in history.accepted(*LISTS):
        tweets = listed(read) if read.instance == call.instance and call.before(read) else None
        if tweets is not None and later and ids:
            there = [tweet.get("text") for tweet in tweets if tweet.get("text") in later]
            yield holds(not there, "a tweet after the one that failed was posted", call, read, got=there)


@law("TB-SAFE-07")
def a_failed_upload_leaves_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """An unsupported or unreadable file, or a failed upload, is refused and gives no medium; case does not matter."""
    run, seen = known(history, contract), effects(history, contract)
    another = other_values("file_path")
    faults = {
        "of an unsupported extension": (arguments.unsupported(run), another),
        "that cannot be read": (arguments.unreadable(run), another),
        "whose upload failed": (arguments.failed_upload(run), lifted("media_upload")),
    }
    for fault, (calls, differing) in faults.items():
        control = beside(history, contract, differing)
        for call in calls:
            path = call.argument("file_path")
            if call.accepted:
                yield breach(f"the upload of a file {fault} ended as {told(call)}", call, got=path)
            if not declined(call) or control(call) is None:
                continue
            data = call.envelope.get("data") if call.envelope is not None else None
            medium = data.get("media_id") if isinstance(data, dict) else None
            saw = f"the upload of a file {fault} is refused, and gives a medium"
            yield holds(medium is None, saw, call, got=data)
            if SENT in seen.kinds:
                yield holds(not _performed(seen, call), f"the upload of a file {fault} reached X", call, got=path)
    yield from _capitals(run)


def _capitals(run: Known) -> Iterator[Judgement]:
    """An extension in capitals is known where the same one in small letters is."""
    uploads = run.plain("x_upload_media")
    taken = {arguments.path_of(call).suffix for call in uploads if call.accepted}
    for call in uploads:
        suffix = arguments.path_of(call).suffix
        if suffix != suffix.lower() and suffix.lower() in taken and (call.accepted or call.code == UNSUPPORTED):
            saw = f"the extension {suffix} is not known, and {suffix.lower()} is"
            yield holds(call.accepted, saw, call, pointer="/error/code", got=call.code)

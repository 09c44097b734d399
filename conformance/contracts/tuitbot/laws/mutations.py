"""The Session 05 contract's manifest: a tool declares a mutation exactly where its success changes what reads show."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.declared import declared
from conformance.contracts.tuitbot.deeds import deeds
from conformance.contracts.tuitbot.goods import goods
from conformance.contracts.tuitbot.known import known
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import text
from conformance.judge.law import law
from conformance.judge.unchanged import steady, unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

POSTS = ("x_post_tweet", "x_reply_to_tweet", "x_quote_tweet")
UNKNOWN_MEDIA = ("invalid_input", "not_found", "x_api_error")
"""What a post is refused with whose media X does not know."""


@law("TB-MAN-06")
def a_tool_mutates_where_it_says_so(history: History, contract: Contract) -> Iterator[Judgement]:
    """Equal reads with no mutation between agree; the success of a tool with mutation true changes some read."""
    found = declared(history, contract)
    # reads and refusals alone
    yield from steady(history, contract)
    # writes of the contract that the target declares to be reads
    silent = [name for name in contract.writes() if found.flag(name, "mutation") is False]
    if silent:
        yield from unchanged(history, contract, history.accepted(*silent))
    yield from _successes(history, contract)
    yield from _uploads(history, contract)


def _successes(history: History, contract: Contract) -> Iterator[Judgement]:
    """For each tool that declares mutation: one success that changed a read is enough."""
    found = declared(history, contract)
    happened: set[str] = set()
    idle: dict[str, list[Exchange]] = defaultdict(list)
    mutating = [name for name in found.names() if found.flag(name, "mutation") is True]
    for call, took_place, reads in deeds(history, contract, mutating):
        if took_place:
            happened.add(str(call.tool))
        elif took_place is False:
            idle[str(call.tool)] += [*reads, call]
    for tool in sorted(happened.union(idle)):
        saw = f"{tool}, of which the manifest says mutation true, succeeds and no read shows a change"
        yield HELD if tool in happened else breach(saw, *idle[tool])


def _uploads(history: History, contract: Contract) -> Iterator[Judgement]:
    """A medium is shown by no read: that it is there is seen by posting with it."""
    found = declared(history, contract)
    given = {
        (call.instance, name): call
        for call in history.accepted("x_upload_media")
        if (name := text(call.given.get("media_id"))) is not None
    }
    if found.flag("x_upload_media", "mutation") is not True:
        return
    good = goods(history, contract)
    for post in known(history, contract).plain(*POSTS) if given else ():
        media = post.argument("media_ids")
        uploads = [given.get((post.instance, each)) for each in media] if isinstance(media, list) else []
        told_apart = post.accepted or (post.code in UNKNOWN_MEDIA and good.good(post))
        if told_apart and uploads and all(upload is not None and upload.before(post) for upload in uploads):
            saw = f"a post with the medium that an upload gave ended as {told(post)}"
            yield holds(post.accepted, saw, *[upload for upload in uploads if upload is not None], post)

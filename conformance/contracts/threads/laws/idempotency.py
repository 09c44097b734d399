"""Sections 3.2 and 7: a key makes posting repeatable."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach, same, told
from conformance.judge.law import law
from conformance.judge.replay import Repeat, repeats
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

PAYLOAD = ("schema_version", "kind", "body", "metadata", "in_reply_to")


def key_of(post: Exchange) -> tuple[Json, Json, Json] | None:
    """Thread, sender and key; None where the call has no key, or no good credential."""
    key = post.argument("idempotency_key")
    if not isinstance(key, str) or post.credential.defect is not None:
        return None
    return post.argument("thread_id"), post.credential.claims.get("agent_id"), key


def payload_of(post: Exchange) -> dict[str, Json]:
    """What decides whether a message is the same; values count, the order of keys does not."""
    return {name: post.argument(name) for name in PAYLOAD}


def replays(history: History) -> Iterator[Repeat]:
    """Posts that repeat an earlier one, with its payload, while no clock was moved."""
    for repeat in repeats(history.calls("post_message"), key_of, payload_of):
        if repeat.equal and repeat.original.conditions.get("clock") == repeat.again.conditions.get("clock"):
            yield repeat


@law("TH-IDEM-01")
def a_replay_gives_the_original(history: History, _: Contract) -> Iterator[Judgement]:
    """A post with the thread, sender, key and payload of an earlier one gives its message_id, seq and created_at."""
    for original, again, _equal in replays(history):
        if again.accepted:
            yield same(again, original, "message_id", "seq", "created_at")
        elif again.refused:
            yield breach(f"the replay of an accepted post ended as {told(again)}", original, again)

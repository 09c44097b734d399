"""Breaks sections 3.2 and 7: idempotency keys."""

import hashlib
import json
import math

from reference_server.application import Answer, Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import crowded, instead, lag
from reference_server.threads import Threads
from reference_server.threads.call import Call
from reference_server.threads.idempotency import Key, Original, Payload


@deviation("TH-IDEM-01")
def a_replay_gets_an_id_of_its_own(threads: Threads) -> None:
    """A replay adds nothing, but answers a new message_id."""
    original = threads.posting.replay

    @instead(threads.posting, "replay")
    def replay(call: Call, first: Original) -> dict[str, Json]:
        return {**original(call, first), "message_id": threads.ids.next("msg")}


@deviation("TH-IDEM-02")
def a_replay_adds_a_message(threads: Threads) -> None:
    """A replay adds a second message, while it answers the first one's result."""
    original = threads.posting.replay

    @instead(threads.posting, "replay")
    def replay(call: Call, first: Original) -> dict[str, Json]:
        # whether the thread is closed by now is not looked at
        threads.store.append(call.thread, threads.posting.message(call, first.payload))
        return original(call, first)


@deviation("TH-IDEM-03")
def the_payload_of_a_key_is_not_compared(threads: Threads) -> None:
    """A key that is used again with another payload is answered as a replay."""

    @instead(threads.ledger, "compare")
    def compare(original: Original, payload: Payload) -> None:
        del original, payload


@deviation("TH-IDEM-03", variant="race")
def whoever_loses_the_race_for_a_key_gets_the_winners_answer(threads: Threads) -> None:
    """Of posts of one key at once those that come too late are answered as replays, whatever they say."""
    compare = threads.ledger.compare

    def place(request: Request) -> str | None:
        given = request.arguments
        keyed = request.tool == "post_message" and isinstance(given, dict) and "idempotency_key" in given
        return repr([given.get("thread_id"), given["idempotency_key"]]) if keyed else None

    late = crowded(threads, place)

    @instead(threads.ledger, "compare")
    def unless_late(original: Original, payload: Payload) -> None:
        if not late():
            compare(original, payload)


@deviation("TH-IDEM-04")
def keys_are_shared_by_all_senders(threads: Threads) -> None:
    """A key is remembered per thread, whoever used it."""

    @instead(threads.ledger, "key")
    def key(thread_id: str, agent_id: str, idempotency_key: str) -> Key:
        del agent_id
        return (thread_id, "", idempotency_key)


@deviation("TH-IDEM-05")
def a_hash_stands_in_for_a_missing_key(threads: Threads) -> None:
    """Without a key, a second message with the same payload is answered as a replay of the first."""
    original = threads.posting.post

    def post(call: Call) -> dict[str, Json]:
        if "idempotency_key" in call.arguments:
            return original(call)
        payload = threads.posting.payload(call)
        digest = hashlib.sha256(repr(payload).encode("utf-8", "surrogatepass")).hexdigest()
        scope = threads.ledger.key(call.thread.thread_id, call.claims.agent_id, f"sha256:{digest}")
        first = threads.ledger.recall(scope, call.now)
        if first is not None:
            return threads.posting.replay(call, first)
        answer = original(call)
        threads.ledger.remember(scope, Original(call.now, payload, answer))
        return answer

    threads.methods["post_message"] = post


@deviation("TH-IDEM-06")
def concurrent_posts_of_a_key_all_miss_it(threads: Threads) -> None:
    """The key is looked up before the store has answered: concurrent posts of one key each add a message."""
    original = threads.call
    recall = threads.ledger.recall
    missed: list[bool] = []

    @instead(threads, "call")
    async def call(request: Request) -> Answer:
        given = request.arguments
        if request.tool != "post_message" or not isinstance(given, dict) or "idempotency_key" not in given:
            return await original(request)
        named = (given.get("thread_id"), given["idempotency_key"])
        miss = all((thread_id, key) != named for thread_id, _, key in threads.ledger.originals)
        await lag()
        missed[:] = [miss]
        # nothing awaits from here to the end of the call that uses it
        answer = await original(request)
        missed.clear()
        return answer

    @instead(threads.ledger, "recall")
    def stale(key: Key, now: float) -> Original | None:
        return None if missed == [True] else recall(key, now)


@deviation("TH-IDEM-07")
def keys_are_never_forgotten(threads: Threads) -> None:
    """A key is remembered beyond its retention."""
    threads.ledger.retention_s = math.inf


@deviation("TH-IDEM-08")
def metadata_is_compared_as_text(threads: Threads) -> None:
    """Metadata with its keys in another order counts as another payload."""
    original = threads.posting.payload

    @instead(threads.posting, "payload")
    def payload(call: Call) -> Payload:
        made = original(call)
        if not made.metadata:
            return made
        return made._replace(metadata=json.dumps(call.arguments["metadata"]))

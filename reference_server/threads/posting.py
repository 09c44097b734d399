"""post_message (3.2): the key first, then the message, then the quota."""

import json
from typing import Final

from reference_server.application import Json
from reference_server.threads.call import Call
from reference_server.threads.idempotency import Ledger, Original, Payload, canonical
from reference_server.threads.ids import Ids
from reference_server.threads.instants import Instants
from reference_server.threads.quota import Quota
from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Message, Store, Thread

METADATA_LIMIT: Final = 16_384
"""Bytes of the compact JSON of metadata."""


class Posting:
    """Adds messages to threads."""

    def __init__(self, store: Store, ledger: Ledger, quota: Quota, ids: Ids, instants: Instants) -> None:
        self.store = store
        self.ledger = ledger
        self.quota = quota
        self.ids = ids
        self.instants = instants

    def post(self, call: Call) -> dict[str, Json]:
        """Answers message_id, seq, thread_status, created_at."""
        payload = self.payload(call)
        key = call.arguments.get("idempotency_key")
        if key is None:
            return self.result(call.thread, self.accept(call, payload))
        scope = self.ledger.key(call.thread.thread_id, call.claims.agent_id, key)
        original = self.ledger.recall(scope, call.now)
        if original is not None:
            self.ledger.compare(original, payload)
            return self.replay(call, original)
        answer = self.result(call.thread, self.accept(call, payload))
        kept = {name: value for name, value in answer.items() if name != "thread_status"}
        self.ledger.remember(scope, Original(call.now, payload, kept))
        return answer

    def payload(self, call: Call) -> Payload:
        """What the caller says. Raises VALIDATION_ERROR for metadata too large or no JSON."""
        given = call.arguments
        metadata = ""
        if "metadata" in given:
            try:
                metadata = canonical(given["metadata"])
            except (ValueError, RecursionError) as error:
                raise Refusal("VALIDATION_ERROR", f"metadata: {error}") from error
            if len(metadata.encode("utf-8", "surrogatepass")) > METADATA_LIMIT:
                raise Refusal("VALIDATION_ERROR", f"metadata: longer than {METADATA_LIMIT} bytes")
        version = int(given["schema_version"])
        return Payload(version, given["kind"], given["body"], metadata, given.get("in_reply_to"))

    def replay(self, call: Call, original: Original) -> dict[str, Json]:
        """The original's answer, with the thread's status as it is now."""
        return {**original.answer, "thread_status": call.thread.status}

    def accept(self, call: Call, payload: Payload) -> Message:
        """Judges a new message by the rules of its thread and of the quota, then adds it."""
        agent = (call.claims.workspace_id, call.claims.agent_id)
        self.check_reply(call.thread, payload.in_reply_to)
        self.check_open(call.thread)
        self.quota.check(agent, call.now)
        message = self.message(call, payload)
        self.store.append(call.thread, message)
        self.quota.spend(agent, call.now)
        return message

    def check_reply(self, thread: Thread, in_reply_to: str | None) -> None:
        """Raises NOT_FOUND where the thread has no such message."""
        if in_reply_to is not None and in_reply_to not in thread.message_ids:
            raise Refusal("NOT_FOUND", "in_reply_to names no message of this thread")

    def check_open(self, thread: Thread) -> None:
        """Raises CONFLICT for a closed thread."""
        if thread.status == "closed":
            raise Refusal("CONFLICT", "the thread is closed")

    def next_seq(self, thread: Thread) -> int:
        """One above the latest."""
        return thread.latest_seq + 1

    def message(self, call: Call, payload: Payload) -> Message:
        """The message as it will be read; its sender is that of the token."""
        message: Message = {
            "message_id": self.ids.next("msg"),
            "thread_id": call.thread.thread_id,
            "schema_version": payload.schema_version,
            "seq": self.next_seq(call.thread),
            "sender_agent_id": call.claims.agent_id,
            "sender_session_id": call.claims.session_id,
            "kind": payload.kind,
            "body": payload.body,
            "created_at": self.instants.text(call.now),
        }
        if payload.metadata:
            # a copy: the caller's object stays the caller's
            message["metadata"] = json.loads(payload.metadata)
        for name in ("in_reply_to", "idempotency_key"):
            if name in call.arguments:
                message[name] = call.arguments[name]
        return message

    def result(self, thread: Thread, message: Message) -> dict[str, Json]:
        """The answer to an accepted message."""
        return {
            "message_id": message["message_id"],
            "seq": message["seq"],
            "thread_status": thread.status,
            "created_at": message["created_at"],
        }

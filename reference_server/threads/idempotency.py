"""Which message answers a repeated idempotency key (3.2, 7)."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from reference_server.application import Json
from reference_server.threads.refusal import Refusal

Key = tuple[str, str, str]
"""thread_id, sender_agent_id, idempotency_key."""


class Payload(NamedTuple):
    """What makes two posts equal, by value; metadata as canonical JSON, so that True is not 1 and order is nothing."""

    schema_version: int
    kind: str
    body: str
    metadata: str
    in_reply_to: str | None


class Original(NamedTuple):
    """The first post with a key: when (seconds), its payload, its answer without the thread's status."""

    at: float
    payload: Payload
    answer: Mapping[str, Json]


class Ledger:
    """Remembers each key for `retention_s` seconds from its original."""

    def __init__(self, retention_s: float) -> None:
        self.retention_s = retention_s
        self.originals: dict[Key, Original] = {}

    def key(self, thread_id: str, agent_id: str, idempotency_key: str) -> Key:
        """What a key is scoped to."""
        return (thread_id, agent_id, idempotency_key)

    def recall(self, key: Key, now: float) -> Original | None:
        """The original of a key, unless its retention has passed."""
        original = self.originals.get(key)
        if original is None or now >= original.at + self.retention_s:
            return None
        return original

    def compare(self, original: Original, payload: Payload) -> None:
        """Raises IDEMPOTENCY_CONFLICT where the payload is another one."""
        if original.payload != payload:
            raise Refusal("IDEMPOTENCY_CONFLICT", "the key was used with another payload")

    def remember(self, key: Key, original: Original) -> None:
        """Keeps the answer of an accepted post, and lets go of the oldest one if its retention has passed."""
        self.originals.pop(key, None)
        self.originals[key] = original
        oldest = next(iter(self.originals))
        if original.at >= self.originals[oldest].at + self.retention_s:
            del self.originals[oldest]


canonical: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""Compact JSON with sorted keys. Raises `ValueError` for a number that JSON lacks, `RecursionError` for nesting."""

"""Keys that make a write repeatable, by the names of arguments."""

from functools import lru_cache

from conformance.contracts.mcp.reach.words import REMEMBERED, words

_ONCE = {"idempotency", "idempotent", "dedup", "dedupe", "nonce"}
_CALLER = {"request", "client", "operation"}
_NAMED = {"key", "token", "id", "ref", "reference"}


@lru_cache(REMEMBERED)
def is_key(name: str) -> bool:
    """Whether an argument seems to make a write repeatable: used again, it speaks for the first write alone."""
    found = set(words(name))
    return bool(found & _ONCE) or bool(found & _CALLER and found & _NAMED)

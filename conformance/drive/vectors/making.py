"""Arguments made beside a run: in a thread that is given up with whoever waits for it, and once for equal schemas.

A thread cannot be ended from outside. This one ends by itself: each of its steps is small, and asks first whether it
may go on. What one step can take is bounded where it is taken: contract.effort, contract.patterns.
"""

import asyncio
import json
from collections.abc import Mapping
from hashlib import blake2b
from threading import Lock

from conformance.contract.limits import Shelf
from conformance.drive.vectors.budget import Budget
from conformance.drive.vectors.vector import LIMIT, Generated, generated
from conformance.model.events import Json
from conformance.model.measure import measured

KEPT = 20_000_000
"""Parts and characters of what is kept."""
_MADE: Shelf[bytes, Generated] = Shelf(KEPT)
"""By schema, example and limit: several stimuli ask for the same."""
_ONE = Lock()
"""One at a time: two that ask for the same at once would both make it."""


async def made(schema: Json, example: Mapping[str, Json] | None = None, limit: int = LIMIT) -> Generated:
    """What `generated` gives."""
    try:
        text = json.dumps([schema, example, limit])
    except RecursionError:
        return Generated(why="it is nested too deep")
    key = blake2b(text.encode()).digest()
    known = _MADE.get(key)
    if known is not None:
        return known
    budget = Budget()
    try:
        return await asyncio.to_thread(_made, key, schema, example, limit, budget)
    finally:
        budget.stop()


def _made(key: bytes, schema: Json, example: Mapping[str, Json] | None, limit: int, budget: Budget) -> Generated:
    with _ONE:
        known = _MADE.get(key)
        if known is not None or budget.stopped:
            return known or Generated(why="it was given up")
        found = generated(schema, example, limit, budget)
        if not budget.stopped:
            sizes = [measured(vector.value) for vector in found.vectors]
            _MADE.put(key, found, 100 + sum(size.values + size.characters for size in sizes))
        return found

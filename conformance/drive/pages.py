"""A whole tools/list, put together from its pages."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from conformance.drive.frames import encoded
from conformance.model.events import Json
from conformance.model.exchange import Exchange

PAGES = 200
"""Pages after which a cursor is taken to be endless."""
OCTETS = 16_000_000
"""The same of what they hold together: no client keeps a list of that size in mind."""


class Listed(NamedTuple):
    """The tools of all pages, the calls that brought them, and why it stopped: done, repeats, endless, failed."""

    tools: list[Json]
    calls: tuple[int, ...]
    ended: str


async def listed(ask: Callable[[dict[str, Json]], Awaitable[Exchange]]) -> Listed:
    """Follows the cursors until there is none, one comes again, or a page is none; `ask` takes the parameters."""
    tools: list[Json] = []
    calls: list[int] = []
    cursors: set[bytes] = set()
    cursor: Json = None
    ended, octets = "endless", 0
    while len(calls) < PAGES and octets < OCTETS:
        answer = await ask({"cursor": cursor} if cursor is not None else {})
        calls.append(answer.call)
        page = (answer.result or {}).get("tools")
        if not isinstance(page, list):
            ended = "failed"
            break
        tools += page
        cursor = (answer.result or {}).get("nextCursor")
        if cursor is None:
            ended = "done"
            break
        key = encoded(cursor)
        octets += len(encoded(page)) + len(key)
        if key in cursors:
            ended = "repeats"
            break
        cursors.add(key)
    return Listed(tools, tuple(calls), ended)

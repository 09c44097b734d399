"""A whole tools/list, put together from its pages."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from conformance.drive.frames import encoded
from conformance.model.events import Json, Listing

if TYPE_CHECKING:
    from conformance.drive.connection import Caller, Connection

PAGES = 200
"""Pages after which a cursor is taken to be endless."""
OCTETS = 16_000_000
"""The same of what they hold together: no client keeps a list of that size in mind."""


async def listed(connection: "Connection", caller: "Caller", now: Callable[[], int]) -> Listing:
    """Follows the cursors until there is none, one comes again, or a page is none."""
    tools: list[Json] = []
    calls: list[int] = []
    cursors: set[bytes] = set()
    cursor: Json = None
    ended, octets = "endless", 0
    while len(calls) < PAGES and octets < OCTETS:
        answer = await connection.request("tools/list", {"cursor": cursor} if cursor is not None else {}, caller)
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
    return Listing(
        connection=connection.name, instance=caller.instance, tools=tools, calls=tuple(calls), ended=ended, t=now()
    )

"""Idempotency: an IdempotentWrite that is repeated with its key takes effect once."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from reference_server.application import Json
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course
from reference_server.invocation.definition import Effect
from reference_server.invocation.failure import Failure
from reference_server.invocation.timing import Timing

MOST_KEYS: Final = 100_000
"""Beyond this the oldest are forgotten."""


@dataclass(slots=True)
class Use:
    """A key that is used: by an invocation that runs, or by one that succeeded."""

    input: str
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    output: Json = None
    version: str | None = None
    """That of the execution which gave the output; None while it runs."""
    redactions: tuple[str, ...] = ()


class Replays:
    """Keys by tool. A failed invocation frees its key."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.uses: OrderedDict[tuple[str, str], Use] = OrderedDict()

    async def through(self, course: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        """The output of the first invocation with this key. Raises IdempotencyConflict: it had another input."""
        if course.tool.effect is not Effect.IDEMPOTENT_WRITE or course.key is None:
            return await work()
        place, asked = (course.tool.name, course.key), canonical(course.input)
        while (use := self.uses.get(place)) is not None:
            if use.input != asked:
                raise Failure("IdempotencyConflict", "the idempotencyKey was used with another input")
            if use.version is not None:
                return self.replayed(course, use)
            await self.timing.bounded(course, use.ended.wait())
        return await self.first(course, place, Use(asked), work)

    def replayed(self, course: Course, use: Use) -> Json:
        """What the first invocation gave."""
        course.version = use.version or course.version
        course.redactions += use.redactions
        return use.output

    async def first(
        self, course: Course, place: tuple[str, str], use: Use, work: Callable[[], Awaitable[Json]]
    ) -> Json:
        """Runs the work, and keeps what it gives."""
        self.uses[place] = use
        try:
            use.output = await work()
            use.version, use.redactions = course.version, tuple(course.redactions)
        finally:
            if use.version is None:
                del self.uses[place]
            use.ended.set()
        if len(self.uses) > MOST_KEYS:
            self.uses.popitem(last=False)
        return use.output

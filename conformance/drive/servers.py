"""How many servers there are at once that were started for instances: each takes memory of the machine."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Servers:
    """Places for such servers, and their end.

    A stimulus that was let in gets as many as it asks for: else two could wait for each other.
    """

    def __init__(self, places: int, end: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """`end` ends the server of an instance, and says `left` then."""
        self._places = places
        self._end = end
        self._held: dict[str, set[str]] = {}
        """By holder its instances. A holder is a stimulus at one endpoint."""
        self._ending = set[str]()
        """Instances whose holders are over."""
        self._ends: list[asyncio.Task[None]] = []
        self._changed = asyncio.Condition()

    async def enter(self, holder: str, *, at_once: bool) -> None:
        """Waits until there is a place; a holder that was let in does not wait again."""
        async with self._changed:
            if not at_once:
                await self._changed.wait_for(lambda: holder in self._held or self._taken < self._places)
            self._held.setdefault(holder, set())

    @property
    def _taken(self) -> int:
        # who was let in has a place, also before its first server is started
        return sum(max(len(instances), 1) for instances in self._held.values()) + len(self._ending)

    def add(self, instance: str, holder: str) -> None:
        """Has an instance be a holder's."""
        self._held.setdefault(holder, set()).add(instance)

    async def left(self, instance: str) -> None:
        """Frees the place of an instance whose server has ended."""
        async with self._changed:
            for each in (self._ending, *self._held.values()):
                each.discard(instance)
            self._changed.notify_all()

    async def over(self, holder: str) -> None:
        """Has the servers of a stimulus that is over end, while others go on."""
        async with self._changed:
            instances = self._held.pop(holder, set())
            self._ending |= instances
            self._ends += [asyncio.create_task(self._end(each)) for each in instances]
            # one that was let in, and could have no instance, leaves a place as well
            self._changed.notify_all()

    async def ended(self) -> None:
        """Waits for the ends that are under way."""
        ends, self._ends = self._ends, []
        await asyncio.gather(*ends)

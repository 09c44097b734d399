"""How many calls may be in flight at once, how some of them overlap, and who has the target for itself."""

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextvars import ContextVar

_INSIDE: ContextVar[bool] = ContextVar("inside", default=False)
"""Set in tasks whose place was reserved for them."""


class _Places:
    """So many places. Whoever is to be first gets one before those who came earlier."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._first, self._others = deque[asyncio.Future[None]](), deque[asyncio.Future[None]]()

    async def acquire(self, *, first: bool) -> None:
        """Waits for a place."""
        if self._free:
            self._free -= 1
            return
        waiting, line = asyncio.get_running_loop().create_future(), self._first if first else self._others
        line.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():
                # it was given one all the same
                self.release()
            raise

    def release(self) -> None:
        """Gives a place to the next one."""
        for line in (self._first, self._others):
            while line:
                waiting = line.popleft()
                if not waiting.done():
                    waiting.set_result(None)
                    return
        self._free += 1


class Gate:
    """Lets so many calls through at once.

    A stimulus that brings something about which touches the whole target has the gate for itself meanwhile: what the
    others see then would not be what they asked for.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._free = _Places(width)
        self.first = set[str]()
        """Stimuli that wait for servers to start and end: behind others they would be what a run waits for at last."""
        self._reserving = asyncio.Lock()
        self._owner: str | None = None
        self._held: Counter[str] = Counter()
        """The places that each stimulus holds, and what it starts."""
        self._changed = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def one(self, stimulus: str) -> AsyncIterator[None]:
        """A call's place; none is taken where it was reserved before."""
        if _INSIDE.get():
            yield
            return
        await self._take(stimulus)
        try:
            yield
        finally:
            await self._leave(stimulus)

    @contextlib.asynccontextmanager
    async def several(self, number: int, stimulus: str) -> AsyncIterator[None]:
        """Places for calls that are to be made at once: all of them free before the first is made.

        More than the gate is wide pass as well: what they show is their overlap.
        """
        places = min(number, self._width)
        taken = 0
        token = None
        try:
            while taken < places:
                await self._welcome(stimulus)
                # one at a time, or two that want many would each hold half of what the other waits for
                async with self._reserving:
                    taken = await self._all(places, stimulus)
            token = _INSIDE.set(True)
            yield
        finally:
            if token is not None:
                _INSIDE.reset(token)
            await self._leave_all(taken, stimulus)

    @contextlib.asynccontextmanager
    async def start(self, stimulus: str) -> AsyncIterator[None]:
        """A server or a connection that begins: not while another has the gate for itself, nor the other way round.

        It takes no place, as it may take long. Whoever holds places does not wait: what another waits for are these.
        """
        while self._owner not in (None, stimulus) and not self._held[stimulus]:
            await self._welcome(stimulus)
        self._held[stimulus] += 1
        try:
            yield
        finally:
            await self._let_go(stimulus)

    async def own(self, stimulus: str) -> None:
        """Waits until no other has the gate for itself, and then until calls and starts of the others are over."""
        if self._owner == stimulus:
            return
        async with self._changed:
            await self._changed.wait_for(lambda: self._owner is None)
            self._owner = stimulus
            try:
                await self._changed.wait_for(lambda: set(self._held) <= {stimulus})
            except BaseException:
                self._owner = None
                self._changed.notify_all()
                raise

    def is_of(self, stimulus: str) -> bool:
        """Whether a stimulus has the gate for itself."""
        return self._owner == stimulus

    async def disown(self, stimulus: str) -> None:
        """The others may go on, where this one has the gate for itself."""
        if self._owner == stimulus:
            async with self._changed:
                self._owner = None
                self._changed.notify_all()

    async def _take(self, stimulus: str) -> None:
        while True:
            await self._free.acquire(first=stimulus in self.first)
            if self._owner in (None, stimulus):
                self._held[stimulus] += 1
                return
            # who has the gate for itself needs the place
            self._free.release()
            await self._welcome(stimulus)

    async def _all(self, places: int, stimulus: str) -> int:
        """So many places, or none where another has the gate for itself meanwhile: it waits for those that are held."""
        taken = 0
        try:
            while taken < places:
                await self._free.acquire(first=stimulus in self.first)
                self._held[stimulus] += 1
                taken += 1
                if self._owner not in (None, stimulus):
                    break
            else:
                return taken
        except asyncio.CancelledError:
            await self._leave_all(taken, stimulus)
            raise
        await self._leave_all(taken, stimulus)
        return 0

    async def _leave_all(self, taken: int, stimulus: str) -> None:
        for _ in range(taken):
            await self._leave(stimulus)

    async def _welcome(self, stimulus: str) -> None:
        """Waits until no other has the gate for itself."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._owner in (None, stimulus))

    async def _leave(self, stimulus: str) -> None:
        self._free.release()
        await self._let_go(stimulus)

    async def _let_go(self, stimulus: str) -> None:
        self._held[stimulus] -= 1
        if not self._held[stimulus]:
            del self._held[stimulus]
            if self._owner is not None:
                async with self._changed:
                    self._changed.notify_all()

"""Shrinks a conversation to the fewest calls that still break what it broke."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import structs

from conformance.histories.conversation import Conversation, Said
from conformance.histories.extracting import referring, renumbered, uses
from conformance.histories.values import named_in
from conformance.model.events import Json

MOST_TRIES = 400
"""Trials of one conversation."""
Breaks = Callable[[Conversation], Awaitable[bool]]
"""Whether a conversation still breaks it, tried on a fresh instance."""


class Shrinking:
    """One conversation on its way to its smallest form."""

    def __init__(self, conversation: Conversation, breaks: Breaks, over: Callable[[], bool] = lambda: False) -> None:
        """`over` says when there is no time for another try."""
        self.conversation = conversation
        self._breaks = breaks
        self._over = over
        self._left = MOST_TRIES

    async def run(self) -> Conversation:
        """The smallest that was found: none of its calls can be left out, as far as the tries go."""
        from_the_first = rooted(self.conversation)
        if from_the_first != self.conversation:
            await self._take(from_the_first)
        await self._fewer_calls()
        await self._plainer()
        await self._fewer_calls()
        return self.conversation

    async def _fewer_calls(self) -> None:
        """Leaves out runs of calls, half of them at first (Zeller's ddmin, by complements)."""
        size = max(len(self.conversation.calls) // 2, 1)
        while not self._ended():
            place, shrunk = 0, False
            while place < len(self.conversation.calls) and not self._ended():
                dropped = {said.id for said in self.conversation.calls[place : place + size]}
                if await self._take(without(self.conversation, dropped)):
                    shrunk = True
                else:
                    place += size
            if size == 1 and not shrunk:
                return
            size = max(size // 2, 1)

    async def _plainer(self) -> None:
        """Leaves out arguments and conditions, and what was at once and need not be."""
        await self._without_everywhere()
        for place in range(len(self.conversation.calls)):
            said = self.conversation.calls[place]
            if said.together is not None:
                await self._change(place, together=None)
            if said.line is not None:
                await self._change(place, line=None)
            if said.pause_ms:
                await self._change(place, pause_ms=0)
            for name in said.conditions:
                now = self.conversation.calls[place].conditions
                await self._change(place, conditions={key: each for key, each in now.items() if key != name})
            for name in said.arguments if isinstance(said.arguments, dict) and said.tool is not None else ():
                given = self.conversation.calls[place].arguments
                await self._change(place, arguments={key: each for key, each in given.items() if key != name})

    async def _without_everywhere(self) -> None:
        """Leaves an argument out of all calls of a tool: what is compared between calls has to stay alike in them."""
        given = Counter(
            (said.tool, name)
            for said in self.conversation.calls
            for name in (said.arguments if isinstance(said.arguments, dict) and said.tool is not None else ())
        )
        for (tool, left_out), times in sorted(given.items()):
            if times > 1:
                calls = (_lacking(said, left_out) if said.tool == tool else said for said in self.conversation.calls)
                await self._take(pruned(structs.replace(self.conversation, calls=tuple(calls))))

    async def _change(self, place: int, **changed: object) -> None:
        calls = list(self.conversation.calls)
        calls[place] = structs.replace(calls[place], **changed)
        await self._take(pruned(structs.replace(self.conversation, calls=tuple(calls))))

    def _ended(self) -> bool:
        return self._left <= 0 or self._over()

    async def _take(self, smaller: Conversation) -> bool:
        """Goes on with a smaller one, where it still breaks it."""
        if not smaller.calls or self._ended():
            return False
        self._left -= 1
        if not await self._breaks(smaller):
            return False
        self.conversation = smaller
        return True


def _lacking(said: Said, left_out: str) -> Said:
    if not isinstance(said.arguments, dict):
        return said
    return structs.replace(said, arguments={name: each for name, each in said.arguments.items() if name != left_out})


def rooted(conversation: Conversation) -> Conversation:
    """The conversation in which each text is taken from the first answer that is known to hold it.

    Later answers repeat ids: a call whose answer was only asked for such a one can then be left out.
    """
    first: dict[str, dict[str, Any]] = {}
    for reference in (each for said in conversation.calls for each in uses(said) if isinstance(each["was"], str)):
        known = first.setdefault(reference["was"], reference)
        if reference["call"] < known["call"]:
            first[reference["was"]] = reference

    def to(held: dict[str, Any]) -> dict[str, Json]:
        known = first.get(held["was"]) if isinstance(held["was"], str) else None
        return held if known is None else {**held, "call": known["call"], "at": known["at"]}

    return structs.replace(conversation, calls=tuple(referring(said, to) for said in conversation.calls))


def without(conversation: Conversation, dropped: set[int]) -> Conversation:
    """The conversation without some calls, and without those that go on from their answers."""
    kept: list[Said] = []
    gone = set(dropped)
    for said in conversation.calls:
        if said.id in gone or any(reference["call"] in gone for reference in uses(said)):
            gone.add(said.id)
        else:
            kept.append(said)
    return pruned(structs.replace(conversation, calls=renumbered(kept)))


def pruned(conversation: Conversation) -> Conversation:
    """Without stores, connections and credentials that no call names any more."""
    calls = conversation.calls
    stores = {said.store for said in calls}
    lines = {said.line for said in calls}
    names = {said.by for said in calls} | {
        name for said in calls for part in (said.arguments, said.message, said.conditions) for name in named_in(part)
    }
    return structs.replace(
        conversation,
        stores={name: store for name, store in conversation.stores.items() if name in stores},
        lines={name: line for name, line in conversation.lines.items() if name in lines},
        credentials={name: who for name, who in conversation.credentials.items() if name in names},
    )

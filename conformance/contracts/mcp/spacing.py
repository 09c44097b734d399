"""A tool's own limit on calls: one that it refuses is made again, and calls of that tool leave further apart."""

from collections.abc import Awaitable, Callable

from conformance.drive.wire.pace import Pace, Visit, after_s
from conformance.model.ending import reason
from conformance.model.exchange import TOO_MANY, Exchange


class Spacing:
    """Of one tool, whoever calls it."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._in_vain = False
        """Whether a call was refused for as long as it was made again, and none was served since."""

    async def call(self, make: Callable[[], Awaitable[Exchange]]) -> Exchange:
        """Makes a call when its turn comes, and again while a limit of the tool's refuses it and may end soon."""
        await self._turn()
        visit = self._pace.visit()
        answer = await make()
        while self._again(visit, answer):
            await self._turn()
            answer = await make()
        if answer.accepted:
            self._pace.served()
            self._in_vain = False
        return answer

    async def _turn(self) -> None:
        if not self._in_vain:
            await self._pace.turn()

    def _again(self, visit: Visit, answer: Exchange) -> bool:
        said = reason(answer) if answer.refused and not answer.limited else ""
        if self._in_vain or not TOO_MANY.search(said):
            return False
        # it is one tool's: the run goes on without it
        self._in_vain = not self._pace.again(visit, after_s(answer.answered, {"message": said}), as_found=False)
        return not self._in_vain

"""A tool's own limit on calls: it is called further apart from the first call on that such a limit refuses."""

import asyncio

from conformance.drive.wire.pace import after_s
from conformance.model.ending import reason
from conformance.model.exchange import TOO_MANY, Exchange

FIRST_APART_S, MOST_APART_S = 0.1, 2.0
"""How far apart calls of a tool leave once there were too many, and at most: many limits are of one call a second."""
WINDOW_S = 4.0
"""How long calls are made again where none is served."""


class Spacing:
    """Of one tool, whoever calls it."""

    def __init__(self) -> None:
        self._apart_s = 0.0
        self._free = 0.0
        """When the next call may leave, by the loop's clock."""
        self._since: float | None = None
        """When the first call was refused since the last was served."""
        self._in_vain = False
        """Whether calls were refused for as long as they were made again, and none was served since."""

    async def turn(self) -> float:
        """Waits until a call may leave; how far apart they leave then, in seconds."""
        apart_s = self._apart_s
        if apart_s:
            now = asyncio.get_running_loop().time()
            leaves = max(now, self._free)
            self._free = leaves + apart_s
            await asyncio.sleep(leaves - now)
        return apart_s

    def again(self, answer: Exchange, apart_s: float) -> bool:
        """Whether a call is to be made again when its turn comes; `apart_s` is how far apart they left at its last."""
        said = reason(answer) if answer.refused and not answer.limited else ""
        if not TOO_MANY.search(said):
            if answer.accepted:
                self._since, self._in_vain = None, False
            return False
        now, asked_s = asyncio.get_running_loop().time(), after_s(answer.answered, {"message": said}) or 0.0
        self._since = now if self._since is None else self._since
        if self._in_vain or now - self._since + asked_s > WINDOW_S:
            self._in_vain, self._apart_s = True, 0.0
            return False
        if apart_s >= self._apart_s:
            # else it was made when calls left nearer to each other than they do by now
            self._apart_s = min(max(2 * self._apart_s, FIRST_APART_S), MOST_APART_S)
        self._free = max(self._free, now + max(self._apart_s, asked_s))
        return True

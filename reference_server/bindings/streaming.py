"""Frames of a stream as notifications of their call: a logging notification each, beside one of its progress."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reference_server.application import Frames, Json

Send = Callable[[str, dict[str, Json]], Awaitable[None]]
"""Sends a notification that belongs to the call: method and params."""

LEVELS: Final = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""Of logging, the least severe first."""
FRAME_LEVEL: Final = "info"


@dataclass(frozen=True, slots=True)
class Channel:
    """The way back to a caller while its call is served."""

    send: Send
    level: Json
    """The least severe level of logging that the caller asked for; anything that is none: no logging at all."""

    @property
    def logs(self) -> bool:
        """Whether frames may come as logging notifications."""
        return self.level in LEVELS[: LEVELS.index(FRAME_LEVEL) + 1]


def frames_of(meta: Mapping[str, Json], channel: Channel | None, logger: str) -> Frames | None:
    """Takes the frames of a call; None where its caller did not ask for them with a progressToken."""
    token = meta.get("progressToken")
    if channel is None or not isinstance(token, str | int) or isinstance(token, bool):
        return None

    async def send(frame: dict[str, Json]) -> None:
        if channel.logs:
            await channel.send("notifications/message", {"level": FRAME_LEVEL, "logger": logger, "data": frame})
        await channel.send("notifications/progress", {"progressToken": token, "progress": frame["sequence"]})

    return send

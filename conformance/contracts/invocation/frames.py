"""The frames of a streamed call: logging notifications beside progress, as they came."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import Invocation, invocations
from conformance.contracts.invocation.planned import STREAM
from conformance.judge.memo import once
from conformance.model.events import Json, Message
from conformance.model.history import History
from conformance.model.revision import LOG_LEVEL_KEY, SET_LEVEL

LOG, PROGRESS = "notifications/message", "notifications/progress"


class Frame(NamedTuple):
    """A logging notification of a call whose data has a sequence: a frame."""

    at: int
    data: dict[str, Json]

    @property
    def partial(self) -> bool:
        """Whether it holds a part of the answer."""
        return self.data.get("event") == "partial"


class Streamed(NamedTuple):
    """What came beside the answer to one call."""

    frames: list[Frame]
    logs: list[Message]
    """All logging notifications that belong to it, frames among them."""
    progress: list[Message]
    shared: bool
    """Whether a call with the same correlationId ran meanwhile on its connection: whose they are is not known then."""


class Streams:
    """What came beside each call. Over stdio nothing but its correlationId tells whose a logging notification is."""

    def __init__(self, history: History, contract: Contract) -> None:
        calls = invocations(history, contract)
        self._of_correlation: dict[tuple[str, str], list[Invocation]] = defaultdict(list)
        for one in calls:
            self._of_correlation[one.call.connection.id, one.correlation].append(one)
        self._strays: dict[int, list[Message]] = defaultdict(list)
        for message in history.strays:
            data = _data(message)
            correlation = data.get("correlationId") if data is not None else None
            if isinstance(correlation, str):
                named = self._of_correlation.get((message.connection, correlation), ())
                begun = [one for one in named if one.call.sent <= message.t]
                if begun:
                    # a call may be made again with the correlation that it had
                    self._strays[begun[-1].call.call].append(message)
        self._lone = [m for m in history.strays if _method(m) == LOG]
        self._found = {one.call.call: self._of(one) for one in calls}

    def of(self, one: Invocation) -> Streamed:
        """What came beside a call."""
        return self._found[one.call.call]

    def _of(self, one: Invocation) -> Streamed:
        extras = list(one.call.extras)
        logs = [message for message in extras if _method(message) == LOG]
        logs += self._strays[one.call.call]
        logs.sort(key=lambda message: message.t)
        frames = [Frame(m.t, data) for m in logs if (data := _data(m)) is not None and "sequence" in data]
        progress = [message for message in extras if _method(message) == PROGRESS]
        rivals = (other for other in self._of_correlation[one.call.connection.id, one.correlation] if other is not one)
        shared = any(other.call.sent < one.end and other.end > one.call.sent for other in rivals)
        return Streamed(frames, logs, progress, shared)

    def unclaimed(self, one: Invocation) -> Iterator[dict[str, Json]]:
        """Frames that came while the call ran, on its connection, without the id of any call of it."""
        for message in self._lone:
            data = _data(message)
            within = one.call.sent <= message.t <= one.end and message.connection == one.call.connection.id
            if within and data is not None and "sequence" in data and self._nobodys(one, data):
                yield data

    def _nobodys(self, one: Invocation, data: dict[str, Json]) -> bool:
        """Whether a frame has no id, or a partial one that no call of the connection has."""
        named = data.get("correlationId")
        if not named:
            return True
        partial = one.name == STREAM and data.get("event") == "partial"
        return partial and (not isinstance(named, str) or (one.call.connection.id, named) not in self._of_correlation)


def _method(message: Message) -> Json:
    return message.payload.get("method") if isinstance(message.payload, dict) else None


def _data(message: Message) -> dict[str, Json] | None:
    if _method(message) != LOG:
        return None
    params = message.payload.get("params")
    data = params.get("data") if isinstance(params, dict) else None
    return data if isinstance(data, dict) else None


streams = once(Streams)


def asks(one: Invocation, history: History, contract: Contract) -> bool | None:
    """Whether a call asks for frames: by a progressToken, and by the log level where its revision wants one.

    None where it asks for progress alone.
    """
    request = one.call.request
    params = request.get("params") if isinstance(request, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or meta.get("progressToken") is None:
        return False
    if LOG_LEVEL_KEY in meta:
        return True
    levelled = _levelled(history, contract).get(one.call.connection.id)
    return True if levelled is not None and levelled <= one.call.sent else None


@once
def _levelled(history: History, _: Contract) -> dict[str, int]:
    """By connection, when a level of logging was first set on it."""
    found: dict[str, int] = {}
    for call in history.exchanges:
        if call.method == SET_LEVEL and call.accepted and call.received is not None:
            found.setdefault(call.connection.id, call.received)
    return found

"""What a connection hears: written down within bounds, progress noted, requests of the server's passed on."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from conformance.drive import revisions as rev
from conformance.drive.errors import SilenceError
from conformance.drive.frames import SHOWN, Frame, broken, frame
from conformance.drive.patience import Patience
from conformance.drive.recorder import Recorder
from conformance.drive.wire.pace import Pace
from conformance.model.events import Effect, Http, Json, Message


class Most(NamedTuple):
    """What a connection may say of frames that answer no call that waits. A server may send them for ever."""

    frames: int = 20_000
    octets: int = 32_000_000


MOST = Most()
FOR_EACH = 20
"""Frames more for each answer: a server that logs what it does, as its client lets it, floods nobody."""


class Hearing:
    """The ear of one connection."""

    def __init__(
        self, connection: str, instance: str, recorder: Recorder, asked: Callable[[Json], None], most: Most
    ) -> None:
        self.waiting: dict[int, Patience] = {}
        """The calls that are waited for."""
        self.line = self.waiting
        """Those that the server has to answer, on other connections as well."""
        self.owed: set[int] = set()
        """Calls that have no answer, also where nobody waits for it any more: one that comes late floods nobody."""
        self.instances: dict[int, str] = {}
        """The instance that each call was about."""
        self.unkept = 0
        """Frames that were heard and not written down."""
        self.excess = ""
        """Which limit the server went beyond; empty while it keeps them."""
        self._connection, self._instance, self._recorder = connection, instance, recorder
        self._asked, self._most = asked, most
        self._frames, self._bytes = 0, 0
        self._process, self._pace, self._number = 1, Pace(), 1

    def opened(self, process: int, pace: Pace) -> None:
        """The connection leads to this process; one that takes its place later has the next number."""
        self._process, self._pace, self._number = process, pace, pace.number

    def __call__(
        self, heard: Frame, call: int | None = None, http: Http | None = None, aside: int | None = None
    ) -> None:
        """Writes a frame down as it came, and does what it asks for. SilenceError: the server says too much."""
        payload = heard.payload
        method = payload.get("method") if isinstance(payload, dict) else None
        if not self._kept(heard, method, call, http):
            self.unkept += 1
            raise SilenceError("excess", self.excess)
        t = self._recorder.now()
        try:
            self._note(heard, call, http, aside, t)
        except (UnicodeEncodeError, TypeError, RecursionError) as error:
            # only in process: what comes as bytes was decoded before, and is JSON or is known to be none
            heard = broken(_shown(payload), f"no JSON value: {type(error).__name__}: {error}")
            self._note(heard, call, http, aside, t)
            return
        for effect in _effects(payload, http):
            kind = effect.get("kind")
            if isinstance(kind, str) and call is not None:
                instance = self.instances.get(call, self._instance)
                self._recorder.write(Effect(instance=instance, call=call, kind=kind, data=effect, t=t))
        if method == "notifications/progress" and call in self.waiting:
            self.waiting[call].renew()
        elif method is None and call in self.waiting:
            # a server that does one thing after another is at work: whatever was asked later still has to wait
            now = asyncio.get_running_loop().time()
            for later, patience in self.line.items():
                if later > call:
                    patience.advance(now)
        elif method is not None and payload.get("id") is not None:
            self._asked(payload)

    def _kept(self, heard: Frame, method: Json, call: int | None, http: Http | None) -> bool:
        if method is None and (call in self.waiting or call in self.owed or (call is None and http is not None)):
            if call is not None:
                self.owed.discard(call)
            self._frames -= FOR_EACH
            return True
        self._frames += 1
        self._bytes += heard.octets
        if self._frames > self._most.frames:
            self.excess = (
                f"the server sent more than {self._most.frames:,} messages that answer no call, "
                f"and {FOR_EACH} for each answer"
            )
        elif self._bytes > self._most.octets:
            self.excess = f"the server sent more than {self._most.octets:,} bytes of messages that answer no call"
        return not self.excess

    def _note(self, heard: Frame, call: int | None, http: Http | None, aside: int | None, t: int) -> None:
        later = self._pace.number - self._number
        self._recorder.write(
            Message(
                connection=self._connection,
                direction="in",
                call=call,
                aside=aside,
                payload=heard.payload,
                raw=None if heard.raw is None else self._recorder.masking.beginning(heard.raw, SHOWN),
                size=heard.size,
                fault=heard.fault,
                http=http,
                late_ms=self.waiting[call].late_ms if call in self.waiting else 0,
                process=self._process + later if later > 0 else None,
                t=t,
            )
        )


def _shown(payload: Json) -> bytes:
    try:
        return ascii(payload).encode()
    except RecursionError:
        return b""


def _effects(payload: Json, http: Http | None) -> list[dict[str, Json]]:
    """What the server reports that its world saw."""
    found: Json = None
    if http is not None and rev.EFFECTS_HEADER in http.headers:
        found = frame(http.headers[rev.EFFECTS_HEADER].encode("latin-1")).payload
    elif isinstance(payload, dict) and isinstance(payload.get("result"), dict):
        meta = payload["result"].get("_meta")
        found = meta.get(rev.EFFECTS_KEY) if isinstance(meta, dict) else None
    return [effect for effect in found if isinstance(effect, dict)] if isinstance(found, list) else []

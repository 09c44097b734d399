"""What is written down of one connection: the frames both ways, made into calls by their ids."""

from typing import NamedTuple

import msgspec
from msgspec import structs

from conformance.drive import revisions as rev
from conformance.drive.frames import SHOWN, Frame, id_of
from conformance.drive.hearing import FOR_EACH, Most
from conformance.drive.tap.listings import Listings
from conformance.drive.tap.tape import INSTANCE, Tape
from conformance.drive.wire.base import Ending
from conformance.model.events import Agreed, Closed, Http, Json, Message, Opened, Unanswered

KNOWN = 10_000
"""Calls of a connection, the latest, to which an answer is known by its id."""
GONE = "the caller ended the connection"


class Said(NamedTuple):
    """What a client said: a call, or something beside the calls."""

    call: int | None = None
    aside: int | None = None


class Asked(NamedTuple):
    """A call that has no answer yet."""

    method: str
    params: dict[str, Json]


class Talk:
    """One connection of a client of others with a server of others."""

    def __init__(  # noqa: PLR0913 -- what a connection is made of
        self,
        tape: Tape,
        name: str,
        transport: str,
        most: Most,
        *,
        path: str | None = None,
        agreed: Agreed | None = None,
    ) -> None:
        """`path`: of a contract's plain HTTP binding; `agreed`: what was agreed on before, for it too."""
        self.name = name
        self._tape, self._transport, self._path, self._most = tape, transport, path, most
        self._plain = path is not None
        self._opened = False
        self.agreed = agreed
        self._asides = 0
        self._by_id: dict[bytes, int] = {}
        self._by_token: dict[bytes, int] = {}
        self._waiting: dict[int, Asked] = {}
        self._listings = Listings(name)
        self._frames = self._octets = 0
        self._unkept = 0
        self._blind = False
        """Whether the client said what could not be read: then what answers nothing may well answer that."""

    def sent(self, frame: Frame, t: int, http: Http | None = None) -> Said:
        """A client said this at `t`, just before the server could hear it."""
        payload = frame.payload
        if isinstance(payload, list) and not self._plain:
            # a batch makes several calls of one frame, which no event has room for
            self._unkept += 1
            self._blind = True
            return Said()
        asked = payload if isinstance(payload, dict) else {}
        self._open(asked, t, http)
        self._tape.hide(payload)
        params = asked.get("params")
        told = Asked(str(asked.get("method", "")), params if isinstance(params, dict) else {})
        if not self._plain and (frame.raw is not None or "method" not in asked or asked.get("id") is None):
            self._asides += 1
            self._blind = self._blind or frame.raw is not None
            said = Said(aside=self._asides)
            self._write("out", frame, t, http, said)
            return said
        call = self._tape.step(self.name)
        if not self._plain:
            _note(self._by_id, asked["id"], call)
            meta = told.params.get("_meta")
            if isinstance(meta, dict) and meta.get("progressToken") is not None:
                _note(self._by_token, meta["progressToken"], call)
        self._waiting[call] = told
        self._write("out", frame, t, http, Said(call))
        return Said(call)

    def heard(self, frame: Frame, t: int, http: Http | None = None, said: Said | None = None) -> None:
        """The server said this. `said`: what it came back to, where the transport tells."""
        self._open({}, t)
        said = said or Said()
        call = said.call if self._plain else self._belongs(frame, said)
        spoken = isinstance(frame.payload, dict) and "method" in frame.payload and not self._plain
        answers = call in self._waiting and not spoken
        lost = self._blind and call is None and not spoken and http is None
        if lost or not self._kept(frame, asked=answers or (http is not None and not spoken)):
            self._unkept += 1
            return
        self._tape.hide(frame.payload)
        self._write("in", frame, t, http, Said(call) if call is not None else said)
        if answers and call is not None:
            self._answered(call, self._waiting.pop(call), frame, t)

    def knows(self, payload: Json) -> bool:
        """Whether a request has the id of an earlier one."""
        number = payload.get("id") if isinstance(payload, dict) and "method" in payload else None
        return number is not None and _key(number) in self._by_id

    def unheard(self, said: Said, why: str, detail: str) -> None:
        """No answer to a call comes, or none that could be read."""
        if said.call is not None and self._waiting.pop(said.call, None) is not None:
            self._unanswered(said.call, why, detail, self._tape.now())

    def too_long(self, frame: Frame, t: int) -> None:
        """A frame of the server's that was not read to its end: of the call that it seems to answer no more comes."""
        self._open({}, t)
        self._write("in", frame, t, None, Said())
        call = self._by_id.get(_key(id_of((frame.raw or "").encode() + b"}")))
        if call is None and len(self._waiting) == 1:
            call = next(iter(self._waiting))
        self.unheard(Said(call), "size", frame.fault or "")

    def close(self, ending: Ending, why: str = "cancelled", detail: str = GONE) -> None:
        """The connection has ended; what was not answered by then is not any more."""
        if not self._opened:
            return
        for call in list(self._waiting):
            self.unheard(Said(call), why, detail)
        self._tape.ended(
            Closed(
                connection=self.name,
                by=ending.by,
                why=ending.why,
                exit=ending.exit,
                lingered_ms=ending.lingered_ms,
                allowed_ms=ending.allowed_ms,
                forced=ending.forced,
                left=ending.left,
                unkept=self._unkept,
                t=self._tape.now(),
            )
        )

    def _open(self, first: dict[str, Json], t: int, http: Http | None = None) -> None:
        if self._opened:
            return
        self._opened = True
        params = first.get("params")
        params = params if isinstance(params, dict) else {}
        asked = params.get("protocolVersion") or _of_meta(params, rev.VERSION_KEY)
        if asked is None and http is not None:
            asked = http.headers.get("mcp-protocol-version")
        self._tape.write(
            Opened(
                connection=self.name,
                transport=self._transport,
                binding="http" if self._plain else "mcp",
                instance=INSTANCE,
                path=self._path,
                asked=asked if isinstance(asked, str) else None,
                t=t,
            )
        )
        if self.agreed is not None:
            self._tape.write(structs.replace(self.agreed, connection=self.name, t=t))

    def _belongs(self, frame: Frame, said: Said) -> int | None:
        """The call that a frame answers or is about."""
        if frame.raw is not None:
            found = id_of(frame.raw.encode("utf-8", "replace"))
            return said.call or (self._by_id.get(_key(found)) if found is not None else None)
        if not isinstance(frame.payload, dict):
            return said.call
        if "method" not in frame.payload:
            return self._by_id.get(_key(frame.payload.get("id")), said.call)
        params = frame.payload.get("params")
        token = params.get("progressToken") if isinstance(params, dict) else None
        return self._by_token.get(_key(token), said.call) if token is not None else said.call

    def _kept(self, frame: Frame, *, asked: bool) -> bool:
        """Whether there is room for a frame: a server may say without end what nobody asked for."""
        if asked:
            self._frames -= FOR_EACH
            return True
        self._frames += 1
        self._octets += frame.octets
        return self._frames <= self._most.frames and self._octets <= self._most.octets

    def _answered(self, call: int, asked: Asked, frame: Frame, t: int) -> None:
        """What an answer tells of the connection, or of the server's tools."""
        result = frame.payload.get("result") if isinstance(frame.payload, dict) else None
        if self._plain or not isinstance(result, dict):
            return
        if asked.method == "tools/list" and (listing := self._listings.page(call, asked.params, result, t)) is not None:
            self._tape.write(listing)
        revision = _revision(asked, result)
        if revision is not None and self.agreed is None:
            server = result.get("serverInfo") or _of_meta(result, rev.SERVER_KEY)
            capabilities = result.get("capabilities")
            self.agreed = Agreed(
                connection=self.name,
                revision=revision,
                server=server if isinstance(server, dict) else {},
                capabilities=capabilities if isinstance(capabilities, dict) else {},
                t=t,
            )
            self._tape.write(self.agreed)

    def _unanswered(self, call: int, why: str, detail: str, t: int) -> None:
        self._tape.write(Unanswered(call=call, connection=self.name, why=why, detail=detail, t=t))

    def _write(self, direction: str, frame: Frame, t: int, http: Http | None, said: Said) -> None:
        if self._tape.over:
            return
        self._tape.write(
            Message(
                connection=self.name,
                direction=direction,
                call=said.call,
                aside=said.aside,
                payload=frame.payload,
                raw=None if frame.raw is None else self._tape.masking.beginning(frame.raw, SHOWN),
                size=frame.size,
                fault=frame.fault,
                http=http,
                t=t,
            )
        )


def _revision(asked: Asked, result: dict[str, Json]) -> str | None:
    """The revision that an answer settles on."""
    if asked.method == "initialize":
        given = result.get("protocolVersion")
        return given if given in rev.HANDSHAKE else None
    if asked.method == "server/discover":
        supported, wanted = result.get("supportedVersions"), _of_meta(asked.params, rev.VERSION_KEY)
        return wanted if isinstance(supported, list) and wanted in supported and wanted in rev.STATELESS else None
    return None


def _of_meta(value: dict[str, Json], key: str) -> Json:
    meta = value.get("_meta")
    return meta.get(key) if isinstance(meta, dict) else None


def _key(value: Json) -> bytes:
    """An id as it is told apart from others: 1 is not "1"."""
    return msgspec.json.encode(value)


def _note(calls: dict[bytes, int], value: Json, call: int) -> None:
    calls[_key(value)] = call
    if len(calls) > KNOWN:
        del calls[next(iter(calls))]

"""Which connection of MCP a request over HTTP belongs to, and what is written down of it and of its answer."""

import zlib
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from conformance.drive.errors import SilenceError
from conformance.drive.frames import EMPTY, Frame, broken, frame
from conformance.drive.hearing import Most
from conformance.drive.ordinary import says_secret
from conformance.drive.private import of_header, of_url
from conformance.drive.tap.messages import Answer, Request
from conformance.drive.tap.talk import Said, Talk
from conformance.drive.tap.tape import Tape
from conformance.drive.wire.base import Ending
from conformance.drive.wire.responses import KEPT, messages, streams
from conformance.drive.wire.sse import EventParser
from conformance.model.events import Http

SESSION = "mcp-session-id"
ASKED = ("content-type", "accept", "authorization", "last-event-id")
"""Headers of a request that are kept, besides those of MCP's own; not Origin: a server lets in which it likes."""
OK, ENDED = 200, range(200, 300)
UNTOLD = "the connection had been kept open, and was closed: the request may never have been read"


class Sessions:
    """All that a tap over HTTP writes down."""

    def __init__(self, tape: Tape, url: str, binding: str, most: Most, max_bytes: int) -> None:
        self._tape, self._most, self._max = tape, most, max_bytes
        parts = urlsplit(url)
        self._path, self._plain = parts.path or "/", binding == "http"
        self._count = 0
        self._by_session: dict[str, Talk] = {}
        self._others: Talk | None = None
        """Of requests that name no session."""
        self._talks: list[Talk] = []
        self._given: set[str] = set()

    def asked(self, request: Request, t: int) -> None:
        """A request is about to reach the server."""
        target = urlsplit(request.target)
        if request.seen or not self._ours(target.path):
            return
        request.seen = True
        for name, value in request.headers.items():
            if says_secret(name) and name != SESSION:
                for each in of_header(name, value):
                    self._tape.masking.add(each.value, each.name, named=each.named)
        for each in of_url(f"http://server{request.target}"):
            self._tape.masking.add(each.value, each.name, named=each.named)
        body = bytes(request.body)
        if request.size > len(body):
            said = broken(body, f"longer than {self._max} bytes", request.size)
        else:
            said = frame(body) if body else Frame()
        headers = {name: value for name, value in request.headers.items() if name in ASKED or name.startswith("mcp-")}
        if headers.get(SESSION) not in self._given:
            # it was given before the tap: in the record nobody gave it
            headers.pop(SESSION, None)
        talk = self._talk(request, said)
        http = Http(method=request.method, path=request.target, headers=headers)
        request.part = talk, talk.sent(said, t, http)

    def answering(self, request: Request, status: int, headers: Mapping[str, str], t: int) -> Answer:
        """The head of a response has come: what is done with the rest."""
        self.asked(request, t)
        if request.part is None:
            return _Passed()
        talk, said = request.part
        kept = {name: headers[name] for name in KEPT if name in headers}
        coding = kept.pop("content-encoding", "identity")
        side = Http(status=status, headers=kept)
        if SESSION in kept and SESSION not in request.headers:
            self._given.add(kept[SESSION])
            self._by_session[kept[SESSION]] = talk
            if self._others is talk:
                self._others = None
        try:
            decode = _decoder(coding, self._max)
        except SilenceError as error:
            talk.unheard(said, "cancelled", error.detail)
            return _Passed()
        streamed = not self._plain and streams(side)
        if streamed and status == OK:
            return _Stream(talk, said, side, decode, t)
        return (_Refusal if streamed else _Whole)(
            talk, said, side, decode, self._max, lambda: self._over(talk, request, status)
        )

    def lost(self, request: Request, why: str) -> None:
        """No response comes, or none that can be read."""
        if request.part is not None:
            talk, said = request.part
            # of a connection that was kept nobody knows whether the server read the request
            talk.unheard(said, "lost" if request.first else "cancelled", why if request.first else UNTOLD)

    def close(self) -> None:
        """Nothing more comes."""
        for talk in self._talks:
            talk.close(Ending(by="client"))

    def _ours(self, path: str) -> bool:
        """Whether a path is the endpoint's: what else a server has, as its metadata of OAuth, is passed on alone."""
        return path.startswith(self._path.rstrip("/") + "/") if self._plain else path == self._path

    def _talk(self, request: Request, said: Frame) -> Talk:
        session = request.headers.get(SESSION)
        begins = isinstance(said.payload, dict) and said.payload.get("method") == "initialize"
        talk = self._by_session.get(session) if session is not None else None if begins else self._others
        # who names no session may be anybody: an id that comes again is another client's
        again = talk is not None and session is None and talk.knows(said.payload)
        if talk is None or again:
            self._count += 1
            path = self._path.rstrip("/") if self._plain else None
            agreed = talk.agreed if talk is not None else None
            talk = Talk(self._tape, f"c{self._count}", "http", self._most, path=path, agreed=agreed)
            self._talks.append(talk)
            if session is not None:
                self._by_session[session] = talk
            else:
                self._others = talk
        return talk

    def _over(self, talk: Talk, request: Request, status: int) -> None:
        if request.method == "DELETE" and status in ENDED and not self._plain:
            self._by_session.pop(request.headers.get(SESSION, ""), None)
            self._talks.remove(talk)
            talk.close(Ending(by="client"))


Decode = Callable[[bytes], bytes]


def _decoder(coding: str, most: int) -> Decode:
    """Undoes a content coding; SilenceError where it is one that is not known here."""
    if coding == "identity":
        return lambda data: data
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise SilenceError("cancelled", f"the answer is encoded as {coding}, which is passed on and not read")
    inflating = zlib.decompressobj(zlib.MAX_WBITS | 32)
    return lambda data: inflating.decompress(data, most)


class _Passed:
    """Of a response nothing is written down."""

    def data(self, data: bytes, t: int) -> None:
        """Nothing."""

    def over(self, t: int) -> None:
        """Nothing."""


class _Whole:
    """A response with one value."""

    def __init__(  # noqa: PLR0913, PLR0917 -- what it is made of
        self, talk: Talk, said: Said, side: Http, decode: Decode, most: int, done: Callable[[], None]
    ) -> None:
        self._talk, self._said, self._side, self._decode, self._most, self._done = talk, said, side, decode, most, done
        self._body = bytearray()
        self._fault = ""

    def data(self, data: bytes, t: int) -> None:  # noqa: ARG002 -- it is judged as a whole
        """Keeps as much as may be looked at."""
        if self._fault:
            return
        try:
            self._body += self._decode(data)
        except zlib.error as error:
            self._fault = f"its encoding cannot be undone: {error}"
        if len(self._body) > self._most:
            self._fault = f"more than {self._most} bytes"

    def over(self, t: int) -> None:
        """Writes it down."""
        if self._fault:
            self._talk.unheard(self._said, "size", self._fault)
        else:
            for found in self._found():
                self._talk.heard(found, t, self._side, self._said)
        self._done()

    def _found(self) -> list[Frame]:
        if self._body:
            return [frame(bytes(self._body))]
        return [Frame() if self._said.call is None else broken(b"", EMPTY)]


class _Refusal(_Whole):
    """A refusal that comes as a stream of events."""

    def _found(self) -> list[Frame]:
        return messages(EventParser(), bytes(self._body)) or super()._found()


class _Stream:
    """A response with a stream of events; a client may go on with it in another."""

    def __init__(self, talk: Talk, said: Said, side: Http, decode: Decode, t: int) -> None:
        self._talk, self._said, self._decode = talk, said, decode
        self._parser = EventParser()
        self._side = side if said.call is not None else None
        if said.call is None:
            talk.heard(Frame(), t, side, said)

    def data(self, data: bytes, t: int) -> None:
        """Each event is a frame."""
        try:
            found = messages(self._parser, self._decode(data))
        except zlib.error:
            return
        for each in found:
            self._talk.heard(each, t, self._side, self._said)

    def over(self, t: int) -> None:
        """What was not answered may be by another stream."""

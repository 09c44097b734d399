"""A server behind HTTP: MCP's streamable HTTP, and a contract's plain HTTP binding."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit

import httpcore2
import httpx2
from msgspec import structs

from conformance.drive import volley
from conformance.drive.errors import SilenceError, StartError
from conformance.drive.frames import Frame, broken, encoded
from conformance.drive.headers import resumed
from conformance.drive.patience import Patience
from conformance.drive.place import Place
from conformance.drive.wire.base import KILLED, LINGER_S, Ending, Hear
from conformance.drive.wire.pace import after_s
from conformance.drive.wire.responses import AFTER_S, Stream, beginning, side_of, streams, whole
from conformance.drive.wire.transport import (
    BODY,
    LOST,
    REFUSED,
    WORDS,
    CrowdedError,
    StaleError,
    Transport,
    context,
    garbled,
    last_written,
)
from conformance.model.events import Http, Json
from conformance.model.exchange import (
    BEYOND_ITS_END,
    GARBLED,
    LEFT_OPEN,
    NO_RESPONSE,
    SESSION,
    STILL_THERE,
    of_another,
)

AT_ONCE = 64
"""Connections to one server. More would flood it, and tell nothing about its contract."""
UNHEARD = 32
"""Calls given up whose answer may still come. Each holds a connection, so the oldest is let go."""
TELL_S = 5.0
"""What a notification is given to be accepted."""
LISTENED = 100
"""How often the stream of a GET is opened."""
RESUMED = 5
"""How often a stream is resumed that then holds nothing."""
SETTLE_S = 0.02
"""What a process that ends is given to close what it listens at, too."""
LAST_S = 1.0
"""What a process is given to end after a connection to it was lost, and its answers to come after it was killed."""
RETRIES = 3
"""How often a request that never left is sent to a server that was away."""
IN_A_CROWD = 5
"""How often one is sent whose new connection was broken among many."""
PAUSE_S = 0.1
"""What is waited before it is sent again, and each time twice as long."""
DRAINS_S = 2.0
"""The most that is waited where a server says how long it serves nobody."""


class HttpWire:
    """A pool of connections to one server."""

    transport = "http"

    def __init__(  # noqa: PLR0913 -- what a wire is made of, each by name
        self, url: str, binding: str, headers: Mapping[str, str], hear: Hear, *, max_bytes: int, place: Place
    ) -> None:
        self.binding = binding
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        self._url = url
        self._headers = {"accept-encoding": "identity", **{name.lower(): value for name, value in headers.items()}}
        self._hear = hear
        self._max = max_bytes
        self._place = place
        self.pace = place.pace
        self._process = place.process
        self._reaches, self._killed = True, False
        self._client = httpx2.AsyncClient(
            timeout=None,  # each call has its own
            follow_redirects=False,
            trust_env=False,
            transport=Transport(context(secure=place.secure), AT_ONCE + UNHEARD, AT_ONCE, place.crowd),
        )
        self._linger_s: float | None = None
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._unheard: dict[int, asyncio.Task[None]] = {}
        self._listening: set[asyncio.Task[None]] = set()

    @property
    def alive(self) -> bool:
        """Whether it still reaches the process that it was opened to."""
        return self._reaches and self._process in (None, self._place.process)

    @property
    def fate(self) -> str:
        """What has become of the process behind it; empty where the suite started none."""
        return self._process.fate if self._process is not None else ""

    async def _ended(self) -> str:
        """What has become of that process, where it ends now; else empty."""
        return self.fate if self._process is not None and await self._process.gone(LAST_S) else ""

    async def _lost(self, detail: str) -> SilenceError:
        """What a call ends with that gets no answer: where its server was killed, that is why, and not `detail`."""
        return SilenceError("killed", await self._ended()) if self._killed else SilenceError("lost", detail)

    async def open(self) -> None:
        """Looks whether anything listens there; one that was there before is waited for."""
        why = await self._place.back() if self._place.reached else await self._place.accepts()
        if why:
            raise StartError(
                f"no server answers at {self._url}",
                why="; ".join(filter(None, (why, self.fate))),
                todo="is the address right, and is the server started? With --server-command the suite starts it",
            )

    async def ask(self, call: int, payload: Json, http: Http, patience: Patience) -> None:
        """Sends a request and reads its response to the first answer and a moment beyond.

        Cancelled after the request has left, it leaves the response to be heard: closing it would say too much.
        """
        task = self._calls[call] = asyncio.create_task(self._exchange(call, payload, http, patience))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            caller = asyncio.current_task()
            if task.cancelled() and not self._reaches and caller is not None and not caller.cancelling():
                raise await self._lost(self.fate) from None
            self._give_up(call, task, heard=patience.on_its_way)
            raise
        except LOST as error:
            raise await self._lost(await self._why(error)) from error
        except SilenceError as error:
            self._heard_too_much(error)
            if error.why == "lost":
                raise await self._lost(error.detail) from error
            raise
        finally:
            self._calls.pop(call, None)

    def _heard_too_much(self, error: SilenceError) -> None:
        """A server that says more than it may is left: whoever calls it next begins a new connection."""
        self._reaches = self._reaches and error.why != "excess"

    def _give_up(self, call: int, task: asyncio.Task[None], *, heard: bool) -> None:
        if not heard:
            task.cancel()
            return
        self._unheard[call] = task
        task.add_done_callback(lambda _: self._unheard.pop(call, None))
        # what it ends with is nobody's matter any more; asked for, it is no exception that nobody retrieved
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        if len(self._unheard) > UNHEARD:
            next(iter(self._unheard.values())).cancel()

    def forget(self, call: int) -> None:
        """Closes the response of a call that was given up."""
        task = self._unheard.get(call)
        if task is not None:
            task.cancel()

    async def _why(self, error: BaseException) -> str:
        if what := garbled(error):
            # who says something is there: nothing is to be waited for
            return f"{GARBLED}: {what}"
        if isinstance(error, httpcore2.ProtocolError):
            said = "the server closed the connection before its response was whole"
        else:
            said = str(error)[:WORDS] or f"the connection broke ({type(error).__name__})"
        await asyncio.sleep(SETTLE_S)
        # another process may listen there already
        if not await self._place.accepts() and self._process in (None, self._place.process):
            return f"{said}; {STILL_THERE}"
        fate = await self._ended()
        self._reaches = self._reaches and not fate
        return "; ".join(filter(None, (said, fate)))

    async def _exchange(self, call: int, payload: Json, http: Http, patience: Patience) -> None:
        last: BaseException | None = None
        for number in range(IN_A_CROWD):
            try:
                async with self._sent(payload, http, patience, call) as response:
                    side = side_of(response)
                    self._place.tells(response.headers.get("date"))
                    streamed = self.binding == "mcp" and streams(side)
                    if streamed and response.status_code == httpx2.codes.OK:
                        await self._stream(call, side, response, http)
                    else:
                        *others, found = await whole(response, self._max, streamed=streamed)
                        pause_s = self._until_back(side, found, number)
                        if pause_s is not None:
                            volley.apart(call)
                            patience.put_off(pause_s)
                            await asyncio.sleep(pause_s)
                            continue
                        # it may be the answer to an earlier request, and then the next response would be one as well
                        response.extensions[BODY].last = self.binding == "mcp" and of_another(found.payload, payload)
                        for each in (*others, found):
                            self._hear(each, call, side)
                    return
            except (StaleError, REFUSED) as error:
                last = error.__cause__ or error if isinstance(error, StaleError) else error
                if isinstance(last, REFUSED):
                    await self._returned(last, patience)
                elif not isinstance(error, CrowdedError):
                    if number + 1 == RETRIES:
                        break
                    continue
                await asyncio.sleep(PAUSE_S * 2**number)
        raise SilenceError("lost", await self._why(last) if last is not None else "")

    async def _returned(self, error: BaseException, patience: Patience) -> None:
        """Waits until a server that was there takes connections again; SilenceError where it does not."""
        if not self._place.reached:
            raise error
        patience.grant(self._place.back_s)
        if why := await self._place.back():
            self._reaches = self._place.reached = False
            raise SilenceError("lost", f"the server is gone: {await self._ended() or why}") from error

    def _until_back(self, side: Http, found: Frame, number: int) -> float | None:
        """What is waited before a request is sent again that met HTTP 503: who drains or starts serves nobody.

        None where it was answered, by whatever: 503 with an object is an answer, and so is one that comes each time.
        """
        draining = side.status == httpx2.codes.SERVICE_UNAVAILABLE and not isinstance(found.payload, dict)
        if draining and number + 1 < IN_A_CROWD and not self._place.in_vain:
            asked_s = after_s(side)
            return min(asked_s, DRAINS_S) if asked_s is not None else PAUSE_S * 2**number
        self._place.in_vain = draining
        return None

    @contextlib.asynccontextmanager
    async def _sent(
        self, payload: Json, http: Http, patience: Patience | None = None, call: int | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """A request's response. The request counts as sent when its last bytes leave: before, no server can act."""

        async def trace(name: str, _: Mapping[str, object]) -> None:
            if patience is not None and name.endswith("send_request_body.started"):
                await volley.ready()
                patience.left()
                if call is not None:
                    # nothing else gets its turn from here until the bytes are written
                    volley.gone(call, last_written())

        if not self.alive:
            raise SilenceError("lost", "; ".join(filter(None, ("the connection is closed", self.fate))))
        headers = {**self._headers, **http.headers}
        async with self._client.stream(
            http.method or "POST",
            self._origin + (http.path or "/"),
            content=None if payload is None else encoded(payload),
            headers=[(name.encode("ascii", "replace"), _octets(value)) for name, value in headers.items()],
            extensions={"trace": trace},
        ) as response:
            yield response
        beyond = response.extensions[BODY].beyond
        if call is not None and beyond.strip():
            self._hear(broken(beyond, BEYOND_ITS_END), call, side_of(response))

    async def _stream(self, call: int, side: Http, response: httpx2.Response, http: Http) -> None:
        """Server-sent events to the answer; a stream that was closed before it is resumed where the revision has it."""
        linger_s = self._linger_s
        stream = Stream(lambda heard: self._heard(heard, call, side), self._max, linger_s or AFTER_S)
        lost: Exception | None = None
        # what a handshake is answered with by another response is of the session that the first one gave
        given = {name: side.headers[name] for name in (SESSION,) if name in side.headers}
        http = structs.replace(http, headers={**http.headers, **given})
        try:
            await stream.read(response)
        except LOST as error:
            lost = error
        tries = 0
        while not stream.answered and tries < RESUMED:
            again = resumed(http, stream.last_id)
            if again is None:
                break
            await asyncio.sleep(stream.pause_s)
            events = stream.events
            try:
                async with self._sent(None, again) as more:
                    resumed_side = side_of(more, "GET")
                    if not streams(resumed_side):
                        # the request was let in, and is not refused by this; but its session may be over
                        gone = more.status_code == httpx2.codes.NOT_FOUND
                        why = f"{stream.lacking}, and GET did not resume it: HTTP {more.status_code}"
                        self._hear(broken(b"", why), call, resumed_side if gone else side)
                        return
                    side = structs.replace(resumed_side, headers={**given, **resumed_side.headers})
                    await stream.read(more)
                    lost = None
            except (StaleError, *LOST) as error:
                lost = error
            tries = 0 if stream.events > events else tries + 1
        if lost is not None and not stream.answered:
            raise lost
        if not stream.answered:
            self._hear(broken(b"", stream.lacking), call, side)
        elif stream.left_open and linger_s is not None:
            self._hear(broken(b"", LEFT_OPEN), call, side)

    def _heard(self, heard: Frame, call: int, side: Http) -> bool:
        self._hear(heard, call, side)
        return isinstance(heard.payload, dict) and "method" not in heard.payload

    async def tell(self, aside: int, payload: Json, http: Http) -> None:
        """Sends what makes no call; the beginning of what is answered to it is heard."""
        for number in range(IN_A_CROWD):
            try:
                async with asyncio.timeout(TELL_S), self._sent(payload, http) as response:
                    self._hear(await beginning(response), None, side_of(response), aside)
                    return
            except CrowdedError:
                await asyncio.sleep(PAUSE_S * 2**number)
            except StaleError:
                if number + 1 == RETRIES:
                    break
            except TimeoutError:
                self._hear(broken(b"", f"{NO_RESPONSE} within {TELL_S:g} s"), None, None, aside)
                raise SilenceError("time", f"it was not accepted within {TELL_S:g} s") from None
            except LOST as error:
                self._hear(broken(b"", f"{NO_RESPONSE} before the connection was closed"), None, None, aside)
                raise SilenceError("lost", await self._why(error)) from error
        raise SilenceError("lost", "the server closes each connection")

    def linger(self, seconds: float | None) -> None:
        """Of the streams of the calls that are made from here on."""
        self._linger_s = seconds

    async def listen(self, aside: int, http: Http) -> None:
        """Opens the stream on which a server speaks unasked, and hears it until the wire is closed."""
        task = asyncio.create_task(self._listen(aside, http))
        self._listening.add(task)
        task.add_done_callback(self._listening.discard)

    async def _listen(self, aside: int, http: Http) -> None:
        def heard(found: Frame) -> bool:
            self._hear(found, None, None, aside)
            return False

        stream = Stream(heard, self._max)
        tries, asked = 0, http
        for _ in range(LISTENED):
            events = stream.events
            # that it is lost, or says too much, ends the listening; what the server owes us does not come by it
            with contextlib.suppress(StaleError, *LOST):
                async with self._sent(None, asked) as response:
                    side = side_of(response)
                    if response.status_code != httpx2.codes.OK or not streams(side):
                        self._hear(await beginning(response), None, side, aside)
                        return
                    self._hear(Frame(), None, side, aside)
                    try:
                        await stream.read(response)
                    except SilenceError as error:
                        self._heard_too_much(error)
                        return
            tries = 0 if stream.events > events else tries + 1
            if tries == RESUMED:
                return
            asked = resumed(http, stream.last_id) or http
            await asyncio.sleep(stream.pause_s)

    async def kill(self) -> None:
        """The process behind it is the target's to kill; what it had answered is heard."""
        self._reaches, self._killed = False, True
        if self._place.process is not None:
            await self._place.process.kill()
        if self._calls:
            _, late = await asyncio.wait(self._calls.values(), timeout=LAST_S)
            for task in late:
                task.cancel()

    async def close(self, grace_s: float = LINGER_S) -> Ending:  # noqa: ARG002 -- nothing was started for it
        """Closes the pool."""
        self._reaches = False
        tasks = {*self._calls.values(), *self._unheard.values(), *self._listening}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.aclose()
        return Ending(why=KILLED if self._killed else "")


def _octets(value: str) -> bytes:
    """A header's value as it goes out: Latin-1, as it came in; UTF-8 where somebody gave more."""
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return value.encode()

"""How a connection begins: the question which era a server speaks, and the handshake of the older one."""

import asyncio
import contextlib
from typing import Any

from conformance.drive import revisions as rev
from conformance.drive.caller import CLIENT, Caller, How
from conformance.drive.connection import Connection
from conformance.drive.errors import ProbeLostError, RefusedError, SilenceError, TakenError
from conformance.drive.refusals import incompatible, no_answer, refusal
from conformance.drive.volley import alone
from conformance.drive.wire.base import Wire
from conformance.drive.wire.pace import Session
from conformance.model.ending import reason
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.revision import DAY, taken, versions_told, without_handshake

PROBE_S = 10.0
"""After so long without an answer the handshake is tried beside the question: an older server need not answer that."""


async def greet(connection: Connection, wire: Wire, protocol: str, caller: Caller) -> None:
    """Opens a connection over a wire and settles on a revision; `protocol` is one of MCP's revisions, or `auto`.

    RefusedError: the server answered and does not let it. StartError: there is no server of MCP, or none that
    starts in time. ProbeLostError: it ended at a question that an older server need not know.
    """
    asked = None if wire.binding == "http" else rev.NEWEST if protocol == "auto" else protocol
    await connection.attach(wire, asked)
    if asked is not None:
        connection.token = caller.token if wire.transport == "http" else None
        with alone():
            await Greeting(connection, caller).agree(asked, pinned=protocol != "auto")


class Greeting:
    """One attempt to settle on a revision, within the time that a server has to start."""

    def __init__(self, connection: Connection, caller: Caller) -> None:
        self._connection = connection
        self._caller = caller
        self._until = asyncio.get_running_loop().time() + connection.start_s
        self._tried: set[str] = set()
        self._pinned = False

    async def agree(self, asked: str, *, pinned: bool) -> None:
        """Settles on `asked`, or where that is not pinned on the newest revision that both know.

        A server that has one session for all is spoken to in the one that another connection began.
        """
        try:
            await self._agree(asked, pinned=pinned)
        except TakenError:
            other = next(iter(self._connection.wire.pace.sessions.values()), None)
            if other is None:
                raise
            self._connection.join(other)

    async def _agree(self, asked: str, *, pinned: bool) -> None:
        self._pinned = pinned
        if asked not in rev.STATELESS:
            await self.handshake(asked)
        elif pinned:
            await self._answered(await self._discover(asked), asked, pinned=True)
        else:
            probe = asyncio.create_task(self._discover(asked))
            hello = await self._beside(probe)
            if hello is not None:
                await self._shaken(hello, rev.HANDSHAKE[0])
            else:
                await self._answered(await probe, asked, pinned=False)

    async def handshake(self, asked: str) -> None:
        """Makes the handshake of the older era."""
        await self._shaken(await self._initialize(asked), asked)

    async def _beside(self, probe: "asyncio.Task[Exchange]") -> Exchange | None:
        """The answer to a handshake, where the question brought none in time; None where the question decides."""
        loop = asyncio.get_running_loop()
        with _cancelled_with(probe):
            await asyncio.wait([probe], timeout=min(PROBE_S, (self._until - loop.time()) / 2))
            if probe.done():
                return None
            hello = asyncio.create_task(self._initialize(rev.HANDSHAKE[0]))
            with _cancelled_with(hello):
                await asyncio.wait([probe, hello], return_when=asyncio.FIRST_COMPLETED)
                if not hello.done() or hello.result().result is None:
                    # a newer server that starts slowly refuses the handshake, and answers the question as well
                    await asyncio.wait([probe])
                if probe.done() and _newer(probe.result()):
                    hello.cancel()
                    return None
                probe.cancel()
                return await hello

    async def _discover(self, asked: str) -> Exchange:
        answer = await self._connection.request(
            "server/discover", {}, self._caller, How(limit_s=self._left(), revision=asked)
        )
        return self._noted(answer, asked)

    async def _initialize(self, asked: str) -> Exchange:
        params: dict[str, Json] = {"protocolVersion": asked, "capabilities": {}, "clientInfo": CLIENT}
        answer = await self._connection.request("initialize", params, self._caller, How(limit_s=self._left()))
        return self._noted(answer, asked)

    def _noted(self, answer: Exchange, asked: str) -> Exchange:
        if answer.received is not None:
            self._tried.add(asked)
        return answer

    def _left(self) -> float:
        return max(self._until - asyncio.get_running_loop().time(), 1.0)

    async def _answered(self, answer: Exchange, asked: str, *, pinned: bool) -> None:
        """Goes on from the answer to server/discover."""
        connection, result = self._connection, answer.result or {}
        supported = named(result.get("supportedVersions")) or offered(answer)
        if asked in supported and answer.result is not None:
            meta = result.get("_meta")
            server = meta.get(rev.SERVER_KEY) if isinstance(meta, dict) else None
            connection.agree(asked, server, result.get("capabilities"))
        elif answer.received is None and (pinned or answer.unanswered == "time"):
            raise no_answer(connection, answer)
        elif answer.unanswered == "lost" and connection.wire.transport == "stdio":
            raise ProbeLostError
        elif pinned:
            if (why := refusal(answer)) is not None:
                raise why
            raise RefusedError(f"server/discover does not offer {asked}")
        else:
            await self._chosen(supported, rev.HANDSHAKE[0])

    async def _chosen(self, supported: list[str], otherwise: str) -> None:
        """Goes on with the newest revision that a server names, else with another."""
        known = [revision for revision in (*rev.STATELESS, *rev.HANDSHAKE) if revision in supported]
        if supported and not known:
            raise incompatible(supported)
        asked = next((revision for revision in known if revision not in self._tried), None if known else otherwise)
        if asked is None:
            raise RefusedError(f"the server names {', '.join(known)} as supported, and refuses it")
        if asked in rev.STATELESS:
            await self._answered(await self._discover(asked), asked, pinned=True)
        else:
            await self.handshake(asked)

    async def _shaken(self, answer: Exchange, asked: str) -> None:
        """Goes on from the answer to initialize."""
        connection, result = self._connection, answer.result or {}
        given = result.get("protocolVersion")
        if given in rev.HANDSHAKE:
            await self._began(answer, str(given))
        elif answer.result is not None:
            if isinstance(given, str) and DAY.fullmatch(given) and given > rev.NEWEST:
                raise incompatible([given])
            raise RefusedError(f"initialize gave the revision {given!r}")
        elif answer.received is None:
            raise no_answer(connection, answer)
        elif self._pinned and (names := await self._newer_names(answer)):
            todo = "let protocol be one of them, or auto"
            raise RefusedError(f"initialize with {asked} was refused; the server names {', '.join(names)}: {todo}")
        elif supported := offered(answer):
            await self._chosen(supported, asked)
        elif (why := refusal(answer)) is not None:
            raise why
        elif (older := self._older(answer, asked)) is not None:
            await self.handshake(older)
        else:
            said = reason(answer)
            error = TakenError if taken(answer.error or {}) else RefusedError
            raise error(f'initialize was refused ("{said}")' if said else "initialize was refused")

    def _older(self, refused: Exchange, asked: str) -> str | None:
        """The next revision to ask for, where a handshake was refused for its version and none is offered as data."""
        told = versions_told(refused.error or {})
        if told is None or self._pinned:
            return None
        left = [revision for revision in rev.HANDSHAKE if revision < asked and revision not in self._tried]
        return next((revision for revision in left if revision in told), next(iter(left), None))

    async def _newer_names(self, refused: Exchange) -> list[str]:
        """What a server that has no handshake says it speaks; none where it is another, or says nothing."""
        if refusal(refused) is not None:
            return []
        names = offered(refused)
        if not names:
            how = How(limit_s=min(PROBE_S, self._left()), revision=rev.NEWEST)
            answer = await self._connection.request("server/discover", {}, self._caller, how)
            names = named((answer.result or {}).get("supportedVersions"))
        return names if without_handshake(names) and rev.NEWEST in names else []

    async def _began(self, answer: Exchange, revision: str) -> None:
        connection = self._connection

        async def again(caller: Caller) -> None:
            await Greeting(connection, caller).handshake(revision)

        session = answer.answered.headers.get("mcp-session-id") if answer.answered is not None else None
        try:
            await connection.began(revision, session, again)
        except SilenceError as error:
            raise RefusedError("the server went away after initialize") from error
        result = answer.result or {}
        server, capabilities = result.get("serverInfo"), result.get("capabilities")
        connection.agree(revision, server, capabilities)
        connection.wire.pace.sessions[connection.name] = Session(revision, session, server, capabilities)
        await connection.beside.listen()


def named(versions: Json) -> list[str]:
    """A list of versions, empty where it is none."""
    return [version for version in versions if isinstance(version, str)] if isinstance(versions, list) else []


def offered(answer: Exchange) -> list[str]:
    """The versions that a refusal names as supported: its own words for that the one asked for is not."""
    data = (answer.error or {}).get("data")
    return named(data.get("supported")) if isinstance(data, dict) else []


def _newer(answer: Exchange) -> bool:
    """Whether an answer to the question is a newer server's, or that of a connection which is lost."""
    versions = [*named((answer.result or {}).get("supportedVersions")), *offered(answer)]
    return answer.unanswered == "lost" or any(version in rev.STATELESS for version in versions)


@contextlib.contextmanager
def _cancelled_with(task: "asyncio.Task[Any]") -> Any:
    """Where who waits for it is cancelled, the task is too."""
    try:
        yield
    except BaseException:
        task.cancel()
        raise

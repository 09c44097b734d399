"""The server under test, and how each of its endpoints is reached."""

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from conformance.drive.connection import Connection
from conformance.drive.errors import StartError, UsageError
from conformance.drive.hearing import Most
from conformance.drive.listening import accepting, announced
from conformance.drive.place import Place
from conformance.drive.process import PULL_S, Process
from conformance.drive.recorder import Recorder
from conformance.drive.secrets import resolved
from conformance.drive.start import PORT, Starts
from conformance.drive.statement import Endpoint, Statement
from conformance.drive.wire.base import Hear, Wire
from conformance.drive.wire.between import Between, BetweenWire
from conformance.drive.workspace import Workspace
from conformance.model.events import Json

LISTENING = "{listening}"
GROUP = "conformance.targets"
STORE = "store"
"""The file in which a target in this process is kept."""


@cache
def _points() -> dict[str, EntryPoint]:
    """The targets that are installed. To find them reads what is known of every package: 4 ms."""
    return {point.name: point for point in entry_points(group=GROUP)}


def entry(name: str) -> Any:
    """The module behind a target's entry point; UsageError where none has this name."""
    found = _points()
    if name not in found:
        known = ", ".join(sorted(found)) or "none is installed"
        raise UsageError(f"no target is named {name!r}", "--target", f"targets of this installation: {known}")
    return found[name].load()


class Named(NamedTuple):
    """An installed target, as it is named: ENTRY:CONTRACT@EDITION+DEVIATION+..."""

    entry: str
    contract: str
    edition: str | None
    deviations: tuple[str, ...]

    @classmethod
    def of(cls, target: str) -> "Named":
        """The parts of a target's name; those that it leaves out are empty."""
        name, _, served = target.partition(":")
        served, *deviations = served.split("+")
        contract, _, edition = served.partition("@")
        return cls(name, contract, edition or None, tuple(deviations))

    def opened(self, store: str | None = None) -> Any:
        """The target in this process, kept in a file if one is given. LookupError, ValueError: it serves no such."""
        of_edition = {"edition": self.edition} if self.edition is not None else {}
        on_disk = {"store": store} if store is not None else {}
        return entry(self.entry).open(self.contract, deviations=self.deviations, **of_edition, **on_disk)


class _Server(NamedTuple):
    """A server behind HTTP that was started."""

    process: Process
    address: str
    """What it says it listens on."""
    port: int | None
    """What it was told to listen on."""
    number: int
    """Which of the processes that are started there, one after the other, counted from 1."""

    def at(self, url: str) -> str:
        """A URL of the statement with what only the server knows."""
        return url.replace(LISTENING, self.address).replace(PORT, str(self.port))


class Target:
    """Opens wires to a target's endpoints, and starts what has to be started for them."""

    def __init__(
        self, statement: Statement, recorder: Recorder, base: Path, files: Workspace, between: Between | None = None
    ) -> None:
        self._between = between
        self._base = base
        self._statement = statement
        self._recorder = recorder
        self._starts = Starts(statement.conditions.start, statement.store, recorder.masking, files)
        self._servers: dict[str, asyncio.Task[_Server]] = {}
        self._in_process: dict[tuple[str, str], Any] = {}
        self._places: dict[str, Place] = {}
        self._count = 0

    def skew_s(self) -> int:
        """How far the clock of the target is ahead of this machine's, in seconds, as far as that is known."""
        return next((place.skew_s for place in self._places.values() if place.skew_s), 0)

    def starts(self, endpoint: int) -> bool:
        """Whether each connection to this endpoint is a process of its own."""
        return self._statement.endpoint[endpoint].transport == "stdio"

    def isolates(self, endpoint: int) -> bool:
        """Whether the suite can start a server of its own for an instance: a process, at an address of its own."""
        about = self._statement.endpoint[endpoint]
        own_address = LISTENING in (about.url or "") or PORT in (about.url or "")
        return self.starts(endpoint) or (own_address and self._starter(about).command is not None)

    def keeps(self, endpoint: int) -> bool:
        """Whether the suite can kill a server of its own there, and start it again."""
        return self._statement.endpoint[endpoint].transport == "in-process" or self.isolates(endpoint)

    async def connection(
        self, endpoint: int, instance: str, settings: Mapping[str, Json], *, own: str = "", kept: bool = False
    ) -> Connection:
        """A connection that is not open yet.

        `own`: the name of a server that is started for it alone; `kept`: its store outlives it.
        """
        self._count += 1
        # taken before others, which go on while a server starts, take the next one
        name = f"c{self._count}"
        about = self._statement.endpoint[endpoint]
        url, process = None, 1
        if about.transport == "http":
            url, process = await self._address(about, own, settings, kept=kept)
        limits = self._statement.limits
        connection = Connection(
            name,
            instance,
            self._recorder,
            limit_s=limits.call_timeout_s,
            start_s=limits.start_timeout_s,
            url=url,
            endpoint=endpoint,
            most=Most(limits.max_unasked_frames, limits.max_unasked_bytes),
        )
        connection.process = process
        make = self._maker(about, settings, url, own if kept else "")
        if self._between is None:
            connection.wire = make(connection.hear)
        else:
            connection.wire = BetweenWire(self._between, connection.hear, instance).over(make)
        return connection

    def _maker(
        self, about: Endpoint, settings: Mapping[str, Json], url: str | None, kept: str
    ) -> Callable[[Hear], Wire]:
        """What makes a wire to an endpoint, given an ear."""
        if about.transport == "stdio":
            from conformance.drive.wire.stdio import StdioWire  # noqa: PLC0415 -- only what is used is imported

            start = self._starts.of(about, settings, kept)
            return lambda hear: StdioWire(start, hear, self._statement.limits.max_answer_bytes)
        return lambda hear: self._wire(about, hear, url, kept)

    async def let_go(self, own: str) -> str:
        """Ends an instance's own server, whose wires are closed; the next connection starts it anew. Says by what."""
        for key in [key for key in self._servers if json.loads(key)[1] == own]:
            # who waits may be cancelled, and then it is ended with the others
            await _end(self._servers[key], PULL_S)
            del self._servers[key]
        inside = [key for key in self._in_process if key[1] == own]
        for each in inside:
            del self._in_process[each]
        return "let go of, in process" if inside else "SIGKILL"

    def _wire(self, about: Endpoint, hear: Hear, url: str | None, kept: str) -> Wire:
        limit = self._statement.limits.max_answer_bytes
        if about.transport == "in-process":
            from conformance.drive.wire.memory import MemoryWire  # noqa: PLC0415 -- only what is used is imported

            return MemoryWire(self._server(about.target or "", kept), hear)
        from conformance.drive.wire.http import HttpWire  # noqa: PLC0415 -- as above

        headers = {name: resolved(value, self._base) for name, value in about.headers.items()}
        place = self._place(url or "")
        return HttpWire(url or "", about.binding, headers, hear, max_bytes=limit, place=place)

    def _server(self, target: str, kept: str) -> Any:
        """The in-process server of an entry point: one for all connections, so that they share its instances.

        `kept`: the name of one of its own, whose store outlives it.
        """
        if (target, kept) not in self._in_process:
            named = Named.of(target)
            store = str(Path(self._starts.folder(kept)) / STORE) if kept else None
            try:
                self._in_process[target, kept] = named.opened(store)
            except (LookupError, ValueError) as error:
                raise UsageError(f"{named.entry} cannot serve {target}", "--target", str(error)) from error
        return self._in_process[target, kept]

    def _starter(self, about: Endpoint) -> Endpoint:
        """The endpoint whose command starts the server: its own, else the first of the transport that has one."""
        if about.command is None and (LISTENING in (about.url or "") or PORT in (about.url or "")):
            started = (e for e in self._statement.endpoint if e.command is not None and e.transport == about.transport)
            return next(started, about)
        return about

    async def _address(self, about: Endpoint, own: str, settings: Mapping[str, Json], *, kept: bool) -> tuple[str, int]:
        """The URL of an HTTP endpoint, and the number of the process that serves it.

        One server is started for all endpoints that name its command, by its name, and another one where it has ended.
        """
        url, starter = about.url or "", self._starter(about)
        if starter.command is None:
            return url, 1
        key = json.dumps([starter.command, own])

        async def start(former: _Server | None = None) -> _Server:
            if former is not None:
                await former.process.end(PULL_S, by_signal=True)
            return await self._start(starter, settings, own if kept else "", former.number + 1 if former else 1)

        if key not in self._servers:
            self._servers[key] = asyncio.create_task(start())
        task = self._servers[key]
        server = await asyncio.shield(task)
        if server.process.status is not None and await self._place(server.at(url)).accepts():
            if self._servers[key] is task:
                self._servers[key] = asyncio.create_task(start(server))
            server = await asyncio.shield(self._servers[key])
        self._place(server.at(url), server.process)
        return server.at(url), server.number

    def _place(self, url: str, process: Process | None = None) -> Place:
        """Where a URL leads: one place for all connections to it."""
        try:
            key = urlsplit(url).netloc
            if key not in self._places:
                self._places[key] = Place(url, self._statement.limits.start_timeout_s)
        except ValueError as error:
            raise UsageError(f"{url} is no URL", why=str(error), todo="write it as http://HOST:PORT/PATH") from error
        if process is not None:
            self._places[key].begins(process)
        return self._places[key]

    async def _start(self, about: Endpoint, settings: Mapping[str, Json], kept: str, number: int) -> _Server:
        start, wait_s = self._starts.of(about, settings, kept), self._statement.limits.start_timeout_s
        url = (about.url or "").replace(PORT, str(start.port))
        fixed = LISTENING not in url
        if fixed and not await self._place(url).accepts():
            raise StartError(
                f"something listens at {url} already",
                why="the command that is to start the server there would fail, and another server be judged",
                todo="end what listens there, or leave out the command",
            )
        process = await Process.start(start.command, start.env, start.cwd, start.masking)
        address = ""
        try:
            if fixed:
                await accepting(process, url, wait_s)
            else:
                address = await announced(process, wait_s)
        except BaseException:
            await process.end(PULL_S, by_signal=True)
            raise
        return _Server(process, address, start.port, number)

    async def close(self, grace_s: float = PULL_S) -> None:
        """Ends the servers that were started. One behind HTTP does not look at its stdin: it is asked by a signal."""
        for task in list(self._servers.values()):
            await _end(task, grace_s)
        self._starts.close()


async def _end(started: asyncio.Task[_Server], grace_s: float) -> None:
    """Ends a server, also one that is starting still, or did not start."""
    if started.done() and not started.cancelled() and started.exception() is None:
        await started.result().process.end(grace_s, by_signal=True)
    else:
        started.cancel()
        await asyncio.wait([started])

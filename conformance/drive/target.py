"""The server under test, and how each of its endpoints is reached."""

import asyncio
import json
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from conformance.drive.connection import Connection
from conformance.drive.errors import UsageError
from conformance.drive.process import Process, argv
from conformance.drive.recorder import Recorder
from conformance.drive.secrets import resolved
from conformance.drive.statement import Endpoint, Statement
from conformance.drive.wire.base import Wire
from conformance.model.events import Json

LISTENING = "{listening}"
GROUP = "conformance.targets"


def entry(name: str) -> Any:
    """The module behind a target's entry point; UsageError where none has this name."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        known = ", ".join(sorted(found)) or "none is installed"
        raise UsageError(f"no target is named {name!r}", "--target", f"targets of this installation: {known}")
    return found[name].load()


class Target:
    """Opens wires to a target's endpoints, and starts what has to be started for them."""

    def __init__(self, statement: Statement, recorder: Recorder, base: Path) -> None:
        self._base = base
        self._statement = statement
        self._recorder = recorder
        self._servers: dict[str, asyncio.Task[tuple[Process, str]]] = {}
        self._in_process: dict[str, Any] = {}
        self._count = 0

    def starts(self, endpoint: int) -> bool:
        """Whether a connection to this endpoint starts a process of its own."""
        return self._statement.endpoint[endpoint].transport == "stdio"

    async def connection(self, endpoint: int, instance: str, settings: Mapping[str, Json]) -> Connection:
        """A connection that is not open yet."""
        self._count += 1
        about = self._statement.endpoint[endpoint]
        url = await self._address(about) if about.transport == "http" else None
        limits = self._statement.limits
        connection = Connection(f"c{self._count}", instance, self._recorder, limits.call_timeout_s, url)
        connection.wire = self._wire(about, connection, settings, url)
        return connection

    def _wire(self, about: Endpoint, connection: Connection, settings: Mapping[str, Json], url: str | None) -> Wire:
        limit = self._statement.limits.max_answer_bytes
        if about.transport == "in-process":
            from conformance.drive.wire.memory import MemoryWire  # noqa: PLC0415 -- only what is used is imported

            return MemoryWire(self._server(about.target or ""), connection.hear)
        if about.transport == "stdio":
            from conformance.drive.wire.stdio import StdioWire  # noqa: PLC0415 -- as above

            args, env = self._started_with(settings)
            command = (
                about.command if isinstance(about.command, str) and not args else [*argv(about.command or ""), *args]
            )
            return StdioWire(command or "", {**about.env, **env}, connection.hear, limit)
        from conformance.drive.wire.http import HttpWire  # noqa: PLC0415 -- as above

        headers = {name: resolved(value, self._base) for name, value in about.headers.items()}
        for name, value in headers.items():
            if value != about.headers[name]:
                self._recorder.secret(value, f"header {name}")
        return HttpWire(url or "", about.binding, headers, connection.hear, limit)

    def _started_with(self, settings: Mapping[str, Json]) -> tuple[list[str], dict[str, str]]:
        args: list[str] = []
        env: dict[str, str] = {}
        for name, value in settings.items():
            start = self._statement.conditions.start.get(name)
            if start is not None:
                shown = value if isinstance(value, str) else json.dumps(value)
                args += [word.replace("{value}", shown) for word in start.args]
                env |= {key: text.replace("{value}", shown) for key, text in start.env.items()}
        return args, env

    def _server(self, target: str) -> Any:
        """The in-process server of an entry point: one for all connections, so that they share its instances."""
        if target not in self._in_process:
            name, _, contract = target.partition(":")
            contract, *deviations = contract.split("+")
            try:
                self._in_process[target] = entry(name).open(contract, deviations=deviations)
            except (LookupError, ValueError) as error:
                raise UsageError(f"{name} cannot serve {target}", "--target", str(error)) from error
        return self._in_process[target]

    async def _address(self, about: Endpoint) -> str:
        """The URL of an HTTP endpoint; one server is started for all endpoints that name its command."""
        url = about.url or ""
        if LISTENING in url and about.command is None:
            started = (e for e in self._statement.endpoint if e.command is not None and e.transport == about.transport)
            about = next(started, about)
        if about.command is None:
            return url
        key = json.dumps(about.command)
        if key not in self._servers:
            self._servers[key] = asyncio.create_task(self._start(about))
        _, address = await asyncio.shield(self._servers[key])
        return url.replace(LISTENING, address)

    async def _start(self, about: Endpoint) -> tuple[Process, str]:
        process = await Process.start(about.command or "", about.env)
        if process.process.stdout is not None:
            process.drain(process.process.stdout)
        ended = asyncio.create_task(process.process.wait())
        wait_s = self._statement.limits.start_timeout_s
        both: list[asyncio.Future[Any]] = [process.address, ended]
        await asyncio.wait(both, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if process.address.done():
            ended.cancel()
            return process, process.address.result()
        said = f"it ended with status {ended.result()}" if ended.done() else f"it said no address within {wait_s:g} s"
        ended.cancel()
        await process.end()
        raise UsageError(
            "the server did not start to listen",
            " ".join(process.words),
            said,
            f"it last wrote: {process.tail.decode('utf-8', 'replace').strip()[-500:] or 'nothing'}",
        )

    async def close(self) -> None:
        """Ends the servers that were started."""
        for task in self._servers.values():
            if task.done() and task.exception() is None:
                await task.result()[0].end()
            else:
                task.cancel()

"""One run's hold on its target: connections, instances, credentials, and what the target can bring about."""

import asyncio
import contextlib
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from typing import Any

from conformance.contract.catalogue import Contract
from conformance.drive.caller import Caller
from conformance.drive.commands import Commands
from conformance.drive.connection import Connection
from conformance.drive.errors import ProbeLostError, RefusedError, SkipError, StartError, StuckError, UsageError
from conformance.drive.gate import Gate
from conformance.drive.greeting import greet
from conformance.drive.instances import Instances
from conformance.drive.naming import name_of_run
from conformance.drive.process import PULL_S
from conformance.drive.recorder import Recorder
from conformance.drive.revisions import HANDSHAKE
from conformance.drive.servers import Servers
from conformance.drive.start import not_set_up
from conformance.drive.statement import Statement
from conformance.drive.target import Target
from conformance.drive.turns import ATTEMPTS, Turns
from conformance.drive.wallet import Wallet
from conformance.drive.wire.base import LINGER_S
from conformance.drive.wire.between import Between
from conformance.drive.workspace import Workspace
from conformance.model.events import Json, Killed

HURRIED_S = 0.5
"""What a server is given to end where the run has no more time, or one like it did not end by itself."""
RESTARTS = 8
"""How often a server that went away is started or connected to anew before it is given up."""


class Session:
    """Everything that stimuli share."""

    def __init__(  # noqa: PLR0913 -- what a run is made of, each by name
        self,
        statement: Statement,
        contract: Contract,
        recorder: Recorder,
        *,
        seed: int,
        base: Path,
        default_role: str | None,
        kept: dict[str, Any],
        between: Between | None = None,
        races: bool = True,
    ) -> None:
        self.statement = statement
        self.contract = contract
        self.recorder = recorder
        self.files = Workspace()
        self.kept = kept
        """What stimuli found out for those that come after them."""
        self.target = Target(statement, recorder, base, self.files, between)
        self.gate = Gate(statement.limits.concurrency)
        self.races = races
        """Whether calls that are to overlap do; else they follow one another."""
        self.nonce = name_of_run(seed)
        self.wallet = Wallet(
            statement, recorder, base=base, nonce=self.nonce, default_role=default_role, skew_s=self.target.skew_s
        )
        self._connections: dict[tuple[int, str], asyncio.Future[Connection]] = {}
        self._owned: list[Connection] = []
        self.instances = Instances(statement, self.target, recorder, self.nonce)
        self.servers = Servers(statement.limits.servers, self.end)
        self._restarts: dict[str, int] = defaultdict(int)
        self._processes: dict[str, int] = defaultdict(int)
        """By instance, how many processes that were a connection's own have ended by themselves."""
        self._given_up: dict[str, str] = {}
        """Why no connection to an instance is tried any more: each server is given up by itself."""
        self._spoken: dict[int, str] = {}
        """The revision that an endpoint agreed on: later connections ask for that one, so that a run is of one era."""
        self._lingering = set[int]()
        """Endpoints where a server did not end by itself when its connection ended."""
        self._commands = Commands(statement.conditions.command, recorder, statement.limits.start_timeout_s)
        self._turns: dict[int, Turns] = defaultdict(Turns)
        self._reached: dict[int, bool] = defaultdict(bool)
        """Whether an endpoint let a connection begin: from then on one that does not was not named wrongly."""
        self.until = math.inf
        """When the run has to be over, by the event loop's clock: what closing may take is part of it."""

    @property
    def gave_up(self) -> str:
        """Why the target as it was found can no longer be driven; empty while it can."""
        return self._given_up.get("main", "")

    def can(self, condition: str) -> bool:
        """Whether the target can bring about a condition or a setting by any means."""
        return self.toggles(condition) or condition in self.statement.conditions.start

    def toggles(self, condition: str) -> bool:
        """Whether it can while a server goes on: named in the request, or by a command."""
        return self._by_request(condition) or condition in self.statement.conditions.command

    def _by_request(self, condition: str) -> bool:
        """Whether a request itself brings it about."""
        honours = self.statement.conditions.honours
        return self.instances.addressed and (honours is None or condition in honours)

    def provides(self, endpoint: int, settings: Iterable[str]) -> bool:
        """Whether a fresh instance with these settings can be had at an endpoint."""
        return self.instances.isolated(endpoint) and all(map(self.can, settings))

    def alone(self, conditions: tuple[str, ...]) -> bool:
        """Whether bringing these about touches the whole server, so that nothing else may run meanwhile."""
        by_meta = self.statement.conditions.means == "meta"
        return not by_meta and any(name in self.statement.conditions.command for name in conditions)

    def carried(self, conditions: Mapping[str, Json]) -> dict[str, Json]:
        """Those conditions that a request itself brings about."""
        if not self.instances.addressed:
            return {}
        return {name: value for name, value in conditions.items() if name == "settings" or self._by_request(name)}

    # Connections

    async def connection(self, endpoint: int, instance: str, stimulus: str) -> Connection:
        """The shared connection to an instance, opened at first use, and anew where the server went away."""
        key = (endpoint, "main" if self.instances.named(instance) else instance)
        while True:
            held = self._connections.get(key) or await self._shared(key, stimulus)
            found = await asyncio.shield(held)
            if found.wire.alive:
                return found
            if self._connections.get(key) is held:
                del self._connections[key]
                await self._renew(found)

    async def _shared(self, key: tuple[int, str], stimulus: str) -> asyncio.Future[Connection]:
        # nobody waits for a connection that waits for whoever has the target for itself
        async with self.gate.start(stimulus):
            if key in self._connections:
                return self._connections[key]
            held = self._connections[key] = asyncio.get_running_loop().create_future()
            try:
                held.set_result(await self.connect(*key, stimulus))
            except (UsageError, StuckError, SkipError) as error:
                held.set_exception(error)
                del self._connections[key]
            return held

    async def _renew(self, gone: Connection) -> None:
        # what is opened meanwhile is of the next process
        self._processes[gone.instance] += self.target.starts(gone.endpoint)
        self._restarts[gone.instance] += 1
        await self.release(gone)
        if (often := self._restarts[gone.instance]) > RESTARTS:
            said = gone.hear.excess
            why = f"{said}, {often} times: it was given up" if said else f"the server went away {often} times"
            self._given_up[gone.instance] = why
            raise StuckError(why)

    async def connect(self, endpoint: int, instance: str, stimulus: str, *, own: bool = False) -> Connection:
        """A connection of one's own; StuckError where the server does not let it begin.

        A server that was to be started with settings of its own, and does not start, is a SkipError: the target cannot
        be set up so.
        """
        settings = self.instances.settings(instance)
        protocol = self._spoken.get(endpoint, self.statement.protocol)
        caller = Caller(
            stimulus,
            instance,
            token=self.wallet.default_token if self.statement.endpoint[endpoint].transport == "http" else None,
            credential=self.wallet.default,
            addressed=own and self.instances.named(instance),
        )
        try:
            async with self._starting(endpoint, instance, stimulus):
                connection = await self._begun(endpoint, instance, protocol, caller)
        except (RefusedError, UsageError) as error:
            why = f"the server lets no connection begin: {error}"
            if settings or isinstance(error, RefusedError):
                self._given_up[instance] = why
            if settings:
                raise SkipError(not_set_up(settings, error)) from error
            if instance in self.instances.lasting:
                raise StuckError(f"{self.instances.started(instance)}, {why}") from error
            if isinstance(error, UsageError) and not (isinstance(error, StartError) and self._reached[endpoint]):
                raise
            raise StuckError(why) from error
        self._reached[endpoint] = True
        if connection.revision is not None:
            self._spoken[endpoint] = connection.revision
        return connection

    @contextlib.asynccontextmanager
    async def _starting(self, endpoint: int, instance: str, stimulus: str) -> AsyncIterator[None]:
        """No server starts under a condition that a command brings about: it may go on in another way afterwards."""
        if self.target.starts(endpoint) or instance in self.instances.alone or not self._reached[endpoint]:
            await self._commands.end(stimulus)
        async with self.gate.start(stimulus):
            yield

    async def _begun(self, endpoint: int, instance: str, protocol: str, caller: Caller) -> Connection:
        """A connection on which both sides agreed. A process that ended while others were starting is started again."""
        for left in reversed(range(ATTEMPTS)):
            async with self._turns[endpoint].turn() as turn:
                connection = await self._made(endpoint, instance)
                try:
                    await greet(connection, connection.wire, protocol, caller)
                except ProbeLostError:
                    # an older server may end at the question which era it speaks: the next process is not asked
                    protocol = protocol if turn.crowded and left > 1 else HANDSHAKE[0]
                except (RefusedError, UsageError):
                    ended = connection.wire.transport == "stdio" and not connection.wire.alive
                    if not (left and ended and turn.crowded):
                        raise
                else:
                    return connection
                self._turns[endpoint].after(turn)
                await self.release(connection)
        raise RefusedError("each of its processes ended before it answered")

    async def unmet(self, endpoint: int, instance: str, stimulus: str) -> Connection:
        """A connection of one's own on which nothing was said yet."""
        self._turns[endpoint].unmet()
        async with self._starting(endpoint, instance, stimulus):
            connection = await self._made(endpoint, instance)
            try:
                await connection.attach(connection.wire)
            except StartError as error:
                raise StuckError(str(error)) from error
        return connection

    async def _made(self, endpoint: int, instance: str) -> Connection:
        if instance in self._given_up:
            raise StuckError(self._given_up[instance])
        settings = self.instances.settings(instance)
        own, kept = self.instances.alone.get(instance, ""), instance in self.instances.lasting
        try:
            connection = await self.target.connection(endpoint, instance, settings, own=own, kept=kept)
        except UsageError as error:
            if kept:
                raise StuckError(f"{self.instances.started(instance)}, the server does not start: {error}") from error
            if not settings:
                raise
            raise SkipError(not_set_up(settings, error)) from error
        connection.process += self._processes[instance]
        self._owned.append(connection)
        return connection

    # Instances

    async def instance(self, endpoint: int, settings: Mapping[str, Json], stimulus: str, holder: str) -> str:
        """A fresh instance with these settings, when there is room for its server; SkipError where there can be none.

        It ends with the stimulus that asks for it. Who has the target for itself does not wait for the others.
        """
        if not self.instances.addressed:
            await self.servers.enter(holder, at_once=self.gate.is_of(stimulus))
        name = self.instances.fresh(endpoint, settings, [each for each in settings if not self.can(each)])
        if name in self.instances.alone:
            self.servers.add(name, holder)
        return name

    async def killed(self, endpoint: int, instance: str) -> str:
        """Kills the server of an instance that is kept; gives the name of what is started on its store next."""
        # the name is taken before another stimulus, which goes on meanwhile, can take it
        server, name, t = self.instances.alone[instance], self.instances.new_name(), self.recorder.now()
        own = [connection for connection in self._owned if connection.instance == instance]
        await asyncio.gather(*(connection.wire.kill() for connection in own))
        means = await self.target.let_go(server)
        self.recorder.write(Killed(instance=instance, again=name, means=means, t=t))
        await asyncio.gather(*(self.release(connection) for connection in own))
        self.instances.own(name, server, endpoint, f"started on the store of {instance}")
        return name

    # Conditions

    async def bring_about(self, conditions: Mapping[str, Json], instance: str, stimulus: str) -> None:
        """Lets these conditions hold and no other of the stimulus's; SkipError where nothing brings one about.

        The server has to run by then: one that starts under the condition may do so in another way.
        """
        for name in conditions:
            if not self.toggles(name):
                means = "only at its start" if name in self.statement.conditions.start else "by no means"
                message = f"the target brings about the condition {name} {means}; see [conditions] in conformance.toml"
                raise SkipError(message)
        if not self.instances.addressed or self.statement.conditions.honours is not None:
            wanted = {name: value for name, value in conditions.items() if not self._by_request(name)}
            if any(name in self.statement.conditions.command for name in wanted):
                await self.gate.own(stimulus)
            await self._commands.hold(wanted, instance, stimulus)
            if not wanted:
                await self.gate.disown(stimulus)

    async def undo(self, stimulus: str) -> None:
        """Ends what a stimulus brought about by commands."""
        try:
            await self._commands.end(stimulus)
        finally:
            await self.gate.disown(stimulus)

    # End

    async def end(self, instance: str) -> None:
        """Ends an instance's own connections, and the process that was started for it."""
        for key in [key for key in self._connections if key[1] == instance]:
            del self._connections[key]
        await asyncio.gather(*(self._ended_early(each) for each in list(self._owned) if each.instance == instance))
        if instance in self.instances.alone:
            await self.target.let_go(self.instances.alone[instance])
            await self.servers.left(instance)

    async def _ended_early(self, connection: Connection) -> None:
        """Ends a connection for whose place others wait: where a server did not end, the next ones get less time."""
        await self.release(connection, hurried=connection.endpoint in self._lingering)
        known = self.recorder.history.connections.get(connection.name)
        if known is not None and known.closed is not None and known.closed.forced:
            self._lingering.add(connection.endpoint)

    async def release(self, connection: Connection, *, hurried: bool = False) -> None:
        """Ends a connection, and gives its server time to end by itself."""
        if connection in self._owned:
            await connection.close(self._grace(HURRIED_S if hurried else LINGER_S))
            if connection in self._owned:
                self._owned.remove(connection)

    def _grace(self, most_s: float) -> float:
        """What a server is given to end: less where the run has little time left."""
        left_s = self.until - asyncio.get_running_loop().time() - PULL_S
        return min(most_s, max(left_s, HURRIED_S))

    @contextlib.asynccontextmanager
    async def held(self) -> AsyncIterator["Session"]:
        """Ends every connection and every process that was started, however the run ends."""
        try:
            yield self
        finally:
            for last in (False, False, False, True):
                try:
                    await self._ended()
                    break
                except asyncio.CancelledError:
                    # interrupted while servers take their time to end: they get no more
                    self.until = 0.0
                    if last:
                        raise

    async def _ended(self) -> None:
        await asyncio.gather(self.servers.ended(), *map(self.release, list(self._owned)))
        await self.target.close(self._grace(PULL_S))
        self.files.close()

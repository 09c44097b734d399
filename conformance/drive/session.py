"""One run's hold on its target: connections, instances, credentials, and what the target can bring about."""

import asyncio
import contextlib
import random
import shlex
import string
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from conformance.contract.catalogue import Contract
from conformance.drive.connection import Caller, Connection
from conformance.drive.credentials import Minter, provided
from conformance.drive.errors import RefusedError, SkipError, StuckError, UsageError
from conformance.drive.gate import Gate
from conformance.drive.recorder import Recorder
from conformance.drive.statement import Statement
from conformance.drive.target import Target
from conformance.model.events import Condition, Credential, Instance, Json

GARBAGE = "not-a-token"
RESTARTS = 8
"""How often a server that went away is started or connected to anew before it is given up."""


@dataclass
class _Held:
    token: str | None
    credential: Credential


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
    ) -> None:
        self.statement = statement
        self.contract = contract
        self.recorder = recorder
        self.target = Target(statement, recorder, base)
        self.gate = Gate(statement.limits.concurrency)
        self.nonce = "".join(random.Random(seed).choices(string.ascii_lowercase + string.digits, k=8))  # noqa: S311 -- names, no secrets
        self._base = base
        self._default_role = default_role
        self._connections: dict[tuple[int, str], asyncio.Future[Connection]] = {}
        self._owned: list[Connection] = []
        self._instances: dict[str, Mapping[str, Json]] = {"main": {}}
        self._held: dict[str, _Held] = {}
        self._agents: dict[str, dict[str, int]] = {}
        self._restarts = 0
        self._spoken: dict[int, str] = {}
        """The revision that an endpoint agreed on: later connections ask for that one, so that a run is of one era."""
        self._undo: dict[str, list[tuple[str, Json, str, str | list[str]]]] = {}
        self.gave_up = ""
        """Why nothing more can be driven; empty while something can."""

    @property
    def addressed(self) -> bool:
        """Whether requests may name an instance."""
        return self.statement.conditions.means == "meta"

    def can(self, condition: str) -> bool:
        """Whether the target can bring about a condition or a setting."""
        conditions = self.statement.conditions
        by_meta = conditions.means == "meta" and (conditions.honours is None or condition in conditions.honours)
        return by_meta or condition in conditions.start or condition in conditions.command

    def alone(self, conditions: tuple[str, ...]) -> bool:
        """Whether bringing these about touches the whole server, so that nothing else may run meanwhile."""
        by_meta = self.statement.conditions.means == "meta"
        return not by_meta and any(name in self.statement.conditions.command for name in conditions)

    def carried(self, conditions: Mapping[str, Json]) -> dict[str, Json]:
        """Those conditions that a request itself brings about."""
        return dict(conditions) if self.statement.conditions.means == "meta" else {}

    # Connections

    async def connection(self, endpoint: int, instance: str, stimulus: str) -> Connection:
        """The shared connection to an instance, opened at first use, and anew where the server went away."""
        key = (endpoint, "main" if self.addressed else instance)
        while True:
            held = self._connections.get(key)
            if held is None:
                held = self._connections[key] = asyncio.get_running_loop().create_future()
                try:
                    held.set_result(await self.connect(endpoint, key[1], stimulus))
                except (UsageError, StuckError) as error:
                    held.set_exception(error)
                    del self._connections[key]
            found = await asyncio.shield(held)
            if found.wire.alive:
                return found
            if self._connections.get(key) is held:
                del self._connections[key]
                await self._renew(found)

    async def _renew(self, gone: Connection) -> None:
        await self._close(gone)
        self._restarts += 1
        if self._restarts > RESTARTS:
            self.gave_up = f"the server went away {self._restarts} times"
            raise StuckError(self.gave_up)

    async def connect(self, endpoint: int, instance: str, stimulus: str, *, own: bool = False) -> Connection:
        """A connection of one's own; StuckError where the server does not let it begin."""
        connection = await self._made(endpoint, instance)
        try:
            await connection.open(
                connection.wire,
                self._spoken.get(endpoint, self.statement.protocol),
                Caller(stimulus, instance, addressed=own and self.addressed and instance != "main"),
            )
        except RefusedError as error:
            self.gave_up = f"the server lets no connection begin: {error}"
            raise StuckError(self.gave_up) from error
        if connection.revision is not None:
            self._spoken[endpoint] = connection.revision
        return connection

    async def unmet(self, endpoint: int, instance: str) -> Connection:
        """A connection of one's own on which nothing was said yet."""
        connection = await self._made(endpoint, instance)
        await connection.attach(connection.wire)
        return connection

    async def _made(self, endpoint: int, instance: str) -> Connection:
        if self.gave_up:
            raise StuckError(self.gave_up)
        connection = await self.target.connection(endpoint, instance, self._instances.get(instance, {}))
        self._owned.append(connection)
        return connection

    async def instance(self, endpoint: int, settings: Mapping[str, Json]) -> str:
        """A fresh instance with these settings: named in requests, or a process of its own."""
        wanted = [name for name in settings if not self.can(name)]
        if wanted:
            message = f"the target cannot be set up with {', '.join(wanted)}"
            raise SkipError(message)
        own_process = self.target.starts(endpoint)
        if not self.addressed and not own_process:
            message = "the target cannot give an instance of its own"
            raise SkipError(message)
        # the run's own: a server that goes on may still hold what an earlier run called i1
        name = f"i{len(self._instances)}-{self.nonce}"
        self._instances[name] = settings
        self.introduce(name, endpoint, settings, "named in requests" if self.addressed else "own process")
        return name

    def endpoint_instance(self, endpoint: int) -> str:
        """The instance that an endpoint has as found: `main`, or one of its own where it serves another profile."""
        first, here = self.statement.endpoint[0], self.statement.endpoint[endpoint]
        if here.profile == first.profile:
            return "main"
        name = f"main-{here.profile}"
        if name not in self._instances:
            self._instances[name] = {}
            self.introduce(name, endpoint, {}, "as found")
        return name

    def introduce(self, name: str, endpoint: int, settings: Mapping[str, Json], means: str) -> None:
        """Writes an instance down."""
        here = self.statement.endpoint[endpoint].profile or self.statement.settings.get("profile")
        profile = settings.get("profile", here)
        self.recorder.write(Instance(id=name, profile=profile, settings=dict(settings), means=means))

    # Credentials

    @cached_property
    def _minter(self) -> Minter | None:
        return Minter(self.statement.auth, self._base) if self.statement.auth.signing_key is not None else None

    @cached_property
    def default_credential(self) -> str | None:
        """Who calls where a stimulus names nobody."""
        authenticated = self._minter is not None or self.statement.auth.tokens
        return self.credential(self._default_role, "", None, {}) if self._default_role and authenticated else None

    @property
    def default_token(self) -> str | None:
        """Its token."""
        name = self.default_credential
        return self.token(name) if name is not None else None

    def credential(self, role: str, agent: str, defect: str | None, claims: Mapping[str, Json]) -> str:
        """A credential for a role, made at first use; SkipError where the target's statement provides none.

        Different agents of a role are different callers: so many agents, so many tokens.
        """
        name = "/".join(filter(None, (role, agent, *(f"{k}={v}" for k, v in claims.items()), defect)))
        if name not in self._held:
            credential = Credential(name=name, role=role, claims=self._claims(role, agent, claims), defect=defect)
            token: str | None = None
            if defect == "garbage":
                token = GARBAGE
            elif defect != "missing":
                credential, token = self._proved(credential, agent, claims)
                self.recorder.secret(token, f"token of {name}")
            self.recorder.write(credential)
            self._held[name] = _Held(f"Bearer {token}" if token is not None else None, credential)
        return name

    def _proved(self, wanted: Credential, agent: str, claims: Mapping[str, Json]) -> tuple[Credential, str]:
        """A credential with its token: minted, or the statement's own with the claims that it names."""
        if self._minter is not None:
            return wanted, self._minter.mint(wanted)
        if wanted.defect is not None:
            message = f"no signing key to make a token with the defect {wanted.defect}"
            raise SkipError(message)
        agents = self._agents.setdefault(wanted.role, {})
        number = agents.setdefault(agent, len(agents))
        given, token = provided(self.statement.auth.tokens, wanted.role, number, claims, self._base)
        return Credential(name=wanted.name, role=wanted.role, claims=given.claims), token

    def _claims(self, role: str, agent: str, claims: Mapping[str, Json]) -> dict[str, Json]:
        agent_id = claims.get("agent_id", "-".join(filter(None, (agent or role, self.nonce))))
        return {"agent_id": agent_id, "workspace_id": f"ws-{self.nonce}", "session_id": f"session-{agent_id}", **claims}

    def token(self, name: str) -> str | None:
        """The Authorization header's value for a credential; None where it has no token."""
        return self._held[name].token

    def claims(self, name: str) -> dict[str, Json]:
        """The claims of a credential."""
        return dict(self._held[name].credential.claims)

    # Conditions

    async def bring_about(self, name: str, value: Json, instance: str, stimulus: str) -> None:
        """Runs the target's command for a condition, where that is how it comes about; SkipError where nothing does."""
        conditions = self.statement.conditions
        if conditions.means == "meta" and (conditions.honours is None or name in conditions.honours):
            return
        commands = conditions.command.get(name)
        if commands is None:
            message = f"the target cannot bring about the condition {name}"
            raise SkipError(message)
        if commands.off is not None:
            self._undo.setdefault(stimulus, []).append((name, value, instance, commands.off))
        await self._command(name, value, instance, commands.on, "on")

    async def undo(self, stimulus: str) -> None:
        """Ends what a stimulus brought about by commands."""
        for name, value, instance, command in reversed(self._undo.pop(stimulus, [])):
            await self._command(name, value, instance, command, "off")

    async def _command(self, name: str, value: Json, instance: str, command: str | list[str], state: str) -> None:
        words = shlex.split(command) if isinstance(command, str) else command
        words = [word.replace("{value}", str(value)) for word in words]
        process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.DEVNULL)
        status = await process.wait()
        self.recorder.write(
            Condition(
                name=name,
                value=value,
                instance=instance,
                state="failed" if status else state,
                means=shlex.join(words),
                detail=f"exit {status}" if status else "",
                t=self.recorder.now(),
            )
        )
        if status:
            message = f"the target's command for {name} exited with {status}"
            raise SkipError(message)

    # End

    async def _close(self, connection: Connection) -> None:
        if connection in self._owned:
            self._owned.remove(connection)
            await connection.close()

    @contextlib.asynccontextmanager
    async def held(self) -> AsyncIterator["Session"]:
        """Ends every connection and every process that was started, however the run ends."""
        try:
            yield self
        finally:
            await asyncio.gather(*(self._close(connection) for connection in list(self._owned)))
            await self.target.close()

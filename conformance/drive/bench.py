"""What a stimulus works at: it calls tools, in someone's name, under conditions, on an instance."""

import asyncio
import itertools
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from conformance.contract.catalogue import Contract
from conformance.drive.connection import Caller, Connection
from conformance.drive.errors import SkipError, StuckError
from conformance.model.events import Http, Json, Listing
from conformance.model.exchange import Exchange

if TYPE_CHECKING:
    from conformance.drive.session import Session


@dataclass(frozen=True)
class Bench:
    """One stimulus's place at the target. Made by the runner; a stimulus derives others from it."""

    session: "Session"
    stimulus: str
    endpoint: int
    instance: str
    settings: dict[str, Json] = field(default_factory=dict)
    conditions: dict[str, Json] = field(default_factory=dict)
    connection: Connection | None = None
    """Given where the stimulus wants this connection and no other."""
    counter: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    @property
    def contract(self) -> Contract:
        """The contract that the run is about."""
        return self.session.contract

    def unique(self, prefix: str) -> str:
        """A name that no other stimulus, run or endpoint uses."""
        return f"{prefix}-{self.session.nonce}-{self.stimulus.partition('.')[2]}-{next(self.counter)}"

    def can(self, condition: str) -> bool:
        """Whether the target can bring about a condition."""
        return self.session.can(condition)

    async def under(self, **conditions: Json) -> Self:
        """The same bench, where these conditions hold for every call; SkipError where the target cannot.

        What a command brings about is ended when the stimulus is over.
        """
        for name, value in conditions.items():
            await self.session.bring_about(name, value, self.instance, self.stimulus)
        return replace(self, conditions={**self.conditions, **conditions})

    async def fresh(self, **settings: Json) -> Self:
        """An instance of its own, with these settings."""
        return replace(
            self,
            instance=await self.session.instance(self.endpoint, settings),
            settings={**settings},
            conditions={},
            connection=None,
        )

    async def in_profile(self, profile: str, **settings: Json) -> Self:
        """The target in a profile: an endpoint that serves it, or a fresh instance set to it; SkipError otherwise.

        With settings it is a fresh instance in either case.
        """
        statement = self.session.statement
        if statement.profiles and profile not in statement.profiles:
            message = f"profile {profile} is not among those that this run is about"
            raise SkipError(message)
        for number, about in enumerate(statement.endpoint):
            if about.profile == profile:
                instance = self.session.endpoint_instance(number)
                here = replace(self, endpoint=number, instance=instance, settings={}, conditions={}, connection=None)
                return await here.fresh(**settings) if settings else here
        return await self.fresh(profile=profile, **settings)

    async def reconnected(self) -> Self:
        """The same instance over a new connection."""
        return replace(
            self, connection=await self.session.connect(self.endpoint, self.instance, self.stimulus, own=True)
        )

    async def lane(self) -> Self:
        """The same store over a connection of its own; this very bench where each connection is a process."""
        return self if self.session.target.starts(self.endpoint) else await self.reconnected()

    async def unmet(self) -> Self:
        """The same instance over a new connection on which nothing was said yet, no handshake either."""
        return replace(self, connection=await self.session.unmet(self.endpoint, self.instance))

    async def revision(self) -> str | None:
        """The revision of MCP that the connection agreed on."""
        return (await self._connected()).revision

    def credential(self, role: str, agent: str = "", *, defect: str | None = None, **claims: Json) -> str:
        """The name of a credential for an agent of this role; `claims` replace those that it would have."""
        return self.session.credential(role, agent, defect, claims)

    def claims(self, credential: str) -> dict[str, Json]:
        """The claims of a credential."""
        return self.session.claims(credential)

    async def call(self, tool: str, arguments: Json, *, credential: str | None = None, label: str = "") -> Exchange:
        """Calls a tool."""
        connection = await self._connected()
        async with self.session.gate.one():
            return await connection.call(tool, arguments, self.caller(credential, label))

    async def request(  # noqa: PLR0913 -- a raw request has that many sides, each by name
        self,
        method: str,
        params: dict[str, Json] | None = None,
        *,
        credential: str | None = None,
        label: str = "",
        headers: dict[str, str] | None = None,
        revision: str | None = None,
    ) -> Exchange:
        """Makes any JSON-RPC request."""
        connection = await self._connected()
        async with self.session.gate.one():
            caller = self.caller(credential, label)
            return await connection.request(method, params or {}, caller, headers=headers, revision=revision)

    async def fetch(self, method: str, path: str, body: Json = None, *, credential: str | None = None) -> Exchange:
        """Makes any HTTP request of the endpoint's server; the path is whole. Only over plain HTTP."""
        connection = await self._connected()
        caller = self.caller(credential, "")
        headers = {"content-type": "application/json"} if body is not None else {}
        if caller.token is not None:
            headers["authorization"] = caller.token
        async with self.session.gate.one():
            return await connection.send(body, Http(method=method, path=path, headers=headers), caller)

    async def tools(self) -> Listing:
        """Lists the tools."""
        connection = await self._connected()
        async with self.session.gate.one():
            return await connection.tools(self.caller(None, ""))

    async def together(self, *calls: Awaitable[Exchange]) -> list[Exchange]:
        """Makes calls at once; gives their exchanges in the order given.

        All are sent before the first is answered, as far as the limit on concurrent calls and the transport let them.
        """
        async with self.session.gate.several(len(calls)):
            return list(await asyncio.gather(*calls))

    def caller(self, credential: str | None, label: str) -> Caller:
        """What the connection needs to know of who calls."""
        session = self.session
        conditions = {**self.conditions, **({"settings": self.settings} if self.settings else {})}
        return Caller(
            stimulus=self.stimulus,
            instance=self.instance,
            token=session.token(credential) if credential is not None else session.default_token,
            credential=credential if credential is not None else session.default_credential,
            conditions=self.conditions,
            carried=session.carried(conditions),
            addressed=session.addressed and self.instance != "main",
            label=label,
        )

    async def _connected(self) -> Connection:
        if self.connection is not None:
            return self.connection
        return await self.session.connection(self.endpoint, self.instance, self.stimulus)


def taken(exchange: Exchange, key: str) -> Json:
    """What an accepted answer has under a key; StuckError where it lacks it, for then the stimulus cannot go on."""
    if exchange.accepted and key in exchange.given:
        return exchange.given[key]
    message = f"{exchange.tool or exchange.method} (call {exchange.call}) gave no {key}"
    raise StuckError(message)

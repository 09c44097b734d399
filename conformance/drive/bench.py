"""What a stimulus works at: it calls tools, in someone's name, under conditions, on an instance."""

import asyncio
import inspect
import itertools
from collections.abc import Awaitable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

from conformance.contract.catalogue import Contract
from conformance.drive.caller import Alter, Caller, How
from conformance.drive.connection import Connection
from conformance.drive.errors import SkipError, StuckError, UnsupportedError
from conformance.drive.volley import volley
from conformance.model.ending import ended
from conformance.model.events import Flight, Http, Json, Listing
from conformance.model.exchange import Exchange

if TYPE_CHECKING:
    from conformance.drive.session import Session


LONGEST_TAG, DIGEST = 20, 6
"""Characters of a tag, and of its digest: ids that are made with it are short enough for servers that take 64."""
MOST_ROUNDS = 20
"""Rounds of a race on a machine that is too busy for one: each is a few calls."""


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
    holder: str = ""
    """Whose the servers are that are started for the stimulus: its own, at the endpoint where it is run."""
    again: bool = False
    """Whether the stimulus is driven once more, as a process that served it had ended."""
    flights: list[bool] = field(default_factory=list)
    """Of each volley of the stimulus, whether its calls were seen to be under way together."""

    @property
    def contract(self) -> Contract:
        """The contract that the run is about."""
        return self.session.contract

    def unique(self, prefix: str) -> str:
        """A name that no other stimulus, run or endpoint uses."""
        return f"{prefix}-{self.session.nonce}-{self.tag}-{next(self.counter)}"

    @property
    def tag(self) -> str:
        """What the names of this stimulus have in common, and no other's have, nor its own from before."""
        name = self.stimulus.partition(".")[2]
        whole = f"{name}-again" if self.again else name
        if len(whole) <= LONGEST_TAG:
            return whole
        digest = sha256(whole.encode()).hexdigest()[:DIGEST]
        return f"{whole[: LONGEST_TAG - DIGEST - 1]}-{digest}"

    def can(self, condition: str) -> bool:
        """Whether the target can bring about a condition by any means: while it goes on, or in a fresh instance."""
        return self.session.can(condition)

    def toggles(self, condition: str) -> bool:
        """Whether it can while it goes on, which is what `under` needs."""
        return self.session.toggles(condition)

    def choice(self, name: str) -> Json:
        """What the target's statement says of something that the contract leaves open, else the contract's default."""
        choices = self.session.statement.choices
        return choices[name] if name in choices else self.contract.choices()[name].default

    def setting(self, name: str) -> Json:
        """What this instance was set to, else what the target claims of itself; None where neither says anything."""
        return self.settings.get(name, self.session.statement.settings.get(name))

    def supports(self, tool: str, *parameters: str) -> bool:
        """Whether the statement names neither the tool nor one of these parameters of it as unsupported."""
        left_out = self.session.statement.unsupported
        return tool not in left_out.tools and not any(f"{tool}.{name}" in left_out.parameters for name in parameters)

    async def over(self) -> None:
        """What is still to be looked at when the stimulus has made its calls; a contract's own bench may say."""

    async def under(self, **conditions: Json) -> Self:
        """The same bench, where these conditions hold for every call; SkipError where the target cannot.

        What a command brings about is ended at the next call of a bench without it, or when the stimulus is over.
        """
        await self.connected()
        under = replace(self, conditions={**self.conditions, **conditions})
        await self.session.bring_about(under.conditions, self.instance, self.stimulus)
        return under

    async def given(self, **conditions: Json) -> Self:
        """Where these conditions hold: brought about while the server goes on, else in an instance that began so."""
        at_start = {name: value for name, value in conditions.items() if not self.toggles(name)}
        here = await self.fresh(**{**self.settings, **at_start}) if at_start else self
        return await here.under(**{name: value for name, value in conditions.items() if name not in at_start})

    def elsewhere(self) -> list[Self]:
        """The same store at each of the target's other endpoints that lead to it."""
        stated = self.session.statement
        others = (number for number in range(len(stated.endpoint)) if number != self.endpoint)
        shared = [number for number in others if stated.shares(self.endpoint, number)]
        return [replace(self, endpoint=number, connection=None) for number in shared]

    async def fresh(self, **settings: Json) -> Self:
        """An instance of its own, with these settings."""
        return replace(
            self,
            instance=await self.session.instance(self.endpoint, settings, self.stimulus, self.holder),
            settings={**settings},
            conditions={},
            connection=None,
        )

    async def end(self) -> None:
        """Ends the server of an instance of its own of which nothing more is asked; else it ends with the stimulus."""
        await self.session.end(self.instance)

    def kept(self) -> Self:
        """A server of its own that can be killed, since its store outlives it; SkipError where there can be none."""
        instance = self.session.instances.kept(self.endpoint)
        return replace(self, instance=instance, settings={}, conditions={}, connection=None)

    async def killed(self, *calls: Coroutine[Any, Any, Exchange]) -> Self:
        """Kills the server of a kept instance, and gives the same store at a server that is started again on it.

        Calls are made at once; it is killed as soon as one of them is answered, while the others are in flight.
        """
        try:
            await self._ready()
            async with self.session.gate.several(max(len(calls), 1), self.stimulus):
                with volley(len(calls)):
                    made = [asyncio.ensure_future(call) for call in calls]
                    if made:
                        await asyncio.wait(made, return_when=asyncio.FIRST_COMPLETED)
                    instance = await self.session.killed(self.endpoint, self.instance)
                    await asyncio.gather(*made)
        finally:
            drop(calls)
        return replace(self, instance=instance, connection=None)

    async def in_profile(self, profile: str, **settings: Json) -> Self:
        """The target in a profile: an endpoint that serves it, or a fresh instance set to it; SkipError otherwise.

        With settings it is a fresh instance in either case.
        """
        statement = self.session.statement
        if statement.profiles and profile not in statement.profiles:
            message = f"profile {profile} is not among those that this run is about"
            raise SkipError(message)
        serving = [number for number, about in enumerate(statement.endpoint) if about.profile == profile]
        if not serving and not self.can("profile"):
            serving = [number for number in range(len(statement.endpoint)) if statement.profile_of(number) == profile]
        if not serving:
            return await self.fresh(profile=profile, **settings)
        instance = self.session.instances.found(serving[0])
        here = replace(self, endpoint=serving[0], instance=instance, settings={}, conditions={}, connection=None)
        return await here.fresh(**settings) if settings else here

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
        return replace(self, connection=await self.session.unmet(self.endpoint, self.instance, self.stimulus))

    async def revision(self) -> str | None:
        """The revision of MCP that the connection agreed on."""
        return (await self.connected()).revision

    def credential(self, role: str, agent: str = "", *, defect: str | None = None, **claims: Json) -> str:
        """The name of a credential for an agent of this role; `claims` replace those that it would have."""
        return self.session.wallet.credential(role, agent, defect, claims)

    def claims(self, credential: str) -> dict[str, Json]:
        """The claims of a credential."""
        return self.session.wallet.claims(credential)

    async def call(self, tool: str, arguments: Json, *, credential: str | None = None, label: str = "") -> Exchange:
        """Calls a tool; UnsupportedError where the target's statement says that it has none."""
        left_out = self.session.statement.unsupported.tools
        if tool in left_out:
            message = f"{tool} is not supported: {left_out[tool]}"
            raise UnsupportedError(message)
        connection = await self._ready()
        async with self.session.gate.one(self.stimulus):
            return await connection.call(tool, arguments, self.caller(credential, label))

    async def request(  # noqa: PLR0913 -- a raw request has that many sides, each by name
        self,
        method: str,
        params: dict[str, Json] | None = None,
        *,
        credential: str | None = None,
        label: str = "",
        headers: dict[str, str] | None = None,
        altered: Alter | None = None,
        limit_s: float | None = None,
        ends: str = "time",
    ) -> Exchange:
        """Makes any JSON-RPC request; `altered` has the last word on what leaves."""
        connection = await self._ready()
        async with self.session.gate.one(self.stimulus):
            caller = self.caller(credential, label)
            how = How(headers or {}, limit_s=limit_s, ends=ends, altered=altered)
            return await connection.request(method, params or {}, caller, how)

    async def fetch(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        credential: str | None = None,
        media_type: str = "application/json",
    ) -> Exchange:
        """Makes any HTTP request of the endpoint's server; the path is whole. Only over plain HTTP.

        A body of bytes is sent as it is. Without a media type none is named.
        """
        connection = await self._ready()
        caller = self.caller(credential, "")
        headers = {"content-type": media_type} if body is not None and media_type else {}
        if caller.token is not None:
            headers["authorization"] = caller.token
        async with self.session.gate.one(self.stimulus):
            return await connection.send(body, Http(method=method, path=path, headers=headers), caller)

    async def tools(self) -> Listing:
        """Lists the tools."""
        connection = await self.connected()
        async with self.session.gate.one(self.stimulus):
            return await connection.tools(self.caller(None, ""))

    async def together(self, *calls: Awaitable[Exchange]) -> list[Exchange]:
        """Makes calls at once; gives their exchanges in the order given.

        All are sent before the first is answered, as far as the limit on concurrent calls and the transport let them.
        """
        try:
            # before the places are reserved: to bring something about may be to wait for the calls of others
            await self._ready()
            if not self.session.races:
                return [await call for call in calls]
            async with self.session.gate.several(len(calls), self.stimulus):
                with volley(len(calls), self._flown):
                    return list(await asyncio.gather(*calls))
        finally:
            # those that were not begun, since the run was cut while they waited for their turn
            drop(calls)

    def _flown(self, calls: tuple[int, ...], together: tuple[int, ...]) -> None:
        recorder = self.session.recorder
        recorder.write(Flight(calls=together or calls, together=bool(together), t=recorder.now()))
        self.flights.append(together == calls)

    def rounds(self, least: int, most: int = MOST_ROUNDS) -> Iterator[int]:
        """Numbers the rounds of a race: so many at least, and on until all calls of one were under way together."""
        before = len(self.flights)
        for number in range(max(least, most)):
            if number >= least and any(self.flights[before:]):
                return
            yield number

    def caller(self, credential: str | None, label: str) -> Caller:
        """What the connection needs to know of who calls."""
        session, ahead = self.session, self.conditions.get("clock", 0)
        name = credential if credential is not None else session.wallet.default
        conditions = {**self.conditions, **({"settings": self.settings} if self.settings else {})}
        return Caller(
            stimulus=self.stimulus,
            instance=self.instance,
            token=session.wallet.token(name, float(ahead)) if name is not None else None,
            credential=name,
            conditions=self.conditions,
            carried=session.carried(conditions),
            addressed=session.instances.named(self.instance),
            as_found=not (self.conditions or self.settings),
            label=label,
        )

    async def _ready(self) -> Connection:
        """The connection, with just those conditions brought about that this bench is under."""
        connection = await self.connected()
        await self.session.bring_about(self.conditions, self.instance, self.stimulus)
        return connection

    async def connected(self) -> Connection:
        """The connection that this bench works over, opened at first use."""
        if self.connection is not None:
            return self.connection
        return await self.session.connection(self.endpoint, self.instance, self.stimulus)


async def in_turn(*parts: Awaitable[object]) -> None:
    """Does one part after another. Where one cannot go on the others are done all the same, and then that is told."""
    if stopped := await stops(*parts):
        raise min(stopped, key=lambda each: isinstance(each, SkipError))


async def stops(*parts: Awaitable[object]) -> list[StuckError | SkipError]:
    """Does one part after another; gives what stopped those that could not go on."""
    stopped: list[StuckError | SkipError] = []
    try:
        for part in parts:
            try:
                await part
            except (StuckError, SkipError) as error:
                stopped.append(error)
    finally:
        drop(parts)
    return stopped


def drop(parts: Iterable[object]) -> None:
    """Closes those coroutines that never began, as happens where a run is cut."""
    for part in parts:
        if inspect.iscoroutine(part) and inspect.getcoroutinestate(part) == inspect.CORO_CREATED:
            part.close()


async def side_by_side(*parts: Awaitable[object]) -> None:
    """Does all parts at once, as `in_turn` does them one after another."""
    ended = await asyncio.gather(*parts, return_exceptions=True)
    stopped = [error for error in ended if isinstance(error, BaseException)]
    if stopped:
        raise min(stopped, key=lambda each: (isinstance(each, SkipError), isinstance(each, StuckError)))


def stuck(exchange: Exchange, lacks: str) -> StuckError:
    """Why a stimulus cannot go on after this answer: how the call ended, else what its answer lacks."""
    asked = exchange.tool or exchange.method
    why = f"{asked} gave no {lacks}" if exchange.accepted else f"{asked} {ended(exchange)}"
    return StuckError(why, exchange.call)


def taken(exchange: Exchange, key: str) -> Json:
    """What an accepted answer has under a key; StuckError where it lacks it, for then the stimulus cannot go on."""
    if exchange.accepted and key in exchange.given:
        return exchange.given[key]
    raise stuck(exchange, key)

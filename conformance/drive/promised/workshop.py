"""Good calls of a contract's tools, made from [[make]] and [[example]]: with entities of their own and fresh values."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from uuid import UUID

from conformance.contract.asked import asked_as
from conformance.contract.making import Call, Make
from conformance.contract.naming import Naming, id_made, naming, within
from conformance.contract.promises import Place
from conformance.contract.templates import ABOUT, FRESH, WORD, filled, slots
from conformance.contract.wording import an
from conformance.drive.bench import Bench, stuck
from conformance.drive.errors import SkipError
from conformance.drive.vectors import made
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED, at, drop, last, narrowed, pointer_of, put, steps

NONE: Mapping[str, Json] = MappingProxyType({})
DEEPEST = 4
"""Entities that are made for one another."""


@dataclass
class Entity:
    """An entity that a stimulus made; its revision is the last that was seen."""

    make: Make
    id: Json
    revision: Json
    call: Exchange
    state: str = ""
    """The state that it was brought into; none: the one that it was made in."""

    @property
    def its(self) -> dict[str, Json]:
        """By kind, the ids of the entities that it was made in."""
        return within(self.make, self.call.arguments)

    def see(self, exchange: Exchange, template: Call) -> bool:
        """Takes the revision that an answer shows, and the state that an accepted call leads to.

        Whether the revision is known now.
        """
        if exchange.accepted:
            self.state = self.make.state_after(template, self.state)
        if not exchange.accepted or not self.make.revision:
            return True
        found = at(exchange.payload, template.at + self.make.revision)
        if found is not ABSENT:
            self.revision = found
        return found is not ABSENT


@dataclass
class Ready:
    """A good call of a tool, not made yet."""

    template: Call
    arguments: dict[str, Json]
    entity: Entity | None = None

    @property
    def tool(self) -> str:
        """The tool that is called."""
        return self.template.tool


class Workshop:
    """What a stimulus makes its calls with."""

    def __init__(self, bench: Bench, credential: str | None = None) -> None:
        self.bench = bench
        self.credential = credential

    def kind(self, entity: str) -> Make:
        """How a kind of entity is made."""
        return self.bench.contract.makes[entity]

    async def make(self, entity: str, depth: int = 0, *, others: Mapping[str, Json] = NONE) -> Entity:
        """Makes an entity, in these others where ids of theirs are given; StuckError where the server does not."""
        make = self.kind(entity)
        made = self.made(make, await self.call(await self.filled(make.make, None, depth, others=others)))
        if make.revision and made.revision is None:
            await self.read(made)
        return made

    async def several(self, entity: str, number: int) -> list[Entity]:
        """Makes several that one list shows: in the same entities."""
        made = [await self.make(entity)]
        while len(made) < number:
            made.append(await self.make(entity, others=made[0].its))
        return made

    def made(self, make: Make, exchange: Exchange) -> Entity:
        """The entity that an answer shows as made; StuckError where it shows none."""
        shown = at(exchange.payload, make.make.at) if exchange.accepted else ABSENT
        found = id_made(make, exchange.arguments, exchange.payload) if exchange.accepted else ABSENT
        if found is ABSENT:
            where = "success" if make.by_caller else f"{make.entity} id at {make.make.at + make.id}"
            raise stuck(exchange, where)
        revision = at(shown, make.revision) if make.revision else ABSENT
        return Entity(make, found, None if revision is ABSENT else revision, exchange)

    async def ready(self, tool: str, entity: Entity | None = None) -> Ready:
        """A good call of a tool, on an entity that is made for it where none is given.

        SkipError where the contract does not say how the tool is called.
        """
        for make in self.bench.contract.makes.values():
            for template in (make.make, make.change, make.remove, make.read, make.list, *make.moves):
                if template is not None and template.tool == tool:
                    about = any(slot.kind in ABOUT for slot in slots(template.arguments))
                    on = (entity or await self.make(make.entity)) if about else None
                    return await self.filled(template, on)
        for template in self.bench.contract.examples:
            if template.tool == tool:
                return await self.filled(template, None)
        message = f"contract.toml does not say how {tool} is called: add it to a [[make]], or an [[example]]"
        raise SkipError(message)

    async def holding(self, ready: Ready, place: Place) -> Ready:
        """A call that has the objects that a place stands in, with what they need besides."""
        above = steps(place.removeprefix(ASKED))[:-1]
        for depth in range(len(above)):
            where = f"{ASKED}{pointer_of(above[: depth + 1])}"
            about = asked_as(self.bench.contract, ready.tool, where)
            if about is not None and asks(ready, where) in (ABSENT, None):
                found = await made({**about, "type": "object"}, limit=1)
                ready = having(ready, where, found.vectors[0].value) if found.vectors else ready
        return ready

    def naming(self, tool: str, entity: Entity) -> Naming:
        """How a call of a tool names an entity. SkipError: the contract has no such call."""
        found = next(iter(naming(self.bench.contract, tool, entity.make.entity)), None)
        if found is None:
            message = f"contract.toml does not say how {tool} names {an(entity.make.entity)}: add it to a [[make]]"
            raise SkipError(message)
        return found

    async def subject(self, tool: str, entity: Entity) -> Entity | None:
        """What a call that names an entity is about: the entity itself, or one of another kind that is made in it."""
        found = self.naming(tool, entity)
        if found.make is None or found.make is entity.make:
            return entity
        if not any(slot.kind in ABOUT for slot in slots(found.call.arguments)):
            return None
        return await self.make(found.make.entity, others={entity.make.entity: entity.id})

    async def about(self, tool: str, entity: Entity, subject: Entity | None) -> Ready:
        """A call of a tool that names an entity, whatever state it is in, on the subject of such a call."""
        call, others = self.naming(tool, entity).call, {entity.make.entity: entity.id}
        return await self.filled(call, subject, others=others, moving=subject is not entity)

    async def move(self, entity: Entity, state: str) -> None:
        """Brings an entity into a state, and out of any other; StuckError where the server does not."""
        states = {each.name: each for each in entity.make.states}
        while entity.state not in ("", state):
            now = states[entity.state]
            if now.leave is None:
                message = f"[[make]] of {entity.make.entity} does not say how {now.name} is left"
                raise SkipError(message)
            await self._moved(entity, now.leave)
        if entity.state != state:
            await self.move(entity, states[state].enter.state)
            await self._moved(entity, states[state].enter)

    async def _moved(self, entity: Entity, template: Call) -> None:
        await self.good(await self.filled(template, entity, moving=False))

    async def filled(
        self,
        template: Call,
        entity: Entity | None,
        depth: int = 0,
        *,
        others: Mapping[str, Json] = NONE,
        moving: bool = True,
    ) -> Ready:
        """A call with its placeholders filled in, on an entity in the state that it asks for.

        `others` are ids, by kind, in the place of those of entities that are made for the call.
        """
        if entity is not None and moving:
            await self.move(entity, entity.make.state_for(template))
        made = dict(others)
        for slot in slots(template.arguments):
            if slot.kind == "made" and slot.name not in made:
                if depth >= DEEPEST:
                    message = f"{slot.name} and what it is made with are made with one another in contract.toml"
                    raise SkipError(message)
                made[slot.name] = (await self.make(slot.name, depth + 1)).id
        return Ready(template, self._values(template.arguments, entity, made), entity)

    def again(self, ready: Ready) -> Ready:
        """The same call on the same entity, at its revision now, with fresh values."""
        arguments = deepcopy(ready.arguments)
        named: dict[tuple[str, str], Json] = {}
        for slot in slots(ready.template.arguments):
            if slot.kind in FRESH or slot.kind == "revision":
                template = at(ready.template.arguments, slot.at)
                put(arguments, slot.at, self._values(template, ready.entity, {}, named))
        return Ready(ready.template, arguments, ready.entity)

    def _values(
        self,
        template: Json,
        entity: Entity | None,
        others: Mapping[str, Json],
        named: dict[tuple[str, str], Json] | None = None,
    ) -> Json:
        """A template's value; the same placeholder stands for the same value throughout."""
        known: dict[tuple[str, str], Json] = {} if named is None else named

        def of(kind: str, name: str) -> Json:
            if (kind, name) not in known:
                known[kind, name] = self._value(kind, name, entity, others)
            return known[kind, name]

        return filled(template, of)

    def _value(self, kind: str, name: str, entity: Entity | None, others: Mapping[str, Json]) -> Json:
        match kind:
            case "id":
                return entity.id if entity is not None else None
            case "revision":
                return entity.revision if entity is not None else None
            case "made":
                return others.get(name)
            case "its":
                return others.get(name) or (entity.its.get(name) if entity is not None else None)
            case "claims":
                caller = self.credential or self.bench.session.wallet.default
                return self.bench.claims(caller).get(name) if caller is not None else None
            case _:
                return self.fresh(kind, name)

    def fresh(self, kind: str, name: str = "") -> Json:
        """A value that no other call has: a text that begins with the name, a word, a UUID or a number."""
        word = blake2b(self.bench.unique(name or kind).encode(), digest_size=16).digest()
        match kind:
            case "uuid":
                return str(UUID(bytes=word, version=4))
            case "word":
                return "".join(chr(ord("a") + each % 26) for each in word[:WORD])
            case "number":
                return int.from_bytes(word[:4]) % 1_000_000_000
            case _:
                return f"{name or kind}-{word[:5].hex()}"

    async def call(self, ready: Ready, **more: str) -> Exchange:
        """Makes a call, and takes what its answer shows of its entity; after a change that shows no revision a read."""
        exchange = await self.bench.call(ready.tool, ready.arguments, credential=self.credential, **more)
        entity = ready.entity
        if entity is not None and not entity.see(exchange, ready.template) and ready.template in entity.make.changes:
            await self.read(entity)
        return exchange

    async def good(self, ready: Ready) -> Exchange:
        """The same; StuckError where the server refuses it."""
        exchange = await self.call(ready)
        if not exchange.accepted:
            raise stuck(exchange, f"success of {ready.tool}")
        return exchange

    async def read(self, entity: Entity) -> Exchange | None:
        """Reads an entity; None where no tool reads one."""
        if entity.make.read is None:
            return None
        return await self.call(await self.filled(entity.make.read, entity, moving=False))

    async def look(self, entity: Entity) -> None:
        """Reads an entity and those that it was made in: what a write does to these shows there alone."""
        await self.read(entity)
        for kind, identifier in entity.its.items():
            await self.read(Entity(self.kind(kind), identifier, None, entity.call))

    async def list(self, make: Make, entity: Entity) -> Exchange | None:
        """Lists an entity and its like; None where no tool lists them."""
        if make.list is None:
            return None
        return await self.call(await self.filled(make.list, entity, moving=False))


def calls_of(make: Make) -> list[Call]:
    """How its tools are called, in the order of an entity's life, but for those that bring it into a state."""
    found = (make.make, make.read, make.change, make.read, make.list, make.remove)
    return [call for call in found if call is not None]


def without(ready: Ready, place: Place) -> Ready:
    """A call that lacks an argument; with `*` the last entry lacks it."""
    arguments = deepcopy(ready.arguments)
    drop(arguments, narrowed(arguments, place.removeprefix(ASKED)))
    return Ready(ready.template, arguments, ready.entity)


def having(ready: Ready, place: Place, value: Json) -> Ready:
    """A call with another value of an argument; with `*` the last entry has it."""
    arguments = deepcopy(ready.arguments)
    put(arguments, narrowed(arguments, place.removeprefix(ASKED)), value)
    return Ready(ready.template, arguments, ready.entity)


def asks(ready: Ready, place: Place) -> Json:
    """What a call has at a place of its arguments, with `*` in the last entry; ABSENT: nothing."""
    return last(ready.arguments, place.removeprefix(ASKED))

"""Recognises the kinds of entity that callers name: what is written under a new name is read by it, and no other is."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from posixpath import dirname, splitext
from tempfile import gettempdir
from typing import NamedTuple

from msgspec import structs

from conformance.certify import Options, contract_of, driven
from conformance.contract.making import Call, Make
from conformance.contract.schema import satisfied
from conformance.contract.templates import WORD, filled
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.reach.keys import is_key
from conformance.contracts.mcp.reach.search import done
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.reach.words import singular, words
from conformance.contracts.mcp.samples import PLACEHOLDER
from conformance.drive.library import import_stimuli
from conformance.drive.statement import Statement
from conformance.judge.kinds import spelled
from conformance.model.arguments import required
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at, pointer_of, steps
from conformance.propose.contract.entities import Found, lists, revisions
from conformance.propose.contract.hints import is_expected
from conformance.propose.contract.naming import about, alike, around, names, within
from conformance.propose.contract.states import states
from conformance.propose.looking import STIMULUS, Seen

KEPT = "named"
MOST = 12
"""Pairs of a write and a read that are tried."""
DEEPEST = 4
READING = {"get", "read", "fetch", "show", "load", "view"}
"""Words that say what a tool does, not with what: as in `kv_get`."""
TEMPORARY = f"{gettempdir()}/conformance-"
"""How a path begins that is given to a server which took one of a folder that is gone in the next run."""


class _Pair(NamedTuple):
    """A tool that may make what another one reads, and the arguments that name it."""

    maker: Seen
    named: str
    """A place in its arguments, as `asked` is one in those of the other."""
    reader: Seen
    asked: str


def named_by_callers(
    statement: Statement, options: Options, tools: Sequence[Seen], found: Sequence[Found]
) -> list[Found]:
    """The kinds that were recognised by calls that the statement allows, besides those that are known."""
    known = {call.tool for each in found for call in each.make.calls}
    pairs = list(_pairs([seen for seen in tools if seen.calls and seen.tool.name not in known]))[:MOST]
    if not pairs:
        return []
    contract = contract_of(statement.contract)
    plan = next(plan for plan in import_stimuli(contract) if plan.name == STIMULUS)
    kept: dict[str, list[Found]] = {KEPT: []}

    async def probe(bench: McpBench) -> None:
        async for each in _found(bench, pairs, tools):
            kept[KEPT].append(each)

    driven(statement, contract, [replace(plan, run=probe)], options, {})
    return kept[KEPT]


def _pairs(tools: Sequence[Seen]) -> Iterator[_Pair]:
    """Those whose arguments are named alike, what seems to make something first."""
    makers = [seen for seen in tools if deed(seen.tool) in ("make", "change", None) and not seen.tool.reads_only]
    for maker in sorted(makers, key=lambda seen: deed(seen.tool) != "make"):
        for named in names(maker):
            for reader in (seen for seen in tools if seen is not maker and deed(seen.tool) == "read"):
                asked = alike(named, reader)
                if asked and set(required(reader.tool.input_schema)) <= {steps(asked)[0]}:
                    yield _Pair(maker, named, reader, asked)


async def _found(bench: McpBench, pairs: Sequence[_Pair], tools: Sequence[Seen]) -> AsyncIterator[Found]:
    taken: set[str] = set()
    for pair in pairs:
        if not taken & {pair.maker.tool.name, pair.reader.tool.name}:
            probe = _Probe(bench, pair, tools)
            if (found := await probe.run()) is not None:
                taken |= {call.tool for call in found.make.calls}
                yield found


@dataclass
class _Probe:
    """Tries out what one write and one read seem to say."""

    bench: McpBench
    pair: _Pair
    tools: Sequence[Seen]
    form: str = ""
    """The name with its placeholder, as the maker takes it."""
    ids: list[Json] = field(default_factory=list)

    async def run(self) -> Found | None:
        """What there is; None: no entity that callers name."""
        template = self._template(self.pair.maker, self.pair.named, "")
        if template is None:
            return None
        for form in self._forms():
            self.form = form
            formed = within(template, self.pair.named, form)
            made = await self._make(formed)
            if made is not None:
                return await self._judged(formed, made)
        return None

    async def _judged(self, template: dict[str, Json], made: Exchange) -> Found | None:
        """An entity is read by its name, and by no other; or a read shows what was written to it."""
        pair, name = self.pair, self._name(made)
        read = await self._ask(pair.reader, pair.asked, name)
        if read is None or not done(read):
            return None
        other = await self._ask(pair.reader, pair.asked, self._fresh(self.form))
        place, whole = _place(read.payload, name, self._written(made))
        refused = other is not None and _finds_none(other, place)
        if not refused and place is None:
            return None
        entity = at(read.payload, place or "")
        shown = next(_showing(entity, name), "") if isinstance(entity, dict) else ""
        make = Make(
            entity=_kind(pair),
            id=f"@{pair.named}",
            shown=shown,
            revision=next(revisions(entity), "") if isinstance(entity, dict) else "",
            make=Call(pair.maker.tool.name, template, _about_it(made.payload, name, shown) or ""),
            read=Call(pair.reader.tool.name, around(pair.asked, "{{id}}"), place or ""),
        )
        make, listed = await self._lists(make, name)
        make = await self._changes(make, template, entity)
        make = await self._removes(make, template, refused=refused)
        top = steps(pair.asked)
        moved = states(self.tools, make.entity, top[0]) if len(top) == 1 else ()
        own = {call.tool for call in make.calls}
        make = _with(make, states=tuple(state for state in moved if state.enter.tool not in own))
        maker, word = pair.maker.tool.name, _word(pair.named)
        evidence = f"{pair.reader.tool.name} reads what {maker} wrote under a {word} of the caller's"
        evidence += ", and finds no other" if refused else ""
        shows = {pair.reader.tool.name: entity, **({make.list.tool: listed} if make.list is not None else {})}
        before = [self._name(call) for call in pair.maker.calls if call.accepted]
        return Found(make, evidence, shows, (*self.ids, *before), whole=whole)

    async def _lists(self, make: Make, name: Json) -> tuple[Make, Json]:
        """With the read that lists entities by their names, or shows these in its entries."""
        for seen in self.tools:
            reads = deed(seen.tool) == "read" and not required(seen.tool.input_schema)
            if not reads or seen.tool.name == make.make.tool or not seen.calls:
                continue
            answer = await self.bench.call(seen.tool.name, {})
            for pointer, entries in lists(answer.payload) if done(answer) else ():
                for entry in entries:
                    place = "" if entry == name else next(_showing(entry, name), None)
                    if place is not None and (not place or make.shown in ("", place)):
                        found = _with(make, list=Call(seen.tool.name, {}, pointer), shown=make.shown or place)
                        return found, entry
        return make, None

    async def _changes(self, make: Make, template: dict[str, Json], entity: Json) -> Make:
        """With what writes over an entity, else with a tool that changes it."""
        made = await self._make(template)
        if made is None:
            return make
        over = within(template, self.pair.named, "{{id}}")
        again = await self._make(within(template, self.pair.named, self._name(made)))
        if again is not None and await self._shows(make, again):
            return _with(make, change=Call(make.make.tool, over))
        for seen, named in self._others(make, ("change", "make", None)):
            asks = self._template(seen, named, make.revision)
            revision = at(entity, make.revision) if make.revision else ABSENT
            fresh = await self._make(template)
            if asks is None or fresh is None:
                continue
            read = await self._ask(self.pair.reader, self.pair.asked, self._name(fresh))
            if read is not None and make.read is not None and revision is not ABSENT:
                revision = at(read.payload, make.read.at + make.revision)
            answer = await self._filled(seen, asks, self._name(fresh), revision)
            if done(answer):
                name = self._name(fresh)
                where = _about_it(answer.payload, name, make.shown)
                return _with(make, change=Call(seen.tool.name, asks, where or ""))
        return make

    async def _removes(self, make: Make, template: dict[str, Json], *, refused: bool) -> Make:
        """With the tool after which an entity is read no more."""
        for seen, named in self._others(make, ("remove", "change", None)):
            asks = self._template(seen, named, make.revision)
            made = await self._make(template)
            if asks is None or made is None:
                continue
            name = self._name(made)
            read = await self._ask(self.pair.reader, self.pair.asked, name)
            revision = at(read.payload, make.read.at + make.revision) if read is not None and make.read else ABSENT
            answer = await self._filled(seen, asks, name, revision)
            after = await self._ask(self.pair.reader, self.pair.asked, name)
            shown = make.read.at if make.read is not None else ""
            if done(answer) and after is not None and refused and _finds_none(after, shown):
                return _with(make, remove=Call(seen.tool.name, asks))
        return make

    def _others(self, make: Make, deeds: Sequence[str | None]) -> Iterator[tuple[Seen, str]]:
        """The tools that take such a name and are no part of the kind yet, with the argument that is the name."""
        own = {call.tool for call in make.calls}
        for wanted in deeds:
            for seen in self.tools:
                named = alike(self.pair.named, seen) or alike(self.pair.asked, seen)
                if named and seen.calls and seen.tool.name not in own and deed(seen.tool) == wanted:
                    yield seen, named

    def _template(self, seen: Seen, named: str, revision: str) -> dict[str, Json] | None:
        """How a tool is called, by the call that it accepted or by what was proposed; None where that is not known."""
        accepted = seen.good.arguments if seen.good is not None else None
        literal: Mapping[str, Json] = accepted if isinstance(accepted, dict) else seen.arguments or {}
        found: dict[str, Json] = {}
        first, *deeper = steps(named)
        for name in dict.fromkeys([*required(seen.tool.input_schema), *literal]):
            place, value = pointer_of([name]), literal.get(name)
            if name == first:
                entry = _entry(value, seen, place) if deeper else None
                found = within({**found, name: [entry]} if entry else found, named, "{{id}}")
            elif is_key(name):
                found[name] = "{{key}}"
            elif is_expected(name) and revision:
                found[name] = "{{revision}}"
            elif _free(seen, place):
                found[name] = f"{{{{fresh.{name}}}}}"
            elif name in literal and not (isinstance(value, str) and PLACEHOLDER.search(value)):
                found[name] = value
            elif name in required(seen.tool.input_schema):
                return None
        return found

    def _forms(self) -> Iterator[str]:
        """How a new name may be written, as the argument's schema takes it."""
        place, name = self.pair.named, _word(self.pair.named)
        accepted = self._name(self.pair.maker.good) if self.pair.maker.good is not None else ""
        folder = dirname(accepted) if isinstance(accepted, str) and "/" in accepted else ""
        ending = splitext(accepted)[1] if isinstance(accepted, str) else ""
        written = at(self.pair.maker.arguments or {}, place)
        gone = isinstance(written, str) and "{{files." in written
        forms = [f"{{{{fresh.{name}}}}}", f"{{{{word.{name}}}}}"]
        if folder:
            begin = TEMPORARY if gone else f"{folder}/"
            forms = [f"{begin}{{{{fresh.{name}}}}}{ending}"]
        mine, asked = dict(about(self.pair.maker, place)), dict(about(self.pair.reader, self.pair.asked))
        for form in forms:
            value = self._fresh(form)
            if satisfied(mine, value) is not False and satisfied(asked, value) is not False:
                yield form

    def _fresh(self, form: Json) -> Json:
        return filled(form, self._value)

    def _value(self, kind: str, name: str) -> Json:
        word = self.bench.unique(name or kind)
        letters = "".join(chr(ord("a") + ord(each) % 26) for each in spelled(word) if each.isalnum())
        return letters[-WORD:].rjust(WORD, "a") if kind == "word" else word

    async def _make(self, template: Mapping[str, Json]) -> Exchange | None:
        """An entity is made; None where the server refuses it."""
        arguments = self._fresh(dict(template))
        answer = await self.bench.call(self.pair.maker.tool.name, arguments)
        if not done(answer):
            return None
        self.ids.append(self._name(answer))
        return answer

    def _name(self, call: Exchange) -> Json:
        """The name that a call of the maker gives."""
        found = at(call.arguments, self.pair.named)
        return None if found is ABSENT else found

    def _written(self, call: Exchange) -> dict[str, str]:
        """The texts beside the name that a call of the maker writes."""
        holder, own = at(call.arguments, self.pair.named.rpartition("/")[0]), steps(self.pair.named)[-1]
        beside = holder if isinstance(holder, dict) else call.arguments
        return {key: value for key, value in beside.items() if key != own and isinstance(value, str) and value}

    async def _shows(self, make: Make, write: Exchange) -> bool:
        """Whether a read shows what was written last, as far as it shows anything of what is written."""
        read, written = await self._ask(self.pair.reader, self.pair.asked, self._name(write)), self._written(write)
        entity = at(read.payload, make.read.at) if read is not None and make.read is not None else ABSENT
        if isinstance(entity, dict):
            return all(entity.get(key, value) == value for key, value in written.items())
        return not isinstance(entity, str) or not written or entity in written.values()

    async def _ask(self, seen: Seen, name: str, value: Json) -> Exchange | None:
        if self.bench.spent(seen.tool.name) or self.bench.silent(seen.tool.name):
            return None
        return await self.bench.call(seen.tool.name, around(name, value))

    async def _filled(self, seen: Seen, asks: Mapping[str, Json], name: Json, revision: Json) -> Exchange:
        standing = {"id": name, "revision": None if revision is ABSENT else revision}
        arguments = filled(dict(asks), lambda kind, of: standing[kind] if kind in standing else self._value(kind, of))
        return await self.bench.call(seen.tool.name, arguments)


def _with(make: Make, **more: object) -> Make:
    return structs.replace(make, **more)


def _kind(pair: _Pair) -> str:
    """What a tool reads, by its name: `read_file` reads a file; else by the argument."""
    *verb, last = words(pair.reader.tool.name) or ("",)
    return singular(last if verb and last not in READING else (words(_word(pair.asked)) or (_word(pair.asked),))[-1])


def _place(
    payload: Json, name: Json, written: Mapping[str, Json], pointer: str = "", levels: int = DEEPEST
) -> tuple[str | None, str]:
    """Where a read shows what was written, and the argument that is the whole of it; None where it does not."""
    for key, value in written.items():
        if payload == value:
            return pointer, key
    if isinstance(payload, list) and len(payload) == 1 and levels:
        return _place(payload[0], name, written, f"{pointer}/0", levels - 1)
    if isinstance(payload, dict) and levels:
        if any(each in written.values() for each in payload.values() if isinstance(each, str)):
            return pointer, ""
        if any(each == name for each in payload.values()):
            return pointer, ""
        for key, each in payload.items():
            place, whole = _place(each, name, written, pointer + pointer_of([key]), levels - 1)
            if place is not None:
                return place, whole
    return None, ""


def _about_it(payload: Json, name: Json, shown: str, pointer: str = "", levels: int = DEEPEST) -> str | None:
    """Where an answer to a write shows the entity of a name; None where it does not."""
    if isinstance(payload, list) and len(payload) == 1 and levels:
        return _about_it(payload[0], name, shown, f"{pointer}/0", levels - 1)
    if isinstance(payload, dict) and levels and shown:
        if at(payload, shown) == name:
            return pointer
        for key, each in payload.items():
            found = _about_it(each, name, shown, pointer + pointer_of([key]), levels - 1)
            if found is not None:
                return found
    return None


def _finds_none(read: Exchange, place: str | None) -> bool:
    """Whether a read is refused, or nothing stands where it shows what it finds."""
    if not done(read) or not place:
        return not done(read)
    found = at(read.payload, place)
    return found is ABSENT or found is None


def _entry(listed: Json, seen: Seen, place: str) -> dict[str, Json] | None:
    """An entry of a list of objects, with new texts where they may be any; None where there is none."""
    first = listed[0] if isinstance(listed, list) and listed else None
    if not isinstance(first, dict):
        return None
    free = {key for key in first if _free(seen, f"{place}/0{pointer_of([key])}")}
    return {key: f"{{{{fresh.{key}}}}}" if key in free else value for key, value in first.items()}


def _free(seen: Seen, place: str) -> bool:
    """Whether any text may stand at a place of a tool's arguments."""
    found = about(seen, place)
    return found.get("type") == "string" and not {"enum", "const", "pattern", "format"} & found.keys()


def _word(place: str) -> str:
    """The last name in a place."""
    return next((step for step in reversed(steps(place)) if not step.isdecimal()), "name")


def _showing(entity: Json, name: Json) -> Iterator[str]:
    """The places at the top of an entity that show its name."""
    if isinstance(entity, dict):
        yield from (pointer_of([key]) for key, each in entity.items() if each == name)

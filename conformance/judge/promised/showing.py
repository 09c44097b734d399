"""Promises about what reads show: what was written, what lives, what is gone, and nothing else."""

from collections.abc import Iterator, Sequence

from conformance.contract import promises as p
from conformance.contract.asked import asked_as, unlimited
from conformance.contract.catalogue import Contract
from conformance.contract.making import Make
from conformance.contract.schema import satisfied
from conformance.contract.templates import fits, place_of
from conformance.contract.wording import an
from conformance.judge.faults import declined, internal
from conformance.judge.judgements import MISSING, breach, told
from conformance.judge.kinds import alike, spelled
from conformance.judge.promised.calls import repeated, without, writes
from conformance.judge.promised.effects import nothing_changes
from conformance.judge.promised.entities import Entities, entities
from conformance.judge.promised.passing import ShortLived
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.judge.promised.scopes import nameless
from conformance.judge.promised.sightings import Name, shows_none
from conformance.judge.refused import surely_refused
from conformance.judge.registers import Assignment, Showing, kept
from conformance.judge.unchanged import steady as reads_alike
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, ASKED, at
from conformance.model.prose import surely_read
from conformance.model.texts import decoded, texts_of
from conformance.model.verdict import HELD, Judgement


def shows(history: History, contract: Contract, promise: p.Shows) -> Iterator[Judgement]:
    """Reads show what writes wrote. What another tool may have written since is no subject."""
    seen = entities(history, contract)
    written = list(_written(history, contract, promise, seen))
    yield from kept(written, _shown(contract, promise, seen, listed=False))
    yield from kept(written, _shown(contract, promise, seen, listed=True), _cut)
    yield from kept(written, _whole(contract, promise, seen), _read)


def _written(history: History, contract: Contract, promise: p.Shows, seen: Entities) -> Iterator[Assignment]:
    again, make = repeated(history, contract), contract.makes[promise.entity]
    in_texts = any(contract.envelope.prose(call.tool) for call in (make.read, make.list) if call is not None)
    asked = {each: asked_as(contract, promise.tool, p.argued(each)) for each in promise.fields}
    kinds = {each: unlimited(schema) for each, schema in asked.items() if schema is not None}
    made = [(name, call) for name, call in seen.made.items() if name.kind == promise.entity]
    tried = [(name, call) for name, calls in seen.tried.items() if name.kind == promise.entity for call in calls]
    for name, call in (*made, *tried):
        if call in again:
            continue
        for argument, where in promise.fields.items():
            value = at(call.arguments, p.argued(argument).removeprefix(ASKED))
            if call.tool != promise.tool or not call.accepted:
                # nor is it known what a refused write left behind: that it left nothing is another promise
                yield Assignment((name, where), None, call, doubtful=True)
            elif value is not ABSENT:
                doubtful = value is None or (in_texts and where != "" and not surely_read(value))
                # which value a server makes of one of another kind is its own
                strange = argument in kinds and satisfied(kinds[argument], value) is False
                yield Assignment((name, where), value, call, doubtful=doubtful or strange)
    yield from _elsewhere(contract, promise, seen)


def _elsewhere(contract: Contract, promise: p.Shows, seen: Entities) -> Iterator[Assignment]:
    """What other tools than those of the entity's kind may have written to it."""
    own = _tools(contract.makes[promise.entity])
    for name in [each for each in seen.sightings if each.kind == promise.entity]:
        # what makes or changes entities of other kinds may change one of this kind only where it names it
        named = (call for call in seen.writes_about(name) if call.tool not in own)
        for call in (*(each for each in named if not surely_refused(each, contract)), *seen.strange(name)):
            for where in promise.fields.values():
                yield Assignment((name, where), None, call, doubtful=True)
    for call in seen.sweeping():
        for where in promise.fields.values():
            yield Assignment((_all(call.instance, promise.entity), where), None, call, doubtful=True)


def _shown(contract: Contract, promise: p.Shows, seen: Entities, *, listed: bool) -> Iterator[Showing]:
    """What reads show, or what lists do."""
    make = contract.makes[promise.entity]
    for name, sightings in seen.all(promise.entity):
        for one in (each for each in sightings if each.listed is listed):
            for where in filter(None, promise.fields.values()):
                value = at(one.entity, where)
                # a list, or a write, may leave a field out, a read may not: what is absent there is shown as null
                if value is not ABSENT or (make.read is not None and one.call.tool == make.read.tool):
                    among = ((_all(name.instance, name.kind), where),)
                    what = where.rpartition("/")[2]
                    pointer = f"{one.pointer}{where}"
                    yield Showing((name, where), None if value is ABSENT else value, one.call, pointer, what, among)


def _whole(contract: Contract, promise: p.Shows, seen: Entities) -> Iterator[Showing]:
    """What reads show where the whole of what they show is what was written: the text of a file."""
    read = contract.makes[promise.entity].read
    if read is None or "" not in promise.fields.values():
        return
    for name, sightings in seen.all(promise.entity):
        for one in (each for each in sightings if each.call.tool == read.tool):
            result = one.call.result or {}
            texts = texts_of(result)
            plain = not one.pointer and len(texts) == 1 and (one.call.prose or "structuredContent" not in result)
            among = ((_all(name.instance, name.kind), ""),)
            yield Showing((name, ""), texts[0] if plain else one.entity, one.call, one.pointer, "all of it", among)


def _read(written: Json, shown: Json) -> bool | None:
    """Whether a text that a read shows is the written one: as it is, or as JSON writes it."""
    return alike(written, shown) or (alike(written, decoded(shown)) if isinstance(shown, str) else False)


def _cut(written: Json, shown: Json) -> bool | None:
    """Whether a value that a list shows is the written one; a text that is cut short there may be."""
    if isinstance(written, str) and isinstance(shown, str) and written != shown:
        start = shown.rstrip(".… ")
        return None if written.startswith(start) else False
    return alike(written, shown)


def _all(instance: str, kind: str) -> Name:
    """Stands for each entity of a kind, where a write may have changed any."""
    return Name(instance, kind, "")


def _tools(make: Make) -> set[str]:
    return {call.tool for call in (make.make, make.change, make.remove, *make.moves) if call is not None}


def lives(history: History, contract: Contract, promise: p.Lives) -> Iterator[Judgement]:
    """An entity is found from when it was made until it is removed, and then no more."""
    make, seen = contract.makes[promise.entity], entities(history, contract)
    yield from _listed_no_more(contract, promise, seen)
    if make.read is None:
        return
    late: list[Fault] = []
    for name, reads in list(seen.reads.items()):
        if name.kind != promise.entity:
            continue
        made = seen.made.get(name)
        for read in reads:
            if seen.gone(name, read) is not None:
                if not promise.codes and shows_none(read, make):
                    # that it would have shown one is known where it did
                    yield from [HELD] if any(one.call.tool == read.tool for one in seen.sightings.get(name, ())) else ()
                else:
                    late.append(Fault(read, f"on {an(promise.entity)} that was removed"))
            elif made is not None and made.credential.name == read.credential.name and seen.lives(name, read):
                yield from _found(made, read, promise, make)
    likes = Likes(history, contract, make.read.tool, [f"@{place}" for place in _named(make)])
    yield from refused(history, late, promise.codes, likes)


def _named(make: Make) -> Sequence[str]:
    found = place_of(make.read, "id") if make.read is not None else ""
    return [found] if found else []


def _found(made: Exchange, read: Exchange, promise: p.Lives, make: Make) -> Iterator[Judgement]:
    # what else a read asks for may leave the entity out
    if shows_none(read, make) and make.read is not None and fits(make.read.arguments, read.arguments):
        saw = f"{read.tool} shows no {promise.entity} where one exists"
        yield breach(saw, made, read, pointer=make.read.at, got=MISSING)
    elif read.accepted:
        yield HELD
    elif declined(read) and not internal(read) and read.code in promise.codes:
        saw = f"{read.tool} on {an(promise.entity)} that exists ended as {told(read)}"
        yield breach(saw, made, read, expected="success")


def _listed_no_more(contract: Contract, promise: p.Lives, seen: Entities) -> Iterator[Judgement]:
    """No list shows what was removed before. That a list would have shown it is known where it did."""
    make = contract.makes[promise.entity]
    pages = [each for each in contract.promises.values() if isinstance(each, p.Paged)]
    own = [place for each in pages for place in (each.cursor, each.size) if place and each.entity == promise.entity]
    for name, sightings in list(seen.all(promise.entity)):
        listing = [one for one in sightings if one.listed]
        for one in listing:
            removal = seen.gone(name, one.call)
            if removal is not None:
                saw = f"{one.call.tool} lists {an(promise.entity)} that was removed"
                yield breach(saw, removal, one.call, pointer=one.pointer, got=one.entity)
        shown, asked = {one.call.call for one in listing}, {spelled(without(one.call, own)) for one in listing}
        for call in seen.lists.get((name.instance, promise.entity), ()) if name in seen.removed else ():
            if call.call not in shown and spelled(without(call, own)) in asked and not nameless(call, make):
                yield from [HELD] if seen.gone(name, call) is not None else ()


def steady(history: History, contract: Contract, promise: p.Steady) -> Iterator[Judgement]:
    """Two equal reads with no accepted write between them are equal: reads and refused calls change nothing."""
    tools = promise.tools or contract.reads()
    refusals = [call for call in writes(history, contract) if surely_refused(call, contract)]
    short = ShortLived(history, contract)
    for judgement in (*reads_alike(history, contract), *nothing_changes(history, contract, refusals)):
        reads = [history.find(judgement.calls[each]) for each in (0, -1)] if judgement.calls else []
        # of an entity that may end by itself nobody knows what a later read shows
        if any(read is not None and read.tool not in tools for read in reads[1:]) or short.explain(reads):
            continue
        yield judgement

"""What a server may promise, by what was recognised: each a promise to try out, with what speaks for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from conformance.contract import promises as p
from conformance.contract.asked import argument_places, nullable
from conformance.contract.making import Call, Make
from conformance.contract.saying import place as told_place
from conformance.contract.templates import slots
from conformance.contract.wording import an
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.reach.words import words
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.model.pointer import ABSENT, ASKED, OF_EACH, at, entries, pointer_of, steps
from conformance.propose.contract import hints
from conformance.propose.contract.alone import alone
from conformance.propose.contract.entities import Found, answer, repeatable
from conformance.propose.contract.envelope import Told
from conformance.propose.contract.orders import orders
from conformance.propose.looking import Seen

CHOSEN = {"id", "state", "status", "kind", "type", "category", "priority", "role"}
"""Last words of names whose values are no free texts: a list is asked for one of them, not for a part of it."""
WRITES = ("make", "change", "remove")
RISING = ("seq", "sequence", "number", "position", "index")
TEXTS = ("minLength", "maxLength")
NUMBERS = ("minimum", "maximum")
GIVEN = 2
"""Ids in the answer to a repeatable write that are compared."""


class Candidate(NamedTuple):
    """A promise, and what speaks for it."""

    promise: p.Promise
    why: str


def candidates(
    tools: Sequence[Seen], found: Sequence[Found], told: Told, calls: Sequence[Exchange] = ()
) -> list[Candidate]:
    """All of them, what holds for every tool first. By `calls` it is told what orders lists, and how pages go on."""
    reads = {seen.tool.name for seen in tools if deed(seen.tool) == "read"}
    works = [seen for seen in tools if seen.accepted]
    named = tuple(seen.tool.name for seen in works)
    makes = [each.make for each in found]
    return [
        *_general(works, named, told, found),
        *(each for entity in found for each in _entity(entity, tools, makes, calls)),
        *(each for seen in works if deed(seen.tool) in WRITES for each in _key(seen, found)),
        *(each for seen in works for each in _echo(seen)),
        *_as_one(Candidate(*each) for seen in works if _alone(seen, makes) for each in alone(seen, calls)),
        *(Candidate(*each) for each in orders(call for call in calls if call.tool in reads)),
    ]


def _as_one(found: Iterable[Candidate]) -> Iterator[Candidate]:
    """The same of several tools as one promise."""
    alike: dict[str, list[Candidate]] = {}
    for each in found:
        whose = structs.replace(each.promise, tools=()) if isinstance(each.promise, p.Answer) else each.promise
        alike.setdefault(repr(whose), []).append(each)
    for first, *others in alike.values():
        if others and isinstance(first.promise, p.Answer):
            promises = [each.promise for each in (first, *others) if isinstance(each.promise, p.Answer)]
            tools = tuple(tool for each in promises for tool in each.tools)
            told = "; ".join(f"{tool}: {each.why}" for tool, each in zip(tools, (first, *others), strict=True))
            yield Candidate(structs.replace(first.promise, tools=tools), told)
        else:
            yield from (first, *others)


def _general(works: Sequence[Seen], named: tuple[str, ...], told: Told, found: Sequence[Found]) -> Iterator[Candidate]:
    yield Candidate(p.Declared(), "tools.json is what tools/list answered")
    if named:
        yield Candidate(p.Served(), f"a call of each was accepted: {', '.join(named)}")
    if any(_parameters(seen) for seen in works):
        yield Candidate(p.Enforced(), "inputSchema of each says which arguments it takes")
    if told.rule.failure_key is not None:
        yield Candidate(p.Mirrored(), told.seen)
    if told.code:
        yield Candidate(_refusal(told), told.seen)
    if told.codes:
        where: p.Where = "present" if told.uncoded else "always"
        yield Candidate(p.Catalogued(where=where), f"these, and no others: {', '.join(told.codes)}")
    if told.retry:
        flags = ", ".join(f"{code} {str(flag).lower()}" for code, flag in told.retryable.items() if flag is not None)
        yield Candidate(p.Retryable(at=told.retry), flags)
    if told.success:
        yield Candidate(
            p.Answer(schema={"required": list(told.success)}, outcome="success"),
            f"every success had {', '.join(told.success)}",
        )
    if reads := tuple(seen.tool.name for seen in works if deed(seen.tool) == "read"):
        # of an entity it is known which tools read it
        yield Candidate(p.Steady(tools=() if found else reads), "reads seldom change anything")


def _alone(seen: Seen, makes: Sequence[Make]) -> bool:
    """Whether a tool reads, and belongs to no entity."""
    return deed(seen.tool) == "read" and not any(call.tool == seen.tool.name for make in makes for call in make.calls)


def _refusal(told: Told) -> p.Answer:
    """A refusal has its code, and its message where that stands beside it."""
    *above, last = steps(told.code)
    refusals = [carried(call.result or {}) for calls in told.codes.values() for call in calls]
    holders = [at(body, pointer_of(above)) for body in refusals]
    worded = all(isinstance(holder, dict) and isinstance(holder.get("message"), str) for holder in holders)
    schema: dict[str, Json] = {"type": "object", "required": [last, "message"] if worded and holders else [last]}
    # what refuses before the tool, such as a check of the arguments, may do so in a text
    return p.Answer(
        at=pointer_of(above), schema=schema, outcome="refusal", where="parent" if told.uncoded else "always"
    )


def _entity(
    found: Found, tools: Sequence[Seen], makes: Sequence[Make], calls: Sequence[Exchange]
) -> Iterator[Candidate]:
    make, kind = found.make, found.make.entity
    by_name = {seen.tool.name: seen for seen in tools}
    yield from _identity(found)
    if make.read is not None:
        unseen = "" if make.remove is not None else f", and that one is gone was not seen: nothing removes {an(kind)}"
        yield Candidate(p.Lives(entity=kind), f"{make.read.tool} shows what {make.make.tool} made{unseen}")
    read = make.read.tool if make.read is not None else make.make.tool
    for call in filter(None, (make.make, make.change)):
        fields = _fields(make, call, found.shown.get(read)) | (
            {found.whole: ""} if found.whole in call.arguments else {}
        )
        if fields and not (call is make.change and make.writes_over):
            yield Candidate(p.Shows(entity=kind, tool=call.tool, fields=fields), "arguments and keys of the same names")
        if not (call is make.change and make.writes_over):
            yield from _bounds(by_name[call.tool], call)
    if make.revision:
        yield Candidate(p.Revised(entity=kind), f"{make.make.tool} answers {an(make.revision.removeprefix('/'))}")
    yield from _barred(make, makes, by_name)
    for call in filter(None, (make.read, make.change, make.remove)):
        yield from _named(found, call, by_name[call.tool])
    if make.list is not None:
        yield from _pages(found, by_name[make.list.tool], calls)
    for number in (name for name in _keys(found.shown.get(make.make.tool)) if name.casefold() in RISING):
        rising = p.Rising(tool=make.make.tool, at=f"{make.make.at}/{number}")
        yield Candidate(rising, f"{make.make.tool} answers {an(number)}")


def _identity(found: Found) -> Iterator[Candidate]:
    """What its id promises: the server gives no two the same, or refuses a name that is taken."""
    make, kind = found.make, found.make.entity
    if not make.by_caller:
        yield Candidate(p.Unique(entity=kind, at=make.id), found.evidence)
    elif not make.writes_over:
        taken = p.Refused(tool=make.make.tool, cause="taken", argument=make.id, entity=kind)
        yield Candidate(taken, f"{make.make.tool} did not write over {an(kind)} that was there")


def _barred(make: Make, makes: Sequence[Make], by_name: Mapping[str, Seen]) -> Iterator[Candidate]:
    """What the states of an entity may refuse."""
    kind = make.entity
    if make.remove is not None and make.remove.state:
        barred = p.Barred(tool=make.remove.tool, entity=kind, state=make.remove.state, outside=True)
        yield Candidate(barred, f"{make.remove.tool} was refused before {an(kind)} was {make.remove.state}")
    for state in make.states:
        # a removal that nothing accepted yet is to be tried in the state as well
        removal = make.remove
        untried = removal is not None and not removal.state and not by_name[removal.tool].accepted
        for call in filter(None, (make.change, removal if untried else None, *_made_with(kind, makes))):
            barred = p.Barred(tool=call.tool, entity=kind, state=state.name)
            yield Candidate(barred, f"{state.enter.tool} says that {an(kind)} can be {state.name}")


def _made_with(kind: str, makes: Sequence[Make]) -> Iterator[Call]:
    """How entities are made that name one of this kind."""
    return (each.make for each in makes if f"{{{{made.{kind}}}}}" in each.make.arguments.values())


def _named(found: Found, call: Call, seen: Seen) -> Iterator[Candidate]:
    """What a call of an entity may promise: it is refused for one that is not, or whose revision is another."""
    make, kind = found.make, found.make.entity
    argument = next((slot.at for slot in slots(call.arguments) if slot.kind == "id" and not slot.around), "")
    if argument and call.tool != make.make.tool:
        refused = p.Refused(tool=call.tool, cause="unknown", argument=f"{ASKED}{argument}", entity=kind)
        yield Candidate(refused, found.evidence)
    expected = hints.first(_parameters(seen), hints.is_expected)
    if expected is not None and make.revision and call is not make.read:
        guarded = p.Guarded(entity=kind, tool=call.tool, expected=f"@/{expected}")
        yield Candidate(guarded, f"{call.tool} takes {expected}")


def _keys(entity: Json) -> Sequence[str]:
    return list(entity) if isinstance(entity, dict) else []


def _fields(make: Make, call: Call, entity: Json) -> dict[str, p.Place]:
    """The arguments that the entity shows under the same name: those in its entry, where it is made in a list."""
    place = make.id.removeprefix(ASKED) if make.by_caller and call is make.make else ""
    entry, own = place.rpartition("/")[0], steps(place)[-1:]
    holder = at(call.arguments, entry) if entry else call.arguments
    if not isinstance(holder, dict):
        return {}
    names = (name for name, value in holder.items() if value not in ("{{id}}", "{{revision}}") and (name,) != own)
    shown = [name for name in names if at(entity, pointer_of([name])) is not ABSENT]
    return {f"{ASKED}{entry}{pointer_of([name])}" if entry else name: pointer_of([name]) for name in shown}


def _parameters(seen: Seen) -> Mapping[str, Mapping[str, Json]]:
    found = properties(seen.tool.input_schema).items()
    return {name: nullable(about) for name, about in found if isinstance(about, dict)}


def _pages(found: Found, seen: Seen, calls: Sequence[Exchange]) -> Iterator[Candidate]:
    parameters, listing = _parameters(seen), found.make.list
    if listing is None:
        return
    yield from _filters(seen, listing, calls)
    size, cursor = hints.first(parameters, hints.is_size), hints.first(parameters, hints.is_cursor)
    if size is None and cursor is None and not any(hints.is_page(name) for name in parameters):
        kind = found.make.entity
        yield Candidate(p.Listed(entity=kind), f"{listing.tool} shows {kind} entities, and takes neither size nor page")
    if size is not None:
        most = parameters[size].get("maximum")
        promise = p.Capped(
            tool=listing.tool,
            entries=listing.at,
            size=f"@/{size}",
            most=most if isinstance(most, int) and not isinstance(most, bool) else None,
        )
        yield Candidate(promise, f"{listing.tool} takes {size}")
    # the last page says of no next one: the first call may have been answered with all that there was
    answers = (answer(seen), *(call.payload for call in calls if call.tool == listing.tool and call.accepted))
    onward = next((place for each in answers for place in _onward(each)), None)
    if cursor is not None and onward is not None:
        size_place = f"@/{size}" if size is not None else ""
        promise_paged = p.Paged(
            entity=found.make.entity, tool=listing.tool, cursor=f"@/{cursor}", next=onward, size=size_place
        )
        yield Candidate(promise_paged, f"{listing.tool} takes {cursor} and answers {onward.removeprefix('/')}")
    elif (number := hints.first(parameters, hints.is_page)) is not None:
        yield _counted(found.make.entity, listing.tool, number, parameters[number], f"@/{size}" if size else "")


def _filters(seen: Seen, listing: Call, calls: Sequence[Exchange]) -> Iterator[Candidate]:
    """Arguments of a list that entries show under the same name, where a value is the whole of what is looked for."""
    answers = (answer(seen), *(call.payload for call in calls if call.tool == listing.tool and call.accepted))
    shown = {name for each in answers for _, entry in entries(each, listing.at + OF_EACH) for name in _keys(entry)}
    for name, about in _parameters(seen).items():
        if name in shown and ("enum" in about or CHOSEN & {*words(name)[-1:]}):
            promise = p.Filtered(
                tool=listing.tool, argument=f"@{pointer_of([name])}", entries=listing.at, by=pointer_of([name])
            )
            yield Candidate(promise, f"{listing.tool} takes {name}, and its entries have one")


def _counted(kind: str, tool: str, number: str, about: Mapping[str, Json], size: p.Place) -> Candidate:
    """Pages of which the caller counts what came before."""
    counts: p.Counted = "entries" if hints.counts_entries(number) else "pages"
    least = about.get("minimum", about.get("default"))
    begins = 0 if counts == "pages" and least == 0 and not isinstance(least, bool) else None
    promise = p.Paged(entity=kind, tool=tool, cursor=f"@/{number}", counts=counts, begins=begins, size=size)
    return Candidate(promise, f"{tool} takes {number}")


def _onward(value: Json, pointer: p.Place = "", levels: int = 3) -> Iterator[p.Place]:
    """Where an answer says how to read on: at its top, else in an object of it."""
    if isinstance(value, dict) and levels:
        name = hints.first((key for key, each in value.items() if not isinstance(each, dict | list)), hints.is_next)
        if name is not None:
            yield pointer + pointer_of([name])
        for key, each in value.items():
            yield from _onward(each, pointer + pointer_of([key]), levels - 1)


def _bounds(seen: Seen, call: Call) -> Iterator[Candidate]:
    for place, about in argument_places(seen.tool.input_schema):
        if at(call.arguments, place.removeprefix(ASKED)) in ("{{id}}", "{{revision}}"):
            continue
        for unit, (low, high) in (("characters", TEXTS), ("number", NUMBERS)):
            least, most = _number(about.get(low)), _number(about.get(high))
            if least is not None or most is not None:
                yield Candidate(
                    p.Bounded(
                        tool=seen.tool.name,
                        argument=place,
                        unit="characters" if unit == "characters" else "number",
                        least=least,
                        most=most,
                    ),
                    f"inputSchema of {seen.tool.name} says so",
                )


def _number(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _key(seen: Seen, found: Sequence[Found]) -> Iterator[Candidate]:
    """A write that a key makes repeatable gives the same ids again: of what it made, or of all that it tells."""
    places = (place for place, _ in argument_places(seen.tool.input_schema))
    key = hints.first(places, lambda place: repeatable(seen, steps(place)[-1]))
    make = next((each.make for each in found if each.make.make.tool == seen.tool.name), None)
    if make is None:
        given = tuple(_ids(answer(seen)))[:GIVEN]
    elif make.by_caller:
        given = tuple(f"{make.make.at}{place}" for place in (make.shown, make.revision) if place)[:1]
    else:
        given = (f"{make.make.at}{make.id}",)
    if key is not None and given:
        why = f"{seen.tool.name} takes {told_place(key)}"
        yield Candidate(p.Replayed(tool=seen.tool.name, key=key, gives=given), why)
        yield Candidate(p.Conflicting(tool=seen.tool.name, key=key), why)


def _ids(value: Json, pointer: p.Place = "", levels: int = 3) -> Iterator[p.Place]:
    """Where an answer tells ids, within no list."""
    if isinstance(value, dict) and levels:
        for name, each in value.items():
            place = pointer + pointer_of([name])
            if isinstance(each, str | int) and not isinstance(each, bool) and words(name)[-1:] == ("id",):
                yield place
            yield from _ids(each, place, levels - 1)


def _echo(seen: Seen) -> Iterator[Candidate]:
    name = hints.first(_parameters(seen), hints.is_echoed)
    payload = answer(seen)
    if name is not None and isinstance(payload, dict) and name in payload:
        yield Candidate(
            p.Echoed(argument=f"@/{name}", at=f"/{name}", tools=(seen.tool.name,)),
            f"{seen.tool.name} takes and answers {name}",
        )

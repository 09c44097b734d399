"""Recognises the kinds of entity that a server keeps: what one call makes and other calls name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeGuard

from msgspec import structs

from conformance.contract.asked import nullable
from conformance.contract.making import Call, Make
from conformance.contract.naming import id_made
from conformance.contract.templates import place_of
from conformance.contracts.mcp.reach.keys import is_key
from conformance.contracts.mcp.reach.labels import AS_NUMBER
from conformance.contracts.mcp.reach.usual import deed, is_verb
from conformance.contracts.mcp.reach.words import singular, words
from conformance.contracts.mcp.samples import PLACEHOLDER
from conformance.judge.faults import declined
from conformance.judge.judgements import told
from conformance.judge.kinds import spelled
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.measure import quoted
from conformance.model.pointer import ABSENT, at, pointer_of, scalars, steps
from conformance.model.texts import texts_of
from conformance.propose.contract.hints import first, is_expected, is_revision
from conformance.propose.contract.states import states, untried_removal
from conformance.propose.looking import Seen

DEEPEST = 8
NEAR = 2
"""How deep within an entity its revision may stand."""
REMOVED = 2
"""Entities that were read no more after a call of the same tool."""
MAKING = ("make", None)
"""What a tool does, by its name, that makes what others name: most are named for it."""
HOLDERS = ("data", "result", "item", "entity", "object", "payload", "response", "value")
"""Keys of answers that hold whatever a tool makes."""
MADE = "{{made."
OURS = ("fresh", "claims")
"""Words of placeholders that a contract has too."""


@dataclass(frozen=True, slots=True)
class Found:
    """A kind of entity, with what shows that it is one."""

    make: Make
    evidence: str
    shown: Mapping[str, Json]
    """By tool, the entity as an accepted call of it showed it."""
    ids: Sequence[Json] = ()
    """Of all that were made."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """By part of [[make]], why a tool that seemed to be one is none."""
    whole: str = ""
    """The argument that is all that a read shows, as of a file; empty: there is none."""


class Named(NamedTuple):
    """Where an earlier answer holds a value."""

    tool: str
    pointer: str


def entities(tools: Sequence[Seen]) -> list[Found]:
    """The kinds that were recognised: what a tool makes, and another tool names in a call that was accepted."""
    works = {seen.tool.name: seen for seen in tools if seen.accepted and isinstance(seen.arguments, dict)}
    makers: dict[str, Named] = {}
    for seen in works.values():
        for place in named_places(seen.arguments):
            if place.tool in works and _makes(works[place.tool], place) and _is_name(place):
                makers.setdefault(place.tool, place)
    kinds = {place: _kind(works[place.tool], place) for place in makers.values()}
    return [_found(works, place, kinds, tools) for place in kinds]


def without_refused(found: Found, refused: Mapping[str, Exchange]) -> Found:
    """A kind without the calls that may change or remove an entity, and were refused though nothing was wrong.

    One that is accepted in a state alone was rightly refused in others.
    """
    make = found.make
    known = {name: getattr(make, name) for name in ("change", "remove")}
    parts = {name: call for name, call in known.items() if call is not None and not call.state}
    wrong = {name: call.tool for name, call in parts.items() if call.tool in refused and call.tool != make.make.tool}
    if not wrong:
        return found
    why = {name: f"{tool} {came_of(refused[tool])} when it was tried as one" for name, tool in wrong.items()}
    return replace(found, make=structs.replace(make, **dict.fromkeys(wrong)), left_out=why)


def with_removal(found: Found, history: History) -> Found:
    """A kind with the call after which no entity was read any more, where no tool is named for removing one."""
    make = found.make
    read = make.read
    if make.remove is not None or read is None or make.by_caller:
        return found
    reads = [call for call in history.calls(read.tool) if declined(call) or call.accepted]
    made = {spelled(id_made(make, call.arguments, call.payload)) for call in history.accepted(make.make.tool)}
    own = {call.tool for call in make.calls}
    ended: dict[tuple[str, str], list[bool]] = {}
    place_read = place_of(read, "id")
    for write in (call for call in history.calls() if call.accepted and call.tool not in own):
        for place, value in scalars(write.arguments):
            if spelled(value) in made and len(steps(place)) == 1:
                later = (each for each in reads if write.before(each) and at(each.arguments, place_read) == value)
                ended.setdefault((write.tool or "", place), []).extend([not each.accepted for each in later][:1])
    for (tool, place), over in ended.items():
        asked = next(call.arguments for call in history.accepted(tool))
        if len(over) >= REMOVED and all(over) and asked.keys() == {steps(place)[0]}:
            remove = Call(tool, {steps(place)[0]: "{{id}}"})
            return replace(found, make=structs.replace(make, remove=remove))
    return found


def came_of(call: Exchange) -> str:
    """How a call ended that was to be a good one."""
    if call.accepted:
        said = quoted(next(iter(texts_of(call.result)), ""))
        return f"was answered with {said}, in the form of a success,"
    return f"was {told(call)}"


def repeatable(seen: Seen, argument: str) -> bool:
    """Whether an argument is a key that makes a write repeatable, by its name, and names nothing that was made."""
    return is_key(argument) and not any(named_places([(seen.arguments or {}).get(argument)]))


def answer(seen: Seen) -> Json:
    """What a good call of it answered."""
    return seen.good.payload if seen.good is not None else None


def named_places(arguments: Json) -> Iterator[Named]:
    """The places in earlier answers that arguments take a value from."""
    if isinstance(arguments, dict | list):
        for value in arguments.values() if isinstance(arguments, dict) else arguments:
            yield from named_places(value)
    elif isinstance(arguments, str) and (place := _place(arguments)) is not None:
        yield place


def _place(text: str) -> Named | None:
    whole = PLACEHOLDER.fullmatch(text)
    tool, dot, way = whole[1].partition(".") if whole else ("", "", "")
    return Named(tool, "/" + way.removesuffix(AS_NUMBER).replace(".", "/")) if dot and tool not in OURS else None


def _is_name(place: Named) -> bool:
    """Whether a value names what the call made: a revision does not, nor an entry of a list."""
    way = steps(place.pointer)
    return not is_revision(way[-1]) and not any(step.isdecimal() for step in way)


def revisions(entity: Json, pointer: str = "", levels: int = NEAR) -> Iterator[str]:
    """Where an entity tells its revision: at its top, else in an object of it."""
    if isinstance(entity, dict) and levels:
        plain = (key for key, each in entity.items() if isinstance(each, str | int) and not isinstance(each, bool))
        if (name := first(plain, is_revision)) is not None:
            yield pointer + pointer_of([name])
        for key, each in entity.items():
            yield from revisions(each, pointer + pointer_of([key]), levels - 1)


def _makes(seen: Seen, place: Named) -> bool:
    """Whether a tool makes what its answer names: by its name, or as the name is none of what it was told."""
    if deed(seen.tool) in MAKING:
        return True
    call = next((each for each in seen.calls if each.accepted), None)
    name = at(call.payload, place.pointer) if call is not None else ABSENT
    given = {spelled(value) for _, value in scalars(call.arguments)} if call is not None else set[str]()
    is_id = words(steps(place.pointer)[-1])[-1:] == ("id",)
    return deed(seen.tool) == "change" and is_id and name is not ABSENT and spelled(name) not in given


def _kind(seen: Seen, place: Named) -> str:
    """What a tool makes: by the key of its id, as note_id of a note, by what that stands in, else by its name."""
    *above, key = steps(place.pointer)
    *kind, last = words(key) or ("",)
    if kind and last == "id":
        return kind[-1]
    if above and above[-1] not in HOLDERS and not above[-1].isdecimal() and words(above[-1]):
        return singular(words(above[-1])[-1])
    said = [word for word in words(seen.tool.name) if not is_verb(word)] or [*words(seen.tool.name)]
    named = [word for word in said if not word.isdecimal()]
    # of page1 and page2 each is a kind by itself
    number = said[-1] if named and said[-1].isdecimal() else ""
    return singular(named[-1]) + number if named else seen.tool.name


def _found(works: Mapping[str, Seen], place: Named, kinds: Mapping[Named, str], tools: Sequence[Seen]) -> Found:
    maker, kind = works[place.tool], kinds[place]
    above, _, last = place.pointer.rpartition("/")
    made = answer(maker)
    entity = at(made, above)
    ids = [found for call in maker.calls if call.accepted and (found := at(call.payload, place.pointer)) is not ABSENT]
    about = _About(works, place, kinds, frozenset(map(spelled, ids)))
    users = [seen for seen in works.values() if seen is not maker and about.names(seen)]
    reads = (answer(seen) for seen in users if deed(seen.tool) == "read")
    places = ((read, _shows(read, last, at(made, place.pointer))) for read in reads)
    shows = (at(read, where) for read, where in places if where is not None)
    revision = next((found for each in (entity, *shows) for found in revisions(each)), "")
    about = replace(about, revised=bool(revision))
    shown: dict[str, Json] = {place.tool: entity}
    calls: dict[str, Call] = {}
    asked = (name for seen in users for name, value in about.arguments(seen).items() if value == "{{id}}")
    argument = next(asked, "")
    known = states(tools, kind, argument)
    moves = {call.tool for state in known for call in (state.enter, state.leave) if call is not None}
    # what brings an entity into a state is no change of it, and does not remove it
    for seen in (each for each in users if each.tool.name not in moves):
        does = deed(seen.tool)
        where = _shows(answer(seen), last, at(made, place.pointer)) if does in ("read", "change") else ""
        if where is None and does == "read" and _tells_of(answer(seen), maker):
            where = ""
        if does == "read" and where is not None and "read" not in calls:
            calls["read"] = Call(seen.tool.name, about.arguments(seen), where)
        elif does in ("change", "remove") and does not in calls and not _of_another(seen, kind, kinds.values()):
            calls[does] = Call(seen.tool.name, about.arguments(seen), where or "")
        if where is not None:
            shown[seen.tool.name] = at(answer(seen), where)
    if known and "remove" not in calls and (removal := untried_removal(tools, kind, argument, moves)) is not None:
        calls["remove"] = removal
    others = {seen.tool.name for seen in users}
    shared = any(steps(each.pointer)[-1] == last for each in kinds if each != place)
    sure = frozenset(map(spelled, ids)) if shared else frozenset[str]()
    listing = _listing(works, last, others, kind, _holders(works, last, place, kinds), sure)
    if listing is not None:
        within = _of_its_own(about.arguments(works[listing[0]]), about.arguments(maker))
        calls["list"] = Call(listing[0], within, listing[1])
    named = ", ".join(seen.tool.name for seen in users)
    return Found(
        Make(
            entity=kind,
            make=Call(place.tool, about.arguments(maker), above),
            id=f"/{last}",
            revision=revision,
            read=calls.get("read"),
            change=calls.get("change"),
            remove=calls.get("remove"),
            list=calls.get("list"),
            states=known,
        ),
        f"{named} accepted the {last} that {place.tool} had answered",
        shown,
        ids,
    )


def _of_another(seen: Seen, kind: str, kinds: Iterable[str]) -> bool:
    """Whether a tool is named for another kind: move_document changes no folder, though it names one."""
    said = {singular(word) for word in words(seen.tool.name)}
    return kind not in said and any(other in said for other in kinds if other != kind)


def _of_its_own(arguments: dict[str, Json], made: Mapping[str, Json]) -> dict[str, Json]:
    """The arguments of a list that names what entities are made in: it shows those that were made there."""
    names = {value: f"{{{{its.{value[len(MADE) : -2]}}}}}" for value in made.values() if _is_made(value)}
    return {name: names.get(value, value) if isinstance(value, str) else value for name, value in arguments.items()}


def _is_made(value: Json) -> TypeGuard[str]:
    return isinstance(value, str) and value.startswith(MADE)


@dataclass(frozen=True, slots=True)
class _About:
    """Turns placeholders of earlier answers into those of an entity."""

    works: Mapping[str, Seen]
    place: Named
    kinds: Mapping[Named, str]
    ids: frozenset[str]
    """Those of the entities that were made, as JSON."""
    revised: bool = False
    """Whether entities of this kind have revisions."""

    def names(self, seen: Seen) -> bool:
        """Whether a call that a tool accepted names one of them, from whichever answer it was taken."""
        literal: dict[str, Json] = seen.good.arguments if seen.good is not None else {}
        taken = (name for name, value in (seen.arguments or {}).items() if any(named_places([value])))
        by_value = any(spelled(literal.get(name)) in self.ids for name in taken)
        return by_value or self.place in set(named_places(seen.arguments))

    def arguments(self, seen: Seen) -> dict[str, Json]:
        """The arguments of a call for an entity of this kind."""
        literal: dict[str, Json] = seen.good.arguments if seen.good is not None else {}
        found = {name: self._value(name, value, literal) for name, value in (seen.arguments or {}).items()}
        for name, value in found.items():
            if repeatable(seen, name) and isinstance(value, str):
                found[name] = "{{key}}"
            elif is_expected(name) and self.revised and "{{id}}" in found.values():
                found[name] = "{{revision}}"
            elif value == literal.get(name) and is_free(seen, name):
                found[name] = f"{{{{fresh.{name}}}}}"
        return found

    def _value(self, name: str, value: Json, literal: Mapping[str, Json]) -> Json:
        if isinstance(value, dict):
            return {key: self._value(key, each, literal) for key, each in value.items()}
        if isinstance(value, list):
            return [self._value(name, each, literal) for each in value]
        place = _place(value) if isinstance(value, str) else None
        return value if place is None else self._taken(name, place, literal.get(name, value))

    def _taken(self, name: str, place: Named, otherwise: Json) -> Json:
        """What stands for a value of an earlier answer."""
        if place == self.place or spelled(otherwise) in self.ids:
            return "{{id}}"
        if place.tool == self.place.tool and is_revision(steps(place.pointer)[-1]) and is_expected(name):
            return "{{revision}}"
        return f"{{{{made.{self.kinds[place]}}}}}" if place in self.kinds else otherwise


def is_free(seen: Seen, name: str) -> bool:
    """Whether an argument takes any text, so that a new one serves as well as the one that was accepted."""
    about = properties(seen.tool.input_schema).get(name)
    bound = ("enum", "const", "pattern", "format")
    schema = nullable(about) if isinstance(about, dict) else {}
    return schema.get("type") in ("string", ["string", "null"]) and not any(key in schema for key in bound)


def _shows(payload: Json, key: str, identity: Json, pointer: str = "", levels: int = DEEPEST) -> str | None:
    """Where an answer shows the entity of this id: an object that has it under this key, within no list."""
    if isinstance(payload, dict) and levels:
        if payload.get(key, ABSENT) == identity:
            return pointer
        for name, value in payload.items():
            if (found := _shows(value, key, identity, pointer + pointer_of([name]), levels - 1)) is not None:
                return found
    return None


def _holders(works: Mapping[str, Seen], key: str, own: Named, kinds: Iterable[Named]) -> set[str]:
    """The keys of the ids of what shows this kind's id as well: what is made in it."""
    found = set[str]()
    for place in (each for each in kinds if each != own):
        above, _, last = place.pointer.rpartition("/")
        entity = at(answer(works[place.tool]), above)
        if isinstance(entity, dict) and key in entity and last != key:
            found.add(last)
    return found


def _listing(  # noqa: PLR0913, PLR0917 -- what tells a list from those of other kinds
    works: Mapping[str, Seen], key: str, others: set[str], kind: str, holders: set[str], ids: frozenset[str]
) -> tuple[str, str] | None:
    """A read that names none of the entities and shows a list of objects with their id: the tool, and where.

    One that is named for them comes first. What is made in them shows their id, too, and its own: that is another list.
    So is one that shows none of these `ids`, where there are any: other kinds have theirs under the same key.
    """
    named = sorted(works, key=lambda name: kind not in map(singular, words(name)))
    for name in (each for each in named if each not in others and deed(works[each].tool) == "read"):
        accepted = [call for call in works[name].calls if call.accepted]
        found = [(place, value) for call in accepted for place, value in lists(call.payload) if value]
        for pointer, value in found:
            if not all(isinstance(each, dict) and key in each and not holders & each.keys() for each in value):
                continue
            shown = {
                spelled(at(each, pointer_of([key]))) for place, other in found if place == pointer for each in other
            }
            if not ids or ids & shown:
                return name, pointer
    return None


def _tells_of(told: Json, maker: Seen) -> bool:
    """Whether an answer without any id shows what a tool was told of what it made."""
    given = [call.arguments for call in maker.calls if call.accepted and isinstance(call.arguments, dict)]
    written = [(name, value) for each in given for name, value in each.items() if isinstance(value, str) and value]
    return isinstance(told, dict) and any(told.get(name) == value for name, value in written)


def lists(value: Json, pointer: str = "", levels: int = DEEPEST) -> Iterator[tuple[str, list[Json]]]:
    """The lists in an answer, but for those within another."""
    if isinstance(value, list):
        yield pointer, value
    elif isinstance(value, dict) and levels:
        for name, inner in value.items():
            yield from lists(inner, pointer + pointer_of([name]), levels - 1)

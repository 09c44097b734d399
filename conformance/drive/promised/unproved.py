"""What of a contract cannot be shown by the stimuli that its data amounts to, and what of its data nothing is about."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.checking import unsound
from conformance.contract.making import Call, Make
from conformance.contract.misfits import misfit
from conformance.contract.naming import naming
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.contract.source import has
from conformance.contract.templates import FRESH, filled, place_of, slots
from conformance.contract.wording import an, shown
from conformance.drive.promised.refusing import values_against
from conformance.model.events import Json

SAMPLES: Mapping[str, Json] = {
    "number": 999_999_999,
    "word": "abcdefghijkl",
    "uuid": "01234567-89ab-4def-8123-456789abcdef",
}
"""What placeholders stand for, by kind; others for texts."""


class Lack(NamedTuple):
    """Something that is unproved, and its remedy."""

    file: str
    about: str
    """The word by which its line is found in the file."""
    what: str
    todo: str


REQUIREMENTS, TOOLS, ERRORS, HEAD = "requirements.toml", "tools.json", "errors.toml", "contract.toml"


def lacks(contract: Contract) -> Iterator[Lack]:
    """All of a contract, promise by promise, then tools and codes."""
    if not contract.requirements:
        todo = "add one to requirements.toml: conformance contract laws lists what it may name"
        yield Lack(REQUIREMENTS, "", "nothing is promised", todo)
    for identifier in contract.requirements:
        for name, promise in contract.promised(identifier).items():
            for what, todo in _of(promise, contract):
                yield Lack(REQUIREMENTS, identifier, f"{name}: {what}", todo)
    for call in [*(call for make in contract.makes.values() for call in make.calls), *contract.examples]:
        for what, todo in _unfit(call, contract):
            yield Lack(HEAD, call.tool, f"{call.tool}: {what}", todo)
    yield from _strangers(contract)
    yield from _written_over(contract)
    yield from _listed(contract)
    # what the promises leave out laws in Python may be about
    if contract.promises and all(map(contract.promised, contract.requirements)):
        yield from _left_out(contract)


def _listed(contract: Contract) -> Iterator[Lack]:
    """What tools.json does not say, or says as nobody can read it."""
    if contract.promises and not contract.tools:
        what = "tools.json is missing or empty: what is promised of all tools is judged of none"
        yield Lack(TOOLS, "", what, "write there what the server answers to tools/list; contract init does so")
    for name, tool in contract.tools.items():
        if wrong := unsound(tool.inputSchema):
            what = f"the inputSchema of {name} is no JSON Schema: {wrong}"
            yield Lack(TOOLS, name, what, "correct it: what it says of the arguments at fault is not judged")


def _strangers(contract: Contract) -> Iterator[Lack]:
    """The calls on an entity that name another one than that in which it was made: a change alone may move it there."""
    for make in contract.makes.values():
        above = _made_for(make.make)
        for call in filter(None, (make.read, make.remove, make.list, *make.moves)):
            for kind in sorted(above & _made_for(call)):
                what = f"{call.tool} is called with another {kind} than the one that the {make.entity} was made in"
                todo = f"write {{{{its.{kind}}}}} for {{{{made.{kind}}}}} there, unless another one is meant"
                yield Lack(HEAD, call.tool, what, todo)


def _written_over(contract: Contract) -> Iterator[Lack]:
    """Entities that the same tool makes and changes: which of the two a call does is told by the name that it gives."""
    for make in contract.makes.values():
        if not make.by_caller and make.change is not None and make.change.tool == make.make.tool:
            named = place_of(make.change, "id")
            what = f"{make.make.tool} makes and changes the {make.entity}, and its id is looked for in the answer"
            yield Lack(HEAD, make.make.tool, what, f'write id = "@{named}", where its caller names it')


def _made_for(call: Call) -> set[str]:
    """The kinds of entity that are made for a call."""
    return {slot.name for slot in slots(call.arguments) if slot.kind == "made"}


def _left_out(contract: Contract) -> Iterator[Lack]:
    """Tools and codes that no promise is about, and that none says that good calls are served."""
    if not any(isinstance(each, p.Served) for each in contract.promises.values()):
        what = "nothing promises that good calls are accepted, so a server that refuses them breaks nothing"
        yield Lack(REQUIREMENTS, "", what, 'add a requirement with promise = { law = "served" }')
    about = {tool for promise in contract.promises.values() for tool in _tools(promise, contract)}
    for tool in contract.tools:
        if tool not in about:
            yield Lack(TOOLS, tool, f"no promise is about {tool}", "add one, or take it out of tools.json")
    used = {code for promise in contract.promises.values() for code in getattr(promise, "codes", ())}
    for code in contract.errors:
        if code not in used:
            yield Lack(ERRORS, code, f"no promise says when {code} is due", 'add one with law = "refused"')


def _unfit(call: Call, contract: Contract) -> Iterator[tuple[str, str]]:
    """The arguments that the tool's schema does not allow as the contract writes them: good calls are then refused."""
    sample = filled(call.arguments, lambda kind, name: SAMPLES.get(kind, f"{name or kind}-0123456789"))
    for name, value in sample.items():
        about = asked_as(contract, call.tool, f"@/{name}")
        open_ones = {slot.kind for slot in slots(call.arguments[name])} - {*FRESH}
        if about is not None and not open_ones and satisfied(about, value) is False:
            found = misfit(about, value)
            said = found.how if found is not None and found.how else f"{shown(value)} is against its schema"
            yield f"{name} as it is written there is refused: {said}", "write what inputSchema in tools.json allows"


def _tools(promise: p.Promise, contract: Contract) -> set[str]:
    """The tools that a promise is about by name, or by their entity."""
    found = {getattr(promise, "tool", ""), *getattr(promise, "tools", ())} - {""}
    make = contract.makes.get(getattr(promise, "entity", ""))
    return found | ({call.tool for call in make.calls} if make is not None else set())


def _of(promise: p.Promise, contract: Contract) -> Iterator[tuple[str, str]]:
    # stimuli in Python make calls of their own
    if not has(contract.package, "stimuli"):
        yield from _uncalled(promise, contract)
    yield from _particular(promise, contract)


def _uncalled(promise: p.Promise, contract: Contract) -> Iterator[tuple[str, str]]:
    """The tools of a promise that the contract does not say how to call."""
    called = {call.tool for make in contract.makes.values() for call in make.calls}
    called |= {call.tool for call in contract.examples}
    tool = getattr(promise, "tool", "")
    for each in (*((tool,) if tool else ()), *getattr(promise, "tools", ())):
        if each not in called:
            what = f"nothing can bring it about: contract.toml does not say how {each} is called"
            yield what, f"add {each} to a [[make]], or as an [[example]]"
    if not called and not isinstance(promise, p.Declared):
        yield "nothing can bring it about: contract.toml says of no tool how it is called", "add a [[make]]"


def _particular(promise: p.Promise, contract: Contract) -> Iterator[tuple[str, str]]:  # noqa: C901, PLR0912 -- an arm a promise
    make = contract.makes.get(getattr(promise, "entity", ""))
    match promise:
        case p.Replayed() | p.Conflicting():
            yield from _keyed(promise, contract)
        case p.Revised() if make is not None:
            if not promise.tools:
                yield from _needs(make, "change", "it is never changed")
            known = [call.tool for call in (make.change, *make.moves) if call is not None]
            for tool in promise.tools:
                if tool not in known:
                    yield f"{tool} is no change of its [[make]]", "name it there as change, or in states"
            yield from _revision(make)
        case p.Guarded() if make is not None:
            yield from _revision(make)
            yield from _needs(make, "read", "that a refused change changed nothing is not seen")
            if promise.tool not in [call.tool for call in (make.change, make.remove) if call is not None]:
                yield (
                    f"{promise.tool} is neither change nor remove of its [[make]]",
                    "name it there as change = { tool = … }",
                )
        case p.Shows() if make is not None:
            if make.read is None and make.list is None:
                yield "no read shows it", f"add read = {{ tool = … }} to the [[make]] of {make.entity}"
        case p.Lives() if make is not None:
            if make.list is None:
                yield from _needs(make, "read", "nothing looks for it")
            yield from _needs(make, "remove", "that it is gone once it was removed is not seen")
        case p.Listed() if make is not None:
            yield from _needs(make, "list", "nothing lists it")
            pages = (each for each in contract.promises.values() if isinstance(each, p.Paged))
            if any(each.entity == promise.entity for each in pages):
                yield f"the list of {promise.entity} comes in pages", "leave it out: paged says as much of all pages"
        case p.Barred() if not any(naming(contract, promise.tool, promise.entity)):
            what = f"nothing says how {promise.tool} names {an(promise.entity)}"
            yield (
                what,
                f"write {{{{id}}}} or {{{{made.{promise.entity}}}}} in a call of {promise.tool} in contract.toml",
            )
        case p.Answer() if promise.at and promise.only_of_objects:
            what = f"it says nothing where {place(promise.at)} is no object, such as a text or null"
            yield what, 'add type = "object" to its schema'
        case p.Refused(cause="invalid", values=()):
            if not values_against(contract, promise.tool, promise.argument):
                what = f"no value is known that {place(promise.argument)} does not take"
                yield what, "give values in the promise, or a type and bounds in tools.json"
        case p.Unique() if make is not None and make.by_caller and promise.at == make.shown:
            what = f"callers give {place(promise.at)}, so no answer shows it of two"
            yield (
                what,
                'leave it out: law = "refused" with cause = "taken" says that a name is refused which another has',
            )
        case p.Paged() if make is not None:
            if make.list is None or make.list.tool != promise.tool:
                yield f"{promise.tool} is not the list of its [[make]]", "name it there as list = { tool = …, at = … }"
        case p.Steady() if not promise.tools and not contract.reads():
            yield "no tool is known to read", "add read or list to a [[make]]"
        case _:
            pass


def _keyed(promise: p.Replayed | p.Conflicting, contract: Contract) -> Iterator[tuple[str, str]]:
    for make in contract.makes.values():
        if make.make.tool == promise.tool and make.list is None and isinstance(promise, p.Replayed):
            what = f"that no second {make.entity} is made is not seen"
            yield what, "add list = { tool = …, at = … } to its [[make]]"
        for call in make.calls:
            own = [s for s in slots(call.arguments) if s.kind in FRESH and f"@{s.at}" != promise.key]
            texts = [value for value in call.arguments.values() if isinstance(value, str)]
            if call.tool == promise.tool and isinstance(promise, p.Conflicting) and not own and not texts:
                what = "nothing in its arguments can say something else under the same key"
                yield what, "write one of them as {{fresh.NAME}} in the [[make]]"


def _needs(make: Make, part: str, lacking: str) -> Iterator[tuple[str, str]]:
    if getattr(make, part) is None:
        yield lacking, f"add {part} = {{ tool = … }} to the [[make]] of {make.entity}"


def _revision(make: Make) -> Iterator[tuple[str, str]]:
    if not make.revision:
        what = f"nothing says where {an(make.entity)} shows its revision"
        yield what, f'add revision = "/revision" to the [[make]] of {make.entity}'

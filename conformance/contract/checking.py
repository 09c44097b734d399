"""What is wrong with a contract as a whole: names that lead nowhere, places that nothing can stand at."""

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from math import isfinite

from conformance.contract import promises as p
from conformance.contract.founding import beneath
from conformance.contract.limits import UnjudgedError
from conformance.contract.rows import Contract
from conformance.contract.schema import SchemaError, compiled
from conformance.contract.templates import FRESH, KINDS, place_of, slots
from conformance.contract.texts import Text
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, ASKED, at, steps
from conformance.model.requirement import Requirement

Wrong = tuple[str, str, str]
"""The field, what is wrong with it, and what to do."""
ARGUMENTS = ("key", "expected", "argument", "cursor", "size")
"""Fields of promises that lead into a call's arguments."""
NEW = ("make", "list", "example")
"""Calls that are about no entity of which the id is known."""
ANSWERS = ("at", "next", "entries", "truncated", "by", "id", "shown", "revision")
"""Fields that lead into an answer."""


def check(
    contract: Contract, requirements: Text, head: Text, *, places: Mapping[str, int], taken: Mapping[str, Requirement]
) -> None:
    """Writes down what is wrong with promises, [envelope], [[make]] and [[example]].

    `places` are those of the requirements in their file, `taken` the ids of the protocol's.
    """
    for identifier in contract.requirements:
        for inner, what, todo in _requirement(identifier, contract, taken):
            requirements.wrong(what, requirements.line(("requirement", places[identifier], *inner)), todo)
    for field, wrong, todo in _envelope(contract.envelope):
        head.wrong(f"envelope: {field}: {wrong}", head.line(("envelope", field)), todo)
    for number, make in enumerate(contract.makes.values()):
        for field, wrong, todo in _make(make, contract):
            head.wrong(f"make {make.entity}: {field}: {wrong}", head.line(("make", number, field)), todo)
    for number, call in enumerate(contract.examples):
        for field, wrong, todo in _call("example", call, contract):
            head.wrong(f"{field}: {wrong}", head.line(("example", number, "tool")), todo)


def _requirement(
    identifier: str, contract: Contract, taken: Mapping[str, Requirement]
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """What is wrong with one, each with the place in its row."""
    if identifier in taken:
        yield ("id",), f"{identifier} is a requirement of {contract.protocol}", "rename it"
    for field, wrong, todo in _beneath(identifier, contract, taken):
        yield (field,), f"{identifier}: {field}: {wrong}", todo
    # tools, codes and profiles are those of the edition that is read
    of_it = contract.requirements[identifier].is_of(contract.edition)
    promised = contract.promised(identifier) if of_it else {}
    for number, (name, promise) in enumerate(promised.items()):
        for field, wrong, todo in (*_promise(promise, contract), *_alone(promise, promised)):
            yield ("promise", number), f"{name}: {field}: {wrong}", todo


def _promise(promise: p.Promise, contract: Contract) -> Iterator[Wrong]:
    named = getattr(promise, "tool", "")
    tools = (*((named,) if named else ()), *getattr(promise, "tools", ()))
    for tool in tools:
        yield from _tool("tool", tool, contract)
    if not named and hasattr(promise, "tool"):
        yield "tool", "none is named", _near("", contract.tools)
    for name in getattr(promise, "codes", ()):
        if name not in contract.errors:
            yield "codes", f"errors.toml has no code {name}", _near(name, contract.errors) or "add it there"
    entity = getattr(promise, "entity", "")
    if entity and entity not in contract.makes:
        yield "entity", f"no [[make]] says how a {entity} is made", _near(entity, contract.makes) or "add one"
    for field in (*ARGUMENTS, *ANSWERS):
        pointer = getattr(promise, field, "")
        if isinstance(pointer, str) and pointer:
            yield from _place(field, pointer, [contract.tools[t].inputSchema for t in tools if t in contract.tools])
    yield from _incomplete(promise, contract)


def _beneath(identifier: str, contract: Contract, protocol: Mapping[str, Requirement]) -> Iterator[Wrong]:
    """What a requirement names of others: those that there are, and of which none rests on it."""
    known = (*contract.requirements, *protocol)
    for field in ("requires", "falls_with"):
        for name in getattr(contract.requirements[identifier], field):
            if name not in known:
                yield field, f"there is no requirement {name}", _near(name, known)
    if identifier in beneath(identifier, contract.requirements):
        what = f"{identifier} would rest on itself, and a breach of it be explained by itself"
        yield "requires", what, "leave out one of the names on the way"


def _alone(promise: p.Promise, promised: Mapping[str, p.Promise]) -> Iterator[Wrong]:
    """A breach of `served` explains all else that is wrong in its call, and nothing but that may do so."""
    if isinstance(promise, p.Served) and len(promised) > 1:
        yield "law", "served stands in a requirement by itself", "make two requirements of it"


def _incomplete(promise: p.Promise, contract: Contract) -> Iterator[Wrong]:
    """What a promise lacks, or names outside of tools and codes."""
    match promise:
        case p.Refused():
            yield from _refused(promise, contract)
        case p.Answer():
            # an installed contract is tested: to compile all its schemas would only take time
            if contract.digest and (wrong := unsound(promise.schema)):
                yield "schema", f"it is no JSON Schema: {wrong}", ""
            profiles = [each.name for each in contract.profiles]
            for name in promise.profiles:
                if name not in profiles:
                    yield "profiles", f"{name} is not known", _near(name, profiles) or "add a [[profile]]"
        case p.Barred() if promise.entity in contract.makes:
            yield from _state("state", promise.state, contract.makes[promise.entity])
        case p.Bounded():
            yield from _bounds(promise)
        case p.Capped(size="", most=None):
            yield "most", "neither size nor most is given", "give one of them"
        case _:
            pass


def _bounds(promise: p.Bounded) -> Iterator[Wrong]:
    """A size is a number that there is, of what is counted a whole one; the least is no more than the most."""
    known = {name: size for name in ("least", "most") if (size := getattr(promise, name)) is not None}
    if not known:
        yield "least", "neither least nor most is given", "give one of them"
    for name, size in known.items():
        if not isfinite(size):
            yield name, f"{size} is no bound", "leave it out where there is none"
        elif promise.unit != "number" and (size < 0 or size % 1):
            yield name, f"no value has {size:g} {promise.unit}", "give a whole number, 0 or more"
    if len(known) > 1 and known["least"] > known["most"]:
        yield "least", f"{known['least']:g} is more than the most, {known['most']:g}", "give the smaller one as least"


def unsound(schema: Json) -> str:
    """What is wrong with a schema; empty where it is sound."""
    try:
        compiled(schema)
    except (SchemaError, UnjudgedError) as error:
        return str(error)
    return ""


def _envelope(rule: EnvelopeRule) -> Iterator[Wrong]:
    """What tells failure is a key of the envelope, with what stands there, or isError."""
    if rule.failure_key is not None and rule.failure_value == "isError":
        yield "failure_value", "isError tells failure, and so does failure_key", "give one of them"
    if rule.failure_key is None and rule.failure_value == "false":
        yield "failure_value", "no key is named that is false", 'add failure_key = "success", or as it is named'
    if rule.failure_key is None and rule.success_values:
        yield "success_values", "no key is named that has them", 'add failure_key = "status", or as it is named'
    if rule.success_values and rule.failure_value != "present":
        yield "success_values", f"failure_value is {rule.failure_value} besides", "give one of them"


def _refused(promise: p.Refused, contract: Contract) -> Iterator[Wrong]:
    needed = {
        "unknown": ("argument", "entity"),
        "taken": ("argument", "entity"),
        "invalid": ("argument",),
        "missing": ("argument",),
        "role": ("role",),
        "condition": ("under",),
        "exhausted": ("setting",),
    }
    for field in needed[promise.cause]:
        if not getattr(promise, field):
            yield field, f"cause {promise.cause} needs it", f"add {field}"
    make = contract.makes.get(promise.entity)
    if make is not None and promise.cause in ("unknown", "taken"):
        yield from _named(promise, make)
    for name in promise.under:
        if name not in contract.conditions():
            yield "under", f"no [[term]] of kind condition is named {name}", _near(name, contract.conditions())
    if promise.setting and promise.setting not in contract.settings():
        near = _near(promise.setting, contract.settings())
        yield "setting", f"no [[term]] of kind setting is named {promise.setting}", near


def _named(promise: p.Refused, make: p.Make) -> Iterator[Wrong]:
    """What makes an entity by the name that its caller gives is not refused for that there is none of that name."""
    makes = promise.tool == make.make.tool and promise.argument == make.id
    if makes and promise.cause == "unknown":
        todo = 'name a tool that reads, changes or removes one, or say cause = "taken"'
        yield "tool", f"{promise.tool} makes the {make.entity} that {promise.argument} names", todo
    if makes and promise.cause == "taken" and make.writes_over:
        todo = "leave out this promise, or change = { … } of the [[make]]"
        yield "tool", f"{promise.tool} writes over a {make.entity} that is there, as its [[make]] says", todo
    if promise.cause == "taken" and at(make.make.arguments, promise.argument.removeprefix(ASKED)) is ABSENT:
        todo = f"name an argument that stands in make of the [[make]] of {make.entity}"
        yield "argument", f"a {make.entity} is made without {promise.argument.removeprefix(ASKED + '/')}", todo


def _make(make: p.Make, contract: Contract) -> Iterator[Wrong]:
    for field in ("make", "read", "change", "remove", "list"):
        call = getattr(make, field)
        if call is not None:
            yield from _call(field, call, contract)
    yield from _states(make, contract)
    if _made_of_itself(make.entity, contract):
        yield "make", f"a {make.entity} is made with one that is made before it, and so on", "let one be made without"
    for field in ("make", "read", "change", "remove", "list"):
        call = getattr(make, field)
        if call is not None and call.state:
            yield from _state(field, call.state, make)
    for field in ("id", "shown", "revision"):
        if field != "id" or not make.by_caller:
            yield from _place(field, getattr(make, field), [])
    if make.by_caller:
        yield from _by_caller(make, contract)
    elif make.shown:
        todo = "leave it out, or write id as the place of that argument, such as @/path"
        yield "shown", "it is for ids that callers give, and this one is the server's", todo


def _by_caller(make: p.Make, contract: Contract) -> Iterator[Wrong]:
    """The argument of make that is the id: it has a value of its own in each call."""
    about = contract.tools.get(make.make.tool)
    yield from _place("argument", make.id, [about.inputSchema] if about is not None else [])
    path = make.id.removeprefix(ASKED)
    argument = steps(path)[-1] if steps(path) else "name"
    within = [slot.kind for slot in slots(make.make.arguments) if slot.at == path]
    if at(make.make.arguments, path) is ABSENT:
        todo = f'write {argument} = "{{{{fresh.{argument}}}}}" in its arguments'
        yield "id", f"{make.make.tool} is called without {path.removeprefix('/')}", todo
    elif not {"made", *FRESH} & set(within):
        todo = f"write {{{{fresh.{argument}}}}} or {{{{word.{argument}}}}} in it"
        yield "id", f"each {make.entity} would be made with the same {argument}", todo


def _made_of_itself(kind: str, contract: Contract) -> bool:
    """Whether an entity of a kind is made with another that is made with one of this kind."""
    todo, passed = [kind], set[str]()
    while todo:
        make = contract.makes.get(todo.pop())
        needed = (
            {slot.name for slot in slots(make.make.arguments) if slot.kind == "made"} if make is not None else set()
        )
        if kind in needed:
            return True
        todo += needed - passed
        passed |= needed
    return False


def _states(make: p.Make, contract: Contract) -> Iterator[Wrong]:
    names = [state.name for state in make.states]
    for state in make.states:
        if not state.name or names.count(state.name) > 1:
            wrong = f"two are named {state.name}" if state.name else "one has no name"
            yield "states", wrong, "give each a name of its own"
            return
        for call in filter(None, (state.enter, state.leave)):
            yield from _call("states", call, contract)
            if not place_of(call, "id"):
                what = f"{call.tool} does not say which {make.entity} is meant"
                yield "states", what, "write {{id}} in its arguments"
            yield from _state("states", call.state, make) if call.state else ()
        if _round(state, make):
            yield "states", f"{state.name} can only be entered from itself", "let one be entered without another"


def _state(field: str, name: str, make: p.Make) -> Iterator[Wrong]:
    known = [state.name for state in make.states]
    if name not in known:
        todo = _near(name, known) or f"add states = [{{ name = {name!r}, enter = {{ tool = … }} }}] there"
        yield field, f"the [[make]] of {make.entity} has no state {name}", todo


def _round(state: p.State, make: p.Make) -> bool:
    """Whether a state is entered from one that is entered from it."""
    states, passed = {each.name: each for each in make.states}, set[str]()
    while state.name not in passed:
        passed.add(state.name)
        if state.enter.state not in states:
            return False
        state = states[state.enter.state]
    return True


def _call(field: str, call: p.Call, contract: Contract) -> Iterator[Wrong]:
    yield from _tool(field, call.tool, contract)
    yield from _place(field, call.at, [])
    yield from _placeholders(field, call, contract)
    about = contract.tools.get(call.tool)
    known = properties(about.inputSchema) if about is not None else None
    for name in call.arguments if known is not None else ():
        if name not in (known or ()):
            yield field, f"{call.tool} takes no argument {name}", _near(name, known or ())


def _placeholders(field: str, call: p.Call, contract: Contract) -> Iterator[Wrong]:
    """Each stands for something: an entity that the call is about, or one that a [[make]] makes."""
    for slot in slots(call.arguments):
        if slot.kind not in KINDS:
            yield field, f"{call.tool}: {{{{{slot.kind}}}}} stands for nothing", _near(slot.kind, KINDS)
        elif slot.kind in ("id", "revision") and field in NEW:
            what = f"{call.tool}: {{{{{slot.kind}}}}} stands for nothing, as the call is about no entity"
            yield field, what, "write {{made.KIND}} for the id of one that is made first"
        elif slot.kind == "made" and slot.name not in contract.makes:
            todo = _near(slot.name, contract.makes) or "add one"
            yield field, f"{call.tool}: no [[make]] says how a {slot.name} is made", todo


def _tool(field: str, tool: str, contract: Contract) -> Iterator[Wrong]:
    if contract.tools and tool not in contract.tools:
        yield field, f"tools.json has no tool {tool}", _near(tool, contract.tools) or "add it there"


def _place(field: str, pointer: str, schemas: Collection[Mapping[str, Json]]) -> Iterator[Wrong]:
    """A pointer begins with a slash; one into the arguments leads to what the tool takes."""
    asked = pointer.startswith(ASKED)
    if pointer.removeprefix(ASKED)[:1] not in ("", "/"):
        yield field, f"{pointer} is no place", "write it as /note/id, or as @/note_id for an argument"
    elif field in ARGUMENTS and not asked:
        yield field, f"{pointer} leads into the answer, and an argument is meant", f"write it as @{pointer}"
    elif field in ANSWERS and asked:
        yield field, f"{pointer} leads into the arguments, and the answer is meant", f"write it as {pointer[1:]}"
    elif asked:
        name = next(iter(steps(pointer.removeprefix(ASKED))), "")
        for schema in schemas:
            known = properties(schema)
            if known is not None and name not in known:
                yield field, f"the tool takes no argument {name}", _near(name, known)


def properties(schema: Mapping[str, Json]) -> list[str] | None:
    """The arguments that an input schema names; None where it says nothing of them."""
    found = schema.get("properties")
    return list(found) if isinstance(found, dict) else None


def _near(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}" if known else ""

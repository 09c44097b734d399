"""What is wrong with [[make]] and [[example]]: how entities are made, and how tools are called."""

from collections.abc import Iterator

from conformance.contract.making import Call, Make, State
from conformance.contract.rows import Contract
from conformance.contract.templates import ABOUT, FRESH, KINDS, PLACEHOLDER, place_of, slots
from conformance.contract.wording import an
from conformance.contract.wrongs import Wrong, known_tool, leads, nearest, one_place, properties
from conformance.model.pointer import ABSENT, ASKED, at, scalars, steps

NEW = ("make", "list", "example")
"""Calls that are about no entity of which the id is known."""


def of_make(make: Make, contract: Contract) -> Iterator[Wrong]:
    """What is wrong with a [[make]]."""
    yield from _one_word(make.entity)
    for field in ("make", "read", "change", "remove", "list"):
        call = getattr(make, field)
        if call is not None:
            yield from of_call(field, call, contract)
    yield from _states(make, contract)
    if _made_of_itself(make.entity, contract):
        yield "make", f"{an(make.entity)} is made with one that is made before it, and so on", "let one be made without"
    yield from _its(make)
    for field in ("make", "read", "change", "remove", "list"):
        call = getattr(make, field)
        if call is not None and call.state:
            yield from known_state(field, call.state, make)
    for field in ("id", "shown", "revision"):
        yield from one_place(field, getattr(make, field))
        if field != "id" or not make.by_caller:
            yield from leads(field, getattr(make, field), [])
    if make.by_caller:
        yield from _by_caller(make, contract)
    elif make.shown:
        todo = "leave it out, or write id as the place of that argument, such as @/path"
        yield "shown", "it is for ids that callers give, and this one is the server's", todo


def _one_word(kind: str) -> Iterator[Wrong]:
    if kind.split() != [kind]:
        word = "_".join(kind.split()) or "a word"
        yield "entity", f"{kind!r} is not one word, as {{{{made.KIND}}}} needs it", f"write {word}"


def _its(make: Make) -> Iterator[Wrong]:
    """What an entity is made in is known by its make."""
    above = {slot.name for slot in slots(make.make.arguments) if slot.kind == "made"}
    calls = [
        ("read", make.read),
        ("remove", make.remove),
        ("list", make.list),
        *(("states", move) for move in make.moves),
    ]
    for field, call in (*calls, ("change", make.change)):
        for slot in slots(call.arguments) if call is not None else ():
            if slot.kind == "its" and slot.name not in above:
                what = f"{{{{its.{slot.name}}}}} stands for nothing, as make has no {{{{made.{slot.name}}}}}"
                yield field, what, f"write {{{{made.{slot.name}}}}} in the arguments of make"


def _by_caller(make: Make, contract: Contract) -> Iterator[Wrong]:
    """The argument of make that is the id: it has a value of its own in each call."""
    about = contract.tools.get(make.make.tool)
    yield from leads("argument", make.id, [about.inputSchema] if about is not None else [])
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


def _states(make: Make, contract: Contract) -> Iterator[Wrong]:
    names = [state.name for state in make.states]
    for state in make.states:
        if not state.name or names.count(state.name) > 1:
            wrong = f"two are named {state.name}" if state.name else "one has no name"
            yield "states", wrong, "give each a name of its own"
            return
        for call in filter(None, (state.enter, state.leave)):
            yield from of_call("states", call, contract)
            if not place_of(call, "id"):
                what = f"{call.tool} does not say which {make.entity} is meant"
                yield "states", what, "write {{id}} in its arguments"
            yield from known_state("states", call.state, make) if call.state else ()
        if _round(state, make):
            yield "states", f"{state.name} can only be entered from itself", "let one be entered without another"


def known_state(field: str, name: str, make: Make) -> Iterator[Wrong]:
    """A state is one of its [[make]]."""
    known = [state.name for state in make.states]
    if name not in known:
        todo = nearest(name, known) or f"add states = [{{ name = {name!r}, enter = {{ tool = … }} }}] there"
        yield field, f"the [[make]] of {make.entity} has no state {name}", todo


def _round(state: State, make: Make) -> bool:
    """Whether a state is entered from one that is entered from it."""
    states, passed = {each.name: each for each in make.states}, set[str]()
    while state.name not in passed:
        passed.add(state.name)
        if state.enter.state not in states:
            return False
        state = states[state.enter.state]
    return True


def of_call(field: str, call: Call, contract: Contract) -> Iterator[Wrong]:
    """What is wrong with how a tool is called."""
    yield from known_tool(field, call.tool, contract)
    yield from leads("at", call.at, [])
    yield from one_place(field, call.at)
    yield from _placeholders(field, call, contract)
    about = contract.tools.get(call.tool)
    known = properties(about.inputSchema) if about is not None else None
    for name in call.arguments if known is not None else ():
        if name not in (known or ()):
            yield field, f"{call.tool} takes no argument {name}", nearest(name, known or ())


def _placeholders(field: str, call: Call, contract: Contract) -> Iterator[Wrong]:
    """Each stands for something: an entity that the call is about, or one that a [[make]] makes."""
    for text in (value for _, value in scalars(call.arguments) if isinstance(value, str)):
        if "{{" in (left := PLACEHOLDER.sub("", text)):
            what = f"{call.tool}: {left[left.index('{{') :]} is no placeholder"
            yield field, what, "write {{KIND}} or {{KIND.NAME}}, with no white space in the name"
    for slot in slots(call.arguments):
        if slot.kind not in KINDS:
            yield field, f"{call.tool}: {{{{{slot.kind}}}}} stands for nothing", nearest(slot.kind, KINDS)
        elif slot.kind in ABOUT and field in NEW and (slot.kind, field) != ("its", "list"):
            what = f"{call.tool}: {{{{{slot.kind}}}}} stands for nothing, as the call is about no entity"
            yield field, what, "write {{made.KIND}} for the id of one that is made first"
        elif slot.kind == "made" and slot.name not in contract.makes:
            todo = nearest(slot.name, contract.makes) or "add one"
            yield field, f"{call.tool}: no [[make]] says how a {slot.name} is made", todo

"""What is wrong with a contract as a whole: names that lead nowhere, places that nothing can stand at."""

import re
from collections.abc import Iterator, Mapping
from math import isfinite

from conformance.contract import promises as p
from conformance.contract.founding import beneath
from conformance.contract.limits import UnjudgedError
from conformance.contract.makes import known_state, of_call, of_make
from conformance.contract.making import Make
from conformance.contract.rows import Contract
from conformance.contract.schema import SchemaError, compiled
from conformance.contract.texts import Text
from conformance.contract.wording import an
from conformance.contract.wrongs import ANSWERS, ARGUMENTS, Wrong, known_tool, leads, nearest, one_place
from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, ASKED, OF_EACH, at
from conformance.model.prose import ENTRIES, TEXT, Prose
from conformance.model.requirement import Requirement

OF_EACH_ENTRY = {
    "argument": (p.Refused, p.Bounded, p.Echoed),
    "at": (p.Answer, p.Echoed),
    "entries": (p.Ordered, p.Capped, p.Filtered),
}
"""Fields that may lead to something in each entry of a list, with the promises that look at each."""


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
    for number, prose in enumerate(contract.envelope.text):
        for field, wrong, todo in _prose(prose, contract):
            head.wrong(f"envelope.text: {field}: {wrong}", head.line(("envelope", "text", number, field)), todo)
    for number, make in enumerate(contract.makes.values()):
        for field, wrong, todo in of_make(make, contract):
            head.wrong(f"make {make.entity}: {field}: {wrong}", head.line(("make", number, field)), todo)
    for number, call in enumerate(contract.examples):
        for field, wrong, todo in of_call("example", call, contract):
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
        yield from known_tool("tool", tool, contract)
    if not named and hasattr(promise, "tool"):
        yield "tool", "none is named", nearest("", contract.tools)
    for name in getattr(promise, "codes", ()):
        if name not in contract.errors:
            yield "codes", f"errors.toml has no code {name}", nearest(name, contract.errors) or "add it there"
    entity = getattr(promise, "entity", "")
    if entity and entity not in contract.makes:
        yield "entity", f"no [[make]] says how {an(entity)} is made", nearest(entity, contract.makes) or "add one"
    for field in (*ARGUMENTS, *ANSWERS):
        pointer = getattr(promise, field, "")
        if isinstance(pointer, str) and pointer:
            yield from leads(field, pointer, [contract.tools[t].inputSchema for t in tools if t in contract.tools])
            yield from one_place(field, pointer) if not isinstance(promise, OF_EACH_ENTRY.get(field, ())) else ()
    if isinstance(promise, p.Shows):
        yield from _shown(promise, contract)
    yield from _incomplete(promise, contract)


def _shown(promise: p.Shows, contract: Contract) -> Iterator[Wrong]:
    """What is written stands in an argument of the tool, and is shown at one place of an entity."""
    schemas = [contract.tools[promise.tool].inputSchema] if promise.tool in contract.tools else []
    for argument, where in promise.fields.items():
        yield from leads("argument", p.argued(argument), schemas)
        yield from leads("at", where, [])
        yield from (*one_place("fields", p.argued(argument)), *one_place("fields", where))


def _beneath(identifier: str, contract: Contract, protocol: Mapping[str, Requirement]) -> Iterator[Wrong]:
    """What a requirement names of others: those that there are, and of which none rests on it."""
    known = (*contract.requirements, *protocol)
    for field in ("requires", "falls_with"):
        for name in getattr(contract.requirements[identifier], field):
            if name not in known:
                yield field, f"there is no requirement {name}", nearest(name, known)
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
                    yield "profiles", f"{name} is not known", nearest(name, profiles) or "add a [[profile]]"
        case p.Barred() if promise.entity in contract.makes:
            yield from known_state("state", promise.state, contract.makes[promise.entity])
        case p.Bounded():
            yield from _bounds(promise)
        case p.Paged() if bool(promise.next) is bool(promise.counts):
            what = "both next and counts are given" if promise.next else "neither next nor counts is given"
            yield "next", what, 'give the place of the next page, or counts = "entries" or "pages"'
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
    if rule.code_pattern:
        yield from _pattern("code_pattern", rule.code_pattern, "the code", "^([A-Z_]+):")
    if rule.failure_pattern:
        yield from _pattern("failure_pattern", rule.failure_pattern, "", "")
    if rule.failure_pattern and rule.by_envelope:
        yield "failure_pattern", "failure_key tells failure besides", "give one of them"


def _prose(prose: Prose, contract: Contract) -> Iterator[Wrong]:
    """What is read from texts has a pattern each, of tools that there are."""
    for tool in prose.tools:
        yield from known_tool("tools", tool, contract)
    for name, pattern in prose.fields.items():
        if name in (TEXT, ENTRIES):
            yield "fields", f"{name} is the text itself, or the list of its entries", "take another name"
        for _, wrong, todo in _pattern("fields", pattern, "the value", "ID: (\\S+)"):
            yield "fields", f"{name}: {wrong}", todo
    for name in (each for each in prose.numbers if each not in prose.fields):
        yield "numbers", f"{name} is no field", nearest(name, prose.fields)
    if prose.entries:
        yield from _pattern("entries", prose.entries, "", "")


def _pattern(field: str, pattern: str, group: str, example: str) -> Iterator[Wrong]:
    """What is wrong with a regular expression, of which the first group is this; empty: it needs none."""
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        first = f"; its first group is {group}" if group else ""
        yield field, f"it is no regular expression: {error}", f"mend it{first}"
    else:
        if group and not groups:
            yield field, f"it has no group, which would be {group}", f"write it as in {example}"


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
    if promise.cause == "missing" and promise.argument.endswith(OF_EACH):
        yield (
            "argument",
            f"{promise.argument}: a list may have no entries",
            "name a key of each, such as @/notes/*/title",
        )
    make = contract.makes.get(promise.entity)
    if make is not None and promise.cause in ("unknown", "taken"):
        yield from _named(promise, make)
    for name in promise.under:
        if name not in contract.conditions():
            yield "under", f"no [[term]] of kind condition is named {name}", nearest(name, contract.conditions())
    if promise.setting and promise.setting not in contract.settings():
        near = nearest(promise.setting, contract.settings())
        yield "setting", f"no [[term]] of kind setting is named {promise.setting}", near


def _named(promise: p.Refused, make: Make) -> Iterator[Wrong]:
    """What makes an entity by the name that its caller gives is not refused for that there is none of that name."""
    makes = promise.tool == make.make.tool and promise.argument == make.id
    if makes and promise.cause == "unknown":
        todo = 'name a tool that reads, changes or removes one, or say cause = "taken"'
        yield "tool", f"{promise.tool} makes the {make.entity} that {promise.argument} names", todo
    if makes and promise.cause == "taken" and make.writes_over:
        todo = "leave out this promise, or change = { … } of the [[make]]"
        yield "tool", f"{promise.tool} writes over {an(make.entity)} that is there, as its [[make]] says", todo
    if promise.cause == "taken" and at(make.make.arguments, promise.argument.removeprefix(ASKED)) is ABSENT:
        todo = f"name an argument that stands in make of the [[make]] of {make.entity}"
        yield "argument", f"{an(make.entity)} is made without {promise.argument.removeprefix(ASKED + '/')}", todo

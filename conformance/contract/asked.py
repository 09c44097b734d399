"""What a contract says of an argument: its part of the tool's input schema."""

from collections.abc import Iterator

from conformance.contract.limits import UnjudgedError
from conformance.contract.promises import Conflicting, Place, Replayed
from conformance.contract.references import REFERENCES, Schema, pointed, subschemas
from conformance.contract.rows import Contract
from conformance.contract.schema import SchemaError, compiled
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.pointer import ASKED, EACH, pointer_of, steps

SHELVES = ("$defs", "definitions")
"""Where a schema keeps parts that others refer to."""
WITHIN = tuple(f"#/{shelf}/" for shelf in SHELVES)
REMARKS = {"title", "description", "default", "examples", "deprecated"}
"""Keywords beside a reference that allow and forbid nothing."""


NULL = {"type": "null"}
DEEPEST = 3
"""How deep objects within arguments are looked into."""
LIMITS = ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems")
"""Keywords that bound a value, and say nothing else of it."""


def unlimited(schema: Schema) -> Schema:
    """A schema without its bounds: what else may speak against a value."""
    return {key: said for key, said in schema.items() if key not in LIMITS}


def key_places(contract: Contract, tool: str) -> list[Place]:
    """The arguments that make a write of a tool repeatable: used again, they speak for the first write alone."""
    keyed = (each for each in contract.promises.values() if isinstance(each, Replayed | Conflicting))
    return list(dict.fromkeys(each.key for each in keyed if each.tool == tool))


def asked_as(contract: Contract, tool: str, place: Place) -> Schema | None:
    """The schema of the argument at a place; None where the contract says nothing of it that can be judged.

    What it refers to elsewhere in the input schema goes with it.
    """
    about = contract.tools.get(tool)
    whole: Json = about.inputSchema if about is not None else None
    found = _led(whole, whole)
    for step in steps(place.removeprefix(ASKED)):
        holder = _kind(whole, found)
        named = properties(holder)
        of_list = step not in named and (step == EACH or step.isdecimal())
        found = _led(whole, _entry(holder) if of_list else named.get(step))
    schema = _apart(whole, found) if isinstance(whole, dict) and isinstance(found, dict) else None
    schema = nullable(schema) if schema is not None else None
    try:
        return schema if schema is not None and compiled(schema) else None
    except (SchemaError, UnjudgedError):
        return None


def argument_places(whole: Json) -> Iterator[tuple[Place, Schema]]:
    """The arguments of an input schema, and what those hold that are objects: the place and the schema of each.

    Those that may be null as well.
    """
    yield from _within(whole, whole, ASKED, DEEPEST)


def _within(whole: Json, part: Json, above: Place, levels: int) -> Iterator[tuple[Place, Schema]]:
    for name, said in properties(part).items() if levels else ():
        about = _led(whole, said)
        if isinstance(about, dict):
            here = above + pointer_of([name])
            yield here, nullable(about)
            yield from _within(whole, _kind(whole, about), here, levels - 1)


def _kind(whole: Json, part: Json) -> Json:
    """What a schema says of a value that is not null, where it allows one kind of value or null; else the schema."""
    ways = [each for key in ("anyOf", "oneOf") if isinstance(part, dict) and isinstance(each := part.get(key), list)]
    kinds = [each for way in ways for each in way if each != NULL]
    return _led(whole, kinds[0]) if len(kinds) == 1 and NULL in ways[0] else part


def nullable(schema: Schema) -> Schema:
    """A schema that takes one kind of value or null, with the keywords for that value at its top; any other as it is.

    So the schemas of optional arguments are commonly written: `anyOf` with null.
    """
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key)
        if not isinstance(branches, list) or len(branches) != 2:  # noqa: PLR2004 -- one and null
            continue
        kinds = [each for each in branches if isinstance(each, dict) and each != NULL]
        kind = kinds[0] if len(kinds) == 1 and NULL in branches else None
        if kind is None or not isinstance(kind.get("type"), str) or {"enum", "const"} & kind.keys():
            continue
        rest = {name: said for name, said in schema.items() if name != key}
        if not rest.keys() & kind.keys() - REMARKS:
            return {**rest, **kind, "type": [kind["type"], "null"]}
    return schema


def _entry(schema: Json) -> Json:
    """What a schema says of each entry of a list, where it says the same of all."""
    return schema.get("items") if isinstance(schema, dict) and "prefixItems" not in schema else None


def _led(whole: Json, part: Json) -> Json:
    """What a part of a schema is, where it is a reference within the schema and remarks alone; else the part."""
    passed: set[str] = set()
    while isinstance(part, dict) and part.keys() - REMARKS == {"$ref"}:
        reference = part["$ref"]
        target = pointed(whole, reference) if isinstance(reference, str) and reference.startswith("#/") else None
        if not isinstance(target, dict) or reference in passed:
            break
        passed.add(reference)
        part = target
    return part


def _apart(whole: Schema, part: Schema) -> Schema | None:
    """A part of a schema that stands by itself: with its dialect, and with what it refers to.

    None where a reference leads to anything but what a schema keeps for that: it would lead elsewhere from there.
    """
    if part is whole:
        return whole
    refers = any(key in each for each in subschemas(part) for key in REFERENCES)
    beside = {key: whole[key] for key in ("$schema", *(SHELVES if refers else ())) if key in whole}
    schema = {**beside, **part} if beside else part
    references = (each[key] for each in subschemas(schema) for key in REFERENCES if key in each)
    return schema if all(isinstance(each, str) and each.startswith(WITHIN) for each in references) else None

"""Where the arguments of a tool name something: at the top, in a list of names, in the entries of a list of objects."""

from collections.abc import Iterator, Mapping

from conformance.contract.references import pointed
from conformance.contracts.mcp.reach.keys import is_key
from conformance.contracts.mcp.reach.words import singular, words
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.pointer import pointer_of, put, steps
from conformance.propose.contract.hints import is_cursor, is_expected
from conformance.propose.looking import Seen

VALUES = {"enum", "const", "format"}
"""Keywords of a text that no caller may choose freely."""
HOPS = 4
"""References that lead to one another."""


def about(seen: Seen, place: str) -> Mapping[str, Json]:
    """What a tool says of what stands at a place of its arguments."""
    whole = seen.tool.input_schema
    found = _led(whole, whole)
    for step in steps(place):
        inner = properties(found).get(step)
        found = _led(whole, found.get("items") if inner is None and step.isdecimal() else inner)
    return found


def _led(whole: Json, part: Json) -> dict[str, Json]:
    """A part of a schema, or what it refers to."""
    for _ in range(HOPS):
        reference = part.get("$ref") if isinstance(part, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        part = pointed(whole, reference)
    return part if isinstance(part, dict) else {}


def names(seen: Seen) -> Iterator[str]:
    """The places by which a caller may name something: free texts that are needed."""
    for place, name in _places(seen, required(seen.tool.input_schema)):
        free = about(seen, place).get("type") == "string" and not VALUES & about(seen, place).keys()
        if free and not is_key(name) and not is_expected(name) and not is_cursor(name):
            yield place


def alike(place: str, seen: Seen) -> str:
    """The place of a tool's arguments that is named as one of another tool is; empty where there is none.

    `path` is like `path`, and `names` of a list, or `entityName` of its entries, is like the `name` of an `entities`.
    """
    wanted = _called(place)
    found = (other for other, _ in _places(seen, properties(seen.tool.input_schema)) if wanted & _called(other))
    return next(found, "")


def around(place: str, value: Json) -> dict[str, Json]:
    """Arguments that hold a value at a place, and nothing else."""
    first, *rest = steps(place)
    for step in reversed(rest):
        value = [value] if step.isdecimal() else {step: value}
    return {first: value}


def within(arguments: Mapping[str, Json], place: str, value: Json) -> dict[str, Json]:
    """Arguments with a value at a place, of which the list has one entry."""
    first, *rest = steps(place)
    if not rest:
        return {**arguments, first: value}
    listed = arguments.get(first)
    if len(rest) == 1 or not isinstance(listed, list) or not listed or not isinstance(listed[0], dict):
        return {**arguments, **around(place, value)}
    found: dict[str, Json] = {**arguments, first: [dict(listed[0])]}
    put(found, place, value)
    return found


def _places(seen: Seen, arguments: Mapping[str, Json] | list[str]) -> Iterator[tuple[str, str]]:
    """Where texts may stand, each with the name of what it stands in."""
    for name in arguments:
        top = pointer_of([name])
        entry = about(seen, f"{top}/0") if about(seen, top).get("type") == "array" else {}
        if entry.get("type") == "string":
            yield f"{top}/0", name
        elif entry:
            yield from ((f"{top}/0{pointer_of([key])}", key) for key in required(entry))
        else:
            yield top, name


def _called(place: str) -> set[tuple[str, ...]]:
    """The words by which something may be named: those of the argument, with those of the list around it."""
    first, *rest = steps(place)
    *before, last = words(first) or ("",)
    of_list = (*before, singular(last))
    if not rest:
        return {words(first)}
    return {of_list} if len(rest) == 1 else {words(rest[-1]), (*of_list, *words(rest[-1]))}

"""Arguments that say something else, or more: what a call changes may show with another value, or with an optional one.

A write whose text is there already changes nothing that can be seen.
"""

from collections.abc import Iterator

from conformance.contract.dialect import seems_valid
from conformance.contracts.mcp.samples import Arguments
from conformance.model.arguments import properties
from conformance.model.events import Json

OTHER = " otherwise"
CHOICES = 3
"""Other values of an argument that has few."""
BOUND = ("enum", "const", "pattern", "format")
"""What leaves a text little choice: another one would be refused, and show nothing."""


def otherwise(schema: Json, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    """For each argument that may be something else, from the last on: its name, and the arguments with another value.

    What a call is about mostly comes first, what it says of that last.
    """
    known = properties(schema)
    for name, value in reversed(arguments.items()):
        said = known.get(name)
        other = _other(said if isinstance(said, dict) else {}, value)
        if other is not None:
            yield name, {**arguments, name: other}


def with_more(schema: Json, arguments: Arguments, full: Arguments) -> Iterator[tuple[str, Arguments]]:
    """For each argument that may be left out and was: its name, and the arguments with its value in `full` besides."""
    for name, value in full.items():
        more = {**arguments, name: value}
        if name not in arguments and seems_valid(schema, more):
            yield name, more


def with_other_choices(schema: Json, arguments: Arguments, name: str) -> Iterator[Arguments]:
    """The arguments with each of the other values of one that has few: a boolean, or one of a list."""
    said, value = properties(schema).get(name), arguments[name]
    choices = said.get("enum") if isinstance(said, dict) else None
    known = choices if isinstance(choices, list) else [True, False] if isinstance(value, bool) else []
    others = [each for each in known if type(each) is type(value) and each != value]
    yield from ({**arguments, name: each} for each in others[:CHOICES])


def _other(said: dict[str, Json], value: Json) -> Json:
    """Another value; None where none is known to be as good."""
    choices = said.get("enum")
    if isinstance(choices, list):
        return next((each for each in choices if each != value and type(each) is type(value)), None)
    if any(key in said for key in BOUND):
        return None
    match value:
        case bool():
            other: Json = not value
        case str():
            longer, most = value + OTHER, said.get("maxLength")
            fits = not isinstance(most, int) or len(longer) <= most
            other = longer if fits else value[::-1] or None
        case int():
            other = value + 1
        case [str(first), *rest]:
            other = [first + OTHER, *rest]
        case _:
            other = None
    return other

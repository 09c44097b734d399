"""The places of a tool's arguments at which another value can be tried."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from conformance.contract.references import Resources, Schema
from conformance.contracts.mcp.reach.words import singular
from conformance.model import arguments
from conformance.model.events import Json

MOST = 60
DEEPEST = 5
COMBINED = 12
"""References and combinations that are followed at one place."""
Path = tuple[str | int, ...]


class Slot(Struct, frozen=True):
    """One place: a text, a number, or a list of such."""

    path: Path
    name: str
    """Of the argument; of an entry of a list the list's, in the singular."""
    schema: dict[str, Json]
    required: bool

    @property
    def says(self) -> str:
        """Its title and description."""
        said = (self.schema.get(key) for key in ("title", "description"))
        return " ".join(text for text in said if isinstance(text, str))

    @property
    def given(self) -> Iterator[Json]:
        """What the schema itself names: examples, then the other values of an enumeration."""
        for key in ("examples", "enum"):
            values = self.schema.get(key)
            yield from values if isinstance(values, list) else ()
        if isinstance(self.schema.get("example"), str | int | float):
            yield self.schema["example"]


def slots(schema: Schema, value: Json) -> list[Slot]:
    """The places of a value for a schema, the outer ones first."""
    resources, found = Resources(schema), list[Slot]()
    level: list[tuple[Path, str, Json, Json, bool]] = [((), "", schema, value, True)]
    while level and len(found) < MOST:
        below: list[tuple[Path, str, Json, Json, bool]] = []
        for path, name, part, inner, required in level:
            said = _merged(resources, part)
            if isinstance(inner, dict):
                below += _members(path, said, inner, required=required)
            elif path:
                found.append(Slot(path, name, said, required))
                if isinstance(inner, list) and inner:
                    below.append(((*path, 0), singular(name), said.get("items"), inner[0], required))
        level = below if len(level[0][0]) < DEEPEST else []
    return found[:MOST]


def _members(
    path: Path, said: Schema, value: dict[str, Json], *, required: bool
) -> Iterator[tuple[Path, str, Json, Json, bool]]:
    known, wanted = arguments.properties(said), arguments.required(said)
    for name, inner in value.items():
        yield (*path, name), name, known.get(name), inner, required and name in wanted


def _merged(resources: Resources, schema: Json, depth: int = COMBINED) -> Schema:
    """What a schema, its reference, its allOf and its first branch say together."""
    found: dict[str, Any] = {}
    if not isinstance(schema, dict) or not depth:
        return found
    reference = schema.get("$ref")
    beside = [resources.target(schema, reference)] if isinstance(reference, str) else []
    beside += schema["allOf"] if isinstance(schema.get("allOf"), list) else []
    for key in ("anyOf", "oneOf"):
        branches = schema[key] if isinstance(schema.get(key), list) else []
        beside += [branch for branch in branches if branch != {"type": "null"}][:1]
    for part in (schema, *(_merged(resources, each, depth - 1) for each in beside)):
        for key, value in part.items():
            found.setdefault(key, value)
    return found


def at(value: Json, path: Path) -> Json:
    """What stands at a place; None where nothing does."""
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def with_at(value: Json, path: Path, new: Json) -> Json:
    """A value like another, with something else at one place."""
    if not path:
        return new
    step, *rest = path
    if isinstance(value, list):
        return [with_at(each, tuple(rest), new) if place == step else each for place, each in enumerate(value)]
    held = value if isinstance(value, dict) else {}
    return {**held, step: with_at(held.get(str(step)), tuple(rest), new)}

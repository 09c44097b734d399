"""Reads a schema for the generator: references followed, what is combined taken together."""

from collections.abc import Iterator
from typing import Any

from conformance.contract.dialect import pointed, satisfies
from conformance.model.events import Json

DEPTH = 12
"""References and combinations followed; recursive schemas go on for ever."""

Schema = dict[str, Any]


class Reader:
    """One schema, whose local references point into it."""

    def __init__(self, root: Schema) -> None:
        self.root = root
        self._definitions = {key: root[key] for key in ("$defs", "definitions", "$schema", "$id") if key in root}

    def whole(self, schema: Json, value: Json, depth: int = DEPTH) -> Iterator[Schema]:
        """The schema and all that apply beside it: what it refers to, allOf, and the branches that the value takes."""
        if not isinstance(schema, dict) or depth == 0:
            return
        yield schema
        pointer = schema.get("$ref")
        if isinstance(pointer, str):
            yield from self.whole(self._referred(pointer), value, depth - 1)
        for part in _list(schema.get("allOf")):
            yield from self.whole(part, value, depth - 1)
        for key in ("anyOf", "oneOf"):
            for branch in _list(schema.get(key)):
                if self.fits(branch, value):
                    yield from self.whole(branch, value, depth - 1)
        if "if" in schema:
            taken = "then" if self.fits(schema["if"], value) else "else"
            yield from self.whole(schema.get(taken), value, depth - 1)

    def merged(self, schema: Json, depth: int = DEPTH) -> Schema:
        """One schema that says what a schema, its reference, its allOf and its first branch say together."""
        if not isinstance(schema, dict) or depth == 0:
            return {}
        parts = [schema, self.merged(self._referred(schema.get("$ref")), depth - 1)]
        parts += [self.merged(part, depth - 1) for part in _list(schema.get("allOf"))]
        for key in ("anyOf", "oneOf"):
            branches = [branch for branch in _list(schema.get(key)) if branch != {"type": "null"}]
            parts += [self.merged(branch, depth - 1) for branch in branches[:1]]
        return _together(parts)

    def fits(self, schema: Json, value: Json) -> bool:
        """Whether a value satisfies a part of the schema."""
        if not isinstance(schema, dict):
            return schema is not False
        return satisfies({**self._definitions, **schema}, value) is True

    def _referred(self, pointer: Json) -> Json:
        if not isinstance(pointer, str) or not pointer.startswith("#"):
            return None
        return pointed(self.root, pointer)


def mapping(schema: Schema, key: str) -> Schema:
    """What a keyword holds that holds schemas by name; empty where it is something else."""
    value = schema.get(key)
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _together(parts: list[Schema]) -> Schema:
    found: Schema = {}
    for part in parts:
        for key, value in part.items():
            if key == "properties" and isinstance(value, dict):
                found[key] = {**value, **found.get(key, {})}
            elif key == "required" and isinstance(value, list):
                found[key] = list(dict.fromkeys([*found.get(key, []), *value]))
            else:
                found.setdefault(key, value)
    return found

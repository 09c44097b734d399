"""Reads a schema for the generator: references followed, what is combined taken together."""

from collections.abc import Iterator
from typing import Any

from conformance.contract.limits import UnjudgedError
from conformance.contract.reference import Reference
from conformance.contract.references import Resources, Schema, endless
from conformance.drive.vectors.budget import Budget
from conformance.model.events import Json
from conformance.model.measure import measured

ENDLESS = (4, 8, 12)
"""Levels of a value for a schema that refers to itself, which goes on for ever: the first that will do."""
DEEPEST = 120
"""Levels where the schema comes to an end by itself."""
COMBINED = 12
"""References and combinations followed at one place where they go on for ever."""
LARGEST = 5_000
"""Parts of a value that is looked at."""


class Reader:
    """One schema, whose references are followed as far as they stay in it. Each part of it is worked out once."""

    def __init__(self, root: Schema, reference: Reference, budget: Budget) -> None:
        self.budget = budget
        self.full = 4
        """Levels down to which everything that is named is filled in; further down only what is required."""
        self._resources = Resources(root)
        self._reference = reference
        self._merged: dict[tuple[int, int], tuple[Schema, Schema]] = {}
        """By a part's identity; held with the part, so that the identity stays its own."""
        self.samples: dict[tuple[int, bool, int], tuple[Json, Json]] = {}
        """What was made for a part, held in the same way."""
        goes_on = endless([root], self._resources.within)
        self.depths = ENDLESS if goes_on else (DEEPEST,)
        """Levels that a value may have, one attempt after the other."""
        self.depth = self.depths[0]
        self._combined = COMBINED if goes_on else DEEPEST

    def reach(self, depth: int, full: int) -> None:
        """From now on values go down so many levels, and hold everything that is named on so many of them."""
        if (depth, full) != (self.depth, self.full):
            self.depth, self.full, self.samples = depth, full, {}

    def whole(self, schema: Json, value: Json) -> list[Schema]:
        """The schema and all that apply beside it: what it refers to, allOf, and the branches that the value takes."""
        found: dict[int, Schema] = {}
        waiting = [schema]
        while waiting:
            part = waiting.pop(0)
            if isinstance(part, dict) and id(part) not in found:
                self.budget.take()
                found[id(part)] = part
                waiting = [*self._beside(part, value), *waiting]
        return list(found.values())

    def _beside(self, part: Schema, value: Json) -> Iterator[Json]:
        yield from self._referred(part)
        yield from listed(part, "allOf")
        for key in ("anyOf", "oneOf"):
            yield from (branch for branch in listed(part, key) if self.fits(branch, value))
        if "if" in part:
            yield part.get("then" if self.fits(part["if"], value) else "else")

    def merged(self, schema: Json, depth: int | None = None) -> Schema:
        """One schema that says what a schema, its reference, its allOf and its first branch say together."""
        depth = self._combined if depth is None else depth
        if not isinstance(schema, dict) or depth == 0:
            return {}
        key = (id(schema), depth)
        if key not in self._merged:
            parts = [schema, *(self.merged(part, depth - 1) for part in self._referred(schema))]
            parts += [self.merged(part, depth - 1) for part in listed(schema, "allOf")]
            for name in ("anyOf", "oneOf"):
                branches = [branch for branch in listed(schema, name) if branch != {"type": "null"}]
                parts += [self.merged(branch, depth - 1) for branch in branches[:1]]
            self.budget.take(sum(map(len, parts)))
            self._merged[key] = (schema, _together(parts))
        return self._merged[key][1]

    def fits(self, schema: Json, value: Json) -> bool:
        """Whether a value surely satisfies a part of the schema."""
        if not isinstance(schema, dict):
            return schema is not False
        if isinstance(value, dict | list) and measured(value, LARGEST).values > LARGEST:
            self.budget.take(LARGEST // 10)
            return False
        steps = self.budget.steps()
        try:
            return self._reference.valid(value, schema, steps)
        except UnjudgedError:
            return False
        finally:
            self.budget.spent(steps)

    def _referred(self, part: Schema) -> list[Json]:
        pointer = part.get("$ref")
        target = self._resources.target(part, pointer) if isinstance(pointer, str) else None
        return [target] if target is not None else []


def mapping(schema: Schema, key: str) -> Schema:
    """What a keyword holds that holds schemas by name; empty where it is something else."""
    value = schema.get(key)
    return value if isinstance(value, dict) else {}


def listed(schema: Schema, key: str) -> list[Any]:
    """What a keyword holds that holds several; empty where it is something else."""
    value = schema.get(key)
    return value if isinstance(value, list) else []


def first_items(schema: Schema) -> list[Any]:
    """The schemas of the first entries of an array, one each: prefixItems, and in older dialects a list of items."""
    return listed(schema, "prefixItems") or listed(schema, "items")


def other_items(schema: Schema) -> Json:
    """The schema of the entries after those."""
    return schema.get("additionalItems" if isinstance(schema.get("items"), list) else "items", True)


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

"""Where the references of a schema lead, within it: nothing outside is ever looked up."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from conformance.model.events import Json
from conformance.model.pointer import steps

DATA = ("const", "enum", "default", "examples")
"""Keywords whose values are data, in which nothing is a schema."""
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
"""Keywords whose values hold schemas by name."""
DIGITS = 10
"""Of an index that is looked at."""
SAME = ("not", "if", "then", "else")
"""Keywords whose schemas apply to the same value; then such that hold several, in a list or by name."""
SAME_LISTED = ("allOf", "anyOf", "oneOf")
SAME_NAMED = ("dependentSchemas", "dependencies")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

Schema = dict[str, Any]


def subschemas(schema: Json) -> Iterator[Schema]:
    """A schema and every schema in it; what is data in it is passed over."""
    waiting: list[Json] = [schema]
    while waiting:
        found = waiting.pop()
        if isinstance(found, list):
            waiting += found
        if isinstance(found, dict):
            yield found
            waiting += inner(found)


def inner(schema: Schema) -> Iterator[Json]:
    """What stands directly in a schema and may be one, or a list of them."""
    for key, value in schema.items():
        if key in NAMED and isinstance(value, dict):
            yield from value.values()
        elif key not in DATA:
            yield value


def pointed(schema: Json, pointer: str) -> Json:
    """What a local reference points to, None where nothing is there."""
    found = schema
    for name in steps(unquote(pointer.removeprefix("#"))):
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and len(name) < DIGITS and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found


def endless(starts: Iterable[Schema], steps: Callable[[Schema], Iterator[Json]]) -> bool:
    """Whether such steps lead from a schema back to itself, anywhere that they lead to from these."""
    over, under_way = set[int](), set[int]()
    waiting = [(start, False) for start in starts]
    while waiting:
        part, done = waiting.pop()
        if done:
            under_way.discard(id(part))
            over.add(id(part))
        elif id(part) in under_way:
            return True
        elif id(part) not in over:
            under_way.add(id(part))
            waiting.append((part, True))
            waiting += ((each, False) for each in steps(part) if isinstance(each, dict))
    return False


def joined(base: str, reference: str) -> str:
    """A reference as seen from where it stands; itself where the two make no URL."""
    if reference.startswith("#"):
        return urldefrag(base).url + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


class Resources:
    """The parts of one schema under the addresses that it gives them."""

    def __init__(self, root: Json) -> None:
        self._by_address: dict[str, Json] = {}
        self._by_anchor: dict[tuple[str, str], Schema] = {}
        self._dynamic: dict[str, list[Schema]] = {}
        self._base: dict[int, str] = {}
        waiting: list[tuple[Json, str]] = [(root, "")]
        while waiting:
            part, base = waiting.pop()
            if isinstance(part, list):
                waiting += ((each, base) for each in part)
            elif isinstance(part, dict):
                here = self._placed(part, base)
                waiting += ((each, here) for each in inner(part))
        self._by_address.setdefault("", root)

    def _placed(self, part: Schema, base: str) -> str:
        own = part.get("$id")
        if isinstance(own, str):
            base = urldefrag(joined(base, own)).url
        if isinstance(own, str) or not self._base:
            self._by_address.setdefault(base, part)
        self._base[id(part)] = base
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(part.get(key), str):
                self._by_anchor.setdefault((base, part[key]), part)
        if isinstance(part.get("$dynamicAnchor"), str):
            self._dynamic.setdefault(part["$dynamicAnchor"], []).append(part)
        if part.get("$recursiveAnchor") is True:
            self._dynamic.setdefault("", []).append(part)
        return base

    def beside(self, part: Schema) -> Iterator[Json]:
        """The schemas that apply to the same value as a part of the schema does."""
        yield from self.targets(part)
        for key in SAME:
            if key in part:
                yield part[key]
        for key in SAME_LISTED:
            if isinstance(part.get(key), list):
                yield from part[key]
        for key in SAME_NAMED:
            if isinstance(part.get(key), dict):
                yield from part[key].values()

    def targets(self, part: Schema) -> list[Json]:
        """All that the references of a part may lead to, as far as it is in the schema."""
        found: list[Json] = []
        for key in REFERENCES:
            reference = part.get(key)
            if isinstance(reference, str):
                target = self.target(part, reference)
                found += [] if target is None else [target]
                if key != "$ref":
                    found += self._dynamic.get(urldefrag(reference).fragment, [])
        return found

    def within(self, part: Schema) -> Iterator[Schema]:
        """The schemas that stand directly in a part, and those that it refers to."""
        waiting = [*inner(part), *self.targets(part)]
        while waiting:
            found = waiting.pop()
            if isinstance(found, list):
                waiting += found
            elif isinstance(found, dict):
                yield found

    def target(self, part: Schema, reference: str) -> Json:
        """What a reference that stands in a part leads to; None where that is not in the schema."""
        try:
            address, fragment = urldefrag(joined(self._base.get(id(part), ""), reference))
        except ValueError:
            return None
        if address not in self._by_address:
            return None
        if not fragment or fragment.startswith("/"):
            return pointed(self._by_address[address], fragment)
        return self._by_anchor.get((address, fragment))

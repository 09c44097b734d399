"""What a target may say of itself beyond its endpoints: settings, conditions and choices, each with its type."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from conformance.contract.schema import compiled, why
from conformance.model.events import Json

Kind = Literal["setting", "condition", "choice", "both"]


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of [[term]] in contract.toml.

    setting: what the target claims under [settings], and what a fresh instance is set to; condition: a circumstance
    that it brings about under [conditions]; both: either of them; choice: what the contract leaves open, named under
    [choices].
    """

    name: str
    kind: Kind
    schema: dict[str, Json]
    """JSON Schema of its values."""
    about: str
    default: Json = None
    """What holds where the statement says nothing."""

    def fault(self, value: Json) -> str:
        """What is wrong with a value, in one line; empty where it is good."""
        return "" if compiled(self.schema).is_valid(value) else why(self.schema, value)

    @property
    def shape(self) -> str:
        """Its type in a few words, as a person reads it."""
        return _shape(self.schema)


def _shape(schema: dict[str, Json]) -> str:
    if "enum" in schema:
        return " | ".join(_spelled(value) for value in schema["enum"])
    if "const" in schema:
        return _spelled(schema["const"])
    if "anyOf" in schema:
        return " | ".join(_shape(branch) for branch in schema["anyOf"])
    kind = str(schema.get("type", "any value"))
    if kind == "array":
        return f"list of {_shape(schema.get('items', {}))}s"
    bounds = [f"{word} {schema[key]:g}" for key, word in _BOUNDS if key in schema]
    return " ".join([kind, *bounds])


_BOUNDS = (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to"))


def _spelled(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def of_kind(terms: Iterable[Term], *kinds: Kind) -> dict[str, Term]:
    """The terms of these kinds, by name."""
    return {term.name: term for term in terms if term.kind in kinds}

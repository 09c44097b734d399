"""What the shared laws are, and the fields of a promise under each: from `promises` and its docstrings.

Every reader of them is fed from here: `conformance contract laws`, `conformance explain LAW`, schemas/laws.md.
"""

import ast
import inspect
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_args

import msgspec

from conformance.contract import making
from conformance.contract import promises as p
from conformance.contract.making import Call, Make, State
from conformance.contract.samples import SAMPLES
from conformance.contract.saying import KINDS, sentence
from conformance.contract.wording import listed, shown

SHARED: Mapping[str, str] = {
    "tool": "The tool that it is about.",
    "tools": "The tools that it is about; none: all.",
    "entity": "The kind of entity that it is about, as a [[make]] names it.",
    "codes": "The codes of errors.toml that are right; none: any refusal is.",
    "argument": "The place of the argument.",
    "outcome": "Which answers it is about.",
    "key": "The argument that makes the write repeatable.",
    "expected": "The argument that says which revision is expected.",
    "entries": "The list, in the answer's payload.",
    "by": "What orders the list: a place in each entry.",
    "descending": "Whether the highest comes first.",
    "at": "The place in the answer's payload.",
    "unit": "What is counted.",
    "least": "The least that is accepted.",
    "most": "The most there may be.",
    "schema": "What has to stand there: a JSON Schema.",
    "profiles": "The profiles in which it holds; none: all.",
    "where": "What of an answer that has nothing at that place: it is broken (always), only where what the place is in "
    "is an object (parent), or never (present).",
    "within": "Within what the number rises, each a place in the answer, or with @ in the call.",
    "cause": "What is wrong with the call.",
    "arguments": "The arguments of a good call, with placeholders.",
    "make": "How one is made; `at` is where its answer shows it.",
    "read": "How one is read, by its id.",
    "change": "How one is changed.",
    "remove": "How one is removed.",
    "list": "How they are listed; `at` is where the list stands.",
    "states": "The states that one can be brought into.",
    "revision": "Where one shows its revision; none: it has none.",
    "name": "What it is called.",
}
"""Fields that mean the same wherever they stand, and have no words of their own there."""
KINDS_OF: Mapping[str, str] = {
    "str": "a text",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "Place": "a place",
    "Call": "a call",
    "tuple[str, ...]": "a list of texts",
    "tuple[Place, ...]": "a list of places",
    "tuple[Json, ...]": "a list of values",
    "tuple[State, ...]": "a list of states",
    "dict[str, Json]": "a table",
    "dict[str, Place]": "a table of places",
}
"""By how a type is written in `promises`, what it is in words; others are a few texts."""
SEEN: Mapping[str, str] = {
    "exchange": "in each answer",
    "history": "in several answers",
    "scenario": "in situations that the suite brings about",
    "static": "in a listing",
}


class Field(NamedTuple):
    """A field of a promise, or of a table of contract.toml."""

    name: str
    kind: str
    """What may stand there, in words."""
    default: str
    """As TOML; empty: it has to be given."""
    says: str


class SharedLaw(NamedTuple):
    """A law that a promise may name."""

    name: str
    says: str
    seen: str
    """Where a breach shows, in words."""
    fields: tuple[Field, ...]
    sample: str
    """The promise of an example, as TOML."""
    sentence: str
    """What the example says, in words."""


@cache
def laws() -> dict[str, SharedLaw]:
    """All of them, in the order of their file."""
    return {law.name: law for law in map(_law, get_args(p.Promise))}


def places() -> str:
    """What places and placeholders are."""
    return inspect.cleandoc(p.__doc__ or "").partition("\n\n")[2]


def tables() -> dict[str, tuple[str, tuple[Field, ...]]]:
    """What the rows of contract.toml on entities and calls hold: by table, what it is, and its fields."""
    return {name: (_said(of), _fields(of)) for name, of in (("[[make]]", Make), ("a call", Call), ("a state", State))}


def _law(of: Any) -> SharedLaw:
    name = str(of.__struct_config__.tag)
    sample = SAMPLES[name]
    promise: Any = msgspec.convert(tomllib.loads(f"promise = {sample}")["promise"], p.Promise)
    return SharedLaw(name, _said(of), SEEN[KINDS[of].seen], _fields(of), sample, sentence(promise))


def _said(of: type) -> str:
    return " ".join(inspect.cleandoc(of.__doc__ or "").split())


def _fields(of: type) -> tuple[Field, ...]:
    written = _written()[of.__name__]
    return tuple(
        Field(each.name, _kind(written[each.name].kind), _default(each), written[each.name].says or SHARED[each.name])
        for each in msgspec.structs.fields(of)
    )


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return ""
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return "none" if value in (None, "", (), {}) and not isinstance(value, bool) else shown(value)


def _kind(annotation: str) -> str:
    """A type in words."""
    name = annotation.removesuffix(" | None")
    return KINDS_OF.get(name) or listed(get_args(getattr(p, name)), "or")


class _Written(NamedTuple):
    """A field as it is written in `promises`."""

    kind: str
    says: str
    """What stands beneath it; empty: nothing."""


@cache
def _written() -> dict[str, dict[str, _Written]]:
    """By class of `making` and `promises`, its fields."""
    body = [each for module in (making, p) for each in ast.parse(inspect.getsource(module)).body]
    return {each.name: dict(_of(each)) for each in body if isinstance(each, ast.ClassDef)}


def _of(body: ast.ClassDef) -> Iterator[tuple[str, _Written]]:
    for field, after in zip(body.body, [*body.body[1:], ast.Pass()], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            beneath = after.value if isinstance(after, ast.Expr) else None
            said = beneath.value if isinstance(beneath, ast.Constant) else None
            says = " ".join(inspect.cleandoc(said).split()) if isinstance(said, str) else ""
            yield field.target.id, _Written(ast.unparse(field.annotation), says)

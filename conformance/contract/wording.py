"""JSON Schemas in plain English: what a promise asks of what stands at a place."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from conformance.model.events import Json

KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
ANSWERED = "the answer"
"""The whole of what is carried: its keys are named by themselves."""
NOT_BLANK = r"\S"
_SHAPES: dict[str, Callable[[Json], bool]] = {
    "$schema": lambda value: isinstance(value, str),
    "type": lambda value: all(isinstance(each, str) and each in KINDS for each in _several(value)),
    "const": lambda _: True,
    "enum": lambda value: isinstance(value, list),
    "minLength": lambda value: value == 1,
    "pattern": lambda value: isinstance(value, str),
    "minimum": lambda value: isinstance(value, int),
    "maximum": lambda value: isinstance(value, int),
    "required": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "properties": lambda value: isinstance(value, dict),
    "additionalProperties": lambda value: isinstance(value, bool),
    "items": lambda value: isinstance(value, dict),
    "allOf": lambda value: isinstance(value, list),
    "anyOf": lambda value: isinstance(value, list),
    "if": lambda value: isinstance(value, dict),
    "then": lambda value: isinstance(value, dict),
    "$ref": lambda value: value == "#",
}
"""Keywords that are put in words, and with which values; a schema with any other is shown as it is."""
_OF_TYPE = ("minLength", "pattern", "minimum", "maximum")
"""Those that say something beside a type alone."""


def worded(schema: Json, what: str = ANSWERED) -> str:
    """What a schema says of something: 'note has id and title; note.id is a text that is not empty'."""
    return "; ".join(_clauses(schema, what)) or f"there is {what}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: 'a, b and c'."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def an(noun: str) -> str:
    """A noun with its article: 'a note', 'an entity'."""
    return f"{'an' if noun[:1].lower() in 'aeio' and noun else 'a'} {noun}"


def numbered(said: Sequence[str]) -> str:
    """Sentences in a row, each with its number where there are several."""
    return " ".join(f"({number}) {each}" for number, each in enumerate(said, 1)) if len(said) > 1 else "".join(said)


def shown(value: Json) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


def _clauses(schema: Json, what: str) -> Iterator[str]:
    if schema is False or schema == {"not": {}}:
        yield f"there is no {what}"
    elif isinstance(schema, dict) and not _plain(schema):
        yield f"{what} satisfies {shown(schema)}"
    elif isinstance(schema, dict):
        yield from _itself(schema, what)
        yield from _keys(schema, what)
        yield from _joined(schema, what)


def _itself(schema: Mapping[str, Json], what: str) -> Iterator[str]:
    """What a value is by itself."""
    if "const" in schema:
        yield f"{what} is {shown(schema['const'])}"
    elif "enum" in schema:
        yield f"{what} is {listed([shown(each) for each in schema['enum']], 'or')}"
    elif (kind := _kind(schema)) and not (kind == KINDS["object"] and schema.get("required")):
        yield f"{what} is {kind}"


def _kind(schema: Mapping[str, Json]) -> str:
    kinds = listed([KINDS[each] for each in _several(schema.get("type", []))], "or")
    pattern = schema.get("pattern", "")
    fits = " that is not blank" if pattern == NOT_BLANK else f" that fits {pattern}" if pattern else ""
    kinds += fits or (" that is not empty" if "minLength" in schema else "")
    bounds = [f"{word} {schema[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in schema]
    return " ".join([kinds, *bounds])


def _keys(schema: Mapping[str, Json], what: str) -> Iterator[str]:
    """What an object has, and of which kind that is; of a list its entries."""
    required, known = schema.get("required", []), schema.get("properties", {})
    closed = schema.get("additionalProperties") is False
    if required:
        yield f"{what} has {listed(required)}" + (" and no other key" if closed and {*required} == {*known} else "")
    if closed and {*required} != {*known}:
        yield f"{what} has no key besides {listed(list(known))}"
    for name, inner in known.items():
        within = f"{name} of {what}" if what.startswith("each ") or " of each " in what else f"{what}.{name}"
        yield from _clauses(inner, name if what == ANSWERED else within)
    if "items" in schema:
        yield from _clauses(schema["items"], f"each entry of {what}")
    if "$ref" in schema:
        yield f"so it is with {what}"


def _joined(schema: Mapping[str, Json], what: str) -> Iterator[str]:
    """What several schemas say together."""
    for each in schema.get("allOf", []):
        yield from _clauses(each, what)
    if "anyOf" in schema:
        yield " or ".join(" and ".join(_clauses(each, what)) for each in schema["anyOf"])
    if "if" in schema:
        asked, then = " and ".join(_clauses(_bare(schema["if"]), what)), list(_clauses(schema["then"], what))
        deeper = any(each.startswith("where ") for each in then)
        yield f"where {asked}: {'; '.join(then)}" if deeper else f"where {asked}, {' and '.join(then)}"


def _bare(schema: dict[str, Json]) -> dict[str, Json]:
    """A condition: that what it compares has to be there goes without saying."""
    return {key: value for key, value in schema.items() if key != "required"} or schema


def _plain(schema: Mapping[str, Json]) -> bool:
    """Whether all of a schema's keywords are put in words."""
    known = all(key in _SHAPES and _SHAPES[key](value) for key, value in schema.items())
    return known and ("if" in schema) == ("then" in schema) and ("type" in schema or not {*_OF_TYPE} & schema.keys())


def _several(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]

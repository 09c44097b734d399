"""Faults that a call's arguments show by themselves."""

from collections.abc import Iterator, Mapping

from conformance.contracts.tasks.causes import OPEN, TIGHT
from conformance.contracts.tasks.forms import NAMES, identifiers, in_graph, is_name
from conformance.contracts.tasks.lists import CAPS
from conformance.judge.kinds import integer
from conformance.judge.texts import texts
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.exchange import Exchange

PAGES = ("limit", "limit_cards", "max_errors", "edges_limit", "notes_limit", "trace_limit")
SMALLEST_OBJECT = 2
"""Bytes of `{}`: no result is smaller."""
GUARDS = ("expected_revision", "expected_version")
UNNAMED = frozenset(("offset", *CAPS, *PAGES, "expected_target_id", "expected_kind", "strict_targeting"))
"""Parameters that neither the document nor, for each of its tools, the original's own list names.

The document leaves it to the server which budget knobs a tool has, and names the codes of guarded targets without their
arguments: where a server does not list one, nothing is known of a call that gives it. Revisions it names: a write takes
expected_revision and expected_version whether they are listed or not.
"""
WHOLE = "*"
"""Stands for all the arguments, where they are no object."""
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def of_form(
    call: Exchange, own: Json, listed: Json, names: frozenset[str] | None, most: Mapping[str, int]
) -> Iterator[str]:
    """By the schemas that the contract and the server have for the tool.

    `names` are the parameters that the server lists, None where that is not known; `most`: the largest pages it takes.
    """
    wrong = mistaken(call.arguments, own)
    plain = wrong & mistaken(call.arguments, listed) if isinstance(listed, dict) else wrong
    ill = any(each.malformed for each in identifiers(call)) or any(form.broken(value) for form, value in in_graph(call))
    if plain or ill:
        yield "INVALID_INPUT"
    elif wrong:
        yield OPEN
    if any(not form.broken(value) and not form.kept(value) for form, value in in_graph(call)):
        yield OPEN
    if any(text.isspace() for text in texts(call.arguments)):
        yield OPEN  # whether white space alone says anything is the server's
    if any(isinstance(name, str) and not is_name(name) for name in map(call.argument, NAMES)):
        yield "INVALID_NAME"
    if isinstance(call.arguments, dict):
        yield from _of_listing(call, names)
        yield from _of_budgets(call, most)


def _of_listing(call: Exchange, names: frozenset[str] | None) -> Iterator[str]:
    if names is not None and not names.issuperset(UNNAMED.intersection(call.arguments)):
        yield OPEN
    if call.gives(GUARDS):
        guards = {integer(call.argument(name)) for name in GUARDS if call.argument(name) is not None}
        if len(guards) > 1:
            yield OPEN


def _of_budgets(call: Exchange, most: Mapping[str, int]) -> Iterator[str]:
    if tiny(call):
        yield "BUDGET_EXCEEDED"
    elif call.gives(CAPS):
        yield TIGHT
    for name in PAGES if call.gives(PAGES) else ():
        asked = integer(call.argument(name))
        if asked is not None and asked > most.get(name, most["limit"]):
            yield OPEN


def tiny(call: Exchange) -> bool:
    """Whether no object fits into max_chars."""
    most = integer(call.argument("max_chars"))
    return most is not None and 0 <= most < SMALLEST_OBJECT


def mistaken(arguments: Json, schema: Json) -> set[str]:
    """The arguments that a schema requires and that are missing, and those of another type than it plainly says.

    So of the parts of lists and objects. What is null may count as left out.
    """
    if not isinstance(schema, dict):
        return set()
    given = {} if arguments is None else arguments
    return _lacking(given, schema) if isinstance(given, dict) else {WHOLE}


def _lacking(given: Mapping[str, Json], schema: Mapping[str, Json]) -> set[str]:
    wrong, known = {name for name in required(schema) if name not in given}, properties(schema)
    wrong.update([name for name, value in given.items() if value is not None and _mistyped(value, known.get(name))])
    return wrong


def _mistyped(value: Json, schema: Json) -> bool:
    if not isinstance(schema, dict):
        return False
    said = schema.get("type")
    if type(value) is str and said == "string":
        return False
    if _of_another_type(value, said):
        return True
    if isinstance(value, list):
        return "items" in schema and any(each is not None and _mistyped(each, schema["items"]) for each in value)
    return isinstance(value, dict) and bool(_lacking(value, _meant(value, schema)))


def _meant(value: Mapping[str, Json], schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """Of alternatives the only one whose constants the value has; none where that is not plain."""
    several = schema.get("oneOf", schema.get("anyOf"))
    if not isinstance(several, list):
        return schema
    fitting = [each for each in several if isinstance(each, dict) and _named(value, each)]
    return fitting[0] if len(fitting) == 1 else {}


def _named(value: Mapping[str, Json], schema: Mapping[str, Json]) -> bool:
    """Whether a value has one of a schema's constants, and none other than it says."""
    said = {
        name: about["const"]
        for name, about in properties(schema).items()
        if isinstance(about, dict) and "const" in about
    }
    return bool(said) and all(value.get(name) == constant for name, constant in said.items())


def _of_another_type(value: Json, said: Json) -> bool:
    kinds = [kind for kind in (said if isinstance(said, list) else [said]) if isinstance(kind, str) and kind in _TYPES]
    if not kinds or (isinstance(said, list) and len(kinds) < len(said)):
        return False
    # true is no number
    fits = (isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool)) for kind in kinds)
    return not any(fits)

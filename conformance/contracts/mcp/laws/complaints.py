"""How a refusal says that arguments have the wrong form: in the words of the validators of several languages."""

import re
from collections.abc import Iterator

from conformance.contract.references import subschemas
from conformance.judge.insides import BETWEEN
from conformance.judge.kinds import is_integer
from conformance.judge.sought import Sought
from conformance.judge.texts import first
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange

LOOKED_THROUGH = 100_000
"""Characters of a refusal that are looked through for that."""
MORE = f"it has more than {LOOKED_THROUGH} characters"
SHOWN = 200
DIGITS = 18
PHRASES = re.compile(
    r"validation errors? for "
    r"|input validation error"
    r"|arguments? validation"
    r"|invalid arguments? for tool"
    r"|is not of type "
    r"|is a required property"
    r"|is not one of [\[\"]"
    r"|does not match (?:'\^|\"\^|'[^'\n]{0,200}\$'|the (?:pattern|regex)|pattern )"
    r"|additional properties are not allowed"
    r"|field required"
    r"|input should be "
    r"|unexpected keyword argument"
    r"|\"code\": ?\"(?:invalid_type|too_small|too_big|unrecognized_keys)\""
    r"|expected \w+, received \w+"
    r"|must be (?:an? )?(?:valid )?(?:string|integer|number|boolean|array|object|float|int|list|dict|bool)\b"
    r"|must (?:have required property|match pattern|NOT have )"
    r"|\bmissing properties: |\bvalidating (?:root|\"arguments\"|/)"
    r"|\bmissing field `|\bunknown field `|\binvalid type: [^,\n]{1,80}, expected "
    r"|\b(?:string|integer|number|boolean|array|object|null) found, [^,\n]{1,60} expected\b"
    r"|\bis missing but it is required\b|\bcould not be converted to system\."
    r"|\bcannot (?:un)?marshal \w+ into go |\bcannot deserialize value of type "
    r"|\b(?:data|input|arguments?|param(?:eter)?s?) validation failed against (?:[\w']+ ){0,3}schema"
    r"|\b(?:input|arguments?|param(?:eter)?s?) schema validation (?:failed|error)"
    r"|\b(?:input|arguments?|param(?:eter)?s?) do(?:es)? not (?:match|conform to|satisfy) (?:[\w']+ ){0,3}schema",
    re.IGNORECASE,
)
"""In turn of jsonschema, pydantic, zod, Ajv; of servers' own checks; of Go, Rust, Java, .NET."""
MISSING = re.compile(
    r"\bvalidation (?:error|fail(?:ed|ure))\b.{0,120}\b(?:required|missing)\b"
    r"|\barguments? (?:is|are) (?:required|missing)\b|\bmissing arguments\b"
    r"|\bmissing required (?:argument|parameter|field|propert|key)"
    r"|\brequired (?:argument|parameter|field|property|key)\b.{0,80}\b(?:missing|not found|not provided|not present)\b",
    re.IGNORECASE,
)
"""The same of what is not there. A tool may take what is empty for that, and rightly want more."""
BOUNDS = re.compile(
    r"is too (?:long|short)\b"
    r"|(?:longer|shorter) than \d+ (?:characters|items)"
    r"|(?:less|greater) than (?:or equal to )?the (?:minimum|maximum)"
    r"|must (?:be|have) (?:(?:strictly )?(?:less|greater|more|fewer|shorter|longer|smaller|larger|bigger) than"
    r"|at (?:least|most)|between|above|below|under|over)(?: or equal to)? -?\d",
    re.IGNORECASE,
)
"""The same of bounds: a tool may have rules of its own in these words, so the schema has to have such a bound."""
COMPLAINTS = Sought(
    PHRASES, ("validation", "error"), ("argument", "validation"), "invalid argument", "is not of type", "is not one of",
    "is a required", "does not match", "additional properties", "field required", "input should be",
    "unexpected keyword", "invalid_type", "too_small", "too_big", "unrecognized_keys", ("expected ", ", received "),
    "must be ", "must have ", "must match ", "must not have ",
    "missing properties", "validating ",
    "missing field", "is missing but", "unknown field", "invalid type: ", (" found, ", " expected"),
    "could not be converted", "marshal ", "cannot deserialize", ("validation", "schema"), ("not ", "schema"),
)  # fmt: skip
OF_MISSING = Sought(MISSING, "required", ("validation", "missing"), ("argument", "missing"))
OF_BOUNDS = Sought(BOUNDS, "is too", " than ", "must be ", "must have ")
OF_SIZE = Sought(
    re.compile(r"\btoo (?:(long|large|big|high|many)|short|small|low|few)\b", re.IGNORECASE), "too ",
)  # fmt: skip
"""The same in fewer words: the parameter has to be named as well, and to have a bound on that side."""
OF_CHOICE = Sought(re.compile(r"\b(?:not|must be|should be|expected) one of\b", re.IGNORECASE), " one of")
"""The same of one of a few values."""
CHOICES = ("enum", "const")
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems")
KEYWORDS = (*LOWER, *UPPER)
INSIDES = frozenset({"properties", "patternProperties", "propertyNames", "required", "$ref", "$dynamicRef"})
"""Keywords that say what is in an object."""
OF_ANSWER = re.compile(
    r"\b(?:(?P<name>output|result|response)|return(?:ed)? value|structured[ _]?(?:content|output)|output[ _]?schema)s?"
    r"(?: data)? (?:validation|fail|does not|is not|is invalid)"
    r"|\b(?:invalid|validat\w+(?: the)?)(?: tool(?:'s)?)? (?:(?P<named>output|result|response)"
    r"|return(?:ed)? value|structured[ _]?(?:content|output))\b"
    r"|\bvalidation errors? for \w*(?:output|result|response|return)\b",
    re.IGNORECASE,
)
"""How a failure begins that complains of what the tool itself gave, in words that validators have for arguments too."""
OF_A_PROGRAM = re.compile(
    r"\bcommand failed\b"
    r"|\b(?:exit|exited|failed|returned|terminated)(?: with)?(?: non-zero)? (?:exit )?(?:code|status) \d"
    r"|\bexited(?: with)? \d|\(exit \d",
    re.IGNORECASE,
)
"""How a failure begins that repeats what another program said of what the tool gave it, in the words of its own."""
INVALID = re.compile(
    r"\W{0,8}(?:(?:mcp )?error\W{0,4})?(?:\W{0,8}32602\W{0,8})?(?:validation error"
    r"|(?:invalid|bad|malformed) (?:request |tool |input )?(?:params?|parameters?|arguments?|input|request|value)\b)",
    re.IGNORECASE,
)
"""How a refusal begins that calls what was sent invalid, for whatever reason."""
MUST = "must be "
SUBJECT = re.compile(r"(\w+)\W{0,3}\Z")
"""The last word before a verb."""
ANYTHING = re.compile(
    r"(?:value|argument|param(?:eter)?|input|field|item|element|key)s?"
    r"|property|properties|entry|entries|data|instance|it|they|this|that|which|each|all|both|\d*"
)
"""Subjects that stand for a parameter without naming it, a place in a list among them."""
NUMBER = re.compile(r"\d+")
WORD = re.compile(r"\w+")
BARE = re.compile(
    r"\W{0,8}(?:mcp error )?(?:\W{0,8}32602\W{0,8})?"
    r"(?:invalid (?:request )?(?:params?|parameters?|arguments?)\W{0,8})?",
    re.IGNORECASE,
)
"""A message of -32602 that gives no other reason than the code itself: invalid params."""


def complaint(call: Exchange, schema: Json) -> str | None:
    """What a refusal says of the arguments' form; empty where it refuses for another reason.

    None where it says more than is looked through.
    """
    message = (call.error or {}).get("message")
    if call.protocol_code == INVALID_PARAMS and (not isinstance(message, str) or BARE.fullmatch(message[:SHOWN])):
        return f"-32602 {message if isinstance(message, str) else ''}".strip()
    said, whole = first(call.error if call.error is not None else call.result, LOOKED_THROUGH)
    joined = BETWEEN.join(said)
    may = any(each.may_match(joined) for each in (COMPLAINTS, OF_MISSING, OF_BOUNDS, OF_SIZE, OF_CHOICE))
    found = next((text for text in said if _complains(text, call, schema)), "") if may else ""
    return found[:SHOWN] if found or whole else None


def judged_elsewhere(call: Exchange, schema: Json) -> bool:
    """Whether it gives an object of which the tool's schema says nothing: another schema may judge what is in it.

    So it is with a tool that calls others, and takes their arguments in a parameter.
    """
    named = schema.get("properties") if isinstance(schema, dict) else None
    given = call.arguments if isinstance(call.arguments, dict) else {}
    about = named if isinstance(named, dict) else {}
    return any(_holds_objects(value) and not _says_what_is_inside(about.get(name, {})) for name, value in given.items())


def _holds_objects(value: Json) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_holds_objects, value)))


def _says_what_is_inside(schema: Json) -> bool:
    parts = tuple(subschemas(schema))
    rest = (part.get("additionalProperties", True) for part in parts)
    return any(INSIDES & part.keys() for part in parts) or any(each not in (True, {}) for each in rest)


def _of_answer(text: str, schema: Json) -> bool:
    """Whether a text complains of the answer that the tool made; a parameter may be named `output` or `result`."""
    found = OF_ANSWER.search(text, 0, SHOWN)
    word = (found["name"] or found["named"] or "").casefold() if found is not None else ""
    return found is not None and all(name.casefold() != word for name, _ in _parameters(schema))


def _complains(text: str, call: Exchange, schema: Json) -> bool:
    if _of_answer(text, schema) or OF_A_PROGRAM.search(text, 0, SHOWN) is not None:
        return False
    if any(not _of_another(text, found, schema) for found in COMPLAINTS.every(text)):
        return True
    if _bound(text, schema) or _chosen(text, schema):
        return True
    given = call.arguments.values() if isinstance(call.arguments, dict) else ()
    return OF_MISSING.search(text) is not None and not any(each in ("", None, [], {}) for each in given)


def _of_another(text: str, found: re.Match[str], schema: Json) -> bool:
    """Whether a text says what must be a number, or the like, and that is no parameter: it stands within a text."""
    if not found[0].casefold().startswith(MUST):
        return False
    subject = SUBJECT.search(text, max(0, found.start() - SHOWN), found.start())
    word = subject[1].casefold() if subject is not None else ""
    if ANYTHING.fullmatch(word):
        return False
    # "the user id" is userId
    return not any(name.casefold().endswith(word) for name, _ in _parameters(schema))


def _bound(text: str, schema: Json) -> bool:
    """Whether a text complains of a bound that the schema has: of a parameter's own, where it names parameters."""
    found = OF_BOUNDS.search(text)
    brief = OF_SIZE.search(text) if found is None else None
    if (found is None and brief is None) or not isinstance(schema, dict):
        return False
    near = _near(text, found or brief)
    meant = _named(near, schema) or (list(subschemas(schema)) if found is not None else [])
    sides = KEYWORDS if brief is None else UPPER if brief[1] else LOWER
    bounds = {part[name] for part in meant for name in sides if is_integer(part.get(name))}
    named = {int(number[:DIGITS]) for number in NUMBER.findall(near)}
    return bool(bounds & named) or (bool(bounds) and not named)


def _chosen(text: str, schema: Json) -> bool:
    """Whether a text says of a parameter that it names that its value is none of a few, of which the schema has it."""
    found = OF_CHOICE.search(text)
    if found is None or not isinstance(schema, dict):
        return False
    return any(not set(CHOICES).isdisjoint(each) for each in _named(_near(text, found), schema))


def _near(text: str, found: re.Match[str] | None) -> str:
    return text[max(0, found.start() - SHOWN) : found.end() + SHOWN] if found is not None else ""


def _named(text: str, schema: Json) -> list[dict[str, Json]]:
    """The parameters that a text names."""
    words = set(WORD.findall(text))
    return [each for name, each in _parameters(schema) if name in words]


def _parameters(schema: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """The parameters of a tool, and the members of them that are objects, by name."""
    for part in subschemas(schema):
        named = part.get("properties")
        for name, each in named.items() if isinstance(named, dict) else ():
            if isinstance(each, dict):
                yield name, each

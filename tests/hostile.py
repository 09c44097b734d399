"""Listings, schemas and answers such as no honest server sends, as Hypothesis strategies: everything here is JSON."""

from typing import Any

from hypothesis import strategies as st

from conformance.model.events import Json

NAMES = ("a", "b", "children", "left", "$ref", "pattern", "properties", "ツール", "", "a/b~c%20", "0", "²")
DIALECTS = (
    "https://json-schema.org/draft/2020-12/schema",
    "http://json-schema.org/draft-07/schema#",
    "http://json-schema.org/draft-04/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "http://127.0.0.1:9/dialect",
    "file:///etc/hostname",
    "http://[::1",
    "#",
)
REFERENCES = (
    "#", "#/properties/a", "#/$defs/x", "#/$defs/y", "#/definitions/x", "#x", "#/properties/children/items",
    "#/allOf/0", "#/allOf/²", "#/allOf/99999999999999999999", "#/%zz", "#/a~2", "http://[::1", ":::",
    "file:///etc/hostname", "file:x", "http://127.0.0.1:9/x", "ftp://127.0.0.1:9/x", "//127.0.0.1:9/x",
    "other.json", "urn:example:a", "urn:example:a#/x", "https://json-schema.org/draft/2020-12/schema",
    "http://json-schema.org/draft-07/schema#", "data:,{}", "",
)  # fmt: skip
PATTERNS = (
    "^(a+)+$", "^(a|a)*$", "(a*)*b", "^((a{1,100}){1,100}){1,100}$", "^(((((a*)*)*)*)*)*$",
    "([ab]*a[ab]{500})*c", "^[^ab1\\-_.x]{3}$", "^(?=.*[A-Z])(?=.*\\d).{8,}$", "^(?!.*\\.\\.).+$", "(a)\\1",
    "(?<n>a)\\k<n>", "(?i)a", "(?P<n>a)", "\\A\\d\\Z", "^\\p{L}{1,255}$", "\\u{1F600}", "[\\w-.]", "[", "(",
    "*", "a{,2}", "a{9999999999}", "^.{1,10000}$", "", "(?:(?=a)a)*b", "\\bé\\b", "[^]", "[]", "(?<=a+)b",
    "(?:a(?=a*b))*c", "(" * 70 + ")" * 70, "a" * 11_000, "\\ud800",
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 7, 0.1, 1e-320, 1e308, -1e308, 2**53, 2**63, -(2**63) - 1, 10**30, 10**400, 5_000, 10**9, 2.0)
TEXTS = (
    "", "a", "a" * 45 + "!", "a" * 5_000, "é", "\u202e\x00\x1b[2J", "\n" * 3_000 + " at ", "#1 " * 2_000,
    ") in " * 2_000, 'File "' * 500, "/tmp/a " * 1_000, "C:\\a\\" * 1_000, "«secret:" * 500,
    "Traceback (most recent call last)", "2026-11-21T12:00:00." + "1" * 3_000, "is not of type ",
    "[" * 900 + "]" * 900, '{"a":' * 300 + "1" + "}" * 300, "1e999",
)  # fmt: skip


class _Pick:
    """One of many, without a word: a strategy's own text would hold them all."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self._values = values

    def __call__(self, number: int) -> Any:
        return self._values[number]

    def __repr__(self) -> str:
        return "pick"


def pick(values: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """One of these."""
    return st.integers(0, len(values) - 1).map(_Pick(values))


names = pick(NAMES) | st.text(max_size=5)
scalars = st.none() | st.booleans() | pick(NUMBERS) | pick(TEXTS) | st.text(max_size=10)


def nested(value: Json, levels: int, key: str | None) -> Json:
    for _ in range(levels):
        value = [value] if key is None else {key: value}
    return value


deep = st.builds(nested, scalars, st.sampled_from((20, 130, 260, 400)), st.sampled_from((None, "a", "children")))
wide = st.builds(
    lambda value, count: [value] * min(count, 1_000_000 // (len(value) + 1) if isinstance(value, str) else count),
    scalars | st.just({"a": [1]}),
    st.sampled_from((50, 3_000, 20_000)),
) | st.builds(lambda start, count: [start + n for n in range(count)], st.sampled_from((0, 2**64)), st.just(700))
values = st.recursive(
    scalars | deep | wide,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)

COUNTS = (
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minContains", "maxContains",
)  # fmt: skip
INNER = (
    "not", "if", "then", "else", "items", "contains", "additionalProperties", "unevaluatedProperties",
    "unevaluatedItems", "propertyNames", "additionalItems",
)  # fmt: skip
LISTED = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
NAMED = ("properties", "$defs", "definitions", "dependentSchemas", "patternProperties")
TYPES = ("object", "array", "string", "number", "integer", "boolean", "null", "dict", ["object", "null"], 5)


def _keywords(schemas: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    one = (
        st.tuples(st.just("type"), pick(TYPES))
        | st.tuples(pick(COUNTS), pick(NUMBERS))
        | st.tuples(st.just("pattern"), pick(PATTERNS) | st.text("ab+*(){}[]^$|\\d.?", max_size=8))
        | st.tuples(st.sampled_from(("$ref", "$dynamicRef", "$recursiveRef")), pick(REFERENCES))
        | st.tuples(st.sampled_from(("$id", "id")), pick(REFERENCES))
        | st.tuples(st.just("$schema"), pick(DIALECTS))
        | st.tuples(st.sampled_from(("$anchor", "$dynamicAnchor")), st.sampled_from(("x", "y", "")))
        | st.tuples(st.just("format"), st.sampled_from(("date", "email", "regex", "uri", "uuid", "no-such")))
        | st.tuples(st.sampled_from(("enum", "examples")), st.lists(values, min_size=1, max_size=3))
        | st.tuples(st.sampled_from(("const", "default")), values)
        | st.tuples(st.just("uniqueItems"), st.booleans())
        | st.tuples(st.just("required"), st.lists(names, max_size=4, unique=True))
        | st.tuples(pick(INNER), schemas)
        | st.tuples(pick(LISTED), st.lists(schemas, min_size=1, max_size=3))
        | st.tuples(pick(NAMED), st.dictionaries(names | pick(PATTERNS), schemas, max_size=3))
        | st.tuples(st.sampled_from(("x-extra", "type", "properties", "required", "$ref", "items")), values)
    )
    return st.lists(one, max_size=5).map(dict)


def _twice(levels: int, key: str) -> dict[str, Any]:
    """Definitions each of which refers twice to the next."""
    parts: dict[str, Any] = {
        f"d{n}": {key: [{"$ref": f"#/$defs/d{n + 1}"}] * 2}
        if key != "properties"
        else {"properties": {"a": {"$ref": f"#/$defs/d{n + 1}"}, "b": {"$ref": f"#/$defs/d{n + 1}"}}, "required": ["a"]}
        for n in range(levels)
    }
    return {"type": "object", "$defs": {**parts, f"d{levels}": {"type": "integer"}}, "allOf": [{"$ref": "#/$defs/d0"}]}


towers = st.builds(_twice, st.sampled_from((3, 12, 40)), st.sampled_from(("allOf", "anyOf", "oneOf", "properties")))
schemas = st.recursive(
    st.booleans() | st.builds(lambda where: {"$ref": where}, pick(REFERENCES)) | _keywords(st.just({})) | towers,
    _keywords,
    max_leaves=6,
)
LOCAL = ("#", "#/properties/a", "#/properties/a/items", "#/$defs/x", "#/$defs/y", "#x")


def _plausible(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[dict[str, Json]]:
    """Valid schemas, as far as one keyword does not need another, such as strangers' libraries write."""
    text = st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "pattern": pick(PATTERNS),
            "minLength": st.sampled_from((0, 1, 40, 3_000)),
            "format": st.just("regex"),
        },
    )
    number = st.fixed_dictionaries(
        {"type": st.sampled_from(("number", "integer"))},
        optional={
            "minimum": pick(NUMBERS),
            "exclusiveMaximum": pick(NUMBERS),
            "multipleOf": st.sampled_from((7, 1e-300, 0.1)),
        },
    )
    many = st.fixed_dictionaries(
        {"type": st.just("array"), "items": inner},
        optional={"minItems": st.sampled_from((0, 1, 100, 10**9)), "uniqueItems": st.booleans(), "contains": inner},
    )
    named = st.dictionaries(st.sampled_from(("a", "b", "children")), inner, max_size=3)
    fields = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": named},
        optional={
            "required": st.just(["a"]),
            "additionalProperties": st.booleans() | inner,
            "unevaluatedProperties": st.booleans(),
            "patternProperties": st.dictionaries(pick(PATTERNS), inner, max_size=2),
            "propertyNames": text,
            "$defs": st.fixed_dictionaries({"x": inner, "y": inner}),
        },
    )
    both = st.builds(
        lambda key, branches: {key: branches},
        st.sampled_from(("allOf", "anyOf", "oneOf")),
        st.lists(inner, min_size=1, max_size=3),
    )
    pointing = st.builds(lambda where: {"$ref": where}, st.sampled_from(LOCAL))
    choice = st.builds(lambda given: {"enum": given}, st.lists(values, min_size=1, max_size=3))
    return text | number | many | fields | fields | both | pointing | choice


plausible = st.recursive(st.sampled_from(({}, {"type": "integer"}, {"$ref": "#"})), _plausible, max_leaves=8)
objects = st.builds(
    lambda properties, more, definitions: {"type": "object", "properties": properties, "$defs": definitions, **more},
    st.dictionaries(st.sampled_from(("a", "b", "children")), plausible, max_size=3),
    st.sampled_from(({}, {"required": ["a"]}, {"additionalProperties": False}, {"unevaluatedProperties": False})),
    st.fixed_dictionaries({"x": plausible, "y": plausible}),
)
inputs = st.builds(
    lambda schema, properties: {**(schema if isinstance(schema, dict) else {}), "type": "object", **properties},
    schemas,
    st.just({}) | st.dictionaries(st.just("properties"), st.dictionaries(names, schemas, max_size=4), max_size=1),
)
tools = st.fixed_dictionaries(
    {"name": st.sampled_from(("echo", "read", "list", *NAMES)), "inputSchema": inputs | schemas | values},
    optional={
        "outputSchema": schemas | values,
        "annotations": st.just({"readOnlyHint": True}) | st.just({"idempotentHint": True}) | values,
        "title": values,
        "description": scalars,
    },
)
usable = st.fixed_dictionaries(
    {"name": st.sampled_from(("echo", "read")), "inputSchema": objects, "outputSchema": objects | plausible | towers},
    optional={"annotations": st.just({"readOnlyHint": True})},
)
listings = st.lists(usable | tools | values, min_size=1, max_size=4) | st.lists(usable, min_size=1, max_size=2)
blocks = st.lists(
    st.builds(lambda text: {"type": "text", "text": text}, pick(TEXTS) | st.text(max_size=10)) | values,
    max_size=3,
)
instances = st.dictionaries(st.sampled_from(("a", "b", "children")), values, max_size=3) | values
results = st.fixed_dictionaries(
    {"resultType": st.just("complete")},
    optional={"content": blocks | values, "structuredContent": instances, "isError": st.booleans() | values},
)
answers = (
    st.builds(lambda result: {"result": result}, results | results | results | values)
    | st.builds(
        lambda code, message, data: {"error": {"code": code, "message": message, "data": data}},
        st.sampled_from((-32602, -32603, -32601, 5, "x", None, 10**30)),
        scalars,
        values,
    )
    | st.builds(lambda error: {"error": error}, values)
)

# Servers such as people write, whose names and answers nobody foresaw

KEYS = (
    "id", "name", "taskId", "project_id", "projects", "revision", "expected_revision", "title", "path", "url", "cursor",
    "limit", "created_at", "名称", "größe", "タスク_id", "ID", "-", "²", "", "0", "$id", "a.b", "a/b~c%20", "__proto__",
)  # fmt: skip
VERBS = ("create", "list", "get", "update", "delete", "search", "run", "会議", "")
NOUNS = ("task", "tasks", "project_file", "Notiz", "メモ", "-", "")
REFUSALS = (
    "not found", "'id' must be one of: a, b, 名称", 'unknown project "²"', "Missing required parameter: 名称",
    "expected_revision 1 is stale, the current revision is {", "value [[[ of - is not in range", "", "\n\n",
    "Error: ''",
    "Field '' : '' or \"\" (of)", "available: , , ", "use YYYY-MM-DD", "ID muß 3 Zeichen haben", "e.g. ", "{{x.y}}",
)  # fmt: skip


def _tool(verb: str, noun: str, joint: str, properties: dict[str, Json], required: int) -> dict[str, Json]:
    names = list(properties)[:required]
    schema = {"type": "object", "properties": properties, "required": names}
    return {"name": f"{verb}{joint}{noun}" or "tool", "description": f"{verb} a {noun}.", "inputSchema": schema}


parameters = st.fixed_dictionaries(
    {"type": pick(("string", "string", "integer", "boolean", "array", "object", ["string", "null"]))},
    optional={
        "description": pick(REFUSALS) | pick(TEXTS),
        "enum": st.lists(pick(KEYS), min_size=1, max_size=3, unique=True),
        "default": scalars,
        "examples": st.lists(scalars, max_size=2),
    },
)
lifelike = st.lists(
    st.builds(
        _tool,
        pick(VERBS),
        pick(NOUNS),
        pick(("_", "-", "")),
        st.dictionaries(pick(KEYS), parameters, max_size=4),
        st.integers(0, 4),
    )
    | st.builds(
        lambda tool: {**tool, "annotations": {"readOnlyHint": True}},
        st.builds(_tool, pick(VERBS), pick(NOUNS), st.just("_"), st.just({}), st.just(0)),
    ),
    min_size=2,
    max_size=5,
    unique_by=lambda tool: tool["name"],
)
shown = st.recursive(
    pick(KEYS) | pick(NUMBERS[:4]) | scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(pick(KEYS), inner, max_size=4),
    max_leaves=10,
)
told = st.builds(
    lambda given: {"result": {"resultType": "complete", "content": [], "structuredContent": given}},
    st.dictionaries(pick(KEYS), shown, max_size=4),
) | st.builds(
    lambda text, failed: {
        "result": {"resultType": "complete", "content": [{"type": "text", "text": text}], "isError": failed}
    },
    pick(REFUSALS) | pick(TEXTS),
    st.booleans(),
)
"""Answers to calls of a tool: what is shown, or why it is refused."""

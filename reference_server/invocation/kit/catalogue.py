"""What the tools of the kit are: versions, effects, schemas, policies, scopes and redaction rules."""

from typing import Final

from reference_server.application import Json
from reference_server.invocation.definition import Definition, Effect, Failing
from reference_server.invocation.policies import Budget, CircuitBreaker, Policies, RateLimit, Retry

Schema = dict[str, Json]

STRING: Final[Schema] = {"type": "string"}
INTEGER: Final[Schema] = {"type": "integer"}
BOOLEAN: Final[Schema] = {"type": "boolean"}
ANY: Final[Schema] = {}
OBJECT: Final[Schema] = {"type": "object"}
ITEMS: Final[Schema] = {"type": "array", "items": STRING}


def between(low: int, high: int) -> Schema:
    """An integer within bounds."""
    return {"type": "integer", "minimum": low, "maximum": high}


def closed(required: Schema, optional: Schema | None = None) -> Schema:
    """An object of these fields and no others."""
    schema: Schema = {"type": "object", "properties": {**required, **(optional or {})}, "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


PURE, IDEMPOTENT = Effect.PURE, Effect.IDEMPOTENT_WRITE
NON_IDEMPOTENT, EXTERNAL = Effect.NON_IDEMPOTENT_WRITE, Effect.EXTERNAL_SIDE_EFFECTS

TEXT: Final = closed({"text": STRING})
KEY_AND_VALUE: Final = closed({"key": STRING, "value": STRING})
WRITTEN: Final = closed({"key": STRING, "value": STRING, "writes": between(1, 2**53 - 1)})
LIST_AND_ITEM: Final = closed({"list": STRING, "item": STRING})
ITEMS_ALONE: Final = closed({"items": ITEMS})
WAITED: Final = closed({"waited": INTEGER})
FAILURES: Final = between(0, 5)
SHORT: Final = Policies(timeout_ms=300)
THREE_ATTEMPTS: Final = Policies(retry=Retry(max_attempts=3, delay_ms=10))

KIT: Final[tuple[Definition, ...]] = (
    Definition(
        "local::kit.echo",
        PURE,
        closed({"text": {"type": "string", "minLength": 1, "maxLength": 200}}, {"extra": ANY}),
        closed({"text": STRING, "version": STRING}, {"extra": ANY}),
        versions=("1.0.0", "1.2.0", "1.2.5", "2.0.0", "3.0.0-beta.1"),
    ),
    Definition(
        "local::kit.sum",
        PURE,
        closed({"a": INTEGER, "b": INTEGER}),
        closed({"sum": INTEGER}),
        versions=("1.0.0", "2.0.0"),
        cache="kept",
    ),
    Definition("local::kit.put", IDEMPOTENT, KEY_AND_VALUE, WRITTEN, policies=THREE_ATTEMPTS),
    Definition(
        "local::kit.flaky_put",
        IDEMPOTENT,
        closed({"key": STRING, "value": STRING, "failures": FAILURES}),
        WRITTEN,
        policies=THREE_ATTEMPTS,
    ),
    Definition("local::kit.append", NON_IDEMPOTENT, LIST_AND_ITEM, ITEMS_ALONE),
    Definition(
        "local::kit.flaky_append",
        NON_IDEMPOTENT,
        closed({"list": STRING, "item": STRING, "failures": FAILURES}),
        ITEMS_ALONE,
    ),
    Definition(
        "local::kit.notify",
        EXTERNAL,
        closed({"to": STRING, "text": STRING}),
        closed({"delivered": between(1, 2**53 - 1)}),
    ),
    Definition("local::kit.read_list", PURE, closed({"list": STRING}), ITEMS_ALONE, cache="never"),
    Definition("local::kit.wait", PURE, closed({"ms": between(0, 60_000)}), WAITED, policies=SHORT),
    Definition(
        "local::kit.wait_and_append",
        NON_IDEMPOTENT,
        closed({"list": STRING, "item": STRING, "ms": between(0, 60_000)}),
        ITEMS_ALONE,
        policies=SHORT,
    ),
    Definition("local::kit.limited", PURE, TEXT, TEXT, policies=Policies(rate_limit=RateLimit("kit-limited", 3, 500))),
    Definition(
        "local::kit.limited_append",
        NON_IDEMPOTENT,
        LIST_AND_ITEM,
        ITEMS_ALONE,
        policies=Policies(rate_limit=RateLimit("kit-limited-append", 2, 500)),
    ),
    Definition(
        "local::kit.fragile",
        PURE,
        closed({"fail": BOOLEAN}),
        closed({"ok": {"const": True}}),
        policies=Policies(circuit=CircuitBreaker(3, 300)),
    ),
    Definition(
        "local::kit.costly",
        PURE,
        closed({"units": between(1, 100)}),
        closed({"left": between(0, 100)}),
        policies=Policies(budget=Budget("kit-costly", 100, "units")),
    ),
    Definition(
        "local::kit.narrow",
        PURE,
        closed({"ms": between(0, 2000)}),
        WAITED,
        policies=Policies(concurrency_limit=1),
    ),
    Definition(
        "local::kit.guarded",
        IDEMPOTENT,
        KEY_AND_VALUE,
        WRITTEN,
        policies=Policies(rate_limit=RateLimit("kit-guarded", 2, 500)),
        required_scopes=("kit.write",),
    ),
    Definition(
        "local::kit.list",
        PURE,
        closed({}, {"pageToken": STRING, "pageSize": {**between(1, 100), "default": 10}}),
        closed({"items": ITEMS}, {"nextToken": STRING}),
    ),
    Definition(
        "local::kit.stream",
        PURE,
        closed({"frames": between(0, 100)}, {"failAt": INTEGER}),
        closed({"frames": between(0, 100)}),
    ),
    Definition(
        "local::kit.start_job",
        NON_IDEMPOTENT,
        closed({"ms": between(0, 5000)}, {"fail": BOOLEAN}),
        closed({"operationId": STRING}),
    ),
    Definition(
        "local::kit.job_status",
        PURE,
        closed({"operationId": STRING}),
        closed({"operationId": STRING, "state": {"enum": ["running", "succeeded", "failed"]}}, {"result": ANY}),
        cache="never",
    ),
    Definition(
        "local::kit.bad_output",
        PURE,
        TEXT,
        closed({"count": INTEGER}),
        fails=Failing("ContractError", "SchemaInvalid"),
    ),
    Definition(
        "local::kit.unserialisable",
        PURE,
        TEXT,
        closed({"value": ANY}),
        fails=Failing("SystemError", "SerializationFailed"),
    ),
    Definition(
        "local::kit.fault",
        PURE,
        closed({"secret": STRING}),
        closed({}),
        redaction_rules=("/input/secret",),
        fails=Failing("SystemError", "Unhandled"),
    ),
    Definition(
        "local::kit.person",
        PURE,
        closed({"name": STRING, "password": STRING}),
        closed({"name": STRING}, {"ssn": STRING, "tokens": {"type": "array", "items": closed({}, {"value": STRING})}}),
        redaction_rules=("/input/password", "/output/ssn", "/output/tokens/*/value"),
    ),
    Definition(
        "local::kit.relay",
        EXTERNAL,
        closed({"tool": STRING, "input": OBJECT}, {"fail": BOOLEAN}),
        closed({"result": OBJECT}),
    ),
    Definition("mcp::kit::echo", PURE, TEXT, closed({"text": STRING, "correlationId": STRING})),
    Definition(
        "mcp::kit::fail",
        PURE,
        closed({"code": STRING}),
        closed({}),
        fails=Failing("ExecutionError", "DownstreamFailed"),
    ),
)
"""In the order in which describe_tools lists them."""

"""The Invocation, the Result, the error and the record as JSON Schema, and the three MCP tools that carry them."""

from typing import Final

from reference_server.application import Json, Tool

Schema = dict[str, Json]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
LOCAL_NAME: Final = r"local::[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+"
ORIGIN: Final = r"local|mcp::[A-Za-z0-9_-]+"
DEEPEST_CAUSE: Final = 5
INSTANT: Final[Schema] = {"type": "string", "format": "date-time"}
TEXT: Final[Schema] = {"type": "string", "minLength": 1}


def _closed(properties: Schema, required: list[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


INVOCATION: Final[Schema] = _closed(
    {
        "toolName": {
            "type": "string",
            "description": "Fully qualified: local::PACK.TOOL or mcp::SERVER::TOOL.",
            "pattern": rf"^(?:{LOCAL_NAME}|mcp::[A-Za-z0-9_-]+::[A-Za-z0-9_.-]+)$",
        },
        "versionRange": {"type": "string", "description": "A SemVer version or range; left out: the highest version."},
        "input": {"type": "object", "description": "Judged by the tool's inputSchema."},
        "correlationId": {"type": "string", "description": "Traces the call; one is generated where it is missing."},
        "causationId": {"type": "string", "description": "The event or invocation that caused this one."},
        "idempotencyKey": {"type": "string", "description": "Required for an IdempotentWrite; an empty one is none."},
        "headers": {
            "type": "object",
            "description": "Context that is no secret: locale, tenant.",
            "additionalProperties": {"type": "string"},
        },
        "deadline": {**INSTANT, "description": "The instant after which nothing runs; it lengthens no timeout."},
        "metadata": {"type": "object", "description": "Opaque to the runtime; written to the audit ledger."},
    },
    ["toolName", "input"],
)

ERROR: Final[Schema] = {
    "type": "object",
    "properties": {
        "class": {"enum": ["ContractError", "PolicyError", "AuthError", "ExecutionError", "SystemError"]},
        "code": TEXT,
        "message": TEXT,
        "details": {
            "type": "object",
            "properties": {
                "missingField": TEXT,
                "retryAfterMs": {"type": "number", "minimum": 0},
                "throttlingScope": TEXT,
                "circuitState": {"enum": ["open", "half-open", "closed"]},
                "providerCode": TEXT,
            },
        },
        "isRetryable": {"type": "boolean"},
        "causedBy": {"$ref": "#/$defs/error"},
        "origin": {"type": "string", "pattern": f"^(?:{ORIGIN})$"},
    },
    "required": ["class", "code", "message", "isRetryable", "origin"],
}
"""causedBy goes at most `DEEPEST_CAUSE` deep, which no schema says."""

POLICY_SNAPSHOT: Final[Schema] = {
    "type": "object",
    "properties": {
        "timeoutMs": {"type": "number", "minimum": 0},
        "retry": {
            "type": "object",
            "properties": {"maxAttempts": {"type": "integer", "minimum": 1}},
            "required": ["maxAttempts"],
        },
        "rateLimitIds": {"type": "array", "items": TEXT},
        "circuitState": {"enum": ["open", "half-open", "closed"]},
        "concurrencyLimit": {"type": ["integer", "null"], "minimum": 1},
        "budgetId": {"type": ["string", "null"], "minLength": 1},
        "redactions": {"type": "array", "items": {"type": "string", "pattern": "^/(?:input|output|metadata)/"}},
    },
    "required": ["timeoutMs", "retry", "rateLimitIds", "circuitState"],
}

RESULT: Final[Schema] = {
    "type": "object",
    "properties": {
        "status": {"enum": ["Ok", "Error", "Retryable"]},
        "output": {"type": "object"},
        "error": {"$ref": "#/$defs/error"},
        "durationMs": {"type": "number", "minimum": 0},
        "attempts": {"type": "integer", "minimum": 1},
        "resolvedVersion": TEXT,
        "policySnapshot": POLICY_SNAPSHOT,
        "correlationId": TEXT,
        "origin": {"type": "string", "pattern": f"^(?:{ORIGIN})$"},
    },
    "required": [
        "status",
        "durationMs",
        "attempts",
        "resolvedVersion",
        "policySnapshot",
        "correlationId",
        "origin",
    ],
    "oneOf": [
        {
            "properties": {"status": {"const": "Ok"}},
            "required": ["output"],
            "not": {"required": ["error"]},
        },
        {
            "properties": {
                "status": {"const": "Error"},
                "error": {"properties": {"isRetryable": {"const": False}}},
            },
            "required": ["error"],
            "not": {"required": ["output"]},
        },
        {
            "properties": {
                "status": {"const": "Retryable"},
                "error": {"properties": {"isRetryable": {"const": True}}},
            },
            "required": ["error"],
            "not": {"required": ["output"]},
        },
    ],
    "$defs": {"error": ERROR},
}

KINDS: Final = ("execution", "event", "span", "audit")
EVENTS: Final = (
    "ToolInvoked",
    "ToolSucceeded",
    "ToolFailed",
    "PolicyApplied",
    "RateLimited",
    "CircuitOpened",
    "CircuitHalfOpened",
    "CircuitClosed",
)
_COMMON: Final[Schema] = {
    "kind": {"enum": list(KINDS)},
    "id": TEXT,
    "sequence": {"type": "integer"},
    "at": INSTANT,
    "tool": {"type": "string"},
    "correlationId": TEXT,
    "causationId": TEXT,
}
_BY_KIND: Final[dict[str, tuple[Schema, list[str]]]] = {
    "execution": (
        {"version": TEXT, "attempt": {"type": "integer", "minimum": 1}, "outcome": TEXT},
        ["version", "attempt", "outcome"],
    ),
    "event": ({"name": {"enum": list(EVENTS)}, "data": {"type": "object"}}, ["name", "data"]),
    "span": (
        {
            "name": TEXT,
            "spanId": TEXT,
            "parentSpanId": TEXT,
            "links": {"type": "array", "items": TEXT},
            "attributes": {"type": "object"},
        },
        ["name", "spanId", "links", "attributes"],
    ),
    "audit": (
        {
            "invocationId": TEXT,
            "status": {"enum": ["Ok", "Error", "Retryable"]},
            "code": TEXT,
            "input": {},
            "output": {"type": "object"},
            "metadata": {"type": "object"},
            "headers": {"type": "object"},
        },
        ["invocationId", "status", "input"],
    ),
}
RECORD: Final[Schema] = {
    "type": "object",
    "properties": _COMMON,
    "required": ["kind", "id", "sequence", "at", "tool", "correlationId"],
    "oneOf": [
        {"properties": {"kind": {"const": kind}, **properties}, "required": required}
        for kind, (properties, required) in _BY_KIND.items()
    ],
}
FRAME: Final[Schema] = {
    "type": "object",
    "properties": {
        "correlationId": TEXT,
        "sequence": {"type": "integer", "minimum": 0},
        "event": {"enum": ["partial", "heartbeat", "completed", "error"]},
        "data": {},
    },
    "required": ["correlationId", "sequence", "event", "data"],
}

INVOKE: Final = "invoke"
DESCRIBE_TOOLS: Final = "describe_tools"
READ_RECORDS: Final = "read_records"

TOOLS: Final = (
    Tool(
        INVOKE,
        "Invokes a registered tool under its policies and answers with the Result envelope.",
        INVOCATION,
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True},
    ),
    Tool(
        DESCRIBE_TOOLS,
        "Lists the registered tools: versions, effect, schemas, scopes, policies and redaction rules of each.",
        {"type": "object", "properties": {}, "additionalProperties": False},
        annotations={"readOnlyHint": True, "openWorldHint": False},
    ),
    Tool(
        READ_RECORDS,
        "Shows what was recorded of the invocations, redacted, in the order in which it happened.",
        _closed(
            {
                "kind": {"enum": list(KINDS), "description": "Which records."},
                "correlationId": {"type": "string", "description": "Only those of this correlation."},
                "tool": {"type": "string", "description": "Only those of this tool."},
            },
            ["kind"],
        ),
        annotations={"readOnlyHint": True, "openWorldHint": False},
    ),
)

"""The OpenAPI 3.1 document of the plain HTTP endpoints, made from the tools' own schemas."""

from collections.abc import Sequence
from typing import Final

from reference_server.application import Json, Tool

FAILURES: Final = {
    "401": "No valid token.",
    "403": "The caller may not do this.",
    "404": "No such thread, message or method.",
    "409": "It collides with the state of things.",
    "413": "The body is too large.",
    "422": "The body breaks the schema or a rule of the method.",
    "429": "The caller's quota is used up.",
    "502": "The target could not be woken.",
}
REQUEST_ID_HEADER: Final[dict[str, Json]] = {
    "x-request-id": {"description": "The caller's, else a new one.", "schema": {"type": "string"}}
}
ERROR_SCHEMA: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string", "pattern": "^[A-Z][A-Z_]*$"},
                "message": {"type": "string"},
                "request_id": {"type": "string", "minLength": 1},
            },
            "required": ["code", "message", "request_id"],
        }
    },
    "required": ["error"],
    "additionalProperties": False,
}


def document(tools: Sequence[Tool], prefix: str) -> dict[str, Json]:
    """OpenAPI 3.1: one POST a tool under `prefix`, with every answer that it can give."""
    paths: dict[str, Json] = {f"{prefix}/mcp/{tool.name}": {"post": _operation(tool)} for tool in tools}
    paths[f"{prefix}/health"] = {"get": _read("health", "Whether the server serves.")}
    paths[f"{prefix}/openapi.json"] = {"get": _read("openapi", "This document.")}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Reference server", "version": prefix.strip("/") or "unversioned"},
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "schemas": {"Failure": ERROR_SCHEMA},
        },
    }


def _operation(tool: Tool) -> dict[str, Json]:
    failures: dict[str, Json] = {
        status: {
            "description": description,
            "headers": REQUEST_ID_HEADER,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
        }
        for status, description in FAILURES.items()
    }
    return {
        "operationId": tool.name,
        "description": tool.description,
        "requestBody": {"required": True, "content": {"application/json": {"schema": tool.input_schema}}},
        "responses": {"200": _success(tool.output_schema or {"type": "object"}), **failures},
    }


def _read(name: str, description: str) -> dict[str, Json]:
    return {
        "operationId": name,
        "description": description,
        "security": [],
        "responses": {"200": _success({"type": "object"})},
    }


def _success(schema: dict[str, Json]) -> dict[str, Json]:
    return {
        "description": "What the method answers.",
        "headers": REQUEST_ID_HEADER,
        "content": {"application/json": {"schema": schema}},
    }

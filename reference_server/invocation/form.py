"""The form of an Invocation, apart from the input: names, headers, deadline, key."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from reference_server.application import Json
from reference_server.invocation.definition import Definition, Effect, well_formed
from reference_server.invocation.failure import Failure
from reference_server.invocation.redaction import named_like_a_secret
from reference_server.invocation.schemas import INVOCATION

FIELDS: Final = frozenset(INVOCATION["properties"])
TEXTS: Final = ("versionRange", "correlationId", "causationId", "idempotencyKey", "deadline")
OBJECTS: Final = ("headers", "metadata")
INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)")


def missing(name: str, message: str) -> Failure:
    """The refusal of an invocation that lacks a required field."""
    return Failure("MissingField", message, details={"missingField": name})


class Form:
    """What every Invocation has to look like."""

    def check_name(self, given: Mapping[str, Json]) -> None:
        """Raises a ContractError where toolName is absent or not fully qualified."""
        if "toolName" not in given:
            raise missing("toolName", "the invocation names no tool: toolName is missing")
        name = given["toolName"]
        if not isinstance(name, str) or not well_formed(name):
            raise Failure(
                "SchemaInvalid", "toolName is not fully qualified: write local::PACK.TOOL or mcp::SERVER::TOOL"
            )

    def check(self, given: Mapping[str, Json]) -> None:
        """Raises a ContractError where a field besides toolName is absent, unknown or of another type."""
        if not given.keys() <= FIELDS:
            raise Failure("SchemaInvalid", f"the invocation has a field that is none of {', '.join(sorted(FIELDS))}")
        if "input" not in given:
            raise missing("input", "the invocation has no input: write an object, {} where the tool needs nothing")
        if not isinstance(given["input"], dict):
            raise Failure("SchemaInvalid", "input is an object")
        for name in TEXTS:
            if name in given and not isinstance(given[name], str):
                raise Failure("SchemaInvalid", f"{name} is a string")
        for name in OBJECTS:
            if name in given and not isinstance(given[name], dict):
                raise Failure("SchemaInvalid", f"{name} is an object")
        self.check_headers(given.get("headers", {}))

    def check_headers(self, headers: Mapping[str, Json]) -> None:
        """Raises SchemaInvalid where a header is named like a secret, or is no string."""
        for name, value in headers.items():
            if named_like_a_secret(name):
                raise Failure("SchemaInvalid", "headers hold no secrets: one of them is named like a secret")
            if not isinstance(value, str):
                raise Failure("SchemaInvalid", "the value of a header is a string")

    def check_key(self, tool: Definition, given: Mapping[str, Json]) -> None:
        """Raises MissingField where an IdempotentWrite comes without its key."""
        if tool.effect is Effect.IDEMPOTENT_WRITE and not given.get("idempotencyKey"):
            raise missing("idempotencyKey", "the tool is an IdempotentWrite: idempotencyKey is missing")

    def deadline(self, given: Mapping[str, Json]) -> float | None:
        """The deadline in seconds since the epoch. Raises SchemaInvalid where it is no instant."""
        text = given.get("deadline")
        if text is None:
            return None
        if not INSTANT.fullmatch(text):
            raise Failure("SchemaInvalid", "deadline is an RFC 3339 instant, such as 2026-07-28T12:00:00Z")
        try:
            return datetime.fromisoformat(text.upper()).timestamp()
        except (ValueError, OverflowError):
            raise Failure("SchemaInvalid", "deadline is no day and time that there is") from None

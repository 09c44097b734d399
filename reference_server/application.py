"""The seam between domains and bindings: a domain is an `Application`, a binding carries requests to it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Json = Any
"""A JSON value: dict, list, str, int, float, bool or None."""

Frames = Callable[[dict[str, Json]], Awaitable[None]]
"""Takes the frames of a stream, one by one. A frame has a `sequence`, which rises with every frame of the call."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as `tools/list` shows it. Schemas are JSON Schema 2020-12 with root type object."""

    name: str
    description: str
    input_schema: dict[str, Json]
    output_schema: dict[str, Json] | None = None
    annotations: dict[str, Json] = field(default_factory=dict)

    def as_listed(self) -> dict[str, Json]:
        """The wire form: camelCase keys, absent ones left out."""
        listed: dict[str, Json] = {"name": self.name, "description": self.description, "inputSchema": self.input_schema}
        if self.output_schema is not None:
            listed["outputSchema"] = self.output_schema
        if self.annotations:
            listed["annotations"] = self.annotations
        return listed


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a tool, free of transport."""

    tool: str
    arguments: Json
    """As they came: nothing is checked before the domain does."""
    authorization: str | None = None
    """The value of the Authorization header, `Bearer` included."""
    conditions: Mapping[str, Json] = field(default_factory=dict)
    """What holds while this request is served; always empty unless the server was started for testing."""
    request_id: str | None = None
    """The caller's x-request-id, where the binding has headers."""
    stream: Frames | None = None
    """Takes partial results, where the caller asked for them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: its envelope, whether that is a failure, and what the world behind the server saw of it."""

    envelope: dict[str, Json]
    failed: bool = False
    effects: tuple[dict[str, Json], ...] = ()
    """Shown only by a server started for testing, in `_meta` `dev.conformance/effects`."""


class UnknownToolError(LookupError):
    """No tool of this application bears the name: bindings answer -32602 (MCP) or 404 (plain HTTP)."""


class Application(Protocol):
    """One instance of a domain: a store of its own, a profile, a clock."""

    @property
    def tools(self) -> Sequence[Tool]:
        """What this instance serves, in a fixed order."""

    async def call(self, request: Request) -> Answer:
        """Answers in the contract's envelope; raises only `UnknownToolError`."""

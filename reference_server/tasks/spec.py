"""What a tool is: its schema, what it does, and the marks by which others know what it writes and shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from reference_server.application import Json, Tool

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

Handler = Callable[["Call"], dict[str, Json]]

UNITS: Final = {
    "max_chars": "bytes of result",
    "max_bytes": "bytes of contents",
    "max_lines": "lines",
    "limit": "entries",
    "offset": "entries",
    "limit_cards": "entries",
    "notes_limit": "entries",
    "trace_limit": "entries",
    "edges_limit": "edges",
    "max_errors": "entries",
}
"""Budget knobs and what they count."""

Entity = Literal["workspace", "plan", "task", "step", "branch", "document", "checkout", "conflict", "focus"]


@dataclass(frozen=True, slots=True)
class Writes:
    """Marks of a write."""

    entity: Entity
    """What is made or changed."""
    guard: Entity | None
    """Whose revision expected_revision is compared with; None: it takes none."""
    revision: str | None
    """JSON pointer to that revision in the result."""
    reads: tuple[str, ...]
    """Tools that show what was written."""


@dataclass(frozen=True)
class Spec:
    """One tool."""

    name: str
    intent: str
    description: str
    handle: Handler
    properties: Mapping[str, dict[str, Json]]
    required: tuple[str, ...] = ("workspace",)
    writes: Writes | None = None
    repeatable: bool = False
    """Whether a repeat with the same arguments changes nothing more."""
    makes_workspace: bool = False
    removes: bool = field(default=False)
    """Whether it may take away or replace what was there."""

    @cached_property
    def input_schema(self) -> dict[str, Json]:
        """Closed: JSON Schema 2020-12."""
        schema: dict[str, Json] = {"type": "object", "properties": dict(self.properties)}
        if self.required:
            schema["required"] = list(self.required)
        return schema | {"additionalProperties": False}

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Of the arguments that have one."""
        return {name: schema["default"] for name, schema in self.properties.items() if "default" in schema}

    @property
    def budgets(self) -> dict[str, str]:
        """Its budget knobs, each with its unit."""
        return {name: UNITS[name] for name in self.properties if name in UNITS}

    def as_tool(self) -> Tool:
        """What tools/list shows."""
        read_only = self.writes is None
        annotations: dict[str, Json] = {"readOnlyHint": read_only, "openWorldHint": False}
        if not read_only:
            annotations |= {"destructiveHint": self.removes, "idempotentHint": self.repeatable}
        return Tool(self.name, self.description, self.input_schema, annotations=annotations)

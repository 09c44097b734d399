"""All tools of an edition, and the manifest that follows from them (seed 000, Tool Manifest)."""

from collections.abc import Iterable
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.tools import reads, views, workflow, writes
from reference_server.tuitbot.tools.definition import ToolDefinition

SESSION_05: Final = {
    definition.name: definition
    for definition in sorted(
        (*reads.DEFINITIONS, *writes.DEFINITIONS, *workflow.DEFINITIONS, *views.DEFINITIONS),
        key=lambda definition: definition.name,
    )
}
"""The 65 tools by name, in alphabetical order."""


def entry(definition: ToolDefinition) -> dict[str, Json]:
    """A tool's entry in the manifest."""
    return {
        "name": definition.name,
        "category": definition.category,
        "mutation": definition.mutation,
        "requires_x_client": definition.requires_x_client,
        "requires_llm": definition.requires_llm,
        "requires_db": definition.requires_db,
        "profiles": list(definition.profiles),
        "possible_error_codes": [code.value for code in definition.possible_error_codes],
    }


def manifest(definitions: Iterable[ToolDefinition]) -> list[dict[str, Json]]:
    """The manifest of these tools."""
    return [entry(definition) for definition in definitions]


def described(definition: ToolDefinition) -> dict[str, Json]:
    """A tool as schemas/tuitbot/tools.json holds it: of a read whether it shows state, of a write which reads do."""
    shown: dict[str, Json] = {
        "name": definition.name,
        "description": definition.description,
        "profiles": list(definition.profiles),
        "inputSchema": definition.input_schema,
        "annotations": definition.tool.annotations,
        "effect": "write" if definition.mutation else "read",
    }
    if definition.mutation:
        return {**shown, "gated": definition.gated, "shown": list(definition.shown_by)}
    return {**shown, "state": definition.state}

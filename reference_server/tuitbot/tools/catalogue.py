"""All tools of an edition, and the manifest that follows from them (Session 05 contract, Tool Manifest)."""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.editions import Edition
from reference_server.tuitbot.tools import previews, reads, universal, views, workflow, writes
from reference_server.tuitbot.tools.definition import ToolDefinition
from reference_server.tuitbot.tools.spec import lists, lookups, moderation
from reference_server.tuitbot.tools.spec.generate import tools_of

ENDPOINTS: Final = (*lists.ENDPOINTS, *lookups.ENDPOINTS, *moderation.ENDPOINTS)
"""The 36 endpoints of which tools are generated."""
DEFINITIONS: Final = (
    *reads.DEFINITIONS,
    *writes.DEFINITIONS,
    *workflow.DEFINITIONS,
    *views.DEFINITIONS,
    *previews.DEFINITIONS,
    *universal.DEFINITIONS,
    *tools_of(ENDPOINTS),
)
"""The tools of all editions."""


@cache
def catalogue(edition: Edition) -> Mapping[str, ToolDefinition]:
    """The tools of an edition by name, in alphabetical order: 65 in session-05, 109 in convergence."""
    served = [found for each in DEFINITIONS if (found := each.of(edition)) is not None]
    names = {each.name for each in served}
    shown = [each.shown_in(names) for each in served]
    return MappingProxyType({each.name: each for each in sorted(shown, key=lambda each: each.name)})


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
    """A tool as schemas/tuitbot/ holds it: of a read whether it shows state, of a write which reads do."""
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

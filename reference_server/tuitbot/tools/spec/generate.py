"""From endpoints to tools: name, schema, profiles, flags and codes follow from the definition."""

from collections.abc import Iterable
from typing import Final

from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.definition import ToolDefinition
from reference_server.tuitbot.tools.spec.endpoint import EndpointDef

PREFIX: Final = "x_v2_"
EVERY: Final = (ErrorCode.INVALID_INPUT, ErrorCode.NOT_FOUND)
"""X knows neither every id nor every value."""


def tool_of(endpoint: EndpointDef) -> ToolDefinition:
    """The tool that calls an endpoint. What changes X asks the gate, and is nothing for a scraper."""
    return ToolDefinition(
        f"{PREFIX}{endpoint.name}",
        f"{endpoint.description} {endpoint.method} {endpoint.path}; scopes {', '.join(endpoint.scopes)}.",
        endpoint.category,
        endpoint.handler,
        endpoint.parameters,
        profiles=endpoint.profiles,
        mutation=endpoint.mutation,
        requires_x_client=True,
        requires_db=endpoint.mutation,
        gated=endpoint.mutation,
        guarded=endpoint.mutation,
        calls_x=True,
        codes=(*EVERY, *endpoint.codes),
        shown_by=endpoint.shown_by,
        state=endpoint.state,
        destructive=endpoint.method == "DELETE",
    )


def tools_of(endpoints: Iterable[EndpointDef]) -> tuple[ToolDefinition, ...]:
    """The tools of these endpoints, in their order."""
    return tuple(map(tool_of, endpoints))

"""MC-LIST: what the server says of its tools."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from itertools import count

from reference_server.application import Answer, Application, Json, Request
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.bindings.protocol import INTERNAL_ERROR, ProtocolError
from reference_server.deviations.mcp.changing import (
    Listing,
    Serve,
    change_listing,
    change_serving,
    change_tool,
    replace_method,
)
from reference_server.deviations.registry import deviation
from reference_server.host import Instance


@deviation("MC-LIST-01")
def tools_are_not_declared(dispatcher: Dispatcher) -> None:
    """The tools are served, but the capability is not declared."""
    replace_method(dispatcher.surface, "capabilities", dict)


@deviation("MC-LIST-02")
def tool_is_listed_twice(dispatcher: Dispatcher) -> None:
    """An older description of get_thread was left in the list beside the current one."""

    def change(listing: Listing) -> Listing:
        older = [deepcopy(tool) for tool in listing if tool["name"] == "get_thread"]
        for tool in older:
            tool["description"] = f"Deprecated. {tool['description']}"
        return listing + older

    change_listing(dispatcher, change)


@deviation("MC-LIST-03")
def tool_name_has_a_space(dispatcher: Dispatcher) -> None:
    """get_thread is also served under a name for human eyes, with a space in it."""
    name = "get thread"

    def change(listing: Listing) -> Listing:
        return listing + [{**deepcopy(tool), "name": name} for tool in listing if tool["name"] == "get_thread"]

    async def around(request: Request, application: Application, serve: Serve) -> Answer:
        return await serve(replace(request, tool="get_thread") if request.tool == name else request, application)

    change_listing(dispatcher, change)
    change_serving(dispatcher, around)


@deviation("MC-LIST-04")
def input_schema_says_required_at_the_property(dispatcher: Dispatcher) -> None:
    """The inputSchema of get_thread says `required: true` at the property, as the drafts before 4 did."""

    def change(tool: dict[str, Json]) -> None:
        properties = tool["inputSchema"]["properties"]
        # a copy: other tools share the schema of a thread's id
        properties["thread_id"] = {**properties["thread_id"], "required": True}

    change_tool(dispatcher, "get_thread", change)


@deviation("MC-LIST-05")
def output_schema_names_no_json_type(dispatcher: Dispatcher) -> None:
    """The outputSchema of get_thread has a type of the programming language, `dict`."""

    def change(tool: dict[str, Json]) -> None:
        tool["outputSchema"]["type"] = "dict"

    change_tool(dispatcher, "get_thread", change)


@deviation("MC-LIST-06")
def schema_refers_to_the_network(dispatcher: Dispatcher) -> None:
    """The inputSchema of get_thread takes the schema of an optional property from a URL."""

    def change(tool: dict[str, Json]) -> None:
        tool["inputSchema"]["properties"]["trace"] = {"$ref": "https://schemas.example/trace.json"}

    change_tool(dispatcher, "get_thread", change)


@deviation("MC-LIST-07")
def order_changes(dispatcher: Dispatcher) -> None:
    """The order of the tools is another each time."""
    turns = count()

    def change(listing: Listing) -> Listing:
        turn = next(turns) % len(listing)
        return listing[turn:] + listing[:turn]

    change_listing(dispatcher, change)


@deviation("MC-LIST-07", variant="once")
def list_is_given_once(dispatcher: Dispatcher) -> None:
    """Asked for the list a second time, the server ends in an internal error."""
    asked = count()
    original = dispatcher.surface.list_tools

    def list_tools(params: Mapping[str, Json]) -> dict[str, Json]:
        if next(asked):
            raise ProtocolError(INTERNAL_ERROR, "Internal error")
        return original(params)

    replace_method(dispatcher.surface, "list_tools", list_tools)


@deviation("MC-LIST-08")
def pages_never_end(dispatcher: Dispatcher) -> None:
    """The last page of the list has a cursor too, which leads to the first."""
    original = dispatcher.surface.list_tools
    again = "dG9vbHM6MA=="

    def list_tools(params: Mapping[str, Json]) -> dict[str, Json]:
        known = {key: value for key, value in params.items() if key != "cursor" or value != again}
        return {"nextCursor": again, **original(known)}

    replace_method(dispatcher.surface, "list_tools", list_tools)


@deviation("MC-LIST-09")
def list_lives_less_than_no_time(dispatcher: Dispatcher) -> None:
    """The list of tools says ttlMs -1 for "do not keep"."""
    original = dispatcher.surface.list_tools

    def list_tools(params: Mapping[str, Json]) -> dict[str, Json]:
        return {**original(params), "ttlMs": -1}

    replace_method(dispatcher.surface, "list_tools", list_tools)


@deviation("MC-LIST-10")
def unknown_cursor_is_an_internal_error(dispatcher: Dispatcher) -> None:
    """A cursor that was never given is read as a number, and what that raises ends as -32603."""
    original = dispatcher.surface.position

    def position(cursor: Json, instance: Instance, total: int) -> int:
        try:
            return original(cursor, instance, total)
        except ProtocolError:
            raise ProtocolError(INTERNAL_ERROR, "Internal error") from None

    replace_method(dispatcher.surface, "position", position)


@deviation("MC-LIST-11")
def header_name_has_a_space(dispatcher: Dispatcher) -> None:
    """get_thread asks clients to repeat thread_id in a header whose name has a space in it."""

    def change(tool: dict[str, Json]) -> None:
        tool["inputSchema"]["properties"]["thread_id"]["x-mcp-header"] = "Thread Id"

    change_tool(dispatcher, "get_thread", change)


@deviation("MC-LIST-12")
def tool_has_no_description(dispatcher: Dispatcher) -> None:
    """get_thread is listed without a description."""

    def change(tool: dict[str, Json]) -> None:
        del tool["description"]

    change_tool(dispatcher, "get_thread", change)

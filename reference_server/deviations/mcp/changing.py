"""How a deviation changes one dispatcher: its listing, a tool of it, or the way in which calls are served."""

from collections.abc import Awaitable, Callable
from copy import deepcopy

from reference_server.application import Answer, Application, Json, Request
from reference_server.bindings.jsonrpc import Dispatcher
from reference_server.bindings.offers import Offers
from reference_server.host import Instance

Listing = list[dict[str, Json]]
Serve = Callable[[Request, Application], Awaitable[Answer]]
Around = Callable[[Request, Application, Serve], Awaitable[Answer]]


def replace_method(owner: object, name: str, method: Callable[..., object]) -> None:
    """Puts `method` in the place of the one that this instance, and no other, has."""
    if not callable(getattr(owner, name)):
        raise TypeError(f"{name} of {owner!r} is no method")
    setattr(owner, name, method)


def change_listing(dispatcher: Dispatcher, change: Callable[[Listing], Listing]) -> None:
    """Passes each listing of all tools, a copy, through `change`."""
    original = dispatcher.surface.listing

    def listing(instance: Instance) -> Listing:
        return change(deepcopy(original(instance)))

    replace_method(dispatcher.surface, "listing", listing)


def change_tool(dispatcher: Dispatcher, name: str, change: Callable[[dict[str, Json]], None]) -> None:
    """Lets `change` alter a tool as it is listed; the tool itself stays."""

    def changed(listing: Listing) -> Listing:
        for tool in listing:
            if tool["name"] == name:
                change(tool)
        return listing

    change_listing(dispatcher, changed)


def annotate(dispatcher: Dispatcher, name: str, **hints: Json) -> None:
    """Lists a tool with these annotations instead of its own."""

    def change(tool: dict[str, Json]) -> None:
        tool["annotations"] = {**tool.get("annotations", {}), **hints}

    change_tool(dispatcher, name, change)


def change_serving(dispatcher: Dispatcher, around: Around) -> None:
    """Puts `around` between a call and the application; it gets the request, the application, and the way on."""
    original = dispatcher.surface.serve

    async def serve(request: Request, application: Application) -> Answer:
        return await around(request, application, original)

    replace_method(dispatcher.surface, "serve", serve)


def input_schema(application: Application, name: str) -> dict[str, Json]:
    """The input schema of a tool; of a tool that there is not, one that everything satisfies."""
    return next((tool.input_schema for tool in application.tools if tool.name == name), {})


def code_of(answer: Answer) -> str | None:
    """The code of a failure, None of a success."""
    return answer.envelope["error"]["code"] if answer.failed else None


def offered(dispatcher: Dispatcher) -> Offers:
    """What the server of the contract `mcp` serves besides its tools."""
    if dispatcher.surface.offers is None:
        raise TypeError("this contract's server has tools alone")
    return dispatcher.surface.offers

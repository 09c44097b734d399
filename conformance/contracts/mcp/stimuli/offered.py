"""Resources and prompts: listed, read, asked for, and asked for wrongly."""

from contextlib import suppress
from typing import Any

from conformance.contracts.mcp.apart import by_other_clients, stateless
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.offered import (
    ASKED_FOR,
    NO_SUCH_PROMPT,
    NO_SUCH_RESOURCE,
    PAGES,
    PROMPTS,
    RESOURCES,
    TEMPLATES,
    Kind,
    declares,
    named,
)
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

LAST = 3
"""Of the resources that are read those at the end of a long list."""
VALUE = "1"
"""Of an argument whose meaning nobody knows: many are numbers, as text."""


async def declared(bench: McpBench, capability: str) -> None:
    """SkipError where the server does not declare a capability."""
    connection = await bench.connected()
    known = bench.session.recorder.history.connections[connection.name]
    if not declares(known, capability):
        raise SkipError(f"the server does not declare {capability}")


async def listed(bench: McpBench, kind: Kind) -> list[dict[str, Any]]:
    """All pages of a list."""
    found: list[dict[str, Any]] = []
    cursors: list[object] = []
    while len(cursors) < PAGES:
        params = {"cursor": cursors[-1]} if cursors else {}
        answer = (await bench.request(kind.method, params)).result or {}
        page = answer.get(kind.key)
        items = page if isinstance(page, list) else []
        found += [item for item in items if isinstance(item, dict) and isinstance(item.get(kind.name), str)]
        cursor = answer.get("nextCursor")
        if cursor is None or cursor in cursors:
            break
        cursors.append(cursor)
    return found


@stimulus("mcp", exercises=("MC-LIST-09", "MC-RES-01", "MC-RES-02", "MC-RES-03"), bindings=("mcp",), last=True)
async def resources_are_read(bench: McpBench) -> None:
    """Those that are listed first and last, and one that there is not; alone, as calls may make and remove resources.

    What is refused is read once more, and the list asked for again: is it still there?
    """
    await declared(bench, "resources")
    found = await listed(bench, RESOURCES)
    await listed(bench, TEMPLATES)
    if bench.session.statement.calls.harmless == "none":
        raise SkipError("no resource may be read: calls.harmless is 'none'")
    chosen = found if len(found) <= ASKED_FOR else [*found[: ASKED_FOR - LAST], *found[-LAST:]]
    wanted = list(dict.fromkeys(resource["uri"] for resource in chosen))
    refused = [uri for uri in wanted if (await bench.request("resources/read", {"uri": uri})).refused]
    for uri in refused:
        await bench.request("resources/read", {"uri": uri})
    if refused:
        await listed(bench, RESOURCES)
    await bench.request("resources/read", {"uri": NO_SUCH_RESOURCE})


@stimulus("mcp", exercises=("MC-LIST-09", "MC-PROMPT-01", "MC-PROMPT-02", "MC-PROMPT-03"), bindings=("mcp",), last=True)
async def prompts_are_asked_for(bench: McpBench) -> None:
    """The first of those that are listed, with the arguments that they require, with all, and without; one that is not.

    Alone, as calls may change the list between two pages.
    """
    await declared(bench, "prompts")
    found = await listed(bench, PROMPTS)
    if bench.session.statement.calls.harmless == "none":
        raise SkipError("no prompt may be asked for: calls.harmless is 'none'")
    for prompt in found[:ASKED_FOR]:
        arguments = dict.fromkeys(sorted(named(prompt, required=True)), VALUE)
        wanted = {"name": prompt["name"], **({"arguments": arguments} if arguments else {})}
        given = await bench.request("prompts/get", wanted)
        more = dict.fromkeys(sorted(named(prompt, required=False)), VALUE)
        if more:
            await bench.request("prompts/get", {"name": prompt["name"], "arguments": {**arguments, **more}})
        # without any, they may be left out; a server that does not know that may still give the prompt
        if arguments or given.refused:
            await bench.request("prompts/get", {"name": prompt["name"], "arguments": {}})
    await bench.request("prompts/get", {"name": NO_SUCH_PROMPT})


@stimulus("mcp", exercises=("MC-CALL-14",), bindings=("mcp",))
async def prompts_and_resources_may_ask_the_client(bench: McpBench) -> None:
    """Prompts without arguments, and resources, for a client that declares nothing, and for ones that declare more."""
    await stateless(bench)
    if bench.session.statement.calls.harmless == "none":
        raise SkipError("no prompt may be asked for, and no resource read: calls.harmless is 'none'")
    wanted: list[tuple[str, dict[str, Json]]] = []
    with suppress(SkipError):
        await declared(bench, "prompts")
        found = (await listed(bench, PROMPTS))[:ASKED_FOR]
        wanted += [("prompts/get", {"name": each["name"]}) for each in found if not named(each, required=True)]
    with suppress(SkipError):
        await declared(bench, "resources")
        wanted += [("resources/read", {"uri": each["uri"]}) for each in (await listed(bench, RESOURCES))[:ASKED_FOR]]
    for method, params in wanted:
        await bench.request(method, params)
        await by_other_clients(bench, method, params)

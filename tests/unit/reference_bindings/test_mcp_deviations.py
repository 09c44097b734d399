"""Every deviation from MCP: registered, applied, and seen on the wire where the correct server differs."""

import asyncio
import json
import tomllib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from reference_server import target
from reference_server.deviations.registry import all_deviations

from .conftest import Caller, Run

REQUIREMENTS = Path(__file__).parents[3] / "schemas" / "mcp" / "requirements.toml"
Probe = Callable[[Caller], Coroutine[Any, Any, object]]


async def listed(caller: Caller) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = (await caller.ask("tools/list"))["result"]["tools"]
    return tools


async def tool(caller: Caller, name: str) -> dict[str, Any]:
    return next(each for each in await listed(caller) if each["name"] == name)


async def names(caller: Caller) -> list[str]:
    return [each["name"] for each in await listed(caller)]


async def every_answer(caller: Caller) -> object:
    return (await caller.ask("tools/list"))["id"], [each["id"] for each in caller.heard]


async def message_is_text(caller: Caller) -> object:
    return isinstance((await caller.call("nope"))["error"]["message"], str)


async def result_type(caller: Caller) -> object:
    return (await caller.call("get_thread", thread_id="x"))["result"].get("resultType")


async def unknown_tool(caller: Caller) -> object:
    return (await caller.call("nope")).get("error", {}).get("code")


async def unknown_version(caller: Caller) -> object:
    answer = await caller.ask("tools/list", {"io.modelcontextprotocol/protocolVersion": "1999-01-01"})
    handshake = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}}
    greeted = await caller.server.handle(handshake)
    assert greeted is not None
    return "error" in answer, greeted["result"]["protocolVersion"] != "1999-01-01"


async def unknown_method(caller: Caller) -> object:
    return (await caller.ask("nope"))["error"]["code"]


async def capabilities(caller: Caller) -> object:
    return "tools" in (await caller.ask("server/discover"))["result"]["capabilities"]


async def unique_names(caller: Caller) -> object:
    return len(set(await names(caller))) == len(await names(caller))


async def plain_names(caller: Caller) -> object:
    return [name for name in await names(caller) if not name.replace("_", "").isalnum()]


async def schemas_are_valid(caller: Caller, key: str) -> object:
    return all(jsonschema_rs.meta.is_valid(each[key]) for each in await listed(caller))


async def input_schemas(caller: Caller) -> object:
    return await schemas_are_valid(caller, "inputSchema")


async def output_schemas(caller: Caller) -> object:
    return await schemas_are_valid(caller, "outputSchema")


async def remote_references(caller: Caller) -> object:
    return "https://" in json.dumps(await tool(caller, "get_thread"))


async def same_order(caller: Caller) -> object:
    return await names(caller) == await names(caller)


async def ends(caller: Caller) -> object:
    result = (await caller.ask("tools/list"))["result"]
    if "nextCursor" not in result:
        return True
    return "nextCursor" not in (await caller.ask("tools/list", cursor=result["nextCursor"]))["result"]


async def time_to_live(caller: Caller) -> object:
    return (await caller.ask("tools/list"))["result"]["ttlMs"]


async def satisfies_output_schema(caller: Caller) -> object:
    seen = await caller.done("get_thread", thread_id=await caller.thread())
    return jsonschema_rs.is_valid((await tool(caller, "get_thread"))["outputSchema"], seen)


async def text_equals_structure(caller: Caller) -> object:
    result = (await caller.call("get_thread", thread_id=await caller.thread()))["result"]
    try:
        return json.loads(result["content"][0]["text"]) == result["structuredContent"]
    except ValueError:
        return False


async def limit_beyond_maximum(caller: Caller) -> object:
    answer = await caller.call("read_messages", thread_id=await caller.thread(), limit=201)
    return answer.get("result", {}).get("isError")


async def limit_at_maximum(caller: Caller) -> object:
    return (await caller.call("read_messages", thread_id=await caller.thread(), limit=200))["result"]["isError"]


async def missing_thread(caller: Caller) -> object:
    return (await caller.call("get_thread", thread_id="x")).get("result", {}).get("isError")


async def shown_stack(caller: Caller) -> object:
    return "Traceback" in (await caller.call("get_thread"))["result"]["structuredContent"]["error"]["message"]


async def call_after_refusal(caller: Caller) -> object:
    thread = await caller.thread()
    await caller.call("get_thread")
    return "result" in await caller.call("get_thread", thread_id=thread)


async def summary_comes(caller: Caller) -> object:
    thread = await caller.thread()
    asked = asyncio.create_task(caller.call("summarize_thread", thread_id=thread))
    # the server awaits nothing on its way: what has no answer after some turns of the loop will have none
    for _ in range(100):
        await asyncio.sleep(0)
    return asked.done() or not asked.cancel()


async def hint_types(caller: Caller) -> object:
    hints = (await tool(caller, "get_thread"))["annotations"]
    return isinstance(hints["readOnlyHint"], bool)


async def posting_reads_only(caller: Caller) -> object:
    return (await tool(caller, "post_message"))["annotations"]["readOnlyHint"]


async def creating_is_idempotent(caller: Caller) -> object:
    return (await tool(caller, "create_thread"))["annotations"]["idempotentHint"]


async def kept_after_acknowledging(caller: Caller) -> object:
    thread = await caller.thread()
    await caller.done("post_message", thread_id=thread, schema_version=1, kind="chat", body="b")
    await caller.done("ack_read", thread_id=thread, last_read_seq=1)
    return len((await caller.done("read_messages", thread_id=thread))["messages"])


async def acknowledging(caller: Caller) -> object:
    return (await caller.call("ack_read", thread_id=await caller.thread(), last_read_seq=0))["result"]["isError"]


async def reading_destroys(caller: Caller) -> object:
    return (await tool(caller, "get_thread"))["annotations"].get("destructiveHint", False)


async def told(caller: Caller, message: Any) -> object:
    """What a message that is no request brings about: the answer, and whatever else was sent."""
    heard: list[Any] = []
    answer = await caller.server.handle(message, heard.append)
    return answer, heard


async def ping(caller: Caller) -> object:
    answer = await caller.server.handle({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    return "error" in (answer or {})


async def unasked(caller: Caller) -> object:
    await caller.call("get_thread", thread_id="x")
    return [each.get("method") for each in caller.heard]


async def without_capabilities(caller: Caller) -> object:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    answer, _ = await told(caller, {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}})  # type: ignore[misc]  # a pair
    return "error" in answer


async def notified(caller: Caller) -> object:
    return await told(caller, {"jsonrpc": "2.0", "method": "notifications/conformance"})


async def discovered(caller: Caller) -> object:
    return (await caller.ask("server/discover"))["result"]["ttlMs"]


async def no_request(caller: Caller) -> object:
    return await told(caller, "no request")


async def cancelled(caller: Caller) -> object:
    await told(caller, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    return [("error" in await caller.call("get_thread", thread_id="x")) for _ in range(2)]


async def unknown_cursor(caller: Caller) -> object:
    return (await caller.ask("tools/list", cursor="never"))["error"]["code"]


async def mirrored_header(caller: Caller) -> object:
    return (await tool(caller, "get_thread"))["inputSchema"]["properties"]["thread_id"]["x-mcp-header"]


async def description(caller: Caller) -> object:
    return (await tool(caller, "get_thread")).get("description")


async def block_types(caller: Caller) -> object:
    result = (await caller.call("get_thread", thread_id=await caller.thread()))["result"]
    return [block["type"] for block in result["content"]]


async def interview(caller: Caller) -> object:
    return (await caller.ask("prompts/get", name="interview"))["result"]["resultType"]


async def resources(caller: Caller) -> object:
    return [each["uri"] for each in (await caller.ask("resources/list"))["result"]["resources"]]


async def manual(caller: Caller) -> object:
    return (await caller.ask("resources/read", uri="reference://tools"))["result"]["contents"][0].get("uri")


async def missing_resource(caller: Caller) -> object:
    return "error" in await caller.ask("resources/read", uri="reference://nothing")


async def prompt_pages(caller: Caller) -> object:
    return (await caller.ask("prompts/list"))["result"].get("nextCursor")


async def review(caller: Caller) -> object:
    asked = await caller.ask("prompts/get", name="review_thread", arguments={"thread_id": "1"})
    return asked["result"]["messages"][0]["role"]


async def review_of_nothing(caller: Caller) -> object:
    return "error" in await caller.ask("prompts/get", name="review_thread", arguments={})


PROBES: dict[str, Probe] = {
    "MC-RPC-11": ping,
    "MC-RPC-12": unasked,
    "MC-RPC-13": without_capabilities,
    "MC-RPC-14": notified,
    "MC-RPC-19": discovered,
    "MC-RPC-20": no_request,
    "MC-LIST-10": unknown_cursor,
    "MC-LIST-11": mirrored_header,
    "MC-LIST-12": description,
    "MC-CALL-11": block_types,
    "MC-CALL-13": unasked,
    "MC-CALL-14": interview,
    "MC-CALL-16": cancelled,
    "MC-RES-01": resources,
    "MC-RES-02": manual,
    "MC-RES-03": missing_resource,
    "MC-PROMPT-01": prompt_pages,
    "MC-PROMPT-02": review,
    "MC-PROMPT-03": review_of_nothing,
    "MC-RPC-01": every_answer,
    "MC-RPC-02": message_is_text,
    "MC-RPC-03": result_type,
    "MC-RPC-04": unknown_tool,
    "MC-RPC-05": unknown_version,
    "MC-RPC-06": unknown_method,
    "MC-LIST-01": capabilities,
    "MC-LIST-02": unique_names,
    "MC-LIST-03": plain_names,
    "MC-LIST-04": input_schemas,
    "MC-LIST-05": output_schemas,
    "MC-LIST-06": remote_references,
    "MC-LIST-07": same_order,
    "MC-LIST-08": ends,
    "MC-LIST-09": time_to_live,
    "MC-CALL-01": satisfies_output_schema,
    "MC-CALL-02": text_equals_structure,
    "MC-CALL-03": unknown_tool,
    "MC-CALL-04": limit_beyond_maximum,
    "MC-CALL-05": limit_beyond_maximum,
    "MC-CALL-06": limit_at_maximum,
    "MC-CALL-07": missing_thread,
    "MC-CALL-08": shown_stack,
    "MC-CALL-09": call_after_refusal,
    "MC-CALL-10": summary_comes,
    "MC-CALL-12": missing_thread,
    "MC-CALL-15": acknowledging,
    "MC-CALL-17": unknown_tool,
    "MC-HINT-01": hint_types,
    "MC-HINT-02": posting_reads_only,
    "MC-HINT-03": creating_is_idempotent,
    "MC-HINT-04": kept_after_acknowledging,
    "MC-HINT-05": reading_destroys,
}


@pytest.mark.parametrize("requirement", PROBES)
def test_a_deviation_shows_on_the_wire(run: Run, requirement: str) -> None:
    probe = PROBES[requirement]
    correct = run(probe(Caller(target.open("mcp"))))
    deviated = run(probe(Caller(target.open("mcp", deviations=[requirement]))))
    assert deviated != correct


@pytest.mark.parametrize("requirement", PROBES)
def test_a_deviation_leaves_the_next_server_alone(run: Run, requirement: str) -> None:
    probe = PROBES[requirement]
    correct = run(probe(Caller(target.open("mcp"))))
    target.open("mcp", deviations=[requirement])
    assert run(probe(Caller(target.open("mcp")))) == correct


def test_there_is_a_deviation_for_every_requirement() -> None:
    registered = {one.requirement: one.transport for one in all_deviations("mcp")}
    assert {requirement for requirement, transport in registered.items() if transport is None} == set(PROBES)
    if REQUIREMENTS.exists():
        wanted = {one["id"] for one in tomllib.loads(REQUIREMENTS.read_text())["requirement"]}
        assert registered.keys() == wanted


def test_all_that_is_registered_says_what_it_does() -> None:
    for one in target.deviations("mcp"):
        assert one["what"].endswith("."), one

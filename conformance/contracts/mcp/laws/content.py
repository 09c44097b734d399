"""MC-CALL-11: the blocks that a result shows, and what prompts and resources have in common with them."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.judge.judgements import breach, holds
from conformance.judge.law import exchange_law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.measure import quoted, standing
from conformance.model.verdict import Judgement

BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


@exchange_law("MC-CALL-11", absent=no_tools)
def content_blocks_are_whole(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """The content of a result is a list of blocks of known types, each with the fields of its type."""
    if call.method != "tools/call" or call.result is None or call.connection.binding != "mcp":
        return
    if call.result.get("resultType", "complete") != "complete":
        return
    blocks = call.result.get("content")
    if not isinstance(blocks, list):
        yield breach(
            f"the content of {call.tool}'s result is {standing(call.result, 'content')}, no list",
            call,
            pointer="/result/content",
        )
        return
    for place, block in enumerate(blocks):
        wrong = block_fault(block)
        saw = f"a content block of {call.tool}'s result {wrong}"
        yield holds(not wrong, saw, call, pointer=f"/result/content/{place}", got=block if wrong else None)


def block_fault(block: Json) -> str:
    """In what a content block is not whole; empty where it is."""
    if not isinstance(block, dict):
        return "is no object"
    match block.get("type"):
        case "text":
            return _lacks(block, "text")
        case "image" | "audio":
            return _lacks(block, "data", "mimeType") or _coded(block, "data")
        case "resource_link":
            return _lacks(block, "uri", "name")
        case "resource":
            held = block.get("resource")
            return contents_fault(held) if isinstance(held, dict) else "is of type resource, without a resource"
        case kind:
            return "has no type" if kind is None else f"is of type {quoted(kind)}, which MCP does not have"


def contents_fault(held: Json) -> str:
    """In what the contents of a resource are not whole; empty where they are."""
    if not isinstance(held, dict):
        return "is no object"
    if wrong := _lacks(held, "uri"):
        return wrong
    if isinstance(held.get("text"), str):
        return ""
    return _coded(held, "blob") if isinstance(held.get("blob"), str) else "has neither a text nor a blob"


def _lacks(held: dict[str, Json], *names: str) -> str:
    missing = [name for name in names if not isinstance(held.get(name), str)]
    return f"has no {' and no '.join(missing)}" if missing else ""


def _coded(held: dict[str, Json], name: str) -> str:
    return "" if BASE64.fullmatch(held[name]) else f"has {name} that is no base64"

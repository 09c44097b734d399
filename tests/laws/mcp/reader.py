"""A server that offers two tools, `read` and `say`: its stories, for the laws on calls."""

from typing import Any

from conformance.model.events import Json
from tests.laws.histories import Story

INPUT = {
    "type": "object",
    "properties": {"limit": {"type": "integer", "maximum": 200}},
    "required": ["limit"],
    "additionalProperties": False,
}
OUTPUT = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
TOOLS = [
    {"name": "read", "inputSchema": INPUT, "outputSchema": OUTPUT},
    {"name": "say", "inputSchema": {"type": "object"}},
]
GOOD = {"limit": 200}


def story(revision: str = "2026-07-28", **how: Any) -> Story:
    told = Story("mcp")
    told.connect(revision=revision, **how)
    told.list(TOOLS)
    return told


def answered(result: Json, arguments: Json = GOOD, tool: str = "read") -> Story:
    told = story()
    told.result("tools/call", {"name": tool, "arguments": arguments}, result)
    return told

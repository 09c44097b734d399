"""What a server lists."""

import random
from itertools import count
from typing import Any

from kinds import TOOL, Json, RefusedError, Server, behaviour

EVIL = "\x1b]0;owned\x07<script>alert(1)</script>\u202e\x00\r\n::error::x"


def listed(name: str, *tools: Any) -> None:
    """A behaviour that lists these tools beside the ordinary one."""
    behaviour(name)(type(name, (Server,), {"tools": (TOOL, *tools), "call": called}))


def called(self: Server, params: Json) -> Json:
    """Tools with odd names answer as well."""
    names = [tool.get("name") for tool in self.tools if isinstance(tool, dict)]
    return (
        Server.call(type("One", (Server,), {"tools": ({"name": params.get("name")},)})(), params)
        if (params.get("name") in names)
        else Server.call(Server(), params)
    )


listed("a name twice", {**TOOL, "description": "Another."})
listed("a name of control characters", {**TOOL, "name": EVIL, "description": EVIL, "title": EVIL})
listed("a name of ten thousand characters", {**TOOL, "name": "x" * 10_000})
listed("a tool that is a string", "echo")
listed("a tool without a name", {"inputSchema": {"type": "object"}})
listed("a tool without a schema", {"name": "bare"})
listed("an inputSchema that is a list", {**TOOL, "name": "other", "inputSchema": []})
listed("an inputSchema of no known type", {**TOOL, "name": "other", "inputSchema": {"type": "objekt"}})
listed("an inputSchema of type array", {**TOOL, "name": "other", "inputSchema": {"type": "array"}})
listed("an outputSchema that is no schema", {**TOOL, "name": "other", "outputSchema": {"type": "objekt"}})
listed(
    "a schema that is elsewhere",
    {**TOOL, "name": "other", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}}},
)
listed(
    "a schema in a file",
    {**TOOL, "name": "other", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}},
)
listed(
    "a schema that never ends",
    {**TOOL, "name": "other", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}},
)
listed(
    "a pattern that takes for ever",
    {
        **TOOL,
        "name": "other",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "string", "pattern": "^(a+)+$", "minLength": 40}},
            "required": ["a"],
        },
    },
)
listed("hints that are strings", {**TOOL, "name": "other", "annotations": {"readOnlyHint": "yes", "title": 5}})
listed("annotations that are a list", {**TOOL, "name": "other", "annotations": ["readOnlyHint"]})
listed(
    "hints that contradict each other",
    {**TOOL, "name": "other", "annotations": {"readOnlyHint": True, "destructiveHint": True}},
)
listed("five thousand tools", *({**TOOL, "name": f"tool_{n}", "annotations": {}} for n in range(5000)))
listed("a description of two megabytes", {**TOOL, "name": "other", "description": "x" * 2_000_000})


class Listed(Server):
    """Changes the answer to tools/list."""

    def changed(self, found: Json, params: Json) -> Any:
        """What is listed instead."""
        raise NotImplementedError

    def list(self, params: Json) -> Json:
        """tools/list."""
        return self.changed(super().list(params), params)


def listing(name: str, change: Any) -> None:
    """A behaviour that changes the answer to tools/list."""
    behaviour(name)(type(name, (Listed,), {"changed": lambda _, found, params: change(found, params)}))


def _page(params: Json) -> int:
    cursor = params.get("cursor", "0")
    if not cursor.isdecimal():
        raise RefusedError(-32602, "Unknown cursor")
    return int(cursor)


_PAGES = count()
listing("tools that are an object", lambda found, _: {**found, "tools": {"echo": TOOL}})
listing("no tools in the list", lambda found, _: {key: value for key, value in found.items() if key != "tools"})
listing("an empty list", lambda found, _: {**found, "tools": []})
listing("a ttl that is negative", lambda found, _: {**found, "ttlMs": -1})
listing("a cursor that never ends", lambda found, params: {**found, "nextCursor": f"{params.get('cursor', '')}x"[-9:]})
listing("a cursor that leads to itself", lambda found, _: {**found, "nextCursor": "again"})
listing("cursors of a megabyte", lambda found, _: {**found, "nextCursor": f"{next(_PAGES)}{'x' * 10**6}"})
listing(
    "a list of three hundred pages",
    lambda found, params: {
        **found,
        "tools": [{**TOOL, "name": f"echo{_page(params) or ''}"}],
        **({"nextCursor": str(_page(params) + 1)} if _page(params) < 300 else {}),
    },
)
listing("a cursor that is a number", lambda found, _: {**found, "nextCursor": 5})
listing(
    "another list each time",
    lambda found, _: {**found, "tools": [{**TOOL, "name": f"echo_{random.randrange(10**9)}"}, TOOL]},
)


@behaviour("tools/list is never answered")
class Silent(Server):
    """All else is."""

    def answer(self, message: Json) -> Json | None:
        """Nothing."""
        return None if message.get("method") == "tools/list" else super().answer(message)


@behaviour("tools are not declared")
class Undeclared(Server):
    """They are listed all the same."""

    def discover(self, params: Json) -> Json:
        """Without capabilities."""
        return {**super().discover(params), "capabilities": {}}

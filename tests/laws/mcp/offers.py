"""What a server offers, told page by page: stories on tools, resources and prompts."""

from typing import Any

from conformance.model.events import Json
from tests.laws.histories import Story

NEWER, OLDER = "2026-07-28", "2025-11-25"
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
BOTH: dict[str, Json] = {"tools": {}, "resources": {}, "prompts": {}}
COMPLETE: dict[str, Json] = {"resultType": "complete"}


def story(revision: str = NEWER, transport: str = "in-process", **more: Any) -> Story:
    told = Story("mcp")
    told.connect(revision=revision, transport=transport, **more)
    return told


def seen(told: Story, requirement: str) -> str:
    """The verdict; `none` where nothing was judged."""
    outcome = told.judged(requirement)
    return str(outcome.verdict) if outcome.subjects else "none"


def listed(told: Story, method: str, key: str, *pages: list[Json], cursors: tuple[str, ...] = ()) -> None:
    """A list, page by page; the cursor of each page leads to the next."""
    params: dict[str, Json] = {}
    for place, page in enumerate(pages):
        following = {"nextCursor": cursors[place]} if place < len(cursors) else {}
        told.result(method, params, {key: page, **COMPLETE, **following})
        params = {"cursor": cursors[place]} if place < len(cursors) else {}

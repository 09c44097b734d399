"""What is sent beside the calls, and what comes back to it: stories for the laws on messages."""

from typing import Any

from conformance.model.events import Http, Json, Message
from tests.laws.histories import Story

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
OLDER = "2025-11-25"
NEWER = "2026-07-28"
TOOLS: dict[str, Json] = {"tools": [], "resultType": "complete"}
SESSION = "mcp-session-id"


def story(revision: str | None = NEWER, transport: str = "in-process", **more: Any) -> Story:
    told = Story("mcp")
    told.connect(revision=revision, transport=transport, **more)
    return told


def beside(
    told: Story, number: int, payload: Json = None, *answers: Message, raw: str | None = None, **http: Any
) -> None:
    """Something that is sent beside the calls, and what comes back to it."""
    side = Http(**http) if http else None
    more: dict[str, Any] = {"raw": raw, "size": len(raw), "fault": "sent as bytes"} if raw is not None else {}
    told.events.append(
        Message(connection="c1", direction="out", aside=number, payload=payload, http=side, t=told.now(), **more)
    )
    for answer in answers:
        told.events.append(answer)


def came(told: Story, payload: Json = None, *, aside: int | None = None, status: int | None = None) -> Message:
    http = Http(status=status) if status is not None else None
    return Message(connection="c1", direction="in", aside=aside, payload=payload, http=http, t=told.now())


def refusal(code: int, number: Json = None) -> Json:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": "no"}}

"""Calls over a contract's plain HTTP binding in the form that they have over MCP, for whoever stands between."""

from typing import Any

import msgspec

from conformance.model.events import Http, Json
from conformance.model.frames import PLAIN_METHODS

Message = dict[str, Any]
OK, BAD = 200, 400


def request(call: int, payload: Json, http: Http) -> Message | None:
    """A request as a call of a tool; None where it calls no method."""
    _, at, tool = (http.path or "").partition("?")[0].rpartition(PLAIN_METHODS)
    if http.method != "POST" or not at or not isinstance(payload, dict):
        return None
    return {"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": {"name": tool, "arguments": payload}}


def sent(message: Message) -> Json:
    """The body of the request that such a call is."""
    return message["params"]["arguments"]


def response(call: int, payload: Json, status: int) -> Message:
    """An answer as the result of a call. Its status stays with it, wherever it is given again."""
    text = {"type": "text", "text": msgspec.json.encode(payload).decode()}
    result = {"structuredContent": payload, "content": [text], "isError": status >= BAD, "status": status}
    return {"jsonrpc": "2.0", "id": call, "result": result}


def heard(message: Message) -> tuple[Json, int]:
    """The body and the status of such an answer; where isError says otherwise than its status, isError holds."""
    result = message.get("result", {})
    failed, status = bool(result.get("isError")), result.get("status", OK)
    if failed is not (status >= BAD):
        status = BAD if failed else OK
    return result.get("structuredContent"), status

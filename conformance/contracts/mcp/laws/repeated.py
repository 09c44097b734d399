"""What the headers of a request repeat of its body, since 2026-07-28."""

import base64
import binascii

from conformance.model.events import Json
from conformance.model.exchange import Exchange

METHOD, NAME = "mcp-method", "mcp-name"
"""The headers that repeat a request's method, and what it names."""
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose Mcp-Name header repeats a parameter."""


def params_of(exchange: Exchange) -> dict[str, Json]:
    """The params of a request, empty where they are none."""
    params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
    return params if isinstance(params, dict) else {}


def decoded(value: str) -> str:
    """A header's value; one in base64 is marked as such."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, UnicodeDecodeError):
        return value


def misnamed(exchange: Exchange) -> str:
    """The Mcp-Method or Mcp-Name header that a request lacks, or has with another value; empty where both fit.

    Empty too where no header names the connection's revision: another one's rules may hold.
    """
    headers = exchange.asked.headers if exchange.asked is not None else {}
    if headers.get("mcp-protocol-version") != exchange.connection.revision or not exchange.method:
        return ""
    method = headers.get(METHOD)
    if method != exchange.method:
        return "without Mcp-Method" if method is None else f"with Mcp-Method: {method}"
    key = NAMED.get(exchange.method)
    meant = params_of(exchange).get(key) if key is not None else None
    if not isinstance(meant, str):
        return ""
    name = headers.get(NAME)
    if name is None:
        return "without Mcp-Name"
    return f"with Mcp-Name: {name}" if decoded(name) != meant else ""

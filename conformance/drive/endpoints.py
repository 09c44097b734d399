"""An endpoint of a statement, from a URL or a command alone."""

from typing import Any

SCHEMES = ("http://", "https://")
PLAIN = "/v1"
"""The end of a URL at which a contract's plain HTTP binding is taken to be."""


def at_url(url: str, binding: str | None = None) -> dict[str, Any]:
    """A running server; without a binding its URL tells whether it is plain HTTP."""
    plain = binding == "http" or (binding is None and url.rstrip("/").endswith(PLAIN))
    return {"transport": "http", "binding": "http" if plain else "mcp", "url": url}


def by_command(command: str) -> dict[str, Any]:
    """A server that is started, over its stdin and stdout."""
    return {"transport": "stdio", "command": command}

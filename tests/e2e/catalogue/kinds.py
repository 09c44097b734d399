"""What behaviours are made of: a name, and what of an ordinary server it changes."""

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "servers"))

from base import TOOL, Json, Older, RefusedError, Server
from httpbase import Handler, OlderHandler, serve

__all__ = [
    "FOUND",
    "TOOL",
    "Handler",
    "Json",
    "Older",
    "OlderHandler",
    "RefusedError",
    "Server",
    "behaviour",
    "serve",
    "text",
]

FOUND: dict[str, type] = {}
"""Each behaviour by its name: a kind of Server, or a kind of Handler where it is about HTTP."""


def behaviour(name: str) -> Callable[[type], type]:
    """Registers a behaviour."""

    def registered(kind: type) -> type:
        assert name not in FOUND, name
        FOUND[name] = kind
        return kind

    return registered


def text(words: str, **more: object) -> Json:
    """A result of one text block."""
    return {"content": [{"type": "text", "text": words}], **more}

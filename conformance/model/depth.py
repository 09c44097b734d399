"""How deep values lie in one another. What walks a value goes by this, so that no answer exhausts the stack."""

from conformance.model.events import Json

HOLDERS = (dict, list)
DEEPEST = 500
"""Levels. RFC 8259 lets a reader set a limit; Python's JSON readers stop at 1,000, less what the stack holds."""


def deeper(value: Json, levels: int = DEEPEST) -> bool:
    """Whether more than so many objects and arrays lie in one another."""
    inner = [value] if type(value) in HOLDERS else []
    for _ in range(levels):
        if not inner:
            return False
        inner = [
            item
            for outer in inner
            for item in (outer.values() if type(outer) is dict else outer)
            if type(item) in HOLDERS
        ]
    return bool(inner)


def too_deep(text: str | bytes, value: Json) -> bool:
    """Whether the value of a JSON text is nested deeper than is read. One of few brackets need not be walked."""
    brackets = text.count(b"[") + text.count(b"{") if isinstance(text, bytes) else text.count("[") + text.count("{")
    return brackets > DEEPEST and deeper(value)

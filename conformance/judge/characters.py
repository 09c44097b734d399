"""Characters that make a text doubtful."""

from conformance.model.events import Json

NUL = "\0"
"""A JSON text may hold it; many a store takes no text with it, and no contract says that it does."""


def holds(value: Json, character: str = NUL) -> bool:
    """Whether a character is in any text of a value, keys among them."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            if character in found:
                return True
        elif isinstance(found, dict):
            waiting += [*found, *found.values()]
        elif isinstance(found, list):
            waiting += found
    return False

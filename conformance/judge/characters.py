"""Characters that make a text doubtful."""

import unicodedata
from collections.abc import Iterator

from conformance.judge.kinds import spelled
from conformance.model.events import Json

NUL = "\0"
"""A JSON text may hold it; many a store takes no text with it, and no contract says that it does."""


LINES = "\t\n\r"
"""Control characters that belong to a text of several lines."""


def holds(value: Json, character: str = NUL) -> bool:
    """Whether a character is in any text of a value, keys among them."""
    return any(character in text for text in _texts(value))


def doubtful(value: Json) -> bool:
    """Whether any text holds a control character other than tabs and ends of lines: a server may refuse such a text."""
    return not _plain(value) and any(
        unicodedata.category(character) == "Cc" and character not in LINES
        for text in _texts(value)
        if not text.isprintable()
        for character in text
    )


def _plain(value: Json) -> bool:
    """Whether its JSON tells at once that all its characters can be printed: to look through it takes longer."""
    try:
        written = spelled(value)
    except RecursionError:
        return False
    return "\\" not in written and written.isprintable()


def _texts(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting += [*found, *found.values()]
        elif isinstance(found, list):
            waiting += found

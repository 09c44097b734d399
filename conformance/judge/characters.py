"""Characters that make a text doubtful."""

import unicodedata
from collections.abc import Iterator

from conformance.judge.kinds import alike, spelled
from conformance.model.events import Json

NUL = "\0"
"""A JSON text may hold it; many a store takes no text with it, and no contract says that it does."""
LINES = "\t\n\r"
"""Control characters that belong to a text of several lines."""
ONE_LINE = "title"
"""What is in a key of this name has one line, for a server that takes it for a heading."""


def heading(written: Json, shown: Json) -> bool:
    """Whether a title is shown as it was written: the white space around it may go."""
    if isinstance(written, str) and isinstance(shown, str):
        return written.strip() == shown.strip()
    return alike(written, shown) is True


def holds(value: Json, character: str = NUL) -> bool:
    """Whether a character is in any text of a value, keys among them."""
    return any(character in text for text, _ in _texts(value))


def doubtful(value: Json) -> bool:
    """Whether any text holds a control character that a server may refuse: any in a title, all but LINES elsewhere."""
    return not _plain(value) and any(
        unicodedata.category(character) == "Cc" and (titled or character not in LINES)
        for text, titled in _texts(value)
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


def _texts(value: Json) -> Iterator[tuple[str, bool]]:
    """Each text of a value, keys among them, and whether it is a title."""
    waiting: list[tuple[Json, bool]] = [(value, False)]
    while waiting:
        found, titled = waiting.pop()
        if isinstance(found, str):
            yield found, titled
        elif isinstance(found, dict):
            waiting += [(key, False) for key in found]
            waiting += [(each, key == ONE_LINE) for key, each in found.items()]
        elif isinstance(found, list):
            waiting += [(each, False) for each in found]

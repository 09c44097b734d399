"""The strings of a value, however large or deep it is."""

from collections.abc import Iterator

from conformance.model.events import Json


def texts(value: Json, *, keys: bool = False) -> Iterator[str]:
    """Every string in a value, the outer ones first; with `keys` also those that name the parts of objects."""
    level = [value]
    while level:
        below: list[Json] = []
        for found in level:
            if isinstance(found, str):
                yield found
            elif isinstance(found, dict):
                if keys:
                    yield from found
                below += found.values()
            elif isinstance(found, list | tuple):
                below += found
        level = below


def first(value: Json, most: int, *, keys: bool = False) -> tuple[list[str], bool]:
    """The strings of a value up to so many characters in all, and whether that is all of them.

    A string counts for one more than it has: a million empty ones are many, too.
    """
    found: list[str] = []
    for text in texts(value, keys=keys):
        if len(text) > most or most <= 0:
            return (found, False) if most <= 0 else ([*found, text[:most]], False)
        found.append(text)
        most -= len(text) + 1
    return found, True

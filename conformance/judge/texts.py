"""The strings of a value, however large or deep it is."""

from conformance.model.events import Json


def texts(value: Json, *, keys: bool = False) -> list[str]:
    """Every string in a value, the outer ones first; with `keys` also those that name the parts of objects."""
    return _walked(value, None, keys=keys)


def first(value: Json, most: int, *, keys: bool = False) -> tuple[list[str], bool]:
    """The strings of a value up to so many characters in all, and whether that is all of them.

    A string counts for one more than it has: a million empty ones are many, too.
    """
    found = _walked(value, most, keys=keys)
    # most values have no more: then nothing is counted text by text
    if sum(map(len, found)) + len(found) <= most:
        return found, True
    for place, text in enumerate(found):
        if most <= 0:
            return found[:place], False
        if len(text) > most:
            return [*found[:place], text[:most]], False
        most -= len(text) + 1
    return found, True


def _walked(value: Json, enough: int | None, *, keys: bool) -> list[str]:
    """The strings of a value, level by level, until they are more than enough."""
    found: list[str] = []
    level = [value]
    while level and (enough is None or len(found) <= enough):
        below: list[Json] = []
        # the types of JSON have no kinds of their own: this takes half the time that isinstance does
        for each in level:
            kind = type(each)
            if kind is str:
                found.append(each)
            elif kind is dict:
                if keys:
                    found += each
                below += each.values()
            elif kind is list or kind is tuple:
                below += each
        level = below
    return found

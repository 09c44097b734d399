"""Values that differ from a value in one place, however deep: what a careless comparison takes for equal."""

from collections.abc import Iterator

from conformance.drive.sweeps.texts import cased
from conformance.model.events import Json

ADDED = "added"


def altered(value: Json) -> Iterator[Json]:
    """Other values by value: each with one thing changed, added, left out or moved, at each depth.

    Numbers never become equal ones of another type: whether 1 is 1.0 is a reader's own.
    """
    if isinstance(value, dict):
        yield from ({**value, name: other} for name, inner in value.items() for other in altered(inner))
        yield from ({key: inner for key, inner in value.items() if key != name} for name in value)
        yield {**value, ADDED: None}
    elif isinstance(value, list):
        yield from (
            [*value[:place], other, *value[place + 1 :]]
            for place, inner in enumerate(value)
            for other in altered(inner)
        )
        yield [*value, ADDED]
        yield from (value[:-1],) if value else ()
        yield from (value[::-1],) if value != value[::-1] else ()
    else:
        yield from _others(value)


def _others(value: Json) -> Iterator[Json]:
    """Other scalars that may be taken for one: by its text, by its truth, by its case, by its beginning."""
    if isinstance(value, str):
        yield from (*cased(value), f"{value} ", f"{value}x")
    elif isinstance(value, bool) or value is None:
        yield from (str(value), not value)
    else:
        yield from (value + 1, str(value))

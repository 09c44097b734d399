"""What get_config shows of a server's settings."""

from collections.abc import Iterator

from conformance.model.events import Json


def under(value: Json, name: str) -> Iterator[Json]:
    """Values under a key, at any depth of a configuration."""
    if isinstance(value, dict):
        if name in value:
            yield value[name]
        for each in value.values():
            yield from under(each, name)


def phrases(config: Json) -> list[str] | None:
    """The banned phrases that a configuration shows; None where it shows none."""
    found = next(under(config, "banned_phrases"), None)
    return [each for each in found if isinstance(each, str) and each] if isinstance(found, list | tuple) else None


def replies_a_day(config: Json) -> int | None:
    """Replies a day to one author, as a configuration shows them."""
    found = next(under(config, "max_replies_per_author_per_day"), None)
    return found if isinstance(found, int) and not isinstance(found, bool) else None

"""What names of arguments and keys hint at: revisions, cursors, sizes, trying again."""

from collections.abc import Callable, Iterable

from conformance.contracts.mcp.reach.known import EXPECTED
from conformance.contracts.mcp.reach.labels import REVISIONS
from conformance.contracts.mcp.reach.words import words

Hint = Callable[[str], bool]

_CURSOR = {"cursor", "after", "continuation"}
_NEXT = {"next", "continuation", "more"}
_SIZE = {"limit", "size", "max", "count", "first", "per"}
_ECHOED = {"correlation", "trace", "request"}


def is_revision(name: str) -> bool:
    """A key of an entity that tells its revision."""
    found = words(name)
    return bool(found) and found[-1] in REVISIONS and "schema" not in found and "api" not in found


def is_expected(name: str) -> bool:
    """An argument that says which revision a change expects."""
    found = set(words(name))
    return bool(found & EXPECTED) and not found & {"schema", "api"}


def is_cursor(name: str) -> bool:
    """An argument that says where a page begins."""
    found = words(name)
    return bool(set(found) & _CURSOR) or found[-2:] == ("page", "token")


def is_page(name: str) -> bool:
    """An argument that numbers pages, or says how many entries come before."""
    counts = bool(set(words(name)) & {"page", "offset", "skip"})
    return counts and not is_size(name) and not is_cursor(name)


def counts_entries(name: str) -> bool:
    """An argument that says how many entries come before."""
    return bool(set(words(name)) & {"offset", "skip"})


def is_next(name: str) -> bool:
    """A key of an answer that says where the next page begins."""
    found = set(words(name))
    return (bool(found & _NEXT) and "has" not in found) or found == {"cursor"}


def is_size(name: str) -> bool:
    """An argument that says how many entries a page has at most."""
    return bool(set(words(name)) & _SIZE)


def is_retry(name: str) -> bool:
    """A key of an error that says whether to try again."""
    return any(word.startswith("retr") or word in {"again", "transient", "temporary"} for word in words(name))


def is_echoed(name: str) -> bool:
    """An argument that numbers the call itself."""
    found = set(words(name))
    return bool(found & _ECHOED) and "id" in found


def first(names: Iterable[str], hint: Hint) -> str | None:
    """The first name of which a hint is true."""
    return next((name for name in names if hint(name)), None)

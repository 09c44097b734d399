"""How a list is read on: by what a page names as the next one, or by counting entries or pages."""

from conformance.contract.making import Make
from conformance.contract.promises import Paged
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, ASKED, at

NOTHING = (None, "", ABSENT, False)
"""What stands for: there is no next page; and in the arguments for the first one."""
BEGINS = {"entries": 0, "pages": 1}
"""What the first page is asked for with, where nothing is said."""


def begins(promise: Paged) -> int | None:
    """The number that the first page may be asked for with; None where pages are not counted."""
    if promise.counts is None:
        return None
    return BEGINS[promise.counts] if promise.begins is None else promise.begins


def is_first(arguments: Json, promise: Paged) -> bool:
    """Whether a call asks for the first page."""
    asked = _asked(arguments, promise)
    return asked in NOTHING or (not isinstance(asked, bool) and asked == begins(promise))


def onward(arguments: Json, payload: Json, promise: Paged, make: Make) -> tuple[Json, ...]:
    """With what the page after this one may be asked for; empty where this is the last.

    Where they are counted, that is known of a page without entries alone: any other may be followed by one. Who counts
    entries goes on by as many as a page has, or by as many as it was to have.
    """
    first = begins(promise)
    if first is None:
        found = at(payload, promise.next)
        return () if found in NOTHING else (found,)
    number = size_of(payload, make)
    asked = first if is_first(arguments, promise) else _asked(arguments, promise)
    if not number or not isinstance(asked, int):
        return ()
    if promise.counts == "pages":
        return (asked + 1,)
    size = at(arguments, promise.size.removeprefix(ASKED)) if promise.size and isinstance(arguments, dict) else ABSENT
    return (asked + number, *((asked + size,) if isinstance(size, int) and size > number else ()))


def size_of(payload: Json, make: Make) -> int:
    """How many entries a page has."""
    found = at(payload, make.list.at) if make.list is not None else ABSENT
    return len(found) if isinstance(found, list | dict) else 0


def _asked(arguments: Json, promise: Paged) -> Json:
    return at(arguments, promise.cursor.removeprefix(ASKED)) if isinstance(arguments, dict) else ABSENT

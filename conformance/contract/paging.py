"""How a list is read on: by what a page names as the next one, or by counting entries or pages."""

from conformance.contract.promises import Make, Paged
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


def onward(arguments: Json, payload: Json, promise: Paged, make: Make) -> Json:
    """What the page after this one is asked for with; ABSENT where this is the last.

    Where they are counted, that is known of a page without entries alone: any other may be followed by one.
    """
    first = begins(promise)
    if first is None:
        found = at(payload, promise.next)
        return ABSENT if found in NOTHING else found
    number = size_of(payload, make)
    asked = first if is_first(arguments, promise) else _asked(arguments, promise)
    if not number or not isinstance(asked, int):
        return ABSENT
    return asked + (number if promise.counts == "entries" else 1)


def size_of(payload: Json, make: Make) -> int:
    """How many entries a page has."""
    found = at(payload, make.list.at) if make.list is not None else ABSENT
    return len(found) if isinstance(found, list | dict) else 0


def _asked(arguments: Json, promise: Paged) -> Json:
    return at(arguments, promise.cursor.removeprefix(ASKED)) if isinstance(arguments, dict) else ABSENT

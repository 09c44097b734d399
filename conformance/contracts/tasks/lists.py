"""What the tools list, and how much of each budget's unit an answer holds."""

from collections.abc import Iterator
from typing import Any, Final

from conformance.judge.kinds import integer
from conformance.judge.memo import of_each
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.octets import octets

Object = dict[str, Any]

LISTS: Final[dict[str, tuple[str, ...]]] = {
    "branchmind_branch_list": ("branches",),
    "branchmind_show": ("entries",),
    "branchmind_diff": ("entries",),
    "branchmind_graph_query": ("nodes",),
    "branchmind_graph_validate": ("errors",),
    "branchmind_graph_diff": ("changes",),
    "branchmind_graph_conflicts": ("conflicts",),
    "branchmind_think_context": ("cards",),
    "tasks_context": ("plans", "tasks"),
    "tasks_delta": ("events",),
}
"""By tool that pages: the lists which limit and offset page, in the order in which they are paged."""
CAPS: Final = ("max_chars", "max_bytes", "max_lines")
"""Knobs by which the entries themselves may be cut."""
EXPORTED: Final = ("notes", "trace")
"""The lists of branchmind_export, each in an object of its own."""
OF_THEIR_OWN: Final = {
    "limit_cards": "cards",
    "max_errors": "errors",
    "edges_limit": "edges",
    "notes_limit": "notes",
    "trace_limit": "trace",
}
"""Knobs of one tool, each with the list that it caps."""
ABOUT: Final = (
    "truncated",
    "budget",
    "pagination",
    "count",
    "limit",
    "offset",
    "has_more",
    "next_offset",
    "cursor",
    "next_cursor",
)
"""Keys of a result that tell of its size, not of what there is."""


def listed(result: Object, name: str) -> list[Json]:
    """A list of a result, or of the object of that name in it; empty where there is none."""
    value = result.get(name)
    if isinstance(value, dict):
        value = value.get("entries")
    return value if isinstance(value, list) else []


def present(result: Object, name: str) -> list[Object]:
    """The objects of a list that are not marked as deleted: a server may go on showing what is gone, and say so."""
    return [each for each in listed(result, name) if isinstance(each, dict) and each.get("deleted") is not True]


@of_each
def cut(call: Exchange) -> bool:
    """Whether an answer may show less of an entity than there is: it says so, or has a cap on its size."""
    budget = call.given.get("budget")
    told = (call.given, budget if isinstance(budget, dict) else {})
    return any(each.get("truncated") is True for each in told) or call.gives(CAPS)


def paged(tool: str, result: Object) -> list[Json]:
    """The entries of a page, joined."""
    return [entry for name in LISTS.get(tool, ()) for entry in listed(result, name)]


FILTERS: Final = (
    "ids", "types", "status", "tags_any", "tags_all", "text", "include_edges", "since", "cursor", "offset",
)  # fmt: skip
"""Arguments of a read by which it leaves something out that is there."""


def goes_on(result: Object) -> bool:
    """Whether an answer says that more follows, of any of its lists."""
    said = result.get("pagination")
    told = {**result, **(said if isinstance(said, dict) else {})}
    own = told.get("has_more") is True or any(told.get(name) is not None for name in ("next_offset", "next_cursor"))
    return own or any(goes_on(part) for name in EXPORTED if isinstance(part := result.get(name), dict))


def whole(call: Exchange, *allowed: str) -> bool:
    """Whether an accepted read surely shows all that there is: nothing is cut, and it filters by these alone."""
    if cut(call) or goes_on(call.given):
        return False
    if any(call.argument(name) is not None for name in FILTERS if name not in allowed):
        return False
    given, tool = call.argument("limit"), call.tool or ""
    limit = integer(given)
    if limit is None:
        return given is None
    return tool not in LISTS or len(paged(tool, call.given)) < limit


def entries(result: Object) -> Iterator[Object]:
    """The entries of documents in a result."""
    for name in ("entries", *EXPORTED):
        yield from (each for each in listed(result, name) if isinstance(each, dict))


def content(result: Object) -> Object:
    """A result without what it says of its own size."""
    return {
        name: {inner: each for inner, each in value.items() if inner not in ABOUT} if _exported(name, value) else value
        for name, value in result.items()
        if name not in ABOUT
    }


def _exported(name: str, value: Json) -> bool:
    return name in EXPORTED and isinstance(value, dict)


def held(tool: str, knob: str, result: Object) -> int | None:
    """How much of a knob's unit a result holds, at the least; None where the knob caps nothing that is in it."""
    if knob == "max_chars":
        return octets(result)
    if knob == "max_bytes":
        return sum(_size(each.get("content")) for each in entries(result))
    if knob == "max_lines":
        events = listed(result, "events")
        return len(events) if tool == "tasks_delta" else sum(_lines(each.get("content")) for each in entries(result))
    if knob in OF_THEIR_OWN:
        return len(listed(result, OF_THEIR_OWN[knob]))
    return len(paged(tool, result)) if knob == "limit" and tool in LISTS else None


def _size(text: Json) -> int:
    return len(text.encode("utf-8", "surrogatepass")) if isinstance(text, str) else 0


def _lines(text: Json) -> int:
    """Lines of a text; whether an end of line begins another one is left open."""
    return len(text.removesuffix("\n").split("\n")) if isinstance(text, str) and text else 0

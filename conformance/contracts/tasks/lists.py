"""What the tools list, and how much of each budget's unit an answer holds."""

from collections.abc import Iterator
from typing import Any, Final

from conformance.model.events import Json
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


def paged(tool: str, result: Object) -> list[Json]:
    """The entries of a page, joined."""
    return [entry for name in LISTS.get(tool, ()) for entry in listed(result, name)]


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

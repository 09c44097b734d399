"""Whether a tool looks harmless, and what that rests on."""

from typing import Literal, NamedTuple

from conformance.contracts.mcp.reach.usual import deed
from conformance.model.listed import ListedTool

DOES = {"make": "makes something", "change": "changes something", "remove": "removes something"}


class Look(NamedTuple):
    """How a tool looks."""

    kind: Literal["annotated", "likely", "unclear", "changes"]
    """annotated: it says readOnlyHint; likely: its name or description says that it reads."""
    why: str


def look(tool: ListedTool) -> Look:
    """By its annotations, else by its name and description."""
    if tool.reads_only:
        return Look("annotated", "annotated readOnlyHint")
    for hint, value in (("destructiveHint", True), ("readOnlyHint", False)):
        if tool.hint(hint) is value:
            return Look("changes", f"annotated {hint} {str(value).lower()}")
    does = deed(tool)
    if does == "read":
        return Look("likely", "no annotation; its name or description says that it reads")
    if does is None:
        return Look("unclear", "no annotation, and neither name nor description says what it does")
    return Look("changes", f"no annotation; its name or description says that it {DOES[does]}")

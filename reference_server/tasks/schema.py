"""Fragments of the tools' input schemas: JSON Schema 2020-12."""

from typing import Any, Final

from reference_server.tasks import identifiers
from reference_server.tasks.events import EVENT_ID_PATTERN

Fragment = dict[str, Any]

MOST_ENTRIES: Final = 1000


def text(description: str, **keywords: Any) -> Fragment:
    """A string."""
    return {"type": "string", "description": description, **keywords}


def number(description: str, minimum: int = 0, **keywords: Any) -> Fragment:
    """An integer."""
    return {"type": "integer", "minimum": minimum, "description": description, **keywords}


def flag(description: str, **keywords: Any) -> Fragment:
    """A boolean."""
    return {"type": "boolean", "description": description, **keywords}


def strings(description: str, **keywords: Any) -> Fragment:
    """A list of strings."""
    return {"type": "array", "items": {"type": "string"}, "description": description, **keywords}


def closed(properties: dict[str, Fragment], *required: str, **keywords: Any) -> Fragment:
    """An object that holds nothing else."""
    shape = {"type": "object", "properties": properties, **keywords}
    return shape | ({"required": list(required)} if required else {}) | {"additionalProperties": False}


def nullable(fragment: Fragment) -> Fragment:
    """Null clears."""
    return fragment | {"type": [fragment["type"], "null"]}


def limit(default: int) -> dict[str, Fragment]:
    """Paging of a list: entries from `offset` on, at most `limit`."""
    return {
        "limit": number("Most entries to answer.", 1, maximum=MOST_ENTRIES, default=default),
        "offset": number("Entries to leave out at the beginning.", default=0),
    }


WORKSPACE: Final[dict[str, Fragment]] = {
    "workspace": text(
        "The workspace, a namespace of its own.",
        minLength=1,
        maxLength=identifiers.LONGEST_NAME,
        pattern=identifiers.WORKSPACE_PATTERN,
    )
}
ITEM_ID: Final = text("A plan or task id.", pattern=identifiers.ITEM_PATTERN)
STEP_ID: Final = text("A step's id; wins over path.", pattern=identifiers.STEP_PATTERN)
STEP_PATH: Final = text("A step's place in the tree, counted from 0: s:0.s:1.", pattern=identifiers.PATH_PATTERN)
CONFLICT_ID: Final = text("A conflict's id.", pattern=identifiers.CONFLICT_PATTERN)
EVENT_ID: Final = text("An event's id.", pattern=EVENT_ID_PATTERN)
TITLE: Final = text("A short title.", minLength=1)
NAME: Final = text("A branch's name; its rule is the workspace's.")
DOC: Final = text("A document's name; its rule is the workspace's.")
OBJECT: Final[Fragment] = {"type": "object"}

EXPECTED: Final[dict[str, Fragment]] = {
    "expected_revision": number("Write only if this is the current revision."),
    "expected_version": number("Alias of expected_revision."),
}
GUARDED: Final[dict[str, Fragment]] = {
    "task": ITEM_ID | {"description": "The task (or plan) to write to; left out: the focus."},
    **EXPECTED,
    "expected_target_id": ITEM_ID | {"description": "Write only if this plan or task is what the call resolves to."},
    "expected_kind": text("Write only if the target is of this kind.", enum=["plan", "task"]),
    "strict_targeting": flag("Take a target from the focus only with expected_target_id.", default=False),
}
STEP: Final[dict[str, Fragment]] = {"step_id": STEP_ID, "path": STEP_PATH}
STEP_FIELDS: Final[dict[str, Fragment]] = {
    "title": TITLE,
    "success_criteria": strings("What holds when the step is done; new ones are unconfirmed."),
    "tests": strings("How that is tested; new ones are unconfirmed."),
    "blockers": strings("What is in the way."),
}
ITEM_FIELDS: Final[dict[str, Fragment]] = {
    "description": nullable(text("What it is about.")),
    "contract": nullable(text("A plan's contract, in words.")),
    "contract_data": nullable(OBJECT | {"description": "A plan's contract, as data."}),
}
STEP_DRAFTS: Final[Fragment] = {
    "type": "array",
    "minItems": 1,
    "items": closed(STEP_FIELDS, "title", "success_criteria"),
    "description": "Steps to add, in order.",
}
_CONFIRMED: Final = closed({"confirmed": {"type": "boolean"}}, "confirmed")
CHECKPOINTS: Final = closed(
    {"criteria": _CONFIRMED, "tests": _CONFIRMED}, description="Which checkpoints are confirmed, or no longer are."
)
PLACE: Final[dict[str, Fragment]] = {
    "target": ITEM_ID | {"description": "A plan or task whose document is meant; instead of branch and doc."},
    "branch": NAME | {"description": "The branch; left out: the one checked out."},
    "doc": DOC,
}
MAX_CHARS: Final[dict[str, Fragment]] = {
    "max_chars": number("Hard cap on the result: UTF-8 bytes of its compact JSON.")
}
MAX_BYTES: Final[dict[str, Fragment]] = {"max_bytes": number("Hard cap on the entries' contents: UTF-8 bytes.")}
MAX_LINES: Final[dict[str, Fragment]] = {"max_lines": number("Hard cap on the lines of what is listed.")}

"""Which names and graph identifiers are well formed, and their canonical form (Common types, Identifiers)."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from reference_server.tasks.refusal import Refusal

WORKSPACE_PATTERN: Final = "^[A-Za-z0-9][A-Za-z0-9._/-]*$"
LONGEST_NAME: Final = 128
ITEM_PATTERN: Final = "^(PLAN|TASK)-[0-9]{3,}$"
STEP_PATTERN: Final = "^(STEP|NODE)-[A-Za-z0-9]{8,}$"
PATH_PATTERN: Final = r"^s:[0-9]+(\.s:[0-9]+)*$"
CONFLICT_PATTERN: Final = "^CONFLICT-[0-9a-f]{32}$"
NODE_LIMIT: Final = 256
TYPE_LIMIT: Final = 128
REL_LIMIT: Final = 128
_CONTROLS: Final = "\\u0000-\\u001f\\u007f-\\u009f"
_BLANKS: Final = " \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
"""White space that is no control character."""


def graph_pattern(limit: int, *, pipe: bool) -> str:
    """What a graph identifier matches: so many characters, none a control character, blanks around them apart."""
    never = _CONTROLS if pipe else f"{_CONTROLS}|"
    return f"^[{_BLANKS}]*[^{never}{_BLANKS}][^{never}]{{0,{limit - 1}}}[{_BLANKS}]*$"


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_RESERVED = re.compile(r"(plan/PLAN|task/TASK)-[0-9]{3,}")


class Identifiers:
    """Lengths count Unicode code points and hold for the canonical form: without white space around, case kept."""

    def name(self, value: str, what: str) -> str:
        """A branch's or document's name; its rule is the workspace id's. Raises INVALID_NAME."""
        if len(value) > LONGEST_NAME or not _NAME.fullmatch(value):
            raise Refusal(
                "INVALID_NAME",
                f"{value[:LONGEST_NAME]!r} is no {what} name",
                recovery=f"use 1 to {LONGEST_NAME} of A-Z a-z 0-9 . _ / -, a letter or digit first",
            )
        return value

    def free_name(self, value: str) -> str:
        """A name for a branch of a caller's own. Raises INVALID_NAME."""
        if _RESERVED.fullmatch(self.name(value, "branch")):
            raise Refusal("INVALID_NAME", f"{value!r} is kept for a plan or task", recovery="choose another name")
        return value

    def node(self, value: str) -> str:
        """A GraphNodeId's canonical form. Raises INVALID_INPUT."""
        return self.canonical(value, "node id", NODE_LIMIT, pipe=False)

    def type(self, value: str) -> str:
        """A GraphType's canonical form. Raises INVALID_INPUT."""
        return self.canonical(value, "graph type", TYPE_LIMIT, pipe=True)

    def rel(self, value: str) -> str:
        """A GraphRel's canonical form. Raises INVALID_INPUT."""
        return self.canonical(value, "graph relation", REL_LIMIT, pipe=False)

    def tags(self, values: Iterable[str]) -> list[str]:
        """Trimmed, in lower case, each once, sorted. Raises INVALID_INPUT for an empty one, a pipe or a control."""
        return sorted({self.canonical(value.lower(), "tag", TYPE_LIMIT, pipe=False) for value in values})

    def canonical(self, value: str, what: str, limit: int, *, pipe: bool) -> str:
        """Refuses control characters at the edges too, where trimming alone would drop them."""
        fault = None
        trimmed = value.strip()
        if any(unicodedata.category(character) == "Cc" for character in value):
            fault = "holds a control character"
        elif not trimmed:
            fault = "is empty"
        elif len(trimmed) > limit:
            fault = f"is longer than {limit} characters"
        elif not pipe and "|" in trimmed:
            fault = "holds a pipe sign"
        if fault is not None:
            hint = f"use 1 to {limit} characters, no control character{'' if pipe else ', no |'}"
            raise Refusal("INVALID_INPUT", f"the {what} {fault}", recovery=hint)
        return trimmed

    def conflict(self, *parts: str | int | None) -> str:
        """A ConflictId: equal for equal parts, whenever and wherever it is asked for."""
        text = "\x00".join("" if part is None else str(part) for part in parts)
        return f"CONFLICT-{hashlib.sha256(text.encode()).hexdigest()[:32]}"

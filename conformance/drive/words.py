"""A stranger's words within a message of ours: on one line, so that no terminal and no CI takes them for its own."""

import re

_TELLING = re.compile(r"\b(?:\w*error|\w*exception|fatal|panic(?:ked)?)\b", re.IGNORECASE)
"""Words of the line that says what went wrong. Some languages write it above their stack, and some below."""


def line(text: str, limit: int) -> str:
    """The text on one line, as far as it can be seen: its end where it is longer than `limit`.

    Where the last line that tells of an error lies before that end, its beginning takes a third of the room.
    """
    parts = [part for each in text.splitlines() if (part := each.strip())]
    shown = " | ".join(parts)
    if len(shown) > limit:
        end = shown[-limit:]
        telling = next((part for part in reversed(parts) if _TELLING.search(part)), "")
        shown = f"…{end}" if telling in end else f"{telling[: limit // 3].rstrip()} …{shown[-(limit - limit // 3) :]}"
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in shown)

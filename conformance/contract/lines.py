"""On which line of a TOML file a value stands."""

import re
from collections.abc import Sequence

_TABLE = re.compile(r"^\s*\[(\[?)\s*([^\]]+?)\s*\]?\]")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?:\.[^=]*)?=""")


def line_of(text: str, place: Sequence[str | int]) -> int | None:
    """The line on which a key stands, or the table that should hold it; None where neither is found."""
    names = [str(step) for step in place if isinstance(step, str)]
    number = next((step for step in place if isinstance(step, int)), 0)
    table: list[str] = []
    count, best, depth = -1, None, 0
    for line, content in enumerate(text.splitlines(), 1):
        found = _TABLE.match(content)
        if found:
            before, table = table, [part.strip().strip("\"'") for part in found.group(2).split(".")]
            count = count + 1 if found.group(1) and table == before else 0
            if names[: len(table)] == table and count == number and len(table) > depth:
                best, depth = line, len(table)
            continue
        key = _KEY.match(content)
        if key and [*table, key.group(1).strip("\"'")] == names[: len(table) + 1] and (not table or count == number):
            return line if table else _entry(text, line, place)
    return best


def _entry(text: str, line: int, place: Sequence[str | int]) -> int:
    """The line of an entry of a list that is written a line each; else that on which the list begins."""
    if len(place) < 2 or not isinstance(place[1], int):  # noqa: PLR2004 -- the list's name, and the entry's number
        return line
    begun = [n for n, content in enumerate(text.splitlines()[line:], line + 1) if content.lstrip().startswith("{")]
    return begun[place[1]] if place[1] < len(begun) else line

"""On which line of a TOML file a value stands."""

import re
from collections.abc import Sequence
from itertools import takewhile

Step = str | int
_TABLE = re.compile(r"^\s*\[(\[?)\s*([^\]]+?)\s*\]?\]")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?:\.[^=]*)?=""")


def line_of(text: str, place: Sequence[Step]) -> int | None:
    """The line on which a key stands, or the table that should hold it; None where neither is found."""
    table: tuple[Step, ...] = ()
    counts: dict[tuple[Step, ...], int] = {}
    best, depth, lines = None, 0, text.splitlines()
    for line, content in enumerate(lines, 1):
        header, key = _TABLE.match(content), _KEY.match(content)
        if header:
            table = _table(header, counts)
        elif not key:
            continue
        where = table if header or not key else (*table, _bare(key.group(1)))
        if _leads(where, place) and len(where) > depth:
            best, depth = line if header else _entry(lines, line, place[len(where) :]), len(where)
    return best


def _table(header: re.Match[str], counts: dict[tuple[Step, ...], int]) -> tuple[Step, ...]:
    """Where a table stands: each list of tables on the way by the number of its last one so far."""
    path: tuple[Step, ...] = ()
    names = [_bare(name.strip()) for name in header.group(2).split(".")]
    for name in names[:-1]:
        path = (*path, name)
        path = (*path, counts[path]) if path in counts else path
    path = (*path, names[-1])
    if not header.group(1):
        return path
    counts[path] = counts.get(path, -1) + 1
    return (*path, counts[path])


def _bare(name: str) -> str:
    return name.strip("\"'")


def _leads(where: Sequence[Step], place: Sequence[Step]) -> bool:
    """Whether a place is at another one, or within it. That of a list of tables is where its first one stands."""
    first = where[:-1] if isinstance(where[-1], int) else where
    return tuple(where) == tuple(place[: len(where)]) or tuple(first) == tuple(place)


def _entry(lines: Sequence[str], line: int, place: Sequence[Step]) -> int:
    """The line of an entry of a list that is written a line each; else that on which the list begins.

    `place` begins with the number of the entry; what is within an entry stands further to the right.
    """
    number = next((number for number, step in enumerate(place) if isinstance(step, int)), None)
    if number is None:
        return line
    least = _indent(lines[line - 1]) + (lines[line - 1].lstrip()[:1] == "{")
    rows = [n for n, content in enumerate(lines[line:], line + 1) if content.lstrip()[:1] == "{"]
    within = list(takewhile(lambda n: _indent(lines[n - 1]) >= least, rows))
    begun = [n for n in within if _indent(lines[n - 1]) <= _indent(lines[within[0] - 1])]
    wanted = int(place[number])
    return _entry(lines, begun[wanted], place[number + 1 :]) if wanted < len(begun) else line


def _indent(content: str) -> int:
    return len(content) - len(content.lstrip())

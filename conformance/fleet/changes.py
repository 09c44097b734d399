"""What changed between two times that a fleet was done."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from conformance.fleet.row import Row


class Change(NamedTuple):
    """What became of one target since the time before."""

    name: str
    words: str
    worse: bool


def changes(before: Sequence[Row], after: Sequence[Row]) -> list[Change]:
    """Targets that are new, gone, or otherwise than before; those that got worse first. None without a time before."""
    if not before:
        return []
    old, new = {row.name: row for row in before}, {row.name: row for row in after}
    found = [Change(name, "is no longer in the fleet", worse=False) for name in old if name not in new]
    for name, row in new.items():
        known = old.get(name)
        if known is None:
            found.append(Change(name, f"is new: {row.state}", worse=False))
        elif (known.contract, known.edition) != (row.contract, row.edition) and known.edition and row.edition:
            found.append(Change(name, f"is judged by {row.contract} {row.edition} now", worse=False))
        else:
            found += _of_one(known, row)
    return sorted(found, key=lambda change: not change.worse)


def _of_one(known: Row, row: Row) -> list[Change]:
    broken = [identifier for identifier in row.failed if identifier not in known.failed]
    mended = [identifier for identifier in known.failed if identifier in row.passed]
    unseen = [identifier for identifier in known.passed if identifier not in (*row.passed, *row.failed)]
    parts = [f"was {known.state}, is {row.state}"] if known.state != row.state else []
    parts += [f"newly broken: {', '.join(broken)}"] if broken else []
    parts += [f"mended: {', '.join(mended)}"] if mended else []
    parts += [f"no longer seen to hold: {', '.join(unseen)}"] if unseen and row.report else []
    worse = bool(broken or unseen) or (known.state == "conforms" and row.state != "conforms")
    return [Change(row.name, "; ".join(parts), worse)] if parts else []


def commonest(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """Requirements that are broken, each with how many targets break it, the commonest first."""
    return Counter(identifier for row in rows for identifier in row.failed).most_common()

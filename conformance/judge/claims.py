"""What a target's statement says beforehand: what is known to fail, what wavers, what cannot be seen, what it lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from conformance.model.events import Json
from conformance.model.exchange import Exchange


@dataclass(frozen=True, slots=True)
class Known:
    """A failure that is expected, or that comes and goes. Of `tools` and `codes` alone, where any are named."""

    reason: str
    tools: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()

    @property
    def scoped(self) -> bool:
        """Whether it is limited."""
        return bool(self.tools or self.codes)

    def covers(self, evidence: Sequence[Exchange]) -> bool:
        """Whether what these calls show is what is known: the last of them is the one with the breach."""
        if not self.scoped:
            return True
        if not evidence:
            return False
        last = evidence[-1]
        return (not self.tools or last.tool in self.tools) and (not self.codes or last.code in self.codes)


@dataclass(frozen=True, slots=True)
class Claims:
    """By requirement."""

    failing: Mapping[str, Sequence[Known]] = field(default_factory=dict)
    wavering: Mapping[str, Sequence[Known]] = field(default_factory=dict)
    unobservable: Mapping[str, str] = field(default_factory=dict)
    """Why a requirement cannot be observed."""


NONE = Claims()


def claims_of(statement: Mapping[str, Json]) -> Claims:
    """What a statement says, as a transcript's header holds it. Whatever is malformed there says nothing."""
    return Claims(
        failing=_known(statement.get("known_failure")),
        wavering=_known(statement.get("known_flaky")),
        unobservable={row["id"]: _reason(row) for row in _rows(statement.get("unobservable"))},
    )


def _known(table: Json) -> dict[str, list[Known]]:
    found: dict[str, list[Known]] = {}
    for row in _rows(table):
        known = Known(_reason(row), _names(row.get("tools")), _names(row.get("codes")))
        found.setdefault(row["id"], []).append(known)
    return found


def _rows(table: Json) -> list[dict[str, Json]]:
    rows = table if isinstance(table, list) else []
    return [row for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def _reason(row: Mapping[str, Json]) -> str:
    reason = row.get("reason")
    return reason if isinstance(reason, str) and reason else "no reason is given"


def _names(value: Json) -> frozenset[str]:
    return frozenset(each for each in value if isinstance(each, str)) if isinstance(value, list) else frozenset()

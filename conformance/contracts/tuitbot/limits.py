"""The limits of a policy: how many mutations of which kind it lets through in a period."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from conformance.contracts.tuitbot.naming import Naming
from conformance.contracts.tuitbot.rules import SURELY
from conformance.judge.kinds import integer
from conformance.model.events import Json

HOUR_S = 3_600
SEVERAL = "propose_and_queue_replies"
"""May do several things or none, so that it is not known what it uses up."""
UNSETTLED = ("approve_item", "approve_all", SEVERAL)
"""Mutations of which it is not known whether they count."""


@dataclass(frozen=True)
class Limit:
    """At most so many mutations in a period."""

    most: int
    period_s: int
    tool: str | None = None
    """The tool whose mutations count; None: those of a category, or all."""
    category: str | None = None

    def counts(self, tool: str | None) -> bool | None:
        """Whether a gated mutation by a tool counts; None where that is in doubt."""
        if tool in UNSETTLED:
            return None
        if self.tool is not None:
            return tool == self.tool
        return self.category is None or (SURELY[tool] == self.category if tool is not None and tool in SURELY else None)


def hourly(policy: Mapping[str, Json]) -> Iterator[Limit]:
    """That of all mutations within an hour, where the policy names one."""
    most = integer(policy.get("max_mutations_per_hour"))
    if most is not None and most > 0:
        yield Limit(most, HOUR_S)


def of_rows(policy: Mapping[str, Json], naming: Naming) -> Iterator[Limit | None]:
    """Those of rate_limits, None for a row that leaves in doubt what it limits."""
    rows = policy.get("rate_limits")
    for row in rows if isinstance(rows, list | tuple) else ():
        yield _of_row(row, naming) if isinstance(row, dict) else None


def _of_row(row: dict[str, Json], naming: Naming) -> Limit | None:
    most, period, value = integer(row.get("max_count")), integer(row.get("period_seconds")), row.get("match_value")
    if most is None or period is None or most < 1:
        return None
    match row.get("dimension"):
        case "tool":
            return next((Limit(most, period, tool=tool) for tool in SURELY if naming.tool(tool) == value), None)
        case "category":
            return Limit(most, period, category=value) if value in SURELY.values() else None
        case "global":
            return Limit(most, period)
    return None

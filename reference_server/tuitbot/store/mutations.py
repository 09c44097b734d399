"""Which mutations were made, and what came of each."""

from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from reference_server.application import Json

Status = Literal["success", "failure", "duplicate"]
MOST_ROWS: Final = 10_000
"""The oldest go, so that a server left running does not fill the memory."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One mutation that the gate let through. Times are seconds since the epoch."""

    correlation_id: str
    tool_name: str
    status: Status
    params_summary: str
    result_summary: str | None
    error_message: str | None
    elapsed_ms: int
    created_at: float

    def shown(self) -> dict[str, Json]:
        """As JSON; the time stands as it is kept."""
        return asdict(self)


@dataclass(slots=True)
class Mutations:
    """By correlation id, oldest first."""

    rows: dict[str, Mutation] = field(default_factory=dict)
    made: int = 0
    """How many were noted so far; the latest id."""

    def note(self, tool: str, status: Status, params: str, at: float, **rest: Json) -> None:
        """Adds one; `rest` are the other fields of `Mutation`."""
        self.made += 1
        row = Mutation(f"m-{self.made}", tool, status, params, created_at=at, **rest)
        self.rows[row.correlation_id] = row
        if len(self.rows) > MOST_ROWS:
            del self.rows[next(iter(self.rows))]

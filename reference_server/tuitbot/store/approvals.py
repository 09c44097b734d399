"""The approval queue."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from reference_server.application import Json

Status = Literal["pending", "approved", "rejected", "failed"]


@dataclass(frozen=True, slots=True)
class Approval:
    """One action that waits, or has waited, for a person. `action_type` names the tool that will do it."""

    id: int
    action_type: str
    params: Mapping[str, Json]
    reason: str
    created_at: float
    status: Status = "pending"
    target_tweet_id: str | None = None
    target_author: str | None = None
    generated_content: str | None = None
    score: float | None = None
    reviewed_by: str | None = None
    review_notes: str | None = None


@dataclass(slots=True)
class Approvals:
    """Items by id, which counts from 1."""

    items: dict[int, Approval] = field(default_factory=dict)

    def add(self, action_type: str, params: Mapping[str, Json], reason: str, at: float, **details: Json) -> Approval:
        """Queues an action; `details` are fields of `Approval`."""
        item = Approval(len(self.items) + 1, action_type, params, reason, at, **details)
        self.items[item.id] = item
        return item

    def find(self, item_id: int) -> Approval | None:
        """The item, whatever became of it."""
        return self.items.get(item_id)

    def pending(self) -> list[Approval]:
        """Those that wait, oldest first."""
        return [item for item in self.items.values() if item.status == "pending"]

    def settle(self, item: Approval, status: Status, notes: str | None = None) -> Approval:
        """Records what became of an item."""
        settled = replace(item, status=status, reviewed_by="mcp", review_notes=notes)
        self.items[item.id] = settled
        return settled

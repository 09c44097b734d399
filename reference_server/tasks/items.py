"""Plans and tasks: what revisions, focus and targets are about (Common types, PlanId / TaskId)."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.tasks.refusal import Refusal, Suggestion
from reference_server.tasks.steps import Step, walk

if TYPE_CHECKING:
    from reference_server.tasks.call import Call
    from reference_server.tasks.workspaces import Workspace

Kind = Literal["plan", "task"]


@dataclass(frozen=True, slots=True)
class ItemBody:
    """What a caller decides about a plan or task."""

    title: str
    description: str | None = None
    contract: str | None = None
    """Plans only."""
    contract_data: dict[str, Json] | None = None
    """Plans only."""


@dataclass(slots=True)
class Item:
    """A plan, or a task below one."""

    id: str
    kind: Kind
    body: ItemBody
    created_at: float
    updated_at: float
    parent: str | None = None
    revision: int = 0
    steps: list[Step] = field(default_factory=list)

    @property
    def branch(self) -> str:
        """The branch that holds its documents."""
        return f"{self.kind}/{self.id}"

    @property
    def graph_doc(self) -> str:
        """Its graph's document."""
        return f"{self.id}-graph"

    @property
    def trace_doc(self) -> str:
        """The document of its events and cards."""
        return f"{self.id}-trace"

    @property
    def notes_doc(self) -> str:
        """The document of its notes."""
        return "notes"

    @property
    def done(self) -> bool:
        """Whether it has steps and all are completed."""
        return bool(self.steps) and all(step.body.completed for _, step in walk(self.steps))

    def reasoning_ref(self) -> dict[str, Json]:
        """Where its documents are."""
        return {
            "branch": self.branch,
            "notes_doc": self.notes_doc,
            "graph_doc": self.graph_doc,
            "trace_doc": self.trace_doc,
        }

    def as_json(self, clock: Clock, *, steps: bool = True) -> dict[str, Json]:
        """All of it; a task's steps flat, each with its path, parents before their children."""
        shown: dict[str, Json] = {"id": self.id, "kind": self.kind, "revision": self.revision}
        if self.kind == "task":
            shown["parent"] = self.parent
        shown |= {"title": self.body.title, "description": self.body.description}
        if self.kind == "plan":
            shown |= {"contract": self.body.contract, "contract_data": self.body.contract_data}
        else:
            shown["done"] = self.done
            if steps:
                shown["steps"] = [step.as_json(path) for path, step in walk(self.steps)]
        shown |= {"created_at": clock.instant(self.created_at), "updated_at": clock.instant(self.updated_at)}
        return shown


class Items:
    """Names and finds plans and tasks."""

    def new_id(self, workspace: "Workspace", kind: Kind) -> str:
        """PLAN-001 or TASK-001 on, counted per workspace and kind."""
        return f"{kind.upper()}-{workspace.count(kind):03}"

    def find(self, call: "Call", item_id: str) -> Item:
        """Raises UNKNOWN_ID."""
        found = call.workspace.items.get(item_id)
        if found is None:
            raise Refusal(
                "UNKNOWN_ID",
                f"workspace {call.workspace.name!r} has no {item_id}",
                recovery="take an id from tasks_context",
                suggestions=[
                    Suggestion("tasks_context", {"workspace": call.workspace.name}, "see the plans and tasks there are")
                ],
            )
        return found

    def listed(self, call: "Call", item: Item) -> dict[str, Json]:
        """A plan or task as tasks_context lists it."""
        return item.as_json(call.parts.clock)

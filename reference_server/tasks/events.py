"""The event log of a workspace: what its plans and tasks went through, in order."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.tasks.items import Item
from reference_server.tasks.steps import Step

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

EVENT_ID_PATTERN: Final = "^evt_[0-9]{16}$"


@dataclass(frozen=True, slots=True)
class Event:
    """One accepted write on a plan or task."""

    event_id: str
    at: float
    task: str
    """The plan or task."""
    path: str | None
    type: str
    payload: dict[str, Json]

    def as_json(self, clock: Clock) -> dict[str, Json]:
        """Shape: event_id, ts (RFC 3339), ts_ms, task, path or null, type, payload."""
        return {
            "event_id": self.event_id,
            "ts": clock.instant(self.at),
            "ts_ms": int(self.at * 1000),
            "task": self.task,
            "path": self.path,
            "type": self.type,
            "payload": self.payload,
        }


class Journal:
    """Writes events; each is told once in the trace document of its plan or task as well."""

    def record(
        self, call: "Call", kind: str, item: Item, payload: dict[str, Json], path: str | None = None
    ) -> dict[str, Json]:
        """The event as an answer shows it."""
        workspace = call.workspace
        event = Event(f"evt_{workspace.count('event'):016}", call.now, item.id, path, kind, payload)
        workspace.events.append(event)
        shown = event.as_json(call.parts.clock)
        call.parts.documents.append(
            call, workspace.branches[item.branch], item.trace_doc, kind="event", content=f"{kind} {item.id}", meta=shown
        )
        return shown

    def changed(
        self, call: "Call", kind: str, item: Item, payload: dict[str, Json], step: Step | None = None
    ) -> dict[str, Json]:
        """Raises the revisions of what was written, then records the event."""
        call.parts.revisions.rise(call, item)
        path = None
        if step is not None:
            call.parts.revisions.rise(call, step)
            path = call.parts.steps.path_of(item, step)
        item.updated_at = call.now
        return self.record(call, kind, item, payload, path)

"""A workspace in which stories of tasks are told."""

from typing import Any

from conformance.model.events import Json
from tests.laws.histories import Story

TASK = "TASK-001"
STEP = "STEP-00000001"


class Room(Story):
    """Tells calls in workspace w."""

    def __init__(self) -> None:
        super().__init__("tasks")

    def ok(self, tool: str, result: Json, **arguments: Json) -> int:
        """A call that succeeds."""
        return self.accepted(tool, {"workspace": "w", **arguments}, result)

    def no(self, tool: str, code: str, suggestions: Json = (), **arguments: Json) -> int:
        """A call that is refused."""
        envelope: dict[str, Any] = {"success": False, "result": {}, "error": {"code": code, "message": "no"}}
        envelope["suggestions"] = list(suggestions)
        return self.call(tool, {"workspace": "w", **arguments}, envelope, failed=True)

    def radar(self, revision: Json, **more: Json) -> int:
        """A look at the task."""
        return self.ok("tasks_radar", {"target": {"id": TASK, "kind": "task", "revision": revision}, **more}, task=TASK)

    def edit(self, revision: Json, title: str = "new", **arguments: Json) -> int:
        """An accepted edit of the task, which has this revision then."""
        return self.ok("tasks_edit", {"id": TASK, "revision": revision}, task=TASK, title=title, **arguments)

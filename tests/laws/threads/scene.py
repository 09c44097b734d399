"""A workspace with an orchestrator, two workers of a thread and a third, as most histories of these tests begin."""

from collections.abc import Mapping
from typing import Any

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.events import Json
from conformance.report.model import RequirementResult
from tests.laws.histories import Story

CREATED = "2026-11-21T12:00:00Z"
MADE = {"workspace_id": "ws-home", "title": "Null fallback", "type": "workflow", "participants": ["agent-a", "agent-b"]}
SHOWN = {**MADE, "thread_id": "th_1", "status": "active", "created_at": CREATED, "updated_at": CREATED}
TH = {"thread_id": "th_1"}
POST = {**TH, "schema_version": 1, "kind": "chat", "body": "hello there"}


def scene(*, statement: Mapping[str, Json] | None = None, **settings: Json) -> Story:
    """The thread th_1 has been made; lead, a, b, outsider and stranger (of another workspace) are known."""
    story = Story(settings=settings, statement=dict(statement or {}))
    for name, role in (("lead", "orchestrator"), ("a", "worker"), ("b", "worker"), ("outsider", "worker")):
        someone(story, name, role)
    someone(story, "stranger", "orchestrator", workspace_id="ws-elsewhere")
    story.accepted("create_thread", MADE, {"thread_id": "th_1", "status": "active", "created_at": CREATED}, by="lead")
    return story


def someone(story: Story, name: str, role: str = "worker", defect: str | None = None, **claims: Any) -> str:
    """Makes a caller known by the claims of its own."""
    whole = {"agent_id": f"agent-{name}", "workspace_id": "ws-home", "session_id": f"session-{name}", **claims}
    return story.credential(name, role, defect=defect, **whole)


def live(*identifiers: str) -> dict[str, RequirementResult]:
    """What the stimuli of these requirements show of the reference, in process."""
    report = certify(checked(entry("reference").statement("threads"), "reference"), Options(only=identifiers, seed=1))
    return {result.id: result for result in report.requirements if result.id in identifiers}

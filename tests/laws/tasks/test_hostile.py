"""No answer, of whatever types, makes a law fall over."""

from conformance.contract.catalogue import load
from conformance.contracts.tasks.lists import OF_THEIR_OWN
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Json
from tests.laws.tasks.room import Room

CONTRACT = load("tasks")
KEYS = (
    *("plans", "tasks", "steps", "step", "branch", "branches", "document", "documents", "entries", "nodes", "edges"),
    *("changes", "conflict", "conflicts", "cards", "events", "errors", "target", "notes", "trace", "budget", "doc"),
    *("revision", "truncated", "merged", "inserted", "previous", "id", "task", "conflict_id", "content"),
)
STRANGE: tuple[Json, ...] = (
    *(None, True, 1.5, "x", [], [None], [[]], {}, {"revision": []}),
    *([{"id": [], "step_id": {}, "to": 1}], {"entries": [1, {"content": 5}]}),
)


def test_strange_answers() -> None:
    room = Room()
    room.list([{"name": "tasks_edit", "inputSchema": value} for value in STRANGE])
    for tool in CONTRACT.tools:
        room.ok(tool, [])
        for value in STRANGE:
            given = {"expected_revision": value, "max_chars": 1, "limit": value, "ops": value, "task": value}
            room.ok(tool, dict.fromkeys(KEYS, value), **given)
            room.ok(tool, {"suggestions": value}, limit=1, ops=[value], **dict.fromkeys(OF_THEIR_OWN, 1))
            room.call(tool, value, {"success": False, "error": value, "suggestions": value})
    import_laws(CONTRACT)
    outcomes = judge(room.events, CONTRACT).outcomes
    assert [outcome.reason for outcome in outcomes if outcome.reason.startswith("the law failed")] == []
    assert sum(outcome.subjects for outcome in outcomes) > len(CONTRACT.tools)

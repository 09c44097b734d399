"""Breaks what takes several calls: closing steps, refusals, conflicts, targets, patches."""

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.tasks.handling import Result, handle
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.conflicts import Conflict
from reference_server.tasks.editing import Stage
from reference_server.tasks.items import Item
from reference_server.tasks.spec import Handler
from reference_server.tasks.steps import Step, walk

OTHER_SIDE = {"use_from": "use_into", "use_into": "use_from"}


@deviation("TK-FLOW-01")
def tests_need_no_confirmation(tasks: Tasks) -> None:
    """A step is closed once its criteria are confirmed, whatever its tests."""
    original = tasks.parts.checkpoints.require

    @instead(tasks.parts.checkpoints, "require")
    def require(call: Call, item: Item, step: Step) -> None:
        if not step.body.criteria_confirmed:
            original(call, item, step)


@deviation("TK-FLOW-02")
def operations_are_written_one_by_one(tasks: Tasks) -> None:
    """branchmind_graph_apply writes each operation before it looks at the next: a refused call leaves some."""
    editing = tasks.parts.editing

    @instead(editing, "apply")
    def apply(stage: Stage, ops: list[dict[str, Json]]) -> None:
        for op in ops:
            editing.stage(stage, op)
            editing.commit(stage)
            stage.before = stage.call.parts.documents.graph(stage.call.workspace, stage.branch, stage.doc)
            stage.changes.clear()


@deviation("TK-FLOW-03")
def resolutions_are_taken_the_wrong_way_round(tasks: Tasks) -> None:
    """use_from leaves the target's side, use_into writes the source's."""
    original = tasks.parts.conflicts.resolve

    @instead(tasks.parts.conflicts, "resolve")
    def resolve(call: Call, conflict: Conflict, resolution: str) -> bool:
        applied = not original(call, conflict, OTHER_SIDE[resolution])
        conflict.resolution = resolution
        return applied


@deviation("TK-FLOW-04")
def an_explicit_target_is_not_guarded(tasks: Tasks) -> None:
    """expected_target_id and expected_kind are held against the focus alone."""
    original = tasks.parts.targeting.agree

    @instead(tasks.parts.targeting, "agree")
    def agree(item: Item, source: str, expected: str | None, kind: str | None) -> bool:
        return source == "explicit" or original(item, source, expected, kind)


@deviation("TK-FLOW-05")
def patches_are_acknowledged_and_lost(tasks: Tasks) -> None:
    """tasks_patch answers and raises revisions as if it had written, and writes nothing else."""

    @handle(tasks, "tasks_patch")
    def patch(call: Call, original: Handler) -> Result:
        items = list(call.workspace.items.values())
        bodies = [(item, item.body) for item in items]
        steps = [(step, step.body) for item in items for _, step in walk(item.steps)]
        result = original(call)
        for item, body in bodies:
            item.body = body
        for step, kept in steps:
            step.body = kept
        return result

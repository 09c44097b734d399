"""The gate before a step is closed: its criteria and its tests are confirmed, empty ones too."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal, Suggestion
from reference_server.tasks.steps import Step, StepBody

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

GATES: Final = ("criteria", "tests")
STEP_FIELDS: Final = ("title", "success_criteria", "tests", "blockers")


class Checkpoints:
    """What defining and confirming does to a step, and when it may be closed."""

    def missing(self, body: StepBody) -> list[str]:
        """The checkpoints that are not confirmed."""
        confirmed = {"criteria": body.criteria_confirmed, "tests": body.tests_confirmed}
        return [gate for gate in GATES if not confirmed[gate]]

    def require(self, call: "Call", item: Item, step: Step) -> None:
        """Raises CHECKPOINTS_NOT_CONFIRMED."""
        missing = self.missing(step.body)
        if not missing:
            return
        params: dict[str, Json] = {"workspace": call.workspace.name, "task": item.id, "step_id": step.step_id}
        params |= {"checkpoints": {gate: {"confirmed": True} for gate in missing}}
        reason = "confirm the checkpoints that are missing, once they hold"
        raise Refusal(
            "CHECKPOINTS_NOT_CONFIRMED",
            f"{step.step_id} lacks confirmed {' and '.join(missing)}",
            recovery="confirm them with tasks_verify, then close the step",
            suggestions=[
                Suggestion("tasks_verify", params, reason),
                Suggestion("tasks_patch", params, reason, "medium"),
            ],
        )

    def confirmed(self, body: StepBody, checkpoints: dict[str, Json]) -> StepBody:
        """The step with the checkpoints as the caller says. Raises INVALID_INPUT where it says nothing."""
        said = {gate: checkpoints[gate]["confirmed"] for gate in GATES if gate in checkpoints}
        if not said:
            message, recovery = "checkpoints names neither criteria nor tests", "say which checkpoint is confirmed"
            raise Refusal("INVALID_INPUT", message, recovery=recovery)
        after = replace(body, **{f"{gate}_confirmed": value for gate, value in said.items()})
        return self.reopened(after)

    def defined(self, body: StepBody, arguments: dict[str, Json]) -> StepBody:
        """The step with the fields that the caller gives; new criteria or tests are not confirmed yet."""
        changes: dict[str, Json] = {name: arguments[name] for name in STEP_FIELDS if name in arguments}
        changes |= {name: tuple(value) for name, value in changes.items() if isinstance(value, list)}
        if changes.get("success_criteria", body.success_criteria) != body.success_criteria:
            changes["criteria_confirmed"] = False
        if changes.get("tests", body.tests) != body.tests:
            changes["tests_confirmed"] = False
        return self.reopened(replace(body, **changes))

    def reopened(self, body: StepBody) -> StepBody:
        """A closed step whose checkpoints no longer hold is open again."""
        return replace(body, completed=False) if body.completed and self.missing(body) else body

"""The tool that edits one step, task or plan, whichever way it is named."""

from typing import Final

from reference_server.application import Json
from reference_server.tasks.call import Call
from reference_server.tasks.checkpoints import STEP_FIELDS as STEP_WRITES
from reference_server.tasks.identifiers import ITEM_PATTERN, STEP_PATTERN
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.schema import CHECKPOINTS, GUARDED, ITEM_FIELDS, STEP, STEP_FIELDS, WORKSPACE, text
from reference_server.tasks.spec import Spec, Writes
from reference_server.tasks.steps import Step
from reference_server.tasks.tools import planning, stepping

OF_STEP: Final = (*STEP_WRITES, "checkpoints")
OF_ITEM: Final = planning.ITEM_WRITES


def patch(call: Call) -> dict[str, Json]:
    """Writes the fields given to what is named. Raises INVALID_INPUT for fields that it does not have."""
    item, step = chosen(call)
    own = OF_ITEM if step is None else OF_STEP
    what = item.kind if step is None else "step"
    given = [name for name in dict.fromkeys((*OF_STEP, *OF_ITEM)) if name in call.arguments]
    foreign = [name for name in given if name not in own]
    if foreign or not given:
        message = f"a {what} has no {' or '.join(foreign)}" if foreign else "there is nothing to patch"
        raise Refusal("INVALID_INPUT", message, recovery=f"give one of {', '.join(own)}")
    planning.guard(call, item)
    if step is None:
        return planning.write(call, item)
    return write_step(call, item, step)


def write_step(call: Call, item: Item, step: Step) -> dict[str, Json]:
    """Defines first, then confirms: what the caller confirms is what it has just defined."""
    rules = call.parts.checkpoints
    body = rules.defined(step.body, call.arguments)
    if "checkpoints" in call.arguments:
        body = rules.confirmed(body, call.arguments["checkpoints"])
        if body == step.body and not any(name in call.arguments for name in STEP_WRITES):
            return stepping.without_effect(call, item, step)
    return stepping.write(call, item, step, body, "step_patched")


def chosen(call: Call) -> tuple[Item, Step | None]:
    """What is named: `target` alone, or task (or the focus) with an optional step. Raises INVALID_INPUT, UNKNOWN_ID."""
    given = call.arguments
    target = given.get("target")
    if target is None:
        item = call.parts.targeting.resolve(call)
        named = "step_id" in given or "path" in given
        return item, call.parts.steps.select(call, item) if named else None
    if any(name in given for name in ("task", "step_id", "path")):
        message = "target names it all: task, step_id and path do not go with it"
        raise Refusal("INVALID_INPUT", message, recovery="give the target, or the others")
    item, step = _by_target(call, target)
    call.parts.targeting.told(call, item, "explicit")
    call.parts.targeting.guard(call, item, "explicit")
    return item, step


def _by_target(call: Call, target: str) -> tuple[Item, Step | None]:
    if target.startswith(("PLAN-", "TASK-")):
        return call.parts.items.find(call, target), None
    for item in call.workspace.items.values():
        step = call.parts.steps.by_id(item, target)
        if step is not None:
            return item, step
    raise Refusal(
        "UNKNOWN_ID",
        f"no step {target}",
        recovery="take a step_id from tasks_context",
        suggestions=[call.parts.steps.listing(call)],
    )


_TARGET = text(
    "The plan, task or step to patch, by its id; instead of task, step_id and path.",
    pattern=f"{ITEM_PATTERN}|{STEP_PATTERN}",
)

SPECS = (
    Spec(
        "tasks_patch",
        "patch",
        "Edits one step, task or plan: fields of tasks_define and tasks_verify for a step, of tasks_edit otherwise.",
        patch,
        WORKSPACE | GUARDED | {"target": _TARGET} | STEP | STEP_FIELDS | {"checkpoints": CHECKPOINTS} | ITEM_FIELDS,
        writes=Writes("step", "task", "/revision", planning.READS),
        removes=True,
    ),
)

"""Tools that work on one step of a task."""

from dataclasses import replace

from reference_server.application import Json
from reference_server.tasks.call import Call
from reference_server.tasks.checkpoints import STEP_FIELDS as WRITABLE
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal, Suggestion
from reference_server.tasks.schema import CHECKPOINTS, GUARDED, STEP, STEP_FIELDS, WORKSPACE, text
from reference_server.tasks.spec import Spec, Writes
from reference_server.tasks.steps import Step, StepBody
from reference_server.tasks.tools.planning import READS, guard


def chosen(call: Call) -> tuple[Item, Step]:
    """The step that a call is about, its task's revision as expected."""
    item = call.parts.targeting.resolve(call, ("task",))
    step = call.parts.steps.select(call, item)
    guard(call, item)
    return item, step


def answer(call: Call, item: Item, step: Step, event: Json) -> dict[str, Json]:
    """Shape: task, revision (the task's), step {step_id, path, revision}, event (null where nothing happened)."""
    named = step.named(call.parts.steps.path_of(item, step))
    return {"task": item.id, "revision": item.revision, "step": named, "event": event}


def without_effect(call: Call, item: Item, step: Step) -> dict[str, Json]:
    """Answers a call that says what holds already."""
    call.warnings.append({"code": "NO_EFFECT", "message": "the step is so already: nothing was written"})
    return answer(call, item, step, None)


def define(call: Call) -> dict[str, Json]:
    """Changes the fields given. Raises INVALID_INPUT where none is."""
    item, step = chosen(call)
    given = [name for name in WRITABLE if name in call.arguments]
    if not given:
        message, recovery = "there is nothing to define", f"give one of {', '.join(WRITABLE)}"
        raise Refusal("INVALID_INPUT", message, recovery=recovery)
    return write(call, item, step, call.parts.checkpoints.defined(step.body, call.arguments), "step_defined")


def write(call: Call, item: Item, step: Step, body: StepBody, kind: str) -> dict[str, Json]:
    """Writes a step."""
    step.body = body
    event = call.parts.journal.changed(call, kind, item, {"step_id": step.step_id}, step)
    return answer(call, item, step, event)


def note(call: Call) -> dict[str, Json]:
    """Takes a note on a step; its text goes to the task's notes."""
    item, step = chosen(call)
    content = call.arguments["note"]
    if not content.strip():
        message, recovery = "the note is blank", "write something in it"
        raise Refusal("INVALID_INPUT", message, recovery=recovery)
    path = call.parts.steps.path_of(item, step)
    meta = {"task": item.id, "step_id": step.step_id, "path": path}
    branch = call.workspace.branches[item.branch]
    call.parts.documents.append(call, branch, item.notes_doc, kind="note", content=content, meta=meta)
    step.notes += 1
    event = call.parts.journal.changed(call, "step_noted", item, {"step_id": step.step_id}, step)
    return answer(call, item, step, event)


def verify(call: Call) -> dict[str, Json]:
    """Confirms checkpoints, or takes that back."""
    item, step = chosen(call)
    body = call.parts.checkpoints.confirmed(step.body, call.arguments["checkpoints"])
    if body == step.body:
        return without_effect(call, item, step)
    return write(call, item, step, body, "step_verified")


def done(call: Call) -> dict[str, Json]:
    """Closes a step whose checkpoints are confirmed."""
    item, step = chosen(call)
    if step.body.completed:
        raise Refusal(
            "INVALID_INPUT",
            f"{step.step_id} is closed already",
            recovery="go on with the next step",
            suggestions=[
                Suggestion("tasks_radar", {"workspace": call.workspace.name, "task": item.id}, "see which step is next")
            ],
        )
    call.parts.checkpoints.require(call, item, step)
    return write(call, item, step, replace(step.body, completed=True), "step_done")


_STEP_WRITE = Writes("step", "task", "/revision", READS)

SPECS = (
    Spec(
        "tasks_define",
        "define",
        "Defines a step: title, success criteria, tests, blockers; new criteria or tests lose their confirmation.",
        define,
        WORKSPACE | GUARDED | STEP | STEP_FIELDS,
        writes=_STEP_WRITE,
        removes=True,
    ),
    Spec(
        "tasks_note",
        "note",
        "Takes a note on a step.",
        note,
        WORKSPACE | GUARDED | STEP | {"note": text("The note.", minLength=1)},
        required=("workspace", "note"),
        writes=_STEP_WRITE,
    ),
    Spec(
        "tasks_verify",
        "verify",
        "Confirms the checkpoints of a step, criteria and tests, or takes that back.",
        verify,
        WORKSPACE | GUARDED | STEP | {"checkpoints": CHECKPOINTS},
        required=("workspace", "checkpoints"),
        writes=_STEP_WRITE,
        repeatable=True,
    ),
    Spec(
        "tasks_done",
        "done",
        "Closes a step; both its checkpoints are confirmed before.",
        done,
        WORKSPACE | GUARDED | STEP,
        writes=_STEP_WRITE,
    ),
)

"""Tools that make plans and tasks, break tasks into steps, and edit them."""

from dataclasses import replace

from reference_server.application import Json
from reference_server.tasks.branches import Branch
from reference_server.tasks.call import Call
from reference_server.tasks.items import Item, ItemBody, Kind
from reference_server.tasks.refusal import Refusal, Suggestion
from reference_server.tasks.schema import GUARDED, ITEM_FIELDS, ITEM_ID, STEP_DRAFTS, STEP_PATH, TITLE, WORKSPACE, text
from reference_server.tasks.spec import Spec, Writes
from reference_server.tasks.steps import Step, walk

ITEM_WRITES = ("title", "description", "contract", "contract_data")
_PLAN_ONLY = ("contract", "contract_data")


def create(call: Call) -> dict[str, Json]:
    """A plan, or a task below one."""
    parts, given, workspace = call.parts, call.arguments, call.workspace
    kind = _kind(call)
    allowed(kind, given)
    body = ItemBody(**{name: given[name] for name in ITEM_WRITES if name in given})
    item = Item(parts.items.new_id(workspace, kind), kind, body, call.now, call.now, given.get("parent"))
    item.steps = parts.steps.make(call, given.get("steps", ()))
    workspace.items[item.id] = item
    workspace.branches[item.branch] = Branch(item.branch, None, None, call.now)
    event = parts.journal.record(call, f"{kind}_created", item, {"title": body.title})
    named = [step.named(path) for path, step in walk(item.steps)]
    steps = {"steps": named} if kind == "task" else {}
    return {"id": item.id, "kind": kind, "revision": item.revision, **steps, "event": event}


def _kind(call: Call) -> Kind:
    """What is asked for, its parent checked. Raises INVALID_INPUT, UNKNOWN_ID."""
    given = call.arguments
    parent = given.get("parent")
    kind: Kind = given.get("kind", "task" if parent else "plan")
    fault = None
    if kind == "plan" and parent is not None:
        fault = "a plan has no parent"
    elif kind == "plan" and "steps" in given:
        fault = "a plan has no steps"
    elif kind == "task" and parent is None:
        fault = "a task needs a plan as its parent"
    elif parent is not None and call.parts.items.find(call, parent).kind != "plan":
        fault = f"{parent} is no plan"
    if fault is not None:
        raise Refusal(
            "INVALID_INPUT",
            fault,
            recovery="make a plan first, then tasks with parent set to its id",
            suggestions=[call.parts.targeting.listing(call)],
        )
    return kind


def allowed(kind: Kind, given: dict[str, Json]) -> None:
    """Raises INVALID_INPUT where a task is given what only plans have."""
    wrong = [name for name in _PLAN_ONLY if name in given] if kind == "task" else []
    if wrong:
        raise Refusal("INVALID_INPUT", f"a task has no {' or '.join(wrong)}", recovery="put it into the plan")


def decompose(call: Call) -> dict[str, Json]:
    """Adds steps at the top or below `parent`."""
    item = call.parts.targeting.resolve(call, ("task",))
    siblings = _siblings(call, item)
    guard(call, item)
    made = call.parts.steps.make(call, call.arguments["steps"])
    siblings += made
    named = [step.named(path) for path, step in walk(item.steps) if any(step is each for each in made)]
    event = call.parts.journal.changed(call, "steps_added", item, {"steps": named})
    return {"task": item.id, "revision": item.revision, "steps": named, "event": event}


def _siblings(call: Call, item: Item) -> list[Step]:
    parent = call.arguments.get("parent")
    if parent is None:
        return item.steps
    found = call.parts.steps.by_path(item, parent)
    if found is None:
        raise call.parts.steps.unknown(call, item, parent)
    return found.children


def edit(call: Call) -> dict[str, Json]:
    """Changes what is given; null clears."""
    item = call.parts.targeting.resolve(call)
    guard(call, item)
    return write(call, item)


def write(call: Call, item: Item) -> dict[str, Json]:
    """Writes the fields of a plan or task. Raises INVALID_INPUT where none is given."""
    given = {name: call.arguments[name] for name in ITEM_WRITES if name in call.arguments}
    if not given:
        raise Refusal("INVALID_INPUT", "there is nothing to change", recovery=f"give one of {', '.join(ITEM_WRITES)}")
    allowed(item.kind, given)
    item.body = replace(item.body, **given)
    event = call.parts.journal.changed(call, f"{item.kind}_edited", item, {"fields": sorted(given)})
    return {"id": item.id, "kind": item.kind, "revision": item.revision, "event": event}


def guard(call: Call, item: Item) -> None:
    """Raises REVISION_MISMATCH with the reads that show the revision there is."""
    workspace = call.workspace.name
    call.parts.revisions.guard(
        call,
        item,
        item.id,
        Suggestion("tasks_radar", {"workspace": workspace, "task": item.id}, "read the current revision"),
        Suggestion("tasks_context", {"workspace": workspace}, "see every plan and task", "medium"),
    )


READS = (
    "tasks_context",
    "tasks_radar",
    "tasks_delta",
    "branchmind_export",
    "branchmind_show",
    "branchmind_branch_list",
    "branchmind_status",
)

SPECS = (
    Spec(
        "tasks_create",
        "create",
        "Makes a plan, or a task below a plan, with its branch and documents.",
        create,
        WORKSPACE
        | {
            "kind": text("Left out: task with a parent, plan without.", enum=["plan", "task"]),
            "parent": ITEM_ID | {"description": "The plan that a task belongs to."},
            "title": TITLE,
            "description": text("What it is about."),
            "contract": text("A plan's contract, in words."),
            "contract_data": {"type": "object", "description": "A plan's contract, as data."},
            "steps": STEP_DRAFTS | {"description": "A task's first steps."},
        },
        required=("workspace", "title"),
        writes=Writes("task", None, "/revision", READS),
    ),
    Spec(
        "tasks_decompose",
        "decompose",
        "Adds steps to a task, at the top of its tree or below one of its steps.",
        decompose,
        WORKSPACE
        | GUARDED
        | {
            "parent": STEP_PATH | {"description": "The step to add them below; left out: the top."},
            "steps": STEP_DRAFTS,
        },
        required=("workspace", "steps"),
        writes=Writes("task", "task", "/revision", READS),
    ),
    Spec(
        "tasks_edit",
        "edit",
        "Edits a plan or task: title, description, and a plan's contract; null clears.",
        edit,
        WORKSPACE | GUARDED | {"title": TITLE} | ITEM_FIELDS,
        writes=Writes("task", "task", "/revision", READS),
        removes=True,
    ),
)

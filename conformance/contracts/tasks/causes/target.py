"""Faults of the tasks_ tools, against what the workspace holds."""

from collections.abc import Iterator

from conformance.contracts.tasks.causes import OPEN
from conformance.contracts.tasks.forms import formed, identifiers
from conformance.contracts.tasks.state import UNSURE, State, is_item, names_step
from conformance.contracts.tasks.steps import GATES, STEP_FIELDS, Tree
from conformance.model.events import Json
from conformance.model.exchange import Exchange

OF_STEP = ("tasks_define", "tasks_note", "tasks_verify", "tasks_done")
OF_TASK = (*OF_STEP, "tasks_decompose")
TARGETED = (*OF_TASK, "tasks_edit", "tasks_patch")
"""Writes that find their target, and may be told which one is expected."""
LONGEST_INDEX = len("s:999999999")
INSTEAD = ("task", "step_id", "path")
"""What tasks_patch takes in place of a target."""
WRITABLE = (*STEP_FIELDS, "checkpoints")
TASK_FIELDS = ("title", "description")
PLAN = "PLAN-"
PLAN_FIELDS = ("title", "contract", "contract_data")
"""Fields that a plan surely has; whether it has a description too is the server's."""
EVERY = dict.fromkeys((*WRITABLE, *TASK_FIELDS, *PLAN_FIELDS))


def of_expected(call: Exchange, state: State) -> Iterator[str]:
    """Those of a write whose target is not the one expected, or not expected although it has to be."""
    target, expected, kind = state.target(call), call.argument("expected_target_id"), call.argument("expected_kind")
    if call.tool not in TARGETED or target is None:
        return
    own = "plan" if target.startswith(PLAN) else "task"
    other = formed("item", expected) and expected != target
    if other:
        yield "EXPECTED_TARGET_MISMATCH"
    if kind is not None and kind != own:
        # alone it is a mismatch too, but nothing names the code for a kind
        yield OPEN
    from_focus = call.argument("task") is None and call.argument("target") is None
    if from_focus and expected is None and call.argument("strict_targeting") is True:
        # a step's own id names its task as well
        yield "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID" if call.argument("step_id") is None else OPEN


def of_target(call: Exchange, state: State) -> Iterator[str]:
    """Those of what a tasks_ tool is about."""
    match call.tool:
        case "tasks_create":
            yield from _of_new(call)
        case "tasks_radar" if call.argument("task") is None and state.focus in (None, UNSURE):
            yield OPEN
        case "tasks_focus_clear" if state.focus in (None, UNSURE):
            yield OPEN
        case "tasks_focus_set" if call.argument("task") == state.focus:
            yield OPEN
        case "tasks_focus_set" if call.code == "INVALID_INPUT" and str(call.argument("task")).startswith(PLAN):
            # what is focused is called a task: whether a plan may be is the server's
            yield OPEN
        case tool if tool in TARGETED:
            yield from _of_write(call, state)


def _of_new(call: Exchange) -> Iterator[str]:
    """A plan without a parent, or a task below a plan: of anything else a server may think as it likes."""
    kind, parent, given = call.argument("kind"), call.argument("parent"), call.arguments
    task = kind == "task" or (kind is None and parent is not None)
    own = ("contract", "contract_data") if task else ("description", "steps", "parent")
    if any(call.argument(name) is not None for name in own) or not isinstance(given, dict):
        yield OPEN
    if task and (parent is None or (formed("item", parent) and not parent.startswith(PLAN))):
        yield OPEN
    if not str(call.argument("title")).strip():
        yield OPEN


def _of_write(call: Exchange, state: State) -> Iterator[str]:
    if call.argument("target") is not None and any(call.argument(name) is not None for name in INSTEAD):
        # whether both are taken where they agree, and which of them wins, is the server's
        yield OPEN
    target = state.target(call)
    if target is None or target not in state.items:
        # one that is malformed, or names nothing, is at fault by itself
        if target is None or target in state.given:
            yield OPEN
        return
    # a call that needs the focus, or names a step alone, is one that the document does not speak of
    if call.argument("task") is None and call.tool != "tasks_patch" and state.focus == UNSURE:
        yield OPEN
    if call.tool in OF_STEP or (call.tool == "tasks_patch" and names_step(call)):
        yield from _of_step(call, state)
    elif call.tool == "tasks_decompose":
        yield from _of_parent(call, state)
    else:
        yield from _of_fields(call, state, target)


def _of_step(call: Exchange, state: State) -> Iterator[str]:
    tree = state.tree(call)
    named = [name for name in ("step_id", "path") if call.argument(name) is not None]
    if tree is None or not (named or call.argument("target") is not None) or len(named) > 1:
        yield OPEN
        return
    step = tree.named(call)
    if step is None:
        yield from _lost(call, state, tree)
        return
    if call.tool == "tasks_done":
        if step.closed is not False or not (step.lacking or tree.ready(step)):
            yield OPEN
        elif step.lacking:
            yield "CHECKPOINTS_NOT_CONFIRMED"
    elif step.closed is not False or (call.tool != "tasks_note" and not _changes(call, step.fields, step.confirmed)):
        # whether a step that is closed may be written to is the server's
        yield OPEN


def _lost(call: Exchange, state: State, tree: Tree) -> Iterator[str]:
    """Those of naming a step that is not known. One that is malformed, or an id of nothing, is at fault by itself."""
    path = call.argument("path")
    if path is None:
        name = next((call.argument(name) for name in ("step_id", "target") if call.argument(name) is not None), None)
        if isinstance(name, str) and name in state.given:
            yield OPEN
    elif formed("path", path):
        yield "UNKNOWN_ID" if tree.whole and _plain(path) else OPEN


def _plain(path: Json) -> bool:
    """Whether no index of a path is spelt with more digits than it needs, nor too large for a server's numbers."""
    return all(
        len(part) <= LONGEST_INDEX and (part == "s:0" or not part.startswith("s:0")) for part in str(path).split(".")
    )


def _changes(call: Exchange, fields: dict[str, Json], confirmed: dict[str, bool | None]) -> bool:
    """Whether a write to a step says something of it that it does not say already, and nothing of anything else."""
    given = {name: call.argument(name) for name in EVERY if name in call.arguments}
    if not given or not given.keys() <= set(WRITABLE):
        return False
    checkpoints = given.pop("checkpoints", None)
    about = checkpoints if isinstance(checkpoints, dict) else {}
    said = {gate: about[gate].get("confirmed") for gate in GATES if isinstance(about.get(gate), dict)}
    new = any(name not in fields or fields[name] != value for name, value in given.items())
    return new or any(value is (not confirmed[gate]) for gate, value in said.items() if confirmed[gate] is not None)


def _of_parent(call: Exchange, state: State) -> Iterator[str]:
    tree, parent = state.tree(call), call.argument("parent")
    if tree is None or not isinstance(parent, str | None):
        yield OPEN
    elif parent is not None and parent not in tree.by_path:
        if formed("path", parent):
            yield "UNKNOWN_ID" if tree.whole and _plain(parent) else OPEN
    elif parent is not None and tree.by_path[parent].closed is not False:
        yield OPEN


def _of_fields(call: Exchange, state: State, target: str) -> Iterator[str]:
    own = PLAN_FIELDS if target.startswith(PLAN) else TASK_FIELDS
    given = {name: call.argument(name) for name in EVERY if name in call.arguments}
    held = state.items[target]
    new = any(held[name] != value if name in held else value is not None for name, value in given.items())
    if not given or not given.keys() <= set(own) or not new or not str(given.get("title", "x")).strip():
        yield OPEN


def of_names(call: Exchange, state: State) -> Iterator[str]:
    """Those of well-formed ids that the workspace never gave."""
    for each in identifiers(call):
        if each.form == "path" or each.argument == "expected_target_id" or not formed(each.form, each.value):
            continue
        if each.value not in state.given:
            yield "UNKNOWN_ID"
        elif each.form == "item" and not is_item(str(each.value)):
            yield OPEN

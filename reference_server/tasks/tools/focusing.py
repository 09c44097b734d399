"""Tools for the focus: what writes that name no task are about."""

from reference_server.application import Json
from reference_server.tasks.call import Call
from reference_server.tasks.refusal import Suggestion
from reference_server.tasks.schema import EXPECTED, ITEM_ID, MAX_CHARS, WORKSPACE
from reference_server.tasks.spec import Spec, Writes


def get(call: Call) -> dict[str, Json]:
    """The focus, null where none is set."""
    return call.parts.budgets.ladder(call, [{"workspace": call.workspace.name, **call.workspace.focus.as_json()}])


def set_(call: Call) -> dict[str, Json]:
    """Points the focus at a plan or task."""
    item = call.parts.items.find(call, call.arguments["task"])
    return _point(call, item.id)


def clear(call: Call) -> dict[str, Json]:
    """Takes the focus away."""
    answer = _point(call, None)
    return {**answer, "cleared": answer["previous"] is not None}


def _point(call: Call, item_id: str | None) -> dict[str, Json]:
    workspace, focus = call.workspace, call.workspace.focus
    read = Suggestion("tasks_focus_get", {"workspace": workspace.name}, "read the focus and its revision")
    call.parts.revisions.guard(call, focus, "the focus", read)
    previous, focus.item_id = focus.item_id, item_id
    call.parts.revisions.rise(call, focus)
    return {"workspace": workspace.name, "previous": previous, **focus.as_json()}


_WRITE = Writes("focus", "focus", "/revision", ("tasks_focus_get",))

SPECS = (
    Spec(
        "tasks_focus_get",
        "focus_get",
        "Shows the focus and its revision.",
        get,
        WORKSPACE | MAX_CHARS,
    ),
    Spec(
        "tasks_focus_set",
        "focus_set",
        "Sets the focus: the plan or task that writes are about when they name none.",
        set_,
        WORKSPACE | {"task": ITEM_ID} | EXPECTED,
        required=("workspace", "task"),
        writes=_WRITE,
    ),
    Spec(
        "tasks_focus_clear",
        "focus_clear",
        "Clears the focus.",
        clear,
        WORKSPACE | EXPECTED,
        writes=_WRITE,
        removes=True,
    ),
)

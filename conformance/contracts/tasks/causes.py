"""What a server has to hold against a call, by the contract's codes, and what it may hold against it besides."""

from collections.abc import Iterator

from conformance.contracts.tasks.forms import NAMES, formed, identifiers, in_graph, is_name, operations
from conformance.contracts.tasks.state import State, card_place, names_step
from conformance.judge.kinds import integer
from conformance.model.events import Json
from conformance.model.exchange import Exchange

KNOBS = ("max_chars", "max_bytes", "max_lines")
SMALLEST_OBJECT = 2
"""Bytes of `{}`: no result is smaller."""
OF_STEP = ("tasks_define", "tasks_note", "tasks_verify", "tasks_done")
OF_TASK = (*OF_STEP, "tasks_decompose")
TARGETED = (*OF_TASK, "tasks_edit", "tasks_patch")
"""Writes that find their target, and may be told which one is expected."""
STEP_FIELDS = ("title", "success_criteria", "tests", "blockers", "checkpoints")
TASK_FIELDS = ("title", "description")
PLAN_FIELDS = (*TASK_FIELDS, "contract", "contract_data")
COMPARING = ("branchmind_diff", "branchmind_graph_diff", "branchmind_merge", "branchmind_graph_merge")
"""Tools on two branches, which have to descend from each other."""
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def of_arguments(call: Exchange, schema: Json) -> Iterator[str]:
    """Faults that the arguments alone show; `schema` is what the server listed for them."""
    ill = any(each.malformed for each in identifiers(call)) or any(form.broken(value) for form, value in in_graph(call))
    if ill or mistaken(call.arguments, schema):
        yield "INVALID_INPUT"
    names = [call.argument(name) for name in NAMES]
    if any(isinstance(name, str) and not is_name(name) for name in names):
        yield "INVALID_NAME"
    if tiny(call):
        yield "BUDGET_EXCEEDED"


def tiny(call: Exchange) -> bool:
    """Whether no object fits into max_chars."""
    most = integer(call.argument("max_chars"))
    return most is not None and 0 <= most < SMALLEST_OBJECT


def mistaken(arguments: Json, schema: Json) -> bool:
    """Whether an argument that the schema requires is missing, or one is of another type than it plainly says.

    What is null may count as left out.
    """
    if not isinstance(schema, dict):
        return False
    given = {} if arguments is None else arguments
    required, properties = schema.get("required"), schema.get("properties")
    if not isinstance(given, dict):
        return True
    if any(name not in given for name in (required if isinstance(required, list) else ())):
        return True
    known = properties if isinstance(properties, dict) else {}
    return any(value is not None and _mistyped(value, known.get(name)) for name, value in given.items())


def _mistyped(value: Json, schema: Json) -> bool:
    named = schema.get("type") if isinstance(schema, dict) else None
    wanted = _TYPES.get(named) if isinstance(named, str) else None
    if wanted is None:
        return False
    return not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)


def of_target(call: Exchange, state: State) -> Iterator[str]:
    """Faults of a write whose target is not the one expected, or not expected although it has to be."""
    target, expected = state.target(call), call.argument("expected_target_id")
    if call.tool not in TARGETED or target is None:
        return
    if formed("item", expected) and expected != target:
        yield "EXPECTED_TARGET_MISMATCH"
    from_focus = call.argument("task") is None and call.argument("target") is None
    if from_focus and expected is None and call.argument("strict_targeting") is True:
        yield "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID"


def too_early(call: Exchange, state: State) -> bool:
    """Whether it closes a step one of whose checkpoints is surely not confirmed."""
    step = state.step(call) if call.tool == "tasks_done" else None
    return step is not None and step.lacking and not step.closed


def in_time(call: Exchange, state: State) -> bool:
    """Whether it closes a step both of whose checkpoints surely are."""
    step = state.step(call) if call.tool == "tasks_done" else None
    return step is not None and step.ready and not step.closed


def collides(call: Exchange, state: State) -> bool:
    """Whether it makes what there is already, otherwise, or settles what is settled."""
    name, conflict, place = call.argument("name"), call.argument("conflict_id"), card_place(call)
    if call.tool == "branchmind_branch_create":
        return isinstance(name, str) and name in state.made
    if call.tool == "branchmind_graph_conflict_resolve":
        return isinstance(conflict, str) and conflict in state.resolved
    other = call.tool == "branchmind_think_card" and place is not None and place in state.cards
    return other and place is not None and state.cards[place] != call.argument("card")


def undecided(call: Exchange, state: State) -> bool:
    """Whether a server may have a cause of its own to refuse the call, or what it is about is not known."""
    tool = call.tool or ""
    tight = any(call.argument(knob) is not None for knob in KNOBS) and not tiny(call)
    if tight or tool in COMPARING or call.argument("expected_kind") is not None or _elsewhere(call, state):
        return True
    if tool in TARGETED:
        return _target_undecided(call, state)
    if tool == "tasks_create":
        return not _creates(call)
    if tool == "branchmind_graph_apply":
        return not _self_contained(call)
    joined = any(call.argument(name) is not None for name in ("since", "supports", "blocks"))
    return joined or (tool == "branchmind_think_card" and card_place(call) is None)


def _elsewhere(call: Exchange, state: State) -> bool:
    """Whether it names a branch that nobody has seen, or a document in two ways."""
    branches = [call.argument(name) for name in ("branch", "from", "ref")]
    unseen = any(isinstance(name, str) and is_name(name) and name not in state.branches for name in branches)
    places = ("branch", "doc", "trace_doc", "graph_doc")
    twice = call.tool != "tasks_patch" and call.argument("target") is not None
    return unseen or (twice and any(call.argument(name) is not None for name in places))


def _target_undecided(call: Exchange, state: State) -> bool:
    target, given = state.target(call), call.arguments
    if target is None or target not in state.items:
        return True
    step, task = state.step(call), not target.startswith("PLAN-")
    if call.tool in OF_STEP or (call.tool == "tasks_patch" and names_step(call)):
        closing = call.tool == "tasks_done" and step is not None and (step.closed or not (step.ready or step.lacking))
        silent = call.tool not in ("tasks_note", "tasks_done") and not _says(given, STEP_FIELDS)
        return not task or step is None or closing or silent or given.get("checkpoints") == {}
    if call.tool == "tasks_decompose":
        return not task or call.argument("parent") is not None
    return not _says(given, TASK_FIELDS if task else PLAN_FIELDS)


def _says(given: dict[str, Json], fields: tuple[str, ...]) -> bool:
    """Whether it gives one of these fields, and none that belongs to something else."""
    every = {name for name in (*STEP_FIELDS, *PLAN_FIELDS) if name in given}
    return bool(every) and every <= set(fields)


def _creates(call: Exchange) -> bool:
    """Whether it surely makes a plan, or a task below one."""
    kind, parent = call.argument("kind"), call.argument("parent")
    only_plan = call.argument("contract") is not None or call.argument("contract_data") is not None
    if kind == "task":
        return isinstance(parent, str) and parent.startswith("PLAN-") and not only_plan
    return kind == "plan" and parent is None and call.argument("steps") is None


def _self_contained(call: Exchange) -> bool:
    """Whether each operation makes a node, or joins nodes that an earlier one makes."""
    there: set[Json] = set()
    for op in operations(call):
        if op.get("op") == "node_upsert" and isinstance(op.get("id"), str):
            there.add(op["id"])
        elif op.get("op") != "edge_upsert" or not all(
            isinstance(op.get(end), str) and op[end] in there for end in ("from", "to")
        ):
            return False
    return True

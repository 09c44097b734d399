"""What writes wrote, where it takes more than a place in the call and its answer to say: beside the contract's rows."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.forms import is_name
from conformance.contracts.tasks.state import ITEM_FIELDS, names_step
from conformance.contracts.tasks.steps import GATES, STEP_FIELDS, named_steps
from conformance.judge.kinds import spelled
from conformance.judge.refused import surely_refused
from conformance.judge.registers import Assignment
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

CONFIRMED = {gate: f"/{gate}_confirmed" for gate in GATES}
COMPLETED = "/completed"
PATCH = "tasks_patch"


def place(call: Exchange, kind: str, *names: Json) -> Hashable:
    """An entity of a call's workspace, as the contract's rows name it."""
    return (call.instance, kind, *map(spelled, (call.argument("workspace"), *names)))


def among(call: Exchange, kind: str) -> tuple[Hashable, ...]:
    """What stands for all entities of a kind in a call's workspace."""
    return (call.instance, kind), place(call, kind)


def assignments(history: History, contract: Contract) -> Iterator[Assignment]:
    """Those of a history."""
    settled: set[Hashable] = set()
    for call in history.calls(*contract.writes()):
        if not surely_refused(call, contract):
            yield from _of(call, settled)


def _of(call: Exchange, settled: set[Hashable]) -> Iterator[Assignment]:
    """Those of a write; `settled`: the conflicts that were resolved before it."""
    match call.tool:
        case "tasks_create" | "tasks_decompose":
            yield from _drafted(call)
        case "tasks_patch":
            yield from _patched(call)
        case "tasks_define" | "tasks_verify" | "tasks_done":
            yield from _stepped(call)
        case "tasks_focus_clear":
            yield Assignment((place(call, "focus"), "/focus"), None, call)
        case "branchmind_checkout":
            ref = call.argument("ref")
            yield Assignment((place(call, "checkout"), "/ref"), ref, call, doubtful=not is_name(ref))
        case "branchmind_graph_conflict_resolve":
            conflict = place(call, "conflict", call.argument("conflict_id"))
            settled.add(conflict)
            yield Assignment((conflict, "/status"), "resolved", call)
        case "branchmind_graph_merge":
            ids = call.given.get("conflict_ids")
            for conflict in (place(call, "conflict", name) for name in (ids if isinstance(ids, list) else ())):
                if conflict not in settled:
                    yield Assignment((conflict, "/status"), "open", call)


def _drafted(call: Exchange) -> Iterator[Assignment]:
    """The steps of a call, in the order of its drafts; nothing of them is confirmed or done."""
    drafts, named = call.argument("steps"), list(named_steps(call))
    if not isinstance(drafts, list) or len(drafts) != len(named):
        return
    for draft, step in zip(drafts, named, strict=True):
        if not isinstance(draft, dict):
            continue
        entity = place(call, "step", step.step_id)
        yield Assignment((entity, "/path"), step.path, call)
        for name in STEP_FIELDS:
            if name in draft:
                yield Assignment((entity, f"/{name}"), draft[name], call)
        for gate, name in GATES.items():
            # whether what is empty counts as confirmed is the server's
            yield Assignment((entity, CONFIRMED[gate]), False, call, doubtful=not draft.get(name))
        yield Assignment((entity, COMPLETED), False, call)


def _patched(call: Exchange) -> Iterator[Assignment]:
    given = call.arguments if isinstance(call.arguments, dict) else {}
    if names_step(call):
        yield from _stepped(call)
        return
    named = call.given.get("id", call.given.get("task"))
    if not isinstance(named, str):
        yield Assignment(among(call, "item")[1], None, call, doubtful=True)
        return
    for name in ITEM_FIELDS:
        if name in given:
            register = place(call, "item", named), f"/{name}"
            yield Assignment(register, given[name], call)


def _stepped(call: Exchange) -> Iterator[Assignment]:
    """A write to a step. New content may lose its confirmation, and what is unconfirmed may be open again."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    shown = call.given.get("step")
    named = shown.get("step_id") if isinstance(shown, dict) else None
    if not isinstance(named, str):
        yield Assignment(among(call, "step")[1], None, call, doubtful=True)
        return
    entity = place(call, "step", named)
    checkpoints = given.get("checkpoints")
    said = checkpoints if isinstance(checkpoints, dict) else {}
    for name in STEP_FIELDS if call.tool == PATCH else ():
        if name in given:
            yield Assignment((entity, f"/{name}"), given[name], call)
    reopened = False
    for gate, name in GATES.items():
        told = said[gate].get("confirmed") if isinstance(said.get(gate), dict) else None
        reopened = reopened or name in given or told is False
        if isinstance(told, bool) and call.tool == PATCH:
            yield Assignment((entity, CONFIRMED[gate]), told, call)
        elif name in given and told is None:
            yield Assignment((entity, CONFIRMED[gate]), None, call, doubtful=True)
    if call.tool == "tasks_done":
        yield Assignment((entity, COMPLETED), True, call)
    elif reopened:
        yield Assignment((entity, COMPLETED), None, call, doubtful=True)

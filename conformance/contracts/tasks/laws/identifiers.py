"""Identifiers of workspaces, plans and tasks: their form, and that each names one entity."""

import json
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.beside import controls
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.forms import SPOKEN, formed, identifiers, is_name
from conformance.contracts.tasks.known import INIT, known
from conformance.contracts.tasks.listing import lists
from conformance.contracts.tasks.steps import named_steps
from conformance.judge.controls import but_for, refusals
from conformance.judge.judgements import holds, told
from conformance.judge.law import law
from conformance.judge.order import Named, unique
from conformance.judge.served import served
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

UNNAMED = ("expected_target_id",)
"""Identifiers that neither the document nor the original's list of tools names as arguments."""


@law("TK-ID-01")
def workspace_ids_have_their_form(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call in a workspace whose id is malformed is refused; the same call in a well-formed one is not."""
    takes = {tool.name for tool in contract.tools.values() if "workspace" in tool.inputSchema.get("properties", {})}
    named = [call for call in history.calls() if call.tool in takes and isinstance(call.argument("workspace"), str)]
    malformed = [call for call in named if not is_name(call.argument("workspace"))]

    def words(call: Exchange) -> str:
        return f"in the workspace {call.argument('workspace')!r}"

    yield from refusals(controls(history, contract), malformed, but_for("workspace"), words)
    for call in named:
        name = call.argument("workspace")
        if call.tool == INIT and is_name(name) and len(call.arguments) == 1 and _decided(call, contract):
            yield holds(call.accepted, f"the workspace {name!r} was {told(call)}", call, expected="success", got=name)


def _decided(call: Exchange, contract: Contract) -> bool:
    """Whether a call was served, or refused in words that say why: that it is there already is no fault of a name."""
    known = call.code in contract.errors and call.code != "CONFLICT"
    return call.accepted or known or call.protocol_code == INVALID_PARAMS


@law("TK-ID-02")
def plan_and_task_ids_have_their_form(history: History, contract: Contract) -> Iterator[Judgement]:
    """A plan or task is shown under an id of its form, and a call with an id of another form is refused.

    An argument that the document does not name, expected_target_id, is judged where the tool lists it.
    """
    yield from shown(history, "task", "item")
    yield from refused_malformed(history, contract, "item")


def shown(history: History, kind: str, form: str) -> Iterator[Judgement]:
    """The entities of a kind in an answer have ids of the form."""
    for call in history.accepted():
        for seen in entities(call):
            if seen.key[0] == kind:
                saw = f"{call.tool} shows {seen.key[-1]!r} as {SPOKEN[form]}"
                pointer = f"/result{seen.pointer}"
                yield holds(formed(form, seen.key[-1]), saw, call, pointer=pointer, got=seen.key[-1])


def refused_malformed(history: History, contract: Contract, form: str) -> Iterator[Judgement]:
    """A call with a malformed identifier of this form is refused, where its like with a good one is accepted."""
    run, listed = known(history, contract), served(history, contract)
    found: dict[str, list[tuple[Exchange, Json]]] = defaultdict(list)
    for call in history.calls():
        if call.tool not in contract.tools or listed.unknown(call):
            continue
        for each in identifiers(call):
            unlisted = each.argument in UNNAMED and not lists(history, contract, call, each.argument)
            if each.form == form and each.malformed and not unlisted and not run.gave(call, each.value):
                found[each.argument].append((call, each.value))
    for argument, calls in found.items():
        given = {call.call: value for call, value in calls}

        def words(call: Exchange, argument: str = argument, given: Mapping[int, Json] = given) -> str:
            return f"with {argument} {given[call.call]!r}, which is not {SPOKEN[form]},"

        yield from refusals(controls(history, contract), [call for call, _ in calls], but_for(argument), words)


@law("TK-ID-11")
def an_id_names_one_entity(history: History, _: Contract) -> Iterator[Judgement]:
    """No two plans or tasks, steps or conflicts of a workspace are given one id."""
    yield from unique(_given(history), "id")


def _given(history: History) -> Iterator[Named]:
    for call in history.accepted():
        scope = scope_of(call)
        if call.tool == "tasks_create" and isinstance(call.given.get("id"), str):
            yield Named((scope, "task"), call.given["id"], call.call, call)
        for step in named_steps(call):
            yield Named((scope, "step"), step.step_id, (step.task, step.path), call)
        if call.tool == "branchmind_graph_merge" and call.argument("dry_run") is not True:
            ids, doc = call.given.get("conflict_ids"), call.given.get("doc", call.argument("doc"))
            for name in ids if isinstance(ids, list) and isinstance(doc, str) else ():
                if isinstance(name, str):
                    between = (str(call.argument("from")), str(call.argument("into")), doc)
                    yield Named((scope, "merged"), name, between, call)
        conflict = call.given.get("conflict")
        if call.tool == "branchmind_graph_conflict_show" and isinstance(conflict, dict):
            parts = tuple(conflict.get(part) for part in ("from", "into", "doc", "kind", "key"))
            name = conflict.get("conflict_id")
            if isinstance(name, str) and all(isinstance(part, str) for part in parts):
                yield Named((scope, "conflict"), name, parts, call)


def scope_of(call: Exchange) -> Hashable:
    """The instance and the workspace that a call names, whatever it is."""
    name = call.argument("workspace")
    return call.instance, name if isinstance(name, str) else json.dumps(name)

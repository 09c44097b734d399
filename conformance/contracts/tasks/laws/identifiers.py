"""Identifiers of workspaces, plans and tasks: their form, and that each names one entity in a workspace of its own."""

import json
from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.forms import SPOKEN, formed, identifiers, is_name
from conformance.contracts.tasks.known import INIT
from conformance.contracts.tasks.steps import named_steps
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.judge.order import Named, unique
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

CONTENT = (
    "title", "description", "contract", "content", "note", "text", "success_criteria", "tests", "blockers"
)  # fmt: skip
"""Arguments, and fields of them, that hold what a caller writes."""
TELLING = 12
"""Characters of a text that is not written twice by chance."""


@exchange_law("TK-ID-01")
def workspace_ids_have_their_form(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """A call in a workspace whose id is malformed is refused, branchmind_init with a well-formed one is not."""
    name, tool = call.argument("workspace"), contract.tools.get(call.tool or "")
    takes = tool is not None and "workspace" in tool.inputSchema.get("properties", {})
    if not takes or not isinstance(name, str) or call.received is None:
        return
    if not is_name(name):
        yield holds(call.refused, f"{call.tool} in the workspace {name!r} was {told(call)}", call, got=name)
    elif call.tool == INIT and len(call.arguments) == 1:
        refused = call.refused and (call.code in contract.errors or call.protocol_code == INVALID_PARAMS)
        if call.accepted or refused:
            yield holds(call.accepted, f"the workspace {name!r} was {told(call)}", call, expected="success", got=name)


@exchange_law("TK-ID-02")
def plan_and_task_ids_have_their_form(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """A plan or task is shown under an id of its form, and a call with an id of another form is refused."""
    yield from shown(call, "task", "item")
    yield from refused_malformed(call, contract, "item")


def shown(call: Exchange, kind: str, form: str) -> Iterator[Judgement]:
    """The entities of a kind in an answer have ids of the form."""
    for seen in entities(call):
        if seen.key[0] == kind:
            saw = f"{call.tool} shows {seen.key[-1]!r} as {SPOKEN[form]}"
            pointer = f"/result{seen.pointer}"
            yield holds(formed(form, seen.key[-1]), saw, call, pointer=pointer, got=seen.key[-1])


def refused_malformed(call: Exchange, contract: Contract, form: str) -> Iterator[Judgement]:
    """A call with a malformed identifier of this form is refused."""
    if call.tool not in contract.tools or call.received is None:
        return
    for each in identifiers(call):
        if each.form == form and each.malformed:
            saw = f"{call.tool} with {each.argument} {each.value!r}, which is not {SPOKEN[form]}, was {told(call)}"
            yield holds(call.refused, saw, call, got=each.value)


@law("TK-ID-11")
def an_id_names_one_entity(history: History, _: Contract) -> Iterator[Judgement]:
    """No two plans or tasks, steps or conflicts of a workspace are given one id."""
    yield from unique(_given(history), "id")


def _given(history: History) -> Iterator[Named]:
    for call in history.accepted():
        scope = _scope(call)
        if call.tool == "tasks_create" and isinstance(call.given.get("id"), str):
            yield Named((scope, "task"), call.given["id"], call.call, call)
        for step in named_steps(call):
            yield Named((scope, "step"), step.step_id, (step.task, step.path), call)
        conflict = call.given.get("conflict")
        if call.tool == "branchmind_graph_conflict_show" and isinstance(conflict, dict):
            parts = tuple(conflict.get(part) for part in ("from", "into", "doc", "kind", "key"))
            name = conflict.get("conflict_id")
            if isinstance(name, str) and all(isinstance(part, str) for part in parts):
                yield Named((scope, "conflict"), name, parts, call)


def _scope(call: Exchange) -> Hashable:
    name = call.argument("workspace")
    return call.instance, name if isinstance(name, str) else json.dumps(name)


@law("TK-ID-12")
def a_workspace_shows_its_own(history: History, contract: Contract) -> Iterator[Judgement]:
    """An answer in one workspace holds no text that only calls in other workspaces of the instance had sent."""
    writers: dict[tuple[str, str], dict[Hashable, Exchange]] = defaultdict(dict)
    workspaces: dict[str, set[Hashable]] = defaultdict(set)
    for call in history.calls():
        scope = _scope(call)
        for text in set(_written(call.arguments)):
            writers[call.instance, text].setdefault(scope, call)
            if call.tool in contract.writes() and call.accepted:
                workspaces[call.instance].add(scope)
    for read in history.accepted(*contract.reads()):
        scope = _scope(read)
        if workspaces[read.instance] - {scope} and isinstance(read.argument("workspace"), str):
            yield _own(read, scope, writers)


def _own(read: Exchange, scope: Hashable, writers: dict[tuple[str, str], dict[Hashable, Exchange]]) -> Judgement:
    for text in _texts(read.payload):
        known = writers.get((read.instance, text))
        if known and scope not in known:
            writer = next((call for call in known.values() if call.sent < (read.received or 0)), None)
            if writer is not None:
                saw = f"{read.tool} shows {text!r}, which was written to another workspace alone"
                return breach(saw, writer, read, got=text)
    return HELD


def _written(value: Json) -> Iterator[str]:
    """The texts that a call's arguments hold, wherever in them."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name in CONTENT:
                yield from _texts(each)
            else:
                yield from _written(each)
    elif isinstance(value, list):
        for each in value:
            yield from _written(each)


def _texts(*values: Json) -> Iterator[str]:
    """The strings in a value that are long enough to tell where they come from; keys are none."""
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if len(value) >= TELLING:
                yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)

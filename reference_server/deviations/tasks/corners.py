"""Breaks what holds in the usual case: at the second of several, below the top, of what is closed."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import coerced, instead
from reference_server.deviations.tasks.handling import Result, handle
from reference_server.tasks import Tasks
from reference_server.tasks.branches import Branch
from reference_server.tasks.call import Call
from reference_server.tasks.documents import Document
from reference_server.tasks.graph import Key
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.revisions import Revisioned
from reference_server.tasks.spec import Handler, Spec
from reference_server.tasks.steps import Step

DIGITS = 10
"""Steps whose numbers have one digit."""
FAR = 100
"""An offset beyond the first pages, and more operations than most calls have."""
OVER = ("closed", "done", "resolved")
"""Statuses of cards that are over with."""


@deviation("TK-SRV-02", variant="joined")
def a_card_supports_one_other(tasks: Tasks) -> None:
    """Of the nodes that a card supports, and of those that it blocks, the first alone is joined to it."""

    @handle(tasks, "branchmind_think_card")
    def card(call: Call, original: Handler) -> Result:
        call.arguments |= {name: call.arguments[name][:1] for name in ("supports", "blocks") if name in call.arguments}
        return original(call)


@deviation("TK-SRV-02", variant="closed")
def cards_that_are_over_are_hidden(tasks: Tasks) -> None:
    """branchmind_think_context leaves out cards that are closed; what it counts is what it lists."""
    original = tasks.parts.budgets.page

    @instead(tasks.parts.budgets, "page")
    def page(call: Call, items: Sequence[Any], *more: Any, **named: Any) -> Any:
        if call.spec.name == "branchmind_think_context":
            items = [item for item in items if item.content["status"] not in OVER]
        return original(call, items, *more, **named)


@deviation("TK-SRV-02", variant="alone")
def a_title_takes_the_place_of_the_description(tasks: Tasks) -> None:
    """tasks_edit that gives a title alone empties the description."""

    @handle(tasks, "tasks_edit")
    def edit(call: Call, original: Handler) -> Result:
        item = call.parts.targeting.find(call, ("plan", "task"))[0]
        if "title" in call.arguments and "description" not in call.arguments and item.kind == "task":
            call.arguments["description"] = None
        return original(call)


@deviation("TK-SRV-02", variant="many")
def steps_have_one_digit(tasks: Tasks) -> None:
    """Of many steps that are made at once those beyond the tenth are dropped."""

    @handle(tasks, "tasks_decompose")
    def decompose(call: Call, original: Handler) -> Result:
        call.arguments["steps"] = call.arguments["steps"][:DIGITS]
        return original(call)


@deviation("TK-SRV-02", variant="begun")
def initialising_again_begins_anew(tasks: Tasks) -> None:
    """branchmind_init of a workspace that is there checks out its first branch."""

    @handle(tasks, "branchmind_init")
    def init(call: Call, original: Handler) -> Result:
        result = original(call)
        call.parts.store.workspaces[call.arguments["workspace"]].checkout = "main"
        return result


@deviation("TK-ERR-INVALID_INPUT", variant="coerced")
def texts_are_taken_as_numbers(tasks: Tasks) -> None:
    """Numbers and booleans that are given as texts are converted, not refused."""
    original = tasks.parts.arguments.check

    @instead(tasks.parts.arguments, "check")
    def check(spec: Spec, given: Json) -> dict[str, Json]:
        texts = {name: value for name, value in (given or {}).items() if isinstance(value, str)}
        read = {name: coerced(value, spec.properties.get(name, {})) for name, value in texts.items()}
        return original(spec, {**given, **read} if read else given)


@deviation("TK-REV-01", variant="resolved")
def a_resolution_leaves_the_document_s_revision(tasks: Tasks) -> None:
    """What branchmind_graph_conflict_resolve writes to a document does not raise its revision."""
    original = tasks.parts.revisions.rise

    @instead(tasks.parts.revisions, "rise")
    def rise(call: Call, *entities: Revisioned) -> None:
        settling = call.spec.name == "branchmind_graph_conflict_resolve"
        original(call, *(each for each in entities if not (settling and isinstance(each, Document))))


@deviation("TK-REV-01", variant="edge")
def edges_stay_at_their_revision(tasks: Tasks) -> None:
    """An edge that is written again has the revision that it had."""
    original = tasks.parts.documents.write_graph

    @instead(tasks.parts.documents, "write_graph")
    def write_graph(call: Call, branch: Branch, doc: str, changes: Mapping[Key, Any]) -> None:
        original(call, branch, doc, changes)
        document = call.workspace.document(branch.name, doc)
        for key in changes:
            if key.kind == "edge":
                document.graph[key][-1] = dataclasses.replace(document.graph[key][-1], revision=0)


@deviation("TK-REV-01", variant="data")
def contract_data_raises_no_revision(tasks: Tasks) -> None:
    """A plan whose contract_data alone is edited stays at its revision."""
    original = tasks.parts.revisions.rise

    @instead(tasks.parts.revisions, "rise")
    def rise(call: Call, *entities: Revisioned) -> None:
        alone = call.spec.name == "tasks_edit" and not {"title", "contract", "description"} & set(call.arguments)
        original(call, *(each for each in entities if not (alone and isinstance(each, Item))))


@deviation("TK-FLOW-01", variant="below")
def steps_below_others_are_closed_at_once(tasks: Tasks) -> None:
    """A step below another one is closed whatever its checkpoints."""
    original = tasks.parts.checkpoints.require

    @instead(tasks.parts.checkpoints, "require")
    def require(call: Call, item: Item, step: Step) -> None:
        if any(step is each for each in item.steps):
            original(call, item, step)


@deviation("TK-FLOW-04", variant="unknown")
def an_expected_target_that_is_not_there_is_overlooked(tasks: Tasks) -> None:
    """expected_target_id is held against the target where it names something, and ignored else."""
    original = tasks.parts.targeting.guard

    @instead(tasks.parts.targeting, "guard")
    def guard(call: Call, item: Item, source: str) -> None:
        if call.arguments.get("expected_target_id") in (None, *call.workspace.items):
            original(call, item, source)


@deviation("TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID", variant="kind")
def a_kind_is_strict_enough(tasks: Tasks) -> None:
    """A strict write to what is in focus goes through where it says the kind of its target alone."""
    original = tasks.parts.targeting.guard

    @instead(tasks.parts.targeting, "guard")
    def guard(call: Call, item: Item, source: str) -> None:
        original(call, item, "explicit" if call.arguments.get("expected_kind") == item.kind else source)


@deviation("TK-BUD-04", variant="far")
def far_pages_begin_one_entry_late(tasks: Tasks) -> None:
    """An offset of a hundred or more skips an entry."""
    original = tasks.parts.budgets.first

    @instead(tasks.parts.budgets, "first")
    def first(call: Call) -> int:
        offset = original(call)
        return offset + (offset >= FAR)


@deviation("TK-BUD-05", variant="shortened")
def entries_are_shortened_silently(tasks: Tasks) -> None:
    """branchmind_show with max_chars shortens what each entry says, and says nothing of it."""

    @handle(tasks, "branchmind_show")
    def show(call: Call, original: Handler) -> Result:
        result = original(call)
        if "max_chars" in call.given and not result["truncated"]:
            result["entries"] = [entry | {"content": entry["content"][:20]} for entry in result["entries"]]
        return result


@deviation("TK-SRV-02", variant="trace")
def cards_leave_no_trace(tasks: Tasks) -> None:
    """branchmind_think_card writes to the graph alone."""
    original = tasks.parts.documents.append

    @instead(tasks.parts.documents, "append")
    def append(call: Call, branch: Branch, doc: str, **fields: Any) -> Any:
        return None if fields["kind"] == "card" else original(call, branch, doc, **fields)


@deviation("TK-ID-08", variant="query")
def ids_of_a_query_are_taken_as_spelt(tasks: Tasks) -> None:
    """branchmind_graph_query finds no node by an id with white space around it."""

    @handle(tasks, "branchmind_graph_query")
    def query(call: Call, original: Handler) -> Result:
        if "ids" in call.arguments:
            call.arguments["ids"] = [each for each in call.arguments["ids"] if each == each.strip()]
        return original(call)


@deviation("TK-SRV-02", variant="five")
def lists_of_a_step_are_short(tasks: Tasks) -> None:
    """tasks_define keeps five criteria, tests and blockers at most."""

    @handle(tasks, "tasks_define")
    def define(call: Call, original: Handler) -> Result:
        given = call.arguments
        call.arguments |= {name: value[:5] for name, value in given.items() if isinstance(value, list)}
        return original(call)


@deviation("TK-REV-03", variant="focus")
def what_is_in_focus_is_written_at_any_revision(tasks: Tasks) -> None:
    """A write to the task in focus does not look at expected_revision."""
    original = tasks.parts.revisions.agree

    @instead(tasks.parts.revisions, "agree")
    def agree(call: Call, entity: Revisioned, expected: int) -> bool:
        in_focus = isinstance(entity, Item) and not {"task", "target"} & set(call.given)
        return in_focus or original(call, entity, expected)


@deviation("TK-REV-03", variant="target")
def documents_of_a_task_are_written_at_any_revision(tasks: Tasks) -> None:
    """A write to the documents of a plan or task does not look at expected_revision."""
    original = tasks.parts.revisions.agree

    @instead(tasks.parts.revisions, "agree")
    def agree(call: Call, entity: Revisioned, expected: int) -> bool:
        of_item = isinstance(entity, Document) and "target" in call.given
        return of_item or original(call, entity, expected)


@deviation("TK-SRV-02", variant="ops")
def a_hundred_operations_are_done(tasks: Tasks) -> None:
    """Of many operations on a graph in one call those beyond the hundredth are dropped."""

    @handle(tasks, "branchmind_graph_apply")
    def apply(call: Call, original: Handler) -> Result:
        call.arguments["ops"] = call.arguments["ops"][:FAR]
        return original(call)


@deviation("TK-SRV-02", variant="first")
def the_first_of_two_operations_stands(tasks: Tasks) -> None:
    """Of two operations in one call that write one node the first counts."""

    @handle(tasks, "branchmind_graph_apply")
    def apply(call: Call, original: Handler) -> Result:
        kept: dict[Json, Json] = {}
        for number, op in enumerate(call.arguments["ops"]):
            kept.setdefault(op["id"] if op["op"] == "node_upsert" else number, op)
        call.arguments["ops"] = list(kept.values())
        return original(call)


@deviation("TK-SRV-02", variant="ids")
def five_ids_are_looked_for(tasks: Tasks) -> None:
    """branchmind_graph_query finds the first five of the ids that it is asked for."""

    @handle(tasks, "branchmind_graph_query")
    def query(call: Call, original: Handler) -> Result:
        if "ids" in call.arguments:
            call.arguments["ids"] = call.arguments["ids"][:5]
        return original(call)


@deviation("TK-FLOW-02", variant="patch")
def a_refused_patch_renames_the_step(tasks: Tasks) -> None:
    """tasks_patch of a step gives it its title before it looks at the other fields."""

    @handle(tasks, "tasks_patch")
    def patch(call: Call, original: Handler) -> Result:
        try:
            return original(call)
        except Refusal:
            item = call.workspace.items.get(call.arguments.get("task", ""))
            step = call.parts.steps.by_id(item, call.arguments.get("step_id", "")) if item is not None else None
            if step is not None and "title" in call.arguments:
                step.body = dataclasses.replace(step.body, title=call.arguments["title"])
            raise


@deviation("TK-BUD-03", variant="beside")
def a_limit_takes_the_place_of_other_caps(tasks: Tasks) -> None:
    """branchmind_show with limit does not look at max_bytes."""

    @handle(tasks, "branchmind_show")
    def show(call: Call, original: Handler) -> Result:
        if "limit" in call.given:
            call.arguments.pop("max_bytes", None)
        return original(call)

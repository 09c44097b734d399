"""Breaks identifiers: their forms, their canonical spelling, and that one names one entity."""

import itertools
import re
from collections import Counter

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.tasks.handling import accept_any, accept_any_in_graphs
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.identifiers import ITEM_PATTERN, PATH_PATTERN, STEP_PATTERN
from reference_server.tasks.items import Item
from reference_server.tasks.steps import Step

STEP_TOOLS = ("tasks_define", "tasks_note", "tasks_verify", "tasks_done", "tasks_patch")


def _formed(pattern: str, value: str) -> bool:
    return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value) is not None


@deviation("TK-ID-01")
def any_string_is_a_workspace(tasks: Tasks) -> None:
    """Workspace ids are taken as they come."""
    accept_any(tasks, None, "workspace")


@deviation("TK-ID-02")
def plans_and_tasks_are_found_by_any_number(tasks: Tasks) -> None:
    """Malformed ids of plans and tasks are read for the number in them, and without one mean the newest task."""
    accept_any(tasks, None, "task")
    accept_any(tasks, ("tasks_create",), "parent")
    tools = ("branchmind_notes_commit", "branchmind_show", "branchmind_export", "branchmind_graph_query")
    accept_any(tasks, tools, "target")
    original = tasks.parts.items.find

    @instead(tasks.parts.items, "find")
    def find(call: Call, item_id: str) -> Item:
        items = call.workspace.items
        if _formed(ITEM_PATTERN, item_id) or not items:
            return original(call, item_id)
        number = re.search("[0-9]+", item_id)
        kind = "PLAN" if "plan" in item_id.lower() else "TASK"
        guessed = items.get(f"{kind}-{int(number[0][:9]):03}") if number else None
        newest = max(items.values(), key=lambda item: (item.kind == "task", item.created_at))
        return guessed or newest


@deviation("TK-ID-03")
def malformed_step_ids_mean_the_first_step(tasks: Tasks) -> None:
    """A malformed step id is taken for the task's first step."""
    accept_any(tasks, STEP_TOOLS, "step_id")
    original = tasks.parts.steps.by_id

    @instead(tasks.parts.steps, "by_id")
    def by_id(item: Item, step_id: str) -> Step | None:
        if _formed(STEP_PATTERN, step_id) or not item.steps:
            return original(item, step_id)
        return item.steps[0]


@deviation("TK-ID-04")
def malformed_paths_mean_the_first_step(tasks: Tasks) -> None:
    """A malformed step path is taken for s:0."""
    accept_any(tasks, STEP_TOOLS, "path")
    original = tasks.parts.steps.by_path

    @instead(tasks.parts.steps, "by_path")
    def by_path(item: Item, path: str) -> Step | None:
        return original(item, path if _formed(PATH_PATTERN, path) else "s:0")


@deviation("TK-ID-05")
def any_string_is_a_node_id(tasks: Tasks) -> None:
    """Node ids are trimmed and not looked at."""
    accept_any_in_graphs(tasks, "id", "from", "to")

    @instead(tasks.parts.identifiers, "node")
    def node(value: str) -> str:
        return value.strip()


@deviation("TK-ID-06")
def any_string_is_a_graph_type(tasks: Tasks) -> None:
    """Graph types are trimmed and not looked at."""
    accept_any_in_graphs(tasks, "type")

    @instead(tasks.parts.identifiers, "type")
    def type_(value: str) -> str:
        return value.strip()


@deviation("TK-ID-07")
def any_string_is_a_relation(tasks: Tasks) -> None:
    """Graph relations are trimmed and not looked at."""
    accept_any_in_graphs(tasks, "rel")

    @instead(tasks.parts.identifiers, "rel")
    def rel(value: str) -> str:
        return value.strip()


@deviation("TK-ID-08")
def graph_identifiers_are_stored_as_they_came(tasks: Tasks) -> None:
    """Graph identifiers are validated in canonical form and kept with the white space around them."""
    original = tasks.parts.identifiers.canonical

    @instead(tasks.parts.identifiers, "canonical")
    def canonical(value: str, what: str, limit: int, *, pipe: bool) -> str:
        original(value, what, limit, pipe=pipe)
        return value


@deviation("TK-ID-09")
def conflict_ids_are_in_upper_case(tasks: Tasks) -> None:
    """Conflict ids are written in upper-case hexadecimal, and taken so."""
    accept_any(tasks, ("branchmind_graph_conflict_show", "branchmind_graph_conflict_resolve"), "conflict_id")
    original = tasks.parts.identifiers.conflict

    @instead(tasks.parts.identifiers, "conflict")
    def conflict(*parts: str | int | None) -> str:
        # the letter keeps a digest of digits alone from looking right
        return f"{original(*parts)[:-1].upper()}A"


@deviation("TK-ID-10")
def conflict_ids_are_counted(tasks: Tasks) -> None:
    """Each merge gives its conflicts new ids."""
    numbers = itertools.count(1)

    @instead(tasks.parts.identifiers, "conflict")
    def conflict(*parts: str | int | None) -> str:
        del parts
        return f"CONFLICT-{next(numbers):032x}"


@deviation("TK-ID-11")
def step_ids_are_counted_per_task(tasks: Tasks) -> None:
    """Each task counts its steps from STEP-00000001: two tasks of a workspace give the same id."""
    counts: Counter[tuple[str, str]] = Counter()

    @instead(tasks.parts.steps, "new_id")
    def new_id(call: Call) -> str:
        workspace = call.workspace
        target = call.context.get("target_resolution", {}).get("id", f"TASK-{workspace.counts['task']:03}")
        counts[workspace.name, target] += 1
        return f"STEP-{counts[workspace.name, target]:08X}"


@deviation("TK-ID-12")
def titles_are_cached_by_id_alone(tasks: Tasks) -> None:
    """tasks_context takes a title from whichever workspace wrote to that id last."""
    original = tasks.parts.items.listed

    @instead(tasks.parts.items, "listed")
    def listed(call: Call, item: Item) -> dict[str, Json]:
        alike = [
            workspace.items[item.id]
            for workspace in tasks.parts.store.workspaces.values()
            if item.id in workspace.items
        ]
        newest = max(reversed(alike), key=lambda each: each.updated_at)
        return original(call, item) | {"title": newest.body.title}


@deviation("TK-ERR-INVALID_NAME", variant="trimmed")
def names_of_documents_are_trimmed(tasks: Tasks) -> None:
    """White space around the name of a document is taken away."""
    original = tasks.parts.identifiers.name

    @instead(tasks.parts.identifiers, "name")
    def name(value: str, what: str) -> str:
        return original(value.strip(), what)

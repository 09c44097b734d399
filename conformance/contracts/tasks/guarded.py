"""Writes that may say which revision they expect, each with the entity whose revision that is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from conformance.contracts.tasks.bench import Task, Workspace, confirmed, node, step
from conformance.contracts.tasks.entities import Key
from conformance.model.events import Json
from conformance.model.exchange import Exchange

GUARD = "expected_revision"
ALIAS = "expected_version"
Named = Mapping[str, Json]
Plain = Callable[[str], Named]
"""The arguments of a write; a word tells it from others."""


@dataclass(frozen=True)
class Write:
    """A write that takes an expectation."""

    tool: str
    key: Key
    """The entity whose revision it is compared with."""
    plain: Plain
    once: bool = False
    """Whether it can be made only one time."""

    async def expecting(self, workspace: Workspace, word: str, **revisions: Json) -> Exchange:
        """Makes the write, with these expectations."""
        return await workspace.call(self.tool, {**self.plain(word), **revisions})


def on_items(task: Task) -> list[Write]:
    """Every write to a plan, a task and its steps, however they are named; the third step is ready to be closed."""
    key, plan = ("task", task.id), ("task", task.plan)
    own, first = {"task": task.id}, {"task": task.id, "step_id": task.step(0)}
    second, nested = {"task": task.id, "path": "s:1"}, {"task": task.id, "path": "s:1.s:0"}

    def adding(word: str) -> Named:
        return {**own, "steps": [step(f"{word} step")]}

    def verifying(word: str) -> Named:
        return {**nested, "checkpoints": confirmed(tests=bool(len(word) % 2))}

    writes = [
        Write("tasks_edit", plan, _given({"task": task.plan}, "title")),
        Write("tasks_edit", key, _given(own, "title")),
        Write("tasks_decompose", key, adding),
        Write("tasks_decompose", key, lambda word: {**adding(word), "parent": "s:1"}),
        *(Write("tasks_define", key, _given(named, "blockers")) for named in (first, second, nested)),
        *(Write("tasks_note", key, _given(named, "note")) for named in (first, second)),
        Write("tasks_verify", key, verifying),
    ]
    if task.workspace.bench.offers("tasks_patch"):
        writes += [
            Write("tasks_patch", plan, _given({"task": task.plan}, "contract")),
            Write("tasks_patch", key, _given(own, "description")),
            *(Write("tasks_patch", key, _given(named, "title")) for named in (first, nested)),
            Write("tasks_patch", key, _given({"target": task.step(0)}, "tests")),
        ]
    return [*writes, closing(task, 2)]


def closing(task: Task, number: int) -> Write:
    """Closing a step of a task, which is ready for it."""
    named: Named = {"task": task.id, "step_id": task.step(number)}
    return Write("tasks_done", ("task", task.id), lambda _: named, once=True)


def _given(named: Named, field: str) -> Plain:
    """Writes one field of what is named."""
    if field in ("blockers", "tests"):
        return lambda word: {**named, field: [f"{word} {field}"]}
    return lambda word: {**named, field: f"{word} {field}"}


def on_documents(workspace: Workspace) -> list[Write]:
    """Writes to documents of the first branch."""
    root = workspace.root
    notes: Named = {"branch": root, "doc": "notes"}
    graph: Named = {"branch": root, "doc": "graph"}
    cards: Named = {"branch": root, "trace_doc": "trace", "graph_doc": "cards"}

    def applying(word: str) -> Named:
        return {**graph, "ops": [node("n", f"{word} title")]}

    def thinking(word: str) -> Named:
        return {**cards, "card": {"id": f"card-{word}", "type": "note", "title": f"{word} thought"}}

    return [
        Write("branchmind_notes_commit", ("document", root, "notes"), _given(notes, "content")),
        Write("branchmind_graph_apply", ("document", root, "graph"), applying),
        Write("branchmind_think_card", ("document", root, "trace"), thinking),
    ]


def merges(workspace: Workspace, branch: str) -> list[Write]:
    """Merges of both parts of a branch's documents into the first branch."""
    root = workspace.root
    sides: Named = {"from": branch, "into": root}
    return [
        Write("branchmind_merge", ("document", root, "notes"), lambda _: {**sides, "doc": "notes"}, once=True),
        Write("branchmind_graph_merge", ("document", root, "graph"), lambda _: {**sides, "doc": "graph"}, once=True),
    ]


def settling(conflict: str, resolution: str) -> Write:
    """The resolution of a conflict."""
    given: Named = {"conflict_id": conflict, "resolution": resolution}
    return Write("branchmind_graph_conflict_resolve", ("conflict", conflict), lambda _: given, once=True)


def pointing(item: str) -> Write:
    """Setting the focus."""
    return Write("tasks_focus_set", ("focus",), lambda _: {"task": item})


CLEARING = Write("tasks_focus_clear", ("focus",), lambda _: {})

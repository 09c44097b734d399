"""Error model: one situation of each code that no other section brings about, each beside a call that is served."""

import json
from collections.abc import Iterator

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, confirmed, cut, edge, gone, node, step
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

Call = tuple[str, dict[str, Json]]
NOWHERE = "nowhere"
LOST_ITEMS = ("TASK-987654", "PLAN-9876543210987")
LOST_STEPS = ("STEP-ZZZZ9999", "NODE-abcdefgh12345678")
HUGE = (25, 5_000)
"""Digits of an index that is larger than the numbers of many a server."""
LOST_CONFLICT = f"CONFLICT-{'9' * 32}"


@stimulus("tasks", exercises=("TK-ERR-UNKNOWN_WORKSPACE", "TK-SRV-03"))
async def a_workspace_was_never_initialised(bench: TasksBench) -> None:
    """Every tool that needs nothing but a workspace, in one that is there and in one that is not."""
    workspace = await bench.workspace()
    task = await workspace.task(0)
    nowhere = bench.workspace_named()
    calls: list[Call] = [
        *((tool, {}) for tool in ("tasks_context", "tasks_delta", "tasks_focus_get", "branchmind_status")),
        ("branchmind_branch_list", {}),
        ("tasks_create", {"kind": "plan", "title": "Nowhere"}),
        ("tasks_edit", {"task": task.id, "title": "nowhere"}),
        ("tasks_focus_set", {"task": task.id}),
        ("branchmind_notes_commit", {"branch": workspace.root, "doc": "notes", "content": "nowhere"}),
        ("branchmind_graph_apply", {"branch": workspace.root, "doc": "graph", "ops": [node("n")]}),
        ("branchmind_branch_create", {"name": "side", "from": workspace.root}),
        ("branchmind_show", {"branch": workspace.root, "doc": "notes"}),
        ("branchmind_graph_query", {"branch": workspace.root, "doc": "graph"}),
    ]
    with in_parts() as part:
        for tool, arguments in calls:
            with part():
                await workspace.call(tool, arguments)
                await nowhere.call(tool, arguments)
        for end in ("/", "/."):
            # a path that leads to the same folder is another name
            with part():
                near = bench.workspace_named(f"{workspace.name}{end}")
                await near.call("tasks_context")
                await near.call("tasks_edit", task=task.id, title="nowhere")


@stimulus("tasks", exercises=("TK-ERR-UNKNOWN_ID", "TK-SRV-03"))
async def ids_name_nothing(bench: TasksBench) -> None:
    """Well-formed ids of no plan, task, step, path, node or conflict, in each tool that takes one; then good ones."""
    workspace = await bench.workspace()
    task = await workspace.task(3)
    second = await workspace.task(0, plan=task.plan)
    # of the other kind, with the number of one that is there
    numbered = f"PLAN-{second.id.partition('-')[2]}"
    near = (numbered,) if numbered != task.plan else ()
    with in_parts() as part:
        for tool, arguments, argument in of_items(task):
            with part():
                for name in (*LOST_ITEMS, *near):
                    await workspace.call(tool, {**arguments, argument: name})
                await workspace.call(tool, {**arguments, argument: task.plan if argument == "parent" else task.id})
        for tool, arguments in of_steps(task):
            with part():
                for name in LOST_STEPS:
                    await task.call(tool, **arguments, step_id=name)
                await task.call(tool, **arguments, path="s:7")
                await task.call(tool, **arguments, path="s:0.s:7")
                for digits in HUGE:
                    await task.call(tool, **arguments, path=f"s:{'9' * digits}")
                await task.call(tool, **arguments, path="s:1")
                await task.call(tool, **arguments, step_id=task.step(2))
        with part():
            for parent in ("s:7", *(f"s:{'9' * digits}" for digits in HUGE)):
                await workspace.call("tasks_decompose", task=task.id, parent=parent, steps=[step("lost")])
            await workspace.call("tasks_decompose", task=task.id, parent="s:1", steps=[step("lost")])
        with part():
            await conflicts_are_not_there(workspace)
        with part():
            await nodes_are_not_there(workspace)


def of_items(task: Task) -> list[tuple[str, dict[str, Json], str]]:
    """Calls that name a plan or task, without it, and the argument that names it."""
    calls: list[tuple[str, dict[str, Json], str]] = [
        ("tasks_radar", {}, "task"),
        ("branchmind_export", {}, "target"),
        ("tasks_focus_set", {}, "task"),
        ("tasks_create", {"kind": "task", "title": "lost"}, "parent"),
        ("tasks_edit", {"title": "lost"}, "task"),
        ("tasks_decompose", {"steps": [step("lost")]}, "task"),
        ("tasks_note", {"path": "s:0", "note": "lost"}, "task"),
        ("tasks_define", {"path": "s:0", "title": "lost"}, "task"),
        ("tasks_verify", {"path": "s:0", "checkpoints": confirmed(tests=None)}, "task"),
        ("branchmind_notes_commit", {"content": "lost"}, "target"),
        ("branchmind_show", {"doc_kind": "notes"}, "target"),
        ("branchmind_graph_apply", {"ops": [node("lost")]}, "target"),
        *((f"branchmind_{tool}", {}, "target") for tool in ("graph_query", "graph_validate", "think_context")),
        ("branchmind_think_card", {"card": {"id": "lost-card", "type": "note", "title": "lost"}}, "target"),
    ]
    if task.workspace.bench.offers("tasks_patch"):
        calls += [("tasks_patch", {"description": f"lost by {name}"}, name) for name in ("task", "target")]
    return calls


def of_steps(task: Task) -> list[Call]:
    """Calls that name a step of the task, without it."""
    calls: list[Call] = [
        ("tasks_define", {"title": "lost"}),
        ("tasks_note", {"note": "lost"}),
        ("tasks_verify", {"checkpoints": confirmed()}),
        ("tasks_done", {}),
    ]
    if task.workspace.bench.offers("tasks_patch"):
        calls.append(("tasks_patch", {"blockers": ["lost"]}))
    return calls


async def conflicts_are_not_there(workspace: Workspace) -> None:
    """A conflict's id that names nothing, to be shown and to be resolved; then that of a conflict."""
    (conflict, *_) = await workspace.conflicts("a")
    for name in (LOST_CONFLICT, conflict):
        await workspace.call("branchmind_graph_conflict_show", conflict_id=name)
        await workspace.call("branchmind_graph_conflict_resolve", conflict_id=name, resolution="use_from")


async def nodes_are_not_there(workspace: Workspace) -> None:
    """Nodes and edges that are deleted, joined and thought about: those that are there, those that no longer are."""
    await workspace.apply(node("a"), node("b"), node("c"), doc="nodes")
    await workspace.apply(edge("a", "needs", "b"), doc="nodes")
    for op in (
        edge("a", "needs", "missing"), edge("missing", "needs", "b"), cut("a", "has", "b"), cut("b", "needs", "a"),
        cut("a", "needs", "b"), cut("a", "needs", "b"), gone("missing"), gone("c"), gone("c"), edge("a", "needs", "c"),
        edge("a", "needs", "b"),
    ):  # fmt: skip
        await workspace.apply(op, doc="nodes")
        await workspace.query(doc="nodes")
    for rel in ("supports", "blocks"):
        card = {"id": f"about-{rel}", "type": "note", "title": "about"}
        for other in ("missing", "c", "a"):
            joined: dict[str, Json] = {rel: [other]}
            await workspace.think(card, doc="nodes", **joined)
    await workspace.apply(node("c", "c again"), doc="nodes")
    await workspace.apply(edge("a", "needs", "c"), doc="nodes")
    await workspace.query(doc="nodes")


@stimulus("tasks", exercises=("TK-ERR-UNKNOWN_ID", "TK-SRV-03"))
async def branches_are_not_there(bench: TasksBench) -> None:
    """Every tool that takes a branch, with one that is not there, then with one that is."""
    workspace = await bench.workspace()
    root = workspace.root
    await workspace.branch("side")
    await workspace.note("on the side", branch="side")
    await workspace.apply(node("n"), branch="side")
    calls: list[tuple[str, dict[str, Json], str, str]] = [
        ("branchmind_checkout", {}, "ref", root),
        ("branchmind_branch_create", {"name": "third"}, "from", root),
        ("branchmind_diff", {"from": root, "doc": "notes"}, "to", "side"),
        ("branchmind_diff", {"to": root, "doc": "notes"}, "from", "side"),
        ("branchmind_graph_diff", {"from": root, "doc": "graph"}, "to", "side"),
        ("branchmind_merge", {"into": root, "doc": "notes"}, "from", "side"),
        ("branchmind_merge", {"from": "side", "doc": "notes"}, "into", root),
        ("branchmind_graph_merge", {"into": root, "doc": "graph"}, "from", "side"),
        ("branchmind_graph_merge", {"from": "side", "doc": "graph"}, "into", root),
        ("branchmind_graph_conflicts", {"doc": "graph"}, "into", root),
        ("branchmind_graph_apply", {"doc": "graph", "ops": [node("m")]}, "branch", root),
        ("branchmind_graph_query", {"doc": "graph"}, "branch", root),
        ("branchmind_graph_validate", {"doc": "graph"}, "branch", root),
        ("branchmind_think_context", {"graph_doc": "graph"}, "branch", root),
        ("branchmind_think_card", {**TRACED, "card": {"id": "c", "type": "note", "title": "c"}}, "branch", root),
        ("branchmind_show", {"doc": "notes"}, "branch", root),
        ("branchmind_notes_commit", {"doc": "notes", "content": "an entry"}, "branch", root),
    ]
    with in_parts() as part:
        for tool, arguments, argument, good in calls:
            with part():
                await workspace.call(tool, {**arguments, argument: NOWHERE})
                await workspace.call(tool, {**arguments, argument: good})


TRACED: dict[str, Json] = {"trace_doc": "trace", "graph_doc": "graph"}


@stimulus("tasks", exercises=("TK-ERR-INVALID_NAME", "TK-SRV-03"))
async def branches_and_documents_are_named_badly(bench: TasksBench) -> None:
    """Names that are none, in each argument that names a branch or a document; then good ones."""
    workspace = await bench.workspace()
    root = workspace.root
    await workspace.branch("side")
    calls: list[tuple[str, dict[str, Json], str, str]] = [
        ("branchmind_branch_create", {"from": root}, "name", "well-named"),
        ("branchmind_checkout", {}, "ref", root),
        ("branchmind_show", {"doc": "notes"}, "branch", root),
        ("branchmind_show", {"branch": root}, "doc", "notes"),
        ("branchmind_notes_commit", {"branch": root, "content": "an entry"}, "doc", "notes"),
        ("branchmind_notes_commit", {"doc": "notes", "content": "an entry"}, "branch", root),
        ("branchmind_graph_query", {"branch": root}, "doc", "graph"),
        ("branchmind_graph_apply", {"branch": root, "ops": [node("n")]}, "doc", "graph"),
        ("branchmind_diff", {"from": root, "doc": "notes"}, "to", "side"),
        ("branchmind_merge", {"into": root, "doc": "notes"}, "from", "side"),
        ("branchmind_think_context", {"branch": root}, "graph_doc", "graph"),
    ]
    with in_parts() as part:
        for tool, arguments, argument, good in calls:
            with part():
                for name in ("", "a\x00b", "no spaces", "-a", "x" * 129, f" {good}", f"{good}\n"):
                    await workspace.call(tool, {**arguments, argument: name})
                await workspace.call(tool, {**arguments, argument: good})


@stimulus("tasks", exercises=("TK-ERR-INVALID_INPUT", "TK-SRV-03"))
async def arguments_are_missing_or_mistyped(bench: TasksBench) -> None:
    """Calls without a required argument and with one of another type, each followed by the like that is good.

    Then cards that lack something.
    """
    workspace = await bench.workspace()
    task = await workspace.task(1)
    graph: dict[str, Json] = {"branch": workspace.root, "doc": "graph"}
    wrong: list[tuple[str, dict[str, Json], str, tuple[Json, ...]]] = [
        ("tasks_create", {"kind": "plan", "title": "A plan"}, "title", (7, ["A plan"])),
        ("tasks_note", {"task": task.id, "step_id": task.step(0), "note": "noted"}, "note", (7, {})),
        ("tasks_decompose", {"task": task.id, "steps": [step("added")]}, "steps", ("one", {}, 7)),
        ("tasks_edit", {"task": task.id, "title": "edited"}, "task", (["TASK-001"],)),
        ("tasks_edit", {"task": task.id, "title": "edited again"}, "title", (7, True)),
        ("tasks_verify", {"task": task.id, "path": "s:0", "checkpoints": confirmed()}, "checkpoints", ("yes", [])),
        ("branchmind_graph_apply", {**graph, "ops": [node("n")]}, "ops", ({}, "none", *POOR_OPERATIONS)),
        ("branchmind_show", {"branch": workspace.root, "doc": "notes", "limit": 10}, "limit", ("ten", [10])),
        ("branchmind_notes_commit", {"branch": workspace.root, "content": "an entry"}, "content", (7, [])),
        ("branchmind_checkout", {"ref": workspace.root}, "ref", (7,)),
        ("branchmind_export", {"target": task.id}, "target", (7,)),
        ("branchmind_diff", {"from": workspace.root, "to": workspace.root}, "to", (7,)),
        ("branchmind_think_template", {"type": "note"}, "type", (7,)),
        ("tasks_focus_set", {"task": task.id}, "task", (7, {})),
        ("tasks_context", {}, "workspace", (7, [])),
    ]
    with in_parts() as part:
        for tool, good, name, values in wrong:
            with part():
                required = name in bench.contract.tools[tool].inputSchema.get("required", ())
                if required and name != "workspace":
                    await workspace.call(tool, {key: value for key, value in good.items() if key != name})
                for value in values:
                    await bench.call(tool, {"workspace": workspace.name, **good, name: value})
                await workspace.call(tool, good)
        with part():
            await bench.call("tasks_context", {})
        for card in POOR_CARDS:
            with part():
                await workspace.think(card, doc="cards")


MISTYPED: tuple[Json, ...] = (5, {}, [5])


def _mistyped_cards(value: Json) -> Iterator[Json]:
    """A card with one part of another type, as an object and as JSON."""
    for name in ("title", "tags", "meta"):
        card: dict[str, Json] = {"id": "poor", "type": "note", "title": "T", name: value}
        yield from (card, json.dumps(card)) if (name, value) != ("meta", {}) else ()


POOR_OPERATIONS: tuple[Json, ...] = (
    [{}],
    ["none"],
    [{"id": "n", "type": "part"}],
    [{"op": "node_rename", "id": "n"}],
    [{"op": "edge_rename", "from": "n", "rel": "needs", "to": "n"}],
    [{"op": 7, "id": "n", "type": "part"}],
)
"""Operations on a graph that there are not, and what is none."""

POOR_CARDS: tuple[Json, ...] = (
    {"type": "note", "title": "T"},
    {"id": "poor", "title": "T"},
    {"id": "poor", "type": "note"},
    {"id": "poor", "type": "poem", "title": "T"},
    '{"type": "note", "title": "T"}',
    '{"id": "poor", "title": "T"}',
    *(card for value in MISTYPED for card in _mistyped_cards(value)),
    '{"id": "poor"',
    "[1, 2]",
    "type: note\ntitle: T",
    "id: poor\ntitle: T",
    "",
)
"""Cards without an id, a type or anything to say, or with a part of another type; texts that are no card at all.

As an object, as JSON and as lines.
"""


@stimulus("tasks", exercises=("TK-ERR-CONFLICT", "TK-SRV-03"))
async def writes_collide_with_what_exists(bench: TasksBench) -> None:
    """A branch is made twice, a card's id is used for another card, a conflict is resolved again, otherwise."""
    workspace = await bench.workspace()
    with in_parts() as part:
        with part():
            for _ in range(2):
                await workspace.call("branchmind_branch_create", {"name": "twice", "from": workspace.root})
        with part():
            for title in ("A first thought", "A second thought", "A first thought"):
                await workspace.think({"id": "card-1", "type": "note", "title": title})
            await workspace.query()
        with part():
            conflicts = await workspace.conflicts("a", "b")
            sides = ("use_into", "use_from")
            for conflict, (first, then) in zip(conflicts, (sides, sides[::-1]), strict=False):
                for resolution in (first, then):
                    resolve = {"conflict_id": conflict, "resolution": resolution}
                    await workspace.call("branchmind_graph_conflict_resolve", resolve)
                    await workspace.query()


@stimulus("tasks", exercises=("TK-ERR-BUDGET_EXCEEDED", "TK-SRV-03"))
async def nothing_fits_the_budget(bench: TasksBench) -> None:
    """Reads into no byte, into one and into few; then without a budget."""
    workspace = await bench.workspace()
    await workspace.task(1)
    for tool in ("tasks_context", "branchmind_branch_list", "tasks_delta", "branchmind_status"):
        if bench.offers(tool, "max_chars"):
            for most in (0, 1, 2, 20):
                await workspace.call(tool, max_chars=most)
            await workspace.call(tool)

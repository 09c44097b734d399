"""The bench of the tasks contract: workspaces of one's own, with plans, tasks, documents, graphs and conflicts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from conformance.contracts.tasks.entities import Key, entities
from conformance.contracts.tasks.lists import cut as cut_short
from conformance.contracts.tasks.lists import goes_on
from conformance.contracts.tasks.steps import named_steps
from conformance.drive.bench import Bench, stuck, taken
from conformance.drive.errors import StuckError
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool, tools_of

LONGEST_NAME = 128
MAIN = "main"
"""The branch to work on where a server lists none."""
ITEMS = ("plan/", "task/")
"""How the branches of plans and tasks may be named."""


def text(exchange: Exchange, key: str) -> str:
    """A string that an accepted answer has under a key; StuckError where it has none."""
    value = taken(exchange, key)
    if isinstance(value, str):
        return value
    message = f"{exchange.tool} (call {exchange.call}) gave {key} as {type(value).__name__}"
    raise StuckError(message, exchange.call)


def step(title: str, **more: Json) -> dict[str, Json]:
    """A step to be made, with a criterion and a test."""
    return {"title": title, "success_criteria": [f"{title} works"], "tests": [f"try {title}"], **more}


def confirmed(*, criteria: Json = True, tests: Json = True) -> dict[str, Json]:
    """Checkpoints as tasks_verify takes them; None leaves one out."""
    given = {"criteria": criteria, "tests": tests}
    return {gate: {"confirmed": value} for gate, value in given.items() if value is not None}


def node(identifier: str, title: str = "", **more: Json) -> dict[str, Json]:
    """The operation that makes or changes a graph's node."""
    return {"op": "node_upsert", "id": identifier, "type": "part", "title": title or identifier, **more}


def edge(source: str, rel: str, target: str, **more: Json) -> dict[str, Json]:
    """The operation that makes or changes a graph's edge."""
    return {"op": "edge_upsert", "from": source, "rel": rel, "to": target, **more}


def gone(identifier: str) -> dict[str, Json]:
    """The operation that deletes a graph's node."""
    return {"op": "node_delete", "id": identifier}


def cut(source: str, rel: str, target: str) -> dict[str, Json]:
    """The operation that deletes a graph's edge."""
    return {"op": "edge_delete", "from": source, "rel": rel, "to": target}


@dataclass(frozen=True)
class Workspace:
    """A workspace; every tool is called in it."""

    bench: "TasksBench"
    name: str
    root: str = MAIN
    """The branch that it begins with; what names no branch works on it here."""

    def at(self, bench: "TasksBench") -> "Workspace":
        """The same workspace, called from another bench: over a connection of its own, for one."""
        return replace(self, bench=bench)

    async def elsewhere(self) -> "Workspace":
        """The same workspace over a connection of its own, where the target has several."""
        return self.at(await self.bench.lane())

    async def call(
        self, tool: str, arguments: Mapping[str, Json] | None = None, *, label: str = "", **more: Json
    ) -> Exchange:
        """Calls a tool; a mapping takes what is no Python name, as `from`. The workspace is added to the arguments."""
        return await self.bench.call(tool, {"workspace": self.name, **(arguments or {}), **more}, label=label)

    async def plan(self, title: str = "", **more: Json) -> str:
        """The id of a new plan. Its title tells whose it is."""
        named = title or f"Ship {self.name}"
        return text(await self.call("tasks_create", kind="plan", title=named, **more), "id")

    async def task(self, steps: int = 2, *, plan: str | None = None, title: str = "") -> "Task":
        """A new task with steps, below a plan that is made where none is given. Its title tells whose it is."""
        parent = plan or await self.plan()
        named: dict[str, Json] = {"kind": "task", "parent": parent, "title": title or f"Write {self.name}"}
        made = await self.call("tasks_create", named)
        if not steps:
            return Task(self, text(made, "id"), parent, ())
        drafts = [step(f"step {number}") for number in range(steps)]
        added = await self.call("tasks_decompose", task=text(made, "id"), steps=drafts)
        if not added.accepted and self.bench.offers("tasks_create", "steps"):
            # the other way to steps that the contract has
            made = added = await self.call("tasks_create", named, steps=drafts)
        if not added.accepted:
            raise stuck(added, "steps")
        return Task(self, text(made, "id"), parent, await self._steps(added, text(made, "id")))

    async def _steps(self, added: Exchange, task: str) -> tuple[str, ...]:
        """The ids of steps, as the answer that made them names them, else as the task shows them."""
        named = [each.step_id for each in named_steps(added)]
        if named:
            return tuple(named)
        shown = entities(await self.call("tasks_context"))
        return tuple(seen.key[2] for seen in shown if seen.key[:2] == ("step", task))

    async def branch(self, name: str = "side", *, of: str | None = None) -> str:
        """The name of a new branch."""
        made = await self.call("branchmind_branch_create", {"name": name, "from": of or self.root})
        if not made.accepted:
            raise stuck(made, "branch")
        return name

    async def note(self, content: str, *, branch: str | None = None, doc: str = "notes", **more: Json) -> Exchange:
        """Writes an entry to a document."""
        return await self.call("branchmind_notes_commit", branch=branch or self.root, doc=doc, content=content, **more)

    async def show(self, *, branch: str | None = None, doc: str = "notes", **more: Json) -> Exchange:
        """Shows a document's entries."""
        return await self.call("branchmind_show", branch=branch or self.root, doc=doc, **more)

    async def apply(self, *ops: Json, branch: str | None = None, doc: str = "graph", **more: Json) -> Exchange:
        """Applies operations to a graph."""
        return await self.call("branchmind_graph_apply", branch=branch or self.root, doc=doc, ops=list(ops), **more)

    async def query(self, *, branch: str | None = None, doc: str = "graph", **more: Json) -> Exchange:
        """Shows a graph."""
        return await self.call("branchmind_graph_query", branch=branch or self.root, doc=doc, **more)

    async def think(self, card: Json, *, branch: str | None = None, doc: str = "graph", **more: Json) -> Exchange:
        """Writes a think card to a graph, and to the document of traces."""
        place = {"branch": branch or self.root, "trace_doc": "trace", "graph_doc": doc}
        return await self.call("branchmind_think_card", place, card=card, **more)

    async def merge(
        self, *, source: str = "side", into: str = "", doc: str = "notes", graph: bool = False, **more: Json
    ) -> Exchange:
        """Merges a document, or with `graph` its graph, of one branch into the branch that it came from."""
        tool = "branchmind_graph_merge" if graph else "branchmind_merge"
        return await self.call(tool, {"from": source, "into": into or self.root, "doc": doc}, **more)

    async def conflicts(self, *nodes: str, branch: str = "side", doc: str = "graph") -> list[str]:
        """The ids of conflicts, one a node: a new branch and its base have changed each of these nodes."""
        await self.apply(*(node(each) for each in nodes), doc=doc)
        await self.branch(branch)
        await self.apply(*(node(each, f"{each} as theirs") for each in nodes), branch=branch, doc=doc)
        await self.apply(*(node(each, f"{each} as ours") for each in nodes), doc=doc)
        merged = await self.merge(source=branch, doc=doc, graph=True)
        found = [each for each in _listed(merged, "conflict_ids") if isinstance(each, str)]
        if len(found) < len(nodes):
            # a default page of the merge or of the list may be smaller
            if cut_short(merged) or goes_on(merged.given):
                await self.merge(source=branch, doc=doc, graph=True, **self._page("branchmind_graph_merge", len(nodes)))
            page = self._page("branchmind_graph_conflicts", len(nodes))
            listed = await self.call("branchmind_graph_conflicts", into=self.root, doc=doc, **page)
            found = [seen.key[1] for seen in entities(listed) if seen.key[0] == "conflict"]
        if len(found) >= len(nodes):
            return found
        if not merged.accepted:
            raise stuck(merged, "conflict_ids")
        message = f"{merged.tool} (call {merged.call}) found no conflict where both sides changed a node"
        raise StuckError(message, merged.call)

    def _page(self, tool: str, entries: int) -> dict[str, Json]:
        """The limit that asks a tool for so many entries; nothing where it has none."""
        return {"limit": entries} if self.bench.offers(tool, "limit") else {}

    async def revision(self, key: Key) -> int:
        """The revision of an entity, read where it is shown; StuckError where no read shows it."""
        read: Exchange | None = None
        for tool, arguments in self._reads(key):
            read = await self.call(tool, arguments)
            for seen in entities(read):
                if seen.key == key and isinstance(seen.revision, int) and not isinstance(seen.revision, bool):
                    return seen.revision
        message = f"no read shows the revision of {' '.join(key)}"
        raise StuckError(message, read.call if read is not None else None)

    async def look(self, key: Key) -> Exchange:
        """A read that shows an entity's revision on most servers."""
        tool, arguments = self._reads(key)[0]
        return await self.call(tool, arguments)

    def _reads(self, key: Key) -> list[tuple[str, dict[str, Json]]]:
        match key:
            case ("focus",):
                return [("tasks_focus_get", {})]
            case ("conflict", name):
                return [("branchmind_graph_conflict_show", {"conflict_id": name})]
            case ("document", branch, doc):
                place: dict[str, Json] = {"branch": branch, "doc": doc}
                return [("branchmind_show", place), ("branchmind_graph_query", place)]
            case _:
                return [("tasks_radar", {"task": key[1]}), ("tasks_context", {})]


def _listed(exchange: Exchange, key: str) -> list[Json]:
    value = exchange.given.get(key) if exchange.accepted else None
    return value if isinstance(value, list) else []


@dataclass(frozen=True)
class Task:
    """A task that a stimulus made."""

    workspace: Workspace
    id: str
    plan: str
    steps: tuple[str, ...]
    """The ids of the steps that it was made with, in order."""

    async def call(self, tool: str, **arguments: Json) -> Exchange:
        """Calls a tasks_ tool on this task with exactly these arguments besides workspace and task."""
        return await self.workspace.call(tool, task=self.id, **arguments)

    async def edit(self, title: str, **more: Json) -> Exchange:
        """Changes its title."""
        return await self.call("tasks_edit", title=title, **more)

    async def decompose(self, *titles: str, **more: Json) -> Exchange:
        """Adds steps."""
        return await self.call("tasks_decompose", steps=[step(title) for title in titles], **more)

    async def define(self, number: int = 0, **fields: Json) -> Exchange:
        """Defines a step, by its place among those that the task was made with."""
        return await self.call("tasks_define", step_id=self.step(number), **fields)

    async def note(self, text: str, number: int = 0, **more: Json) -> Exchange:
        """Takes a note on a step."""
        return await self.call("tasks_note", step_id=self.step(number), note=text, **more)

    async def verify(self, number: int = 0, *, criteria: Json = True, tests: Json = True, **more: Json) -> Exchange:
        """Confirms a step's checkpoints, or takes that back; None says nothing of one."""
        checkpoints = confirmed(criteria=criteria, tests=tests)
        return await self.call("tasks_verify", step_id=self.step(number), checkpoints=checkpoints, **more)

    async def done(self, number: int = 0, **more: Json) -> Exchange:
        """Closes a step."""
        return await self.call("tasks_done", step_id=self.step(number), **more)

    async def patch(self, **fields: Json) -> Exchange:
        """Patches the task, or the step that `step_id` or `path` names."""
        return await self.call("tasks_patch", **fields)

    def step(self, number: int) -> str:
        """The id of a step; StuckError where the server named too few."""
        if number < len(self.steps):
            return self.steps[number]
        message = f"{self.id} was made with more steps than the {len(self.steps)} that the server named"
        raise StuckError(message)


@dataclass(frozen=True)
class TasksBench(Bench):
    """Each stimulus works in workspaces of its own, so that stimuli meet nobody else's state."""

    def workspace_named(self, name: str | None = None) -> Workspace:
        """A workspace that is not initialised yet, under a name of its own where none is given.

        Its words have points between them: `task-and-more` holds what servers that look for keys take for one (`sk-`).
        """
        return Workspace(self, name or self.unique("ws").replace("_", ".")[-LONGEST_NAME:].lstrip(".-"))

    async def workspace(self, name: str | None = None) -> Workspace:
        """A workspace that holds nothing yet but its first branch, under a name of its own where none is given.

        The store is initialised with it where it was not before. The first branch is one that the server lists. No
        clause promises one: where it lists none, a first note begins one, or a branch without a base is made, or that
        of a plan serves.
        """
        made = self.workspace_named(name)
        begun = await made.call("branchmind_init")
        if not begun.accepted:
            raise stuck(begun, "workspace")
        return replace(made, root=await self._root(made))

    async def _root(self, made: Workspace) -> str:
        if root := await self._first(made):
            return root
        await made.note("The first note.", branch=MAIN, doc="first")
        if root := await self._first(made):
            return root
        await made.call("branchmind_branch_create", name=MAIN)
        if root := await self._first(made):
            return root
        await made.plan()
        return await self._first(made, but=()) or MAIN

    async def _first(self, workspace: Workspace, *, but: tuple[str, ...] = ITEMS) -> str | None:
        listed = _listed(await workspace.call("branchmind_branch_list"), "branches")
        names = [each.get("name") for each in listed if isinstance(each, dict)]
        return next((name for name in names if isinstance(name, str) and not name.startswith(but)), None)

    def listed(self, tool: str) -> ListedTool | None:
        """A tool as the run's first list of tools has it; None where it has no such tool."""
        listings = [each for each in self.session.recorder.history.listings if each.ended != "failed"]
        return next((each for listing in listings[:1] for each in tools_of(listing) if each.name == tool), None)

    def offers(self, tool: str, *names: str) -> bool:
        """Whether the server lists a tool with these parameters, and its statement does not leave them out."""
        found = self.listed(tool)
        return found is not None and set(names) <= properties(found.input_schema).keys() and self.supports(tool, *names)

    def most(self, tool: str, name: str = "limit") -> int | None:
        """The largest page that a tool says it gives: by the statement, else by its schema; None where neither says."""
        said = self.setting("max_page")
        found = self.listed(tool)
        shown = properties(found.input_schema).get(name) if found is not None else None
        top = shown.get("maximum") if isinstance(shown, dict) else None
        given = [each for each in (said, top) if isinstance(each, int) and not isinstance(each, bool)]
        return min(given, default=None)


BENCH = TasksBench
DEFAULT_ROLE = None
"""The tasks contract knows no callers."""

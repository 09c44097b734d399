"""The bench of the tasks contract: workspaces of one's own, with plans, tasks, documents, graphs and conflicts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from conformance.drive.bench import Bench, taken
from conformance.drive.errors import StuckError
from conformance.model.events import Json
from conformance.model.exchange import Exchange

LONGEST_NAME = 128
MAIN = "main"
"""The branch to work on where a server lists none."""


def text(exchange: Exchange, key: str) -> str:
    """A string that an accepted answer has under a key; StuckError where it has none."""
    value = taken(exchange, key)
    if isinstance(value, str):
        return value
    message = f"{exchange.tool} (call {exchange.call}) gave {key} as {type(value).__name__}"
    raise StuckError(message)


def at(exchange: Exchange, pointer: str) -> Json:
    """What an accepted answer has at a JSON Pointer into its result; StuckError where it has nothing there."""
    value: Json = exchange.given if exchange.accepted else None
    for part in pointer.split("/")[1:]:
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            message = f"{exchange.tool} (call {exchange.call}) gave nothing at {pointer}"
            raise StuckError(message)
    return value


def step(title: str, **more: Json) -> dict[str, Json]:
    """A step to be made, with a criterion and a test."""
    return {"title": title, "success_criteria": [f"{title} works"], "tests": [f"try {title}"], **more}


def node(identifier: str, title: str = "", **more: Json) -> dict[str, Json]:
    """The operation that makes or changes a graph's node."""
    return {"op": "node_upsert", "id": identifier, "type": "part", "title": title or identifier, **more}


def edge(source: str, rel: str, target: str, **more: Json) -> dict[str, Json]:
    """The operation that makes or changes a graph's edge."""
    return {"op": "edge_upsert", "from": source, "rel": rel, "to": target, **more}


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
        drafts = [step(f"step {number}") for number in range(steps)]
        more: dict[str, Json] = {"steps": drafts} if drafts else {}
        named = title or f"Write the parser of {self.name}"
        made = await self.call("tasks_create", kind="task", parent=parent, title=named, **more)
        listed = taken(made, "steps") if drafts else []
        ids = [each.get("step_id") if isinstance(each, dict) else None for each in listed] if listed else []
        return Task(self, text(made, "id"), parent, tuple(each for each in ids if isinstance(each, str)))

    async def branch(self, name: str = "side", *, of: str | None = None) -> str:
        """The name of a new branch."""
        made = await self.call("branchmind_branch_create", {"name": name, "from": of or self.root})
        taken(made, "branch")
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
        found = taken(merged, "conflict_ids")
        if isinstance(found, list) and len(found) >= len(nodes) and all(isinstance(each, str) for each in found):
            return found
        message = f"{merged.tool} (call {merged.call}) found no conflict where both sides changed a node"
        raise StuckError(message)


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

    async def verify(self, number: int = 0, *, criteria: bool = True, tests: bool = True, **more: Json) -> Exchange:
        """Confirms a step's checkpoints, or takes that back."""
        checkpoints = {"criteria": {"confirmed": criteria}, "tests": {"confirmed": tests}}
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
        """A workspace that is not initialised yet, under a name of its own where none is given."""
        return Workspace(self, name or self.unique("ws").replace("_", "-")[-LONGEST_NAME:].lstrip("-"))

    async def workspace(self) -> Workspace:
        """A workspace that holds nothing yet. The store is initialised with it where it was not before."""
        made = self.workspace_named()
        taken(await made.call("branchmind_init"), "workspace")
        branches = taken(await made.call("branchmind_branch_list"), "branches")
        first = branches[0] if isinstance(branches, list) and branches else None
        name = first.get("name") if isinstance(first, dict) else None
        return replace(made, root=name) if isinstance(name, str) else made


BENCH = TasksBench
DEFAULT_ROLE = None
"""The tasks contract knows no callers."""

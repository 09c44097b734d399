"""What a workspace holds, as far as the accepted writes before a call tell."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.contracts.tasks.documents import OF_ITEM, Cell, Documents
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.forms import is_name
from conformance.contracts.tasks.lists import whole
from conformance.contracts.tasks.readings.shapes import Shapes
from conformance.contracts.tasks.steps import Tree, named_steps
from conformance.contracts.tasks.thoughts import card_of, places_of
from conformance.contracts.tasks.writing import node, noted, of_item, write
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange

CHANGING = (
    "tasks_create", "tasks_decompose", "tasks_edit", "tasks_define", "tasks_note", "tasks_verify", "tasks_done",
    "tasks_patch", "branchmind_notes_commit", "branchmind_merge", "branchmind_graph_apply", "branchmind_graph_merge",
    "branchmind_graph_conflict_resolve", "branchmind_think_card", "branchmind_branch_create", "branchmind_checkout",
    "tasks_focus_set", "tasks_focus_clear",
)  # fmt: skip
"""Writes of which a server may keep an event."""
UNSURE = "?"
"""Stands for a focus or a checkout that nobody told of."""
ITEM_FIELDS = ("title", "description", "contract", "contract_data")
SOURCES = ("tasks_create", "tasks_decompose", "tasks_context", "branchmind_graph_conflicts", "branchmind_graph_merge")
"""Tools whose answers give ids."""


NOTED = {"branchmind_notes_commit": ("content",), "tasks_note": ("note",)}
"""The arguments that a tool writes as a note."""


@dataclass(slots=True)
class State:
    """A workspace between two writes."""

    entered: bool = True
    """Whether a note on a step is an entry of a document as well."""
    shapes: Shapes = field(default_factory=dict)
    """The fields that reads show of what they list."""
    blind: bool = False
    """Whether a write has passed of which nobody can tell what it did."""
    given: set[str] = field(default_factory=set)
    """The ids that answers gave, malformed ones among them."""
    items: dict[str, dict[str, Json]] = field(default_factory=dict)
    """By the id of a plan or task: its fields, as far as writes gave them."""
    trees: dict[str, Tree] = field(default_factory=dict)
    """By the id of a task: its steps."""
    branches: set[str] = field(default_factory=set)
    listed: bool = False
    """Whether a whole list of the branches was ever shown."""
    lost: bool = False
    """Whether a write has passed of which nobody knows whether it was done."""
    documents: Documents = field(default_factory=Documents)
    made: dict[str, Exchange] = field(default_factory=dict)
    """Branches that branchmind_branch_create made."""
    makers: dict[str, Exchange] = field(default_factory=dict)
    """By the id of a plan or task: the call that made it."""
    tried: dict[str, Exchange] = field(default_factory=dict)
    """By target and document: the first merge of a graph that was only to say what would happen."""
    merged: set[str] = field(default_factory=set)
    """Targets and documents into which a graph was merged."""
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By branch and document: how many cards surely left a trace there."""
    thought: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    """By branch: the documents in which a card left a trace, each with the card's id. A new branch has its base's."""
    conflicts: dict[str, tuple[tuple[Json, Json], Exchange]] = field(default_factory=dict)
    """By the id of a conflict: the target and the document of the merge that reported it."""
    settled: dict[str, str] = field(default_factory=dict)
    """By the id of a resolved conflict: its resolution."""
    notes: Counter[str] = field(default_factory=Counter)
    """How often each text was written as a note."""
    events: dict[str, Exchange] = field(default_factory=dict)
    """By the id of each event the write that told of it, in order."""
    untold: bool = False
    """Whether a write has passed since that told of no event: there may be one all the same."""
    misnamed: bool = False
    """Whether a branch was made under a malformed name: what it is called is the server's."""
    focus: str | None = None
    """None: nothing is in focus, as at first."""
    checkout: str = UNSURE

    def target(self, call: Exchange) -> str | None:
        """The plan or task that a tasks_ call resolves to; None where that is open."""
        named = call.argument("target") if call.tool == "tasks_patch" else None
        if isinstance(named, str):
            return named if is_item(named) else self._of_step(named)
        task = call.argument("task")
        if task is not None:
            return task if isinstance(task, str) else None
        return self.focus if self.focus != UNSURE else None

    def _of_step(self, step_id: str) -> str | None:
        owners = [task for task, tree in self.trees.items() if step_id in tree.by_id]
        return owners[0] if len(owners) == 1 else None

    def tree(self, call: Exchange) -> Tree | None:
        """The steps of the task that a call is about; None where they are not known."""
        task = self.target(call)
        return self.trees.get(task) if isinstance(task, str) else None

    def take(self, call: Exchange, *, sure: bool) -> None:
        """Goes on by an accepted call. `sure`: nothing else is written meanwhile."""
        self._see(call)
        write(self.documents, call, sure=sure)
        self._traced(call, sure=sure)
        self.notes.update(texts(*(call.argument(name) for name in NOTED.get(call.tool or "", ()))))
        match call.tool:
            case "tasks_create" | "tasks_decompose":
                self._made(call)
            case "tasks_edit" | "tasks_define" | "tasks_verify" | "tasks_patch" | "tasks_done":
                self._written(call)
            case "tasks_note":
                self._noted(call, sure=sure)
            case "branchmind_branch_create":
                self._branched(call)
            case "branchmind_graph_merge" | "branchmind_graph_conflict_resolve":
                self._collided(call)
            case "tasks_focus_set" | "tasks_focus_clear" | "branchmind_checkout":
                self._pointed(call)
        event = call.given.get("event")
        told = list(texts(event.get("event_id"))) if isinstance(event, dict) else []
        for name in told:
            self.events.setdefault(name, call)
        if call.tool in CHANGING:
            self.untold = not told

    def _traced(self, call: Exchange, *, sure: bool) -> None:
        named, card = places_of(call), card_of(call)
        if call.tool != "branchmind_think_card" or not {"branch", "trace_doc"} <= named.keys():
            return
        if card is not None:
            self.thought.setdefault(named["branch"], set()).add((named["trace_doc"], str(card["id"])))
        if sure and call.given.get("inserted") is True:
            self.cards[named["branch"], named["trace_doc"]] += 1

    def _pointed(self, call: Exchange) -> None:
        if call.tool == "branchmind_checkout":
            self.checkout = next(filter(is_name, texts(call.argument("ref"))), UNSURE)
        elif call.tool == "tasks_focus_clear":
            self.focus = None
        else:
            self.focus = next(texts(call.argument("task")), UNSURE)

    def look(self, call: Exchange) -> None:
        """Takes an accepted merge that was only to say what would happen."""
        if call.tool == "branchmind_graph_merge":
            self.tried.setdefault(spelled(_merging(call)), call)

    def _collided(self, call: Exchange) -> None:
        place = _merging(call)
        self.merged.add(spelled(place))
        ids = call.given.get("conflict_ids")
        for name in texts(*ids) if isinstance(ids, list) and call.argument("conflict_id") is None else ():
            self.conflicts.setdefault(name, (place, call))
        for name in texts(call.argument("conflict_id")):
            self.settled[name] = str(call.argument("resolution"))

    def _see(self, call: Exchange) -> None:
        """Takes the ids and names that an answer gives."""
        for seen in entities(call):
            kind, name = seen.key[0], seen.key[-1]
            if kind == "branch" and call.tool != "branchmind_branch_create":
                self._found(seen.key[1])
            elif kind == "conflict" and isinstance(seen.shown.get("key"), str):
                self.documents.learn(name, conflicting(seen.shown))
            if call.tool in SOURCES and kind in ("task", "step", "conflict"):
                self.given.add(name)
        if call.tool == "branchmind_branch_list" and whole(call):
            self.listed = True
        ids = call.given.get("conflict_ids")
        self.given.update(texts(*ids) if isinstance(ids, list) and call.tool in SOURCES else ())
        place = noted(call) if call.tool == "branchmind_notes_commit" else None
        if place is not None:
            self._found(place[0])

    def _found(self, branch: str) -> None:
        if branch not in self.branches:
            self.branches.add(branch)
            self.documents.found(branch)

    def _branched(self, call: Exchange) -> None:
        shown = call.given.get("branch")
        base = call.argument("from")
        base = shown.get("base_branch", base) if base is None and isinstance(shown, dict) else base
        for name in texts(call.argument("name")):
            if not is_name(name):
                self.misnamed = True
                continue
            self.branches.add(name)
            self.made.setdefault(name, call)
            if isinstance(base, str):
                self.documents.begin(name, base)
                self.thought[name] = set(self.thought.get(base, ()))

    def _made(self, call: Exchange) -> None:
        for name in texts(call.given.get("id")):
            self.given.add(name)
            self.makers.setdefault(name, call)
            self.items[name] = {n: call.argument(n) for n in ITEM_FIELDS if call.argument(n) is not None}
            if not name.startswith("PLAN-"):
                self.trees[name] = Tree()
        task = next(texts(call.given.get("task"), call.given.get("id")), None)
        if call.argument("steps") is not None and task in self.trees:
            self.trees[task].grow(call, list(named_steps(call)))

    def _written(self, call: Exchange) -> None:
        target, fields = self.target(call), call.arguments
        if not isinstance(fields, dict):
            return
        if not names_step(call):
            if target in self.items:
                self.items[target] |= {name: fields[name] for name in ITEM_FIELDS if name in fields}
            elif target is None:
                self.items = {name: {} for name in self.items}
            return
        tree = self.tree(call)
        if tree is not None:
            tree.write(call)
        elif target is None:
            self.trees = {name: Tree(whole=False) for name in self.trees}

    def _noted(self, call: Exchange, *, sure: bool) -> None:
        target, note = self.target(call), call.argument("note")
        if self.entered and target is not None and isinstance(note, str):
            self.documents.put(of_item(target), ("note", note), Cell(call, {}, sure=sure))


def _merging(call: Exchange) -> tuple[Json, Json]:
    """The target and the document of a merge."""
    return call.argument("into"), call.given.get("doc", call.argument("doc"))


def conflicting(shown: dict[str, Json]) -> tuple[str, ...]:
    """The key of a document that a conflict is about, as an answer shows it."""
    named = str(shown.get("key"))
    return ("edge", *named.split("|", 2)) if shown.get("kind") == "edge" else node(named)


def is_item(name: str) -> bool:
    """Whether a name is that of a plan or task, and of no step."""
    return OF_ITEM.match(name) is not None


def names_step(call: Exchange) -> bool:
    """Whether a tasks_ call is about a step, rather than its task."""
    if call.tool == "tasks_edit":
        return False
    target = call.argument("target") if call.tool == "tasks_patch" else None
    of_step = isinstance(target, str) and not is_item(target)
    return of_step or call.argument("step_id") is not None or call.argument("path") is not None


def texts(*values: Json) -> Iterator[str]:
    """Those of some values that are texts."""
    return (value for value in values if isinstance(value, str))

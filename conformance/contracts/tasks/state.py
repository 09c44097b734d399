"""What a workspace holds, as far as the accepted writes before a call tell."""

from dataclasses import dataclass, field

from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.steps import named_steps
from conformance.model.events import Json
from conformance.model.exchange import Exchange

GATES = {"criteria": "success_criteria", "tests": "tests"}
"""The checkpoints of a step, each with the field that it confirms."""
UNSURE = "?"
"""Stands for a focus that nobody told of."""


@dataclass(slots=True)
class Step:
    """A step. `confirmed`: by checkpoint; None where a server may see it either way."""

    task: str
    confirmed: dict[str, bool | None]
    closed: bool = False
    hindered: bool = False
    """Whether it has blockers or steps below it, which a server may want to be gone first."""

    @property
    def ready(self) -> bool:
        """Whether both checkpoints are surely confirmed, and nothing else is in the way."""
        return not self.hindered and all(confirmed is True for confirmed in self.confirmed.values())

    @property
    def lacking(self) -> bool:
        """Whether one of them surely is not."""
        return False in self.confirmed.values()

    def define(self, fields: dict[str, Json]) -> None:
        """Takes new content: whether what it replaces stays confirmed is left to the server."""
        self.hindered = self.hindered or bool(fields.get("blockers"))
        for gate, name in GATES.items():
            if name in fields:
                self.confirmed[gate] = None

    def confirm(self, checkpoints: Json) -> None:
        """Takes what a write says of the checkpoints."""
        for gate in GATES:
            said = checkpoints.get(gate) if isinstance(checkpoints, dict) else None
            confirmed = said.get("confirmed") if isinstance(said, dict) else None
            if isinstance(confirmed, bool):
                self.confirmed[gate] = confirmed
                self.closed = self.closed and confirmed


@dataclass(slots=True)
class State:
    """A workspace between two writes."""

    blind: bool = False
    """Whether a write has passed of which nobody can tell what it did."""
    items: set[str] = field(default_factory=set)
    steps: dict[tuple[str, str], Step] = field(default_factory=dict)
    """By task and id, and by task and path."""
    branches: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    """Branches that branchmind_branch_create made."""
    resolved: set[str] = field(default_factory=set)
    cards: dict[tuple[Json, Json, Json, str], Json] = field(default_factory=dict)
    focus: str | None = UNSURE

    def target(self, call: Exchange) -> str | None:
        """The plan or task that a tasks_ call resolves to; None where that is open."""
        named = call.argument("target") if call.tool == "tasks_patch" else None
        if isinstance(named, str):
            return named if named.startswith(("PLAN-", "TASK-")) else self._of_step(named)
        task = call.argument("task")
        if task is not None:
            return task if isinstance(task, str) else None
        return self.focus if self.focus != UNSURE else None

    def _of_step(self, step_id: str) -> str | None:
        owners = {task for task, name in self.steps if name == step_id}
        return owners.pop() if len(owners) == 1 else None

    def step(self, call: Exchange) -> Step | None:
        """The step that a call is about; None where that is open."""
        task = self.target(call)
        name = call.argument("step_id")
        name = call.argument("path") if name is None else name
        if name is None and call.tool == "tasks_patch":
            name = call.argument("target")
        return self.steps.get((task, name)) if isinstance(task, str) and isinstance(name, str) else None

    def take(self, call: Exchange) -> None:
        """Goes on by an accepted call."""
        self.branches.update(seen.key[1] for seen in entities(call) if seen.key[0] == "branch")
        match call.tool:
            case "tasks_create" | "tasks_decompose":
                self._made(call)
            case "tasks_define" | "tasks_verify" | "tasks_patch" | "tasks_done":
                self._written(call)
            case "tasks_focus_set":
                task = call.argument("task")
                self.focus = task if isinstance(task, str) else UNSURE
            case "tasks_focus_clear":
                self.focus = None
            case "branchmind_branch_create":
                self.made.update(_texts(call.argument("name")))
            case "branchmind_graph_conflict_resolve":
                self.resolved.update(_texts(call.argument("conflict_id")))
                self.cards.clear()
            case "branchmind_graph_apply" | "branchmind_graph_merge":
                self.cards.clear()
            case "branchmind_think_card":
                if (place := card_place(call)) is not None:
                    self.cards[place] = call.argument("card")

    def _made(self, call: Exchange) -> None:
        self.items.update(_texts(call.given.get("id")))
        drafts, named, parent = call.argument("steps"), list(named_steps(call)), call.argument("parent")
        for task in {step.task for step in named}:
            if isinstance(parent, str) and (task, parent) in self.steps:
                self.steps[task, parent].hindered = True
        if not isinstance(drafts, list) or len(drafts) != len(named):
            return
        for draft, step in zip(drafts, named, strict=True):
            fields = draft if isinstance(draft, dict) else {}
            confirmed = {gate: False if fields.get(name) else None for gate, name in GATES.items()}
            made = Step(step.task, confirmed, hindered=bool(fields.get("blockers")))
            self.steps[step.task, step.step_id] = self.steps[step.task, step.path] = made

    def _written(self, call: Exchange) -> None:
        step, fields = self.step(call), call.arguments
        if not isinstance(fields, dict) or (call.tool == "tasks_patch" and not names_step(call)):
            return
        if step is None:
            self.steps.clear()
        elif call.tool == "tasks_done":
            step.closed = True
        else:
            step.define(fields)
            step.confirm(fields.get("checkpoints"))


def names_step(call: Exchange) -> bool:
    """Whether a tasks_ call is about a step, rather than its task."""
    target = call.argument("target") if call.tool == "tasks_patch" else None
    of_step = isinstance(target, str) and not target.startswith(("PLAN-", "TASK-"))
    return of_step or call.argument("step_id") is not None or call.argument("path") is not None


def card_place(call: Exchange) -> tuple[Json, Json, Json, str] | None:
    """Where a card given as an object goes, and under which id; None where that is open."""
    card = call.argument("card")
    name = card.get("id") if isinstance(card, dict) else None
    place = (call.argument("target"), call.argument("branch"), call.argument("graph_doc"))
    hashable = all(part is None or isinstance(part, str) for part in place)
    return (*place, name) if hashable and isinstance(name, str) else None


def _texts(*values: Json) -> list[str]:
    return [value for value in values if isinstance(value, str)]

"""The steps of a task: where an answer names them, and what is known of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import Exchange

LISTS = ("tasks_create", "tasks_decompose")
WRITES = ("tasks_define", "tasks_note", "tasks_verify", "tasks_done", "tasks_patch")
RADAR = "tasks_radar"
GATES = {"criteria": "success_criteria", "tests": "tests"}
"""The checkpoints of a step, each with the field that it confirms."""
STEP_FIELDS = ("title", "success_criteria", "tests", "blockers")
LEVELS = 3
"""Levels of steps that every server is taken to have room for: no clause gives a number."""


class NamedStep(NamedTuple):
    """A step of a task, as an answer names it."""

    task: str
    path: str
    step_id: str
    pointer: str
    """From the answer's result on."""


def named_steps(call: Exchange) -> Iterator[NamedStep]:
    """The steps in an accepted answer whose task, path and id are told."""
    if not call.accepted:
        return
    given = call.given
    if call.tool == "tasks_create":
        yield from _listed(given.get("id"), given.get("steps"), "/steps")
    elif call.tool == "tasks_decompose":
        yield from _listed(given.get("task"), given.get("steps"), "/steps")
    elif call.tool in WRITES:
        yield from _one(given.get("task"), given.get("step"), "/step")
    elif call.tool == RADAR:
        target, counts = given.get("target"), given.get("steps")
        if isinstance(target, dict) and isinstance(counts, dict):
            yield from _one(target.get("id"), counts.get("first_open"), "/steps/first_open")
    elif call.tool == "tasks_context":
        tasks = given.get("tasks")
        for index, task in enumerate(tasks if isinstance(tasks, list) else ()):
            if isinstance(task, dict):
                yield from _listed(task.get("id"), task.get("steps"), f"/tasks/{index}/steps")


def _listed(task: Json, steps: Json, pointer: str) -> Iterator[NamedStep]:
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        yield from _one(task, step, f"{pointer}/{index}")


def _one(task: Json, step: Json, pointer: str) -> Iterator[NamedStep]:
    if not isinstance(task, str) or not isinstance(step, dict):
        return
    path, step_id = step.get("path"), step.get("step_id")
    if isinstance(path, str) and isinstance(step_id, str):
        yield NamedStep(task, path, step_id, pointer)


def deep(call: Exchange) -> bool:
    """Whether it makes steps below these levels: a server may refuse them."""
    above = call.argument("parent")
    return call.tool == "tasks_decompose" and isinstance(above, str) and above.count(".") >= LEVELS - 1


@dataclass(slots=True)
class Step:
    """A step. `confirmed`: by checkpoint; None where a server may see it either way."""

    step_id: str
    path: str
    fields: dict[str, Json]
    """As far as writes gave them."""
    confirmed: dict[str, bool | None]
    closed: bool | None = False
    """None where a confirmation was taken back after it was closed: whether that opens it again is the server's."""

    @property
    def hindered(self) -> bool:
        """Whether it has blockers, which a server may want to be gone first."""
        return bool(self.fields.get("blockers"))

    @property
    def lacking(self) -> bool:
        """Whether one of its checkpoints surely is not confirmed."""
        return False in self.confirmed.values()

    @property
    def confirmed_all(self) -> bool:
        """Whether all of them surely are."""
        return all(confirmed is True for confirmed in self.confirmed.values())

    def define(self, fields: dict[str, Json]) -> None:
        """Takes new content: whether what it replaces stays confirmed is left to the server."""
        for gate, name in GATES.items():
            if name in fields and fields[name] != self.fields.get(name):
                self.confirmed[gate] = None
        self.fields |= {name: fields[name] for name in STEP_FIELDS if name in fields}

    def confirm(self, checkpoints: Json) -> None:
        """Takes what a write says of the checkpoints."""
        for gate, confirmed in _said(checkpoints):
            self.confirmed[gate] = confirmed
            if self.closed and not confirmed:
                self.closed = None

    def otherwise(self, checkpoints: Json) -> bool:
        """Whether one of these surely is not so yet."""
        return any(self.confirmed[gate] is (not confirmed) for gate, confirmed in _said(checkpoints))


def _said(checkpoints: Json) -> Iterator[tuple[str, bool]]:
    """What a write says of each checkpoint."""
    for gate in GATES:
        said = checkpoints.get(gate) if isinstance(checkpoints, dict) else None
        confirmed = said.get("confirmed") if isinstance(said, dict) else None
        if isinstance(confirmed, bool):
            yield gate, confirmed


@dataclass(slots=True)
class Tree:
    """The steps of one task."""

    by_id: dict[str, Step] = field(default_factory=dict)
    by_path: dict[str, Step] = field(default_factory=dict)
    whole: bool = True
    """Whether these surely are all that there are."""

    def grow(self, call: Exchange, named: Sequence[NamedStep]) -> None:
        """Takes the steps that an accepted call made, in the order of its drafts."""
        drafts = call.argument("steps")
        if not isinstance(drafts, list) or len(drafts) != len(named):
            self.whole = False
            return
        for draft, name in zip(drafts, named, strict=True):
            fields = draft if isinstance(draft, dict) else {}
            confirmed = {gate: False if fields.get(which) else None for gate, which in GATES.items()}
            made = Step(name.step_id, name.path, dict(fields), confirmed)
            self.by_id[name.step_id] = self.by_path[name.path] = made

    def named(self, call: Exchange) -> Step | None:
        """The step that a call names by id or path, or as its target; None where none of these is known."""
        step_id, path, target = (call.argument(name) for name in ("step_id", "path", "target"))
        if step_id is None and call.tool == "tasks_patch":
            step_id = target
        if step_id is not None:
            return self.by_id.get(step_id) if isinstance(step_id, str) else None
        return self.by_path.get(path) if isinstance(path, str) else None

    def below(self, step: Step) -> bool:
        """Whether there are steps below a step."""
        return any(path.startswith(f"{step.path}.") for path in self.by_path)

    def ready(self, step: Step) -> bool:
        """Whether a step surely can be closed: both checkpoints are confirmed, and nothing else is in the way."""
        return step.confirmed_all and not step.hindered and not self.below(step)

    def write(self, call: Exchange) -> None:
        """Takes an accepted write to one of the steps."""
        step, fields = self.named(call), call.arguments
        if step is None:
            self.by_id, self.by_path, self.whole = {}, {}, False
        elif call.tool == "tasks_done":
            step.closed = True
        elif isinstance(fields, dict):
            step.define(fields)
            step.confirm(fields.get("checkpoints"))

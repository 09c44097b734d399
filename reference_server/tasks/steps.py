"""Steps of a task: a tree, addressed by opaque id or by index path (Common types, StepId, StepPath)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference_server.application import Json
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call
    from reference_server.tasks.items import Item


@dataclass(frozen=True, slots=True)
class StepBody:
    """What a caller decides about a step."""

    title: str
    success_criteria: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    criteria_confirmed: bool = False
    tests_confirmed: bool = False
    completed: bool = False


@dataclass(slots=True)
class Step:
    """A node of a task's tree."""

    step_id: str
    body: StepBody
    revision: int = 0
    notes: int = 0
    """How many notes were taken on it; their text is in the notes document."""
    children: list["Step"] = field(default_factory=list)

    def as_json(self, path: str) -> dict[str, Json]:
        """All of it but its children, which the answers list beside it."""
        body = self.body
        return {
            "step_id": self.step_id,
            "path": path,
            "revision": self.revision,
            "title": body.title,
            "success_criteria": list(body.success_criteria),
            "tests": list(body.tests),
            "blockers": list(body.blockers),
            "criteria_confirmed": body.criteria_confirmed,
            "tests_confirmed": body.tests_confirmed,
            "completed": body.completed,
            "notes": self.notes,
        }

    def named(self, path: str) -> dict[str, Json]:
        """How the answer of a write names it: step_id, path, revision."""
        return {"step_id": self.step_id, "path": path, "revision": self.revision}


def walk(steps: Sequence[Step], above: str = "") -> Iterator[tuple[str, Step]]:
    """Every step with its path, parents before their children."""
    for index, step in enumerate(steps):
        path = f"{above}s:{index}"
        yield path, step
        yield from walk(step.children, f"{path}.")


class Steps:
    """Makes and finds steps."""

    def make(self, call: "Call", drafts: Sequence[Mapping[str, Json]]) -> list[Step]:
        """New steps from the arguments' form: title, success_criteria, and optionally tests and blockers."""
        return [
            Step(
                self.new_id(call),
                StepBody(
                    draft["title"],
                    tuple(draft.get("success_criteria", ())),
                    tuple(draft.get("tests", ())),
                    tuple(draft.get("blockers", ())),
                ),
            )
            for draft in drafts
        ]

    def new_id(self, call: "Call") -> str:
        """Counted per workspace, so that no two tasks share one."""
        return f"STEP-{call.workspace.count('step'):08X}"

    def select(self, call: "Call", item: "Item") -> Step:
        """The step that `step_id`, or else `path`, names. Raises INVALID_INPUT without either, UNKNOWN_ID."""
        arguments = call.arguments
        if "step_id" in arguments:
            found = self.by_id(item, arguments["step_id"])
            named = arguments["step_id"]
        elif "path" in arguments:
            found = self.by_path(item, arguments["path"])
            named = arguments["path"]
        else:
            raise Refusal(
                "INVALID_INPUT",
                "neither step_id nor path says which step is meant",
                recovery="name the step by step_id or path; tasks_context lists them",
                suggestions=[self.listing(call)],
            )
        if found is None:
            raise self.unknown(call, item, named)
        return found

    def by_id(self, item: "Item", step_id: str) -> Step | None:
        """The step of this task with that id."""
        return next((step for _, step in walk(item.steps) if step.step_id == step_id), None)

    def by_path(self, item: "Item", path: str) -> Step | None:
        """The step at that path; indexes count from 0."""
        level: Sequence[Step] = item.steps
        found: Step | None = None
        for part in path.split("."):
            digits = part.removeprefix("s:").lstrip("0") or "0"
            # Python refuses to read a number of thousands of digits
            if len(digits) > len(str(len(level))) or int(digits) >= len(level):
                return None
            found = level[int(digits)]
            level = found.children
        return found

    def path_of(self, item: "Item", step: Step) -> str:
        """Where in its task's tree a step is."""
        return next(path for path, each in walk(item.steps) if each is step)

    def unknown(self, call: "Call", item: "Item", named: str) -> Refusal:
        """What to raise where a step does not exist."""
        return Refusal(
            "UNKNOWN_ID",
            f"{item.id} has no step {named}",
            recovery="take a step_id or path from tasks_context",
            suggestions=[self.listing(call)],
        )

    def listing(self, call: "Call") -> Suggestion:
        """The read that shows every step of the workspace."""
        return Suggestion("tasks_context", {"workspace": call.workspace.name}, "see the steps there are")

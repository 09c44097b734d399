"""A short view of one plan or task: what is now, why, what to verify, what is next, what is in the way."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reference_server.application import Json
from reference_server.tasks.items import Item
from reference_server.tasks.steps import walk

if TYPE_CHECKING:
    from reference_server.tasks.call import Call


class Radar:
    """Builds ever smaller forms of the view."""

    def forms(self, call: "Call", item: Item) -> Iterator[dict[str, Json]]:
        """Workspace, target, reasoning_ref, radar, and steps of a task; the last form keeps target and now."""
        target = item.as_json(call.parts.clock, steps=False)
        view = self.view(call, item)
        steps = {"steps": self.counts(call, item)} if item.kind == "task" else {}
        head = {"workspace": call.workspace.name}
        rest = {"reasoning_ref": item.reasoning_ref()}
        yield {**head, "target": target, **rest, "radar": view, **steps}
        lean = {
            name: value for name, value in target.items() if name not in ("description", "contract", "contract_data")
        }
        yield {**head, "target": lean, **rest, "radar": view, **steps}
        for dropped in ("blockers", "next", "verify", "why"):
            view = {name: value for name, value in view.items() if name != dropped}
            yield {**head, "target": lean, **rest, "radar": view, **steps}
        yield {**head, "target": {name: target[name] for name in ("id", "kind", "revision")}, "radar": view}

    def view(self, call: "Call", item: Item) -> dict[str, Json]:
        """Shape: now, why, verify, next, blockers (lists of strings)."""
        if item.kind == "plan":
            below = [each for each in call.workspace.items.values() if each.parent == item.id]
            now = next((each.body.title for each in below if not each.done), item.body.title)
            return {
                "now": now,
                "why": item.body.description or item.body.contract or item.body.title,
                "verify": [],
                "next": [f"{each.id}: {each.body.title}" for each in below if not each.done],
                "blockers": [],
            }
        walked = list(walk(item.steps))
        waiting = [(path, step) for path, step in walked if not step.body.completed]
        verify = [f"{path}: {gate}" for path, step in waiting for gate in call.parts.checkpoints.missing(step.body)]
        return {
            "now": f"{waiting[0][0]}: {waiting[0][1].body.title}" if waiting else item.body.title,
            "why": item.body.description or item.body.title,
            "verify": verify,
            "next": [f"{path}: {step.body.title}" for path, step in waiting[1:]],
            "blockers": [f"{path}: {blocker}" for path, step in waiting for blocker in step.body.blockers],
        }

    def counts(self, call: "Call", item: Item) -> dict[str, Json]:
        """Shape: total, open, completed, missing_criteria, missing_tests, first_open (a step, named, or null)."""
        walked = list(walk(item.steps))
        waiting = [(path, step) for path, step in walked if not step.body.completed]
        missing = [call.parts.checkpoints.missing(step.body) for _, step in waiting]
        return {
            "total": len(walked),
            "open": len(waiting),
            "completed": len(walked) - len(waiting),
            "missing_criteria": sum("criteria" in each for each in missing),
            "missing_tests": sum("tests" in each for each in missing),
            "first_open": waiting[0][1].named(waiting[0][0]) if waiting else None,
        }

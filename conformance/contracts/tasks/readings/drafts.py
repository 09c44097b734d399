"""Steps that a write was given: the next look at the task shows each of them, whatever the write's answer says."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.lists import Object, cut, listed, present
from conformance.judge.epochs import epochs
from conformance.judge.judgements import holds
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

LOOK = "tasks_context"
MAKING = ("tasks_create", "tasks_decompose")


def of_drafts(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each accepted write of steps beside the next look at its task. A server that never shows a step shows none."""
    when, looks = epochs(history, contract), list(history.accepted(LOOK))
    if not any(_titles(task.get("steps")) for look in looks for task in present(look.given, "tasks")):
        return
    by_epoch: dict[Hashable, list[Exchange]] = defaultdict(list)
    for look in looks:
        by_epoch[when.scope(look), when.met(look)].append(look)
    for write in history.accepted(*MAKING):
        wanted, epoch = _titles(write.argument("steps")), when.shown(write)
        if not wanted or epoch is None:
            continue
        task_id = write.given.get("id", write.given.get("task", write.argument("task")))
        for look in by_epoch.get((when.scope(write), epoch), ()):
            entry = _entry(look, task_id) if not cut(look) else None
            if entry is not None:
                shown = _titles(entry["steps"])
                missing = next((title for title in wanted if title not in shown), None)
                saw = f"{LOOK} does not show the step {missing!r} of {task_id} that {write.tool} was given"
                yield holds(missing is None, saw, write, look, pointer="/result/tasks", expected=missing)
                break


def _entry(look: Exchange, task_id: Json) -> Object | None:
    """A task as it is shown, where its steps are."""
    return next((task for task in present(look.given, "tasks") if task.get("id") == task_id and "steps" in task), None)


def _titles(steps: Json) -> list[str]:
    """The titles of steps, and of those below them."""
    found = []
    for each in listed({"steps": steps}, "steps"):
        if isinstance(each, dict):
            found += [each["title"]] if isinstance(each.get("title"), str) else []
            found += _titles(each.get("steps"))
    return found

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

LOOKS = {"tasks_context": "/result/tasks", "branchmind_export": "/result/target"}
"""Tools that show a task with its steps, and where: each task in a list of theirs, or the one that is asked for."""
MAKING = ("tasks_create", "tasks_decompose")


def of_drafts(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each accepted write of steps beside the next looks at its task. A server that never shows a step shows none."""
    for tool in LOOKS:
        looks = [look for look in history.accepted(tool) if any(_titles(task["steps"]) for task in _shown(look))]
        if looks:
            yield from _at_looks(history, contract, tool)


def _at_looks(history: History, contract: Contract, tool: str) -> Iterator[Judgement]:
    """At the first look by one tool after each write."""
    when = epochs(history, contract)
    by_epoch: dict[Hashable, list[Exchange]] = defaultdict(list)
    for look in history.accepted(tool):
        by_epoch[when.scope(look), when.met(look)].append(look)
    for write in history.accepted(*MAKING):
        wanted, epoch = _titles(write.argument("steps")), when.shown(write)
        if not wanted or epoch is None:
            continue
        task_id = write.given.get("id", write.given.get("task", write.argument("task")))
        for look in by_epoch.get((when.scope(write), epoch), ()):
            entry = next((task for task in _shown(look) if task.get("id") == task_id), None)
            if entry is not None and not cut(look):
                shown = _titles(entry["steps"])
                missing = next((title for title in wanted if title not in shown), None)
                saw = f"{tool} does not show the step {missing!r} of {task_id} that {write.tool} was given"
                yield holds(missing is None, saw, write, look, pointer=LOOKS[tool], expected=missing)
                break


def _shown(look: Exchange) -> list[Object]:
    """The tasks that an answer shows with their steps."""
    one = look.given.get("target")
    tasks = [*present(look.given, "tasks"), *([one] if isinstance(one, dict) else [])]
    return [task for task in tasks if "steps" in task]


def _titles(steps: Json) -> list[str]:
    """The titles of steps, and of those below them."""
    found = []
    for each in listed({"steps": steps}, "steps"):
        if isinstance(each, dict):
            found += [each["title"]] if isinstance(each.get("title"), str) else []
            found += _titles(each.get("steps"))
    return found

"""Where an answer names the steps of a task: id and path together."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import Exchange

LISTS = ("tasks_create", "tasks_decompose")
WRITES = ("tasks_define", "tasks_note", "tasks_verify", "tasks_done", "tasks_patch")


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

"""Identifiers of steps, and paths: both name a step of a task."""

import re
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.forms import formed
from conformance.contracts.tasks.laws.identifiers import refused_malformed, shown
from conformance.contracts.tasks.steps import RADAR, WRITES, named_steps
from conformance.judge.judgements import holds
from conformance.judge.law import law
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

READS = ("tasks_context", RADAR)
ZEROS = re.compile(r":0+(?=[0-9])")
Place = tuple[Hashable, str, str]
"""A workspace, a task and a path."""


def _plain(path: str) -> str:
    """A path without zeros before its numbers."""
    return ZEROS.sub(":", path)


@law("TK-ID-03")
def step_ids_have_their_form(history: History, contract: Contract) -> Iterator[Judgement]:
    """A step is shown under an id of its form, and a call with an id of another form is refused."""
    yield from shown(history, "step", "step")
    yield from refused_malformed(history, contract, "step")


@law("TK-ID-04")
def paths_address_steps(history: History, contract: Contract) -> Iterator[Judgement]:
    """A step is shown at a well-formed path; a call by path is about the step shown there, or is refused.

    No call moves a step: no read shows a step at a path at which another one was shown before.
    """
    yield from refused_malformed(history, contract, "path")
    there: dict[Place, tuple[str, Exchange]] = {}
    for call in history.calls():
        workspace = call.instance, str(call.argument("workspace"))
        yield from _below(call)
        for step in named_steps(call):
            pointer = f"/result{step.pointer}"
            saw = f"{call.tool} shows {step.step_id} at the path {step.path!r}"
            yield holds(formed("path", step.path), saw, call, pointer=f"{pointer}/path", got=step.path)
            first = there.setdefault((workspace, step.task, step.path), (step.step_id, call))
            if call.tool in READS and first[1].before(call):
                saw = (
                    f"{call.tool} shows {step.step_id} at {step.path} of {step.task}, where {first[0]} was shown before"
                )
                same, where = first[0] == step.step_id, f"{pointer}/path"
                yield holds(same, saw, first[1], call, pointer=where, expected=first[0], got=step.step_id)
            asked = call.argument("path")
            if call.tool in WRITES and call.argument("step_id") is None and isinstance(asked, str):
                if formed("path", asked) and formed("path", step.path):
                    saw = f"{call.tool} at {asked} of {step.task} wrote to the step at {step.path}"
                    same, where = _plain(asked) == _plain(step.path), f"{pointer}/path"
                    yield holds(same, saw, call, pointer=where, expected=asked, got=step.path)
                before = there.get((workspace, step.task, asked))
                if before is not None and before[1].before(call):
                    saw = f"{call.tool} at {asked} of {step.task} wrote to {step.step_id}"
                    found, where = before[0] == step.step_id, f"{pointer}/step_id"
                    yield holds(found, saw, before[1], call, pointer=where, expected=before[0], got=step.step_id)


def _below(call: Exchange) -> Iterator[Judgement]:
    """The steps that a call adds below another are shown there; its answer may list the others of the task too."""
    parent, drafts = call.argument("parent"), call.argument("steps")
    if call.tool != "tasks_decompose" or not formed("path", parent) or not isinstance(drafts, list):
        return
    steps = list(named_steps(call))
    below = [step.path.startswith(f"{parent}.") for step in steps]
    if len(steps) > len(drafts):
        saw = f"of {len(drafts)} steps added below {parent} the answer shows {sum(below)} there"
        yield holds(sum(below) >= len(drafts), saw, call, pointer="/result/steps", expected=len(drafts), got=sum(below))
        return
    for step, there in zip(steps, below, strict=True):
        saw, pointer = f"a step added below {parent} is shown at {step.path}", f"/result{step.pointer}/path"
        yield holds(there, saw, call, pointer=pointer, expected=f"{parent}.s:0", got=step.path)

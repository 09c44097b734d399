"""Identifiers of steps, and paths: both name a step of a task."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.forms import formed
from conformance.contracts.tasks.laws.identifiers import refused_malformed, shown
from conformance.contracts.tasks.steps import WRITES, named_steps
from conformance.judge.judgements import holds
from conformance.judge.law import exchange_law, law
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@exchange_law("TK-ID-03")
def step_ids_have_their_form(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """A step is shown under an id of its form, and a call with an id of another form is refused."""
    yield from shown(call, "step", "step")
    yield from refused_malformed(call, contract, "step")


@law("TK-ID-04")
def paths_address_steps(history: History, contract: Contract) -> Iterator[Judgement]:
    """A step is shown at a well-formed path, a call by path is about the step shown there, or refused."""
    there: dict[tuple[Hashable, str, str], tuple[str, Exchange]] = {}
    for call in history.calls():
        yield from refused_malformed(call, contract, "path")
        workspace = call.instance, str(call.argument("workspace"))
        for step in named_steps(call):
            pointer = f"/result{step.pointer}/path"
            saw = f"{call.tool} shows {step.step_id} at the path {step.path!r}"
            yield holds(formed("path", step.path), saw, call, pointer=pointer, got=step.path)
            before = there.setdefault((workspace, step.task, step.path), (step.step_id, call))
            by_path = call.tool in WRITES and call.argument("path") == step.path and call.argument("step_id") is None
            if by_path and before[1].before(call):
                saw = f"{call.tool} at {step.path} of {step.task} wrote to {step.step_id}"
                found, pointer = before[0] == step.step_id, f"/result{step.pointer}/step_id"
                yield holds(found, saw, before[1], call, pointer=pointer, expected=before[0], got=step.step_id)

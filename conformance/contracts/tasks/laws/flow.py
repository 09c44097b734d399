"""What takes several calls: closing a step, a refusal that leaves no trace, a guarded target, a patch."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.beside import PLAIN, controls, said
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.known import known
from conformance.contracts.tasks.listing import listed_by_none
from conformance.contracts.tasks.state import names_step
from conformance.judge.controls import but_for, refusals
from conformance.judge.epochs import epochs
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.refused import surely_refused
from conformance.judge.served import distinct
from conformance.judge.unchanged import unchanged
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.listed import tools_of
from conformance.model.verdict import HELD, Judgement

ELSEWHERE = ("REVISION_MISMATCH", "EXPECTED_TARGET_MISMATCH")
"""Refusals that other rules look after."""
PATCH = "tasks_patch"
TARGET = "expected_target_id"


@law("TK-FLOW-01")
def a_step_is_closed_once_it_is_confirmed(history: History, contract: Contract) -> Iterator[Judgement]:
    """Closing a step is refused while its criteria or tests are unconfirmed, and accepted once both are confirmed."""
    run = known(history, contract)
    early = run.only("CHECKPOINTS_NOT_CONFIRMED")
    words, code = said("on a step with a checkpoint that is not confirmed"), "CHECKPOINTS_NOT_CONFIRMED"
    yield from refusals(controls(history, contract), early, PLAIN, words, expected=code)
    for call in history.calls("tasks_done"):
        if run.good(call) and _decided(call, contract):
            saw = f"closing a step, both of whose checkpoints were confirmed, was {told(call)}"
            yield holds(call.accepted, saw, call, pointer="/error/code", expected="success", got=call.code)


def _decided(call: Exchange, contract: Contract) -> bool:
    """Whether a call was served, or refused in words that say why."""
    return call.accepted or call.code in contract.errors or call.protocol_code == INVALID_PARAMS


@law("TK-FLOW-02")
def a_refusal_leaves_no_trace(history: History, contract: Contract) -> Iterator[Judgement]:
    """Two equal reads around a refused write, with no other write between them, show the same."""
    run = known(history, contract)
    yield from unchanged(
        history,
        contract,
        (
            call
            for call in history.calls(*contract.writes())
            if surely_refused(call, contract) and not {call.code, *run.faults(call).codes}.intersection(ELSEWHERE)
        ),
    )


@law("TK-FLOW-04", absent=listed_by_none(TARGET))
def an_unexpected_target_is_left_alone(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write whose target is not expected_target_id is refused, and reads around it show the same.

    The document names the code and not the argument: tools that list it are judged.
    """
    calls = known(history, contract).only("EXPECTED_TARGET_MISMATCH")

    def words(call: Exchange) -> str:
        return f"on another target than {call.argument(TARGET)}"

    code = "EXPECTED_TARGET_MISMATCH"
    yield from refusals(controls(history, contract), calls, but_for(TARGET), words, expected=code)
    yield from unchanged(history, contract, (call for call in calls if call.refused))


@law("TK-FLOW-05")
def a_patch_edits(history: History, contract: Contract) -> Iterator[Judgement]:
    """The server lists tasks_patch, which gives a step or a task the title that it is told, as the next look shows."""
    for listing in distinct(history):
        calls = [found for number in listing.calls if (found := history.find(number)) is not None]
        if listing.ended == "done" and all(tool.name != PATCH for tool in tools_of(listing)):
            yield breach("tasks_patch is not listed", *calls, expected=PATCH)
    run, when = known(history, contract), epochs(history, contract)
    looks: dict[tuple[Hashable, int | None], Exchange] = {}
    for read in history.accepted("tasks_context"):
        looks.setdefault((when.scope(read), when.met(read)), read)
    for call in history.calls(PATCH):
        if call.refused and run.good(call) and _decided(call, contract):
            yield breach(f"a patch that nothing speaks against was {told(call)}", call, expected="success")
        elif call.accepted and isinstance(call.argument("title"), str):
            epoch = when.shown(call)
            look = looks.get((when.scope(call), epoch)) if epoch is not None else None
            if look is not None:
                yield from _titled(call, look)


def _titled(patch: Exchange, read: Exchange) -> Iterator[Judgement]:
    """The title that a look shows of what was patched, where it shows that."""
    kind = "step" if names_step(patch) else "task"
    patched = next((seen.key for seen in entities(patch) if seen.key[0] == kind), None)
    for seen in entities(read):
        if seen.key == patched and "title" in seen.shown:
            title: Json = seen.shown["title"]
            if title == patch.argument("title"):
                yield HELD
            else:
                saw = f"{seen.key[-1]} has the title {title!r} after a patch"
                pointer = f"/result{seen.pointer}/title"
                yield breach(saw, patch, read, pointer=pointer, expected=patch.argument("title"), got=title)

"""Goes through a run, each workspace's state beside the calls in it."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.readings.remarks import entered
from conformance.contracts.tasks.readings.shapes import shapes
from conformance.contracts.tasks.state import State
from conformance.judge.epochs import epochs
from conformance.judge.refused import surely_refused
from conformance.model.exchange import Exchange
from conformance.model.history import History


class Stage(NamedTuple):
    """A call, and its workspace as it was when the call was made."""

    call: Exchange
    state: State
    alone: bool
    """Whether no write overlaps the call."""


def walk(history: History, contract: Contract) -> Iterator[Stage]:
    """The calls of the contract's tools, in the order sent. A state is that of its stage alone: it goes on."""
    when = epochs(history, contract)
    known, shown = entered(history, contract), shapes(history, contract)
    states: dict[Hashable, State] = defaultdict(lambda: State(entered=known, shapes=shown))
    for call in history.calls():
        mark = contract.marks.get(call.tool or "")
        if mark is None:
            continue
        state, alone = states[when.scope(call)], when.met(call) is not None
        yield Stage(call, state, alone)
        if call.accepted and call.argument("dry_run") is not True:
            state.take(call, sure=alone)
        elif call.accepted:
            state.look(call)
        if mark.effect == "write" and not surely_refused(call, contract):
            state.lost = state.lost or not call.accepted
            state.blind = state.blind or not call.accepted or not alone

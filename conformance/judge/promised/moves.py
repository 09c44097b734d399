"""What brings an entity from one state into another."""

from collections.abc import Sequence
from typing import NamedTuple

from conformance.contract.making import Make, State
from conformance.contract.templates import fits
from conformance.model.exchange import Exchange


class Turn(NamedTuple):
    """The state in which a write leaves an entity; None where that is not known."""

    write: Exchange
    state: str | None


def moves_of(call: Exchange, make: Make) -> list[tuple[State, bool]]:
    """The states into which a call may bring an entity (True), or out of which (False): one call may do either."""
    return [
        (state, enters)
        for state in make.states
        for template, enters in ((state.enter, True), (state.leave, False))
        if template is not None and template.tool == call.tool and fits(template.arguments, call.arguments)
    ]


def leads_on(call: Exchange, make: Make, state: str) -> bool:
    """Whether a call brings an entity that is in a state into another one."""
    return any(state == (each.enter.state if enters else each.name) for each, enters in moves_of(call, make))


def moved(now: str | None, moves: Sequence[tuple[State, bool]]) -> str | None:
    """The state after a move that was accepted; None where it may have led to several."""
    found = set[str | None]()
    for state, enters in moves:
        # from a state that is not known an accepted call leads where it says
        if enters and now in (None, state.name, state.enter.state):
            found.add(state.name)
        elif not enters and now in (None, state.name):
            found.add(None if now is None else state.enter.state)
    return found.pop() if len(found) == 1 else None

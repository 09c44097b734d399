"""Which calls name an entity of a kind: by its id, or as what another entity is made with."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.promises import Call, Make
from conformance.contract.rows import Contract
from conformance.contract.templates import place_of, slots


class Naming(NamedTuple):
    """How a tool is called about an entity, and where in its arguments the entity is named."""

    call: Call
    place: str
    make: Make | None
    """Of the entity that the call is about by its own id; None: it has none, as an example."""


def naming(contract: Contract, tool: str, kind: str) -> Iterator[Naming]:
    """The ways in which the contract says that a tool is called with the id of an entity of a kind."""
    written = [(call, make) for make in contract.makes.values() for call in make.calls]
    for call, make in (*written, *((call, None) for call in contract.examples)):
        if call.tool != tool:
            continue
        place = place_of(call, "id") if make is not None and make.entity == kind else ""
        place = place or next((s.at for s in slots(call.arguments) if s.kind == "made" and s.name == kind), "")
        if place:
            yield Naming(call, place, make)

"""A stimulus makes calls so that something can be observed. It asserts nothing."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from conformance.contract.catalogue import Contract
from conformance.model.events import Json

B = TypeVar("B")
R = TypeVar("R", None, str)
BINDINGS = ("mcp", "http")
"""MCP, and a contract's plain HTTP."""


class Told(NamedTuple):
    """What a stimulus has to say of itself."""

    why: str
    kept: Mapping[str, str] = MappingProxyType({})
    """By requirement, the file in which the calls of what it found are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class StimulusPlan:
    """A stimulus, with what it needs of the target."""

    name: str
    contract: str
    run: Callable[[Any], Awaitable[object]]
    """A text that it gives is told with how it went, as is a `Told`."""
    exercises: tuple[str, ...]
    needs: tuple[str, ...] = ()
    """Conditions without which it cannot be run."""
    settings: Mapping[str, Json] = field(default_factory=dict)
    """Settings of an instance of its own."""
    fresh: bool = False
    """Whether it wants an instance of its own: it moves the clock, or looks at the whole of the store."""
    kept: bool = False
    """Whether it wants a server of its own that can be killed, since its store outlives it."""
    every_endpoint: bool = False
    """Whether it is run over each endpoint of the target, to compare them."""
    transports: tuple[str, ...] = ()
    bindings: tuple[str, ...] = BINDINGS
    last: bool = False
    """Whether it is run after all others, alone: it ends connections, or looks at what the others left."""
    first: bool = False
    """Whether it is run before all others of its contract, alone: it finds out how the server is to be called."""
    good_calls: bool = False
    """Whether it repeats calls that the run's contract was seen to accept, where it is a stimulus of its protocol."""
    editions: tuple[str, ...] = ()
    """Editions of the contract in which there is something for it to do; none: all."""
    sweep: bool = False
    """Whether it sweeps over tools and parameters: the report counts its calls apart."""

    def is_of(self, contract: Contract) -> bool:
        """Whether it belongs to a contract's edition, and exercises something that holds there."""
        if self.contract != contract.name or (self.editions and contract.edition not in self.editions):
            return False
        rows = [contract.requirements[name] for name in self.exercises if name in contract.requirements]
        return not rows or any(row.is_of(contract.edition) for row in rows)


STIMULI: dict[str, StimulusPlan] = {}
"""Every stimulus that has been imported, by its name."""


def stimulus(  # noqa: PLR0913 -- each says one thing about the stimulus, by name
    contract: str,
    *,
    exercises: tuple[str, ...],
    needs: tuple[str, ...] = (),
    settings: Mapping[str, Json] | None = None,
    fresh: bool = False,
    kept: bool = False,
    every_endpoint: bool = False,
    transports: tuple[str, ...] = (),
    bindings: tuple[str, ...] = BINDINGS,
    last: bool = False,
    first: bool = False,
    good_calls: bool = False,
    editions: tuple[str, ...] = (),
    sweep: bool = False,
) -> Callable[[Callable[[B], Awaitable[R]]], Callable[[B], Awaitable[R]]]:
    """Registers a stimulus: an async function of the contract's bench, named after the situation it brings about.

    A text that it gives says what it did not come to, and is told among the notes of the report.
    """

    def register(function: Callable[[B], Awaitable[R]]) -> Callable[[B], Awaitable[R]]:
        name = f"{contract}.{function.__name__}"
        if name in STIMULI:
            message = f"two stimuli are named {name}"
            raise ValueError(message)
        STIMULI[name] = StimulusPlan(
            name,
            contract,
            function,
            exercises,
            needs,
            settings or {},
            fresh or bool(settings),
            kept,
            every_endpoint,
            transports,
            bindings,
            last,
            first,
            good_calls,
            editions,
            sweep,
        )
        return function

    return register

"""Promises that a call with one fault is refused, with its code. A refusal counts beside its control alone."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contract.promises import Place
from conformance.contract.templates import place_of
from conformance.judge.controls import ButFor, Controls
from conformance.judge.faults import declined, internal
from conformance.judge.judgements import breach, told
from conformance.judge.promised.calls import fresh, templates, without
from conformance.judge.serving import Unsupported
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement


class Fault(NamedTuple):
    """A call that has one fault, in words: 'with an unknown id'."""

    call: Exchange
    what: str


class Likes:
    """The controls of calls of one tool that differ from them in these places, and in what is new in each call."""

    def __init__(  # noqa: PLR0913 -- what a control may differ in, each by name
        self,
        history: History,
        contract: Contract,
        tool: str,
        places: Iterable[Place] = (),
        *,
        caller: bool = False,
        conditions: frozenset[str] = frozenset(),
        settings: frozenset[str] = frozenset(),
    ) -> None:
        left_out = (*places, *fresh(contract, tool))
        self._differing = ButFor(
            caller=caller, conditions=conditions, settings=settings, shape=lambda call: without(call, left_out)
        )
        self._controls = Controls(history)
        # a write that is guarded by a revision is refused for that once another one was accepted
        self._guarded = any(
            place_of(call, "revision") not in ("", *_plain(left_out)) for call in templates(contract, tool)
        )

    def of(self, call: Exchange) -> Exchange | None:
        """The control of a call; None where none was accepted."""
        if self._guarded:
            return self._controls.after(call, self._differing)
        return self._controls.beside(call, self._differing)


def _plain(places: Iterable[Place]) -> list[str]:
    return [place.removeprefix("@") for place in places]


def refused(
    history: History, faults: Iterable[Fault], codes: tuple[str, ...], control: Callable[[Exchange], Exchange | None]
) -> Iterator[Judgement]:
    """Each of these calls is refused with one of the codes, with any where none is named.

    One that was refused without a control beside it is no subject: it may have been refused for anything.
    """
    unsupported = Unsupported(history)
    for call, what in faults:
        if call.received is None or unsupported.concerns(call):
            continue
        expected = " or ".join(codes) or "a refusal"
        if call.accepted:
            yield breach(f"{call.tool} {what} ended as {told(call)}", call, expected=expected)
        elif (beside := control(call)) is None:
            continue
        elif codes and call.code not in codes:
            saw = f"{call.tool} {what} was {told(call)}"
            yield breach(saw, beside, call, pointer="/error", expected=expected, got=call.code)
        elif codes or (declined(call) and not internal(call)):
            yield HELD

"""The code of every refusal under a condition that calls for it."""

from collections.abc import Callable, Iterable, Iterator

from conformance.judge.faults import internal
from conformance.judge.judgements import breach, holds, told
from conformance.judge.silence import silence
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement

Beside = Callable[[Exchange], Exchange | None]
"""The control of a call: the accepted one that is its like but for the fault."""


def coded(  # noqa: PLR0913 -- a code, why it is due, what shows that, and what else says the same
    calls: Iterable[Exchange],
    code: str,
    *,
    because: Callable[[Exchange], str],
    beside: Beside | None,
    protocol: int | None = None,
    status: int | None = None,
) -> Iterator[Judgement]:
    """Each of these calls that is refused, with a code, has this one. `because` says in words why it applies.

    A JSON-RPC error or an HTTP status that says the same satisfies it; another refusal without a code is no subject.
    Nor is one whose like without the fault was refused as well: then nobody knows what it was refused for. Nor an
    internal error where others of these calls of the tool end otherwise: the server stumbled over something else.
    """
    made = list(calls)
    yield from _coded(made, code, because=because, beside=beside, protocol=protocol, status=status)
    if beside is not None:
        yield from silence(made, because, beside)


def _coded(  # noqa: PLR0913 -- as above
    calls: Iterable[Exchange],
    code: str,
    *,
    because: Callable[[Exchange], str],
    beside: Beside | None,
    protocol: int | None,
    status: int | None,
) -> Iterator[Judgement]:
    """The same for those that were answered."""
    asked = [(call, because(call)) for call in calls]
    sound = {(call.tool, why) for call, why in asked if call.received is not None and not internal(call)}
    for call, why in asked:
        if not call.refused or (internal(call) and call.code != code and (call.tool, why) in sound):
            continue
        equal = (protocol is not None and call.protocol_code == protocol) or (bool(status) and call.status == status)
        if call.code is None and not equal:
            continue
        control = beside(call) if beside is not None else None
        if beside is not None and control is None:
            continue
        if call.code is None:
            yield HELD
        else:
            saw = f"{call.tool} {why} was {told(call)}"
            yield holds(
                call.code == code, saw, call, beside=control, pointer="/error/code", expected=code, got=call.code
            )


def due(
    calls: Iterable[Exchange],
    code: str,
    *,
    because: Callable[[Exchange], str],
    beside: Beside | None,
    protocol: int | None = None,
) -> Iterator[Judgement]:
    """Each of these calls that is answered is refused, and with this code, as `coded` has it."""
    made = list(calls)
    for call in made:
        if call.accepted:
            yield breach(f"{call.tool} {because(call)} ended as {told(call)}", call, expected=code)
        else:
            yield from _coded([call], code, because=because, beside=beside, protocol=protocol, status=None)
    if beside is not None:
        yield from silence(made, because, beside)

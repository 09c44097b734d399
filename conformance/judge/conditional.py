"""The code of every refusal under a condition that calls for it."""

from collections.abc import Callable, Iterable, Iterator

from conformance.judge.judgements import breach, holds, told
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement


def coded(
    calls: Iterable[Exchange],
    code: str,
    *,
    because: Callable[[Exchange], str],
    protocol: int | None = None,
    status: int | None = None,
) -> Iterator[Judgement]:
    """Each of these calls that is refused, with a code, has this one. `because` says in words why it applies.

    A JSON-RPC error or an HTTP status that says the same satisfies it; another refusal without a code is no subject.
    """
    for call in calls:
        if not call.refused:
            continue
        if call.code is not None:
            saw = f"{call.tool} {because(call)} was {told(call)}"
            yield holds(call.code == code, saw, call, pointer="/error/code", expected=code, got=call.code)
        elif (protocol is not None and call.protocol_code == protocol) or (status and call.status == status):
            yield HELD


def due(
    calls: Iterable[Exchange], code: str, *, because: Callable[[Exchange], str], protocol: int | None = None
) -> Iterator[Judgement]:
    """Each of these calls that is answered is refused, and with this code, as `coded` has it."""
    for call in calls:
        if call.accepted:
            yield breach(f"{call.tool} {because(call)} ended as {told(call)}", call, expected=code)
        else:
            yield from coded([call], code, because=because, protocol=protocol)

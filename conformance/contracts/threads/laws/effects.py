"""Calls that are refused, and so have no effect."""

from collections.abc import Callable, Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.allowed import controls
from conformance.contracts.threads.laws.faulty import beside
from conformance.judge.controls import ButFor, refusals
from conformance.judge.unchanged import unchanged
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import UNSAID, Judgement


def without_effect(  # noqa: PLR0913 -- a refusal has that many sides, each by name
    history: History,
    contract: Contract,
    calls: Iterable[Exchange],
    differing: ButFor | Callable[[Exchange], ButFor],
    what: Callable[[Exchange], str],
    *,
    expected: Json = UNSAID,
) -> Iterator[Judgement]:
    """Each of these calls is refused, where its like is served, and equal reads around it show the same."""
    wrong, look = list(calls), beside(history, contract, differing)
    yield from refusals(controls(history, contract), wrong, differing, what, expected=expected)
    yield from unchanged(history, contract, [call for call in wrong if call.refused and look(call) is not None])

"""The judge: events in, one outcome a requirement out. The same for live, replayed and recorded traffic."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from conformance.contract.catalogue import Contract, requirement
from conformance.judge.cascade import Claims, settle
from conformance.judge.law import LAWS, Law
from conformance.judge.tally import Tally
from conformance.model.events import Event
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcomes of a contract's requirements, in the contract's order, and of its foundation."""

    history: History
    outcomes: tuple[Outcome, ...]
    foundation: tuple[Outcome, ...]

    def outcome(self, identifier: str) -> Outcome | None:
        """The outcome of one requirement."""
        return next((o for o in (*self.outcomes, *self.foundation) if o.id == identifier), None)


def judge(events: Iterable[Event], contract: Contract, *, claims: Claims | None = None) -> Judged:
    """Judges a run against every requirement of a contract."""
    others = (requirement(name) for name in contract.foundation if name not in contract.requirements)
    foundation = [found for found in others if found is not None]
    wanted = [r for r in (*foundation, *contract.requirements.values()) if r.seen != "reference"]
    tallies = {r.id: Tally(r, LAWS.get(r.id)) for r in wanted}
    history = History(contract.envelope)
    by_tool = _dispatch([tally.law for tally in tallies.values() if tally.law is not None])
    for event in events:
        exchange = history.feed(event)
        if exchange is not None:
            _look(exchange, by_tool, tallies, contract)
    for tally in tallies.values():
        if tally.law is not None and tally.law.over_history is not None:
            tally.take_all(tally.law.over_history, history, contract)
    outcomes = settle(tallies, history, claims or Claims())
    return Judged(
        history,
        tuple(outcomes[r.id] for r in wanted if r.id in contract.requirements),
        tuple(outcomes[r.id] for r in foundation),
    )


def _dispatch(laws: Sequence[Law]) -> tuple[list[Law], Mapping[str, list[Law]]]:
    """Laws over exchanges: those for every exchange, and by tool those for its answers."""
    everywhere = [law for law in laws if law.over_exchange is not None and law.tools is None]
    by_tool: dict[str, list[Law]] = defaultdict(list)
    for law in laws:
        for tool in law.tools or ():
            by_tool[tool].append(law)
    return everywhere, by_tool


def _look(
    exchange: Exchange,
    dispatch: tuple[list[Law], Mapping[str, list[Law]]],
    tallies: Mapping[str, Tally],
    contract: Contract,
) -> None:
    everywhere, by_tool = dispatch
    for law in (*everywhere, *by_tool.get(exchange.tool or "", ())):
        if law.over_exchange is not None:
            tallies[law.requirement].take_all(law.over_exchange, exchange, contract)

"""The judge: events in, one outcome a requirement out. The same for live, replayed and recorded traffic."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from conformance.contract.catalogue import Contract, load
from conformance.contract.limits import limited
from conformance.judge.cascade import settle
from conformance.judge.claims import NONE, Claims
from conformance.judge.law import Law
from conformance.judge.modelled import decided
from conformance.judge.promised.library import law_of
from conformance.judge.tally import Tally
from conformance.model.events import Event
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.requirement import Requirement
from conformance.model.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcomes of a contract's requirements, in the contract's order, and of those of its protocol."""

    history: History
    outcomes: tuple[Outcome, ...]
    foundation: tuple[Outcome, ...]

    def outcome(self, identifier: str) -> Outcome | None:
        """The outcome of one requirement."""
        return next((o for o in (*self.outcomes, *self.foundation) if o.id == identifier), None)


Whose = Callable[[Requirement], Contract]
"""The contract of a requirement, in the edition that is judged."""


def _never() -> str:
    return ""


def _nothing() -> int:
    return 0


def judge(
    events: Iterable[Event],
    contract: Contract,
    *,
    claims: Claims = NONE,
    spent: Callable[[], str] = _never,
    weigh: Callable[[], int] = _nothing,
) -> Judged:
    """Judges a run against every requirement of a contract.

    `spent` tells why no more may be judged, empty while more may: what is left then is not judged, and it is said so.
    `weigh` tells how many octets the last event took: so that no more is kept than memory has room for.
    """
    foundation = list(load(contract.protocol).requirements.values()) if contract.protocol is not None else []
    wanted = [r for r in (*foundation, *contract.requirements.values()) if r.seen != "reference"]

    # what is of other editions alone is not judged in this one
    def whose(about: Requirement) -> Contract:
        return contract if about.contract == contract.name else load(about.contract)

    tallies = {r.id: Tally(r, law_of(r.id, whose(r)) if r.is_of(contract.edition) else None) for r in wanted}
    history = History(contract.envelope)

    by_tool = _dispatch([tally.law for tally in tallies.values() if tally.law is not None])
    cut = ""
    with limited(spent):
        for event in events:
            exchange = history.feed(event, weigh())
            cut = cut or (spent() if exchange is not None else "")
            if exchange is not None and not cut and _look(exchange, by_tool, tallies, whose):
                history.witness(exchange)
        for tally in tallies.values():
            if tally.law is None:
                continue
            tally.cut = tally.cut or cut
            if tally.law.over_history is not None:
                tally.cut = tally.cut or spent()
                if not tally.cut:
                    tally.take_all(tally.law.over_history, history, whose(tally.requirement))
        for identifier, breaches in decided(history, contract).items():
            tallies[identifier].take_all(lambda found, _: found, breaches, contract)
    outcomes = settle(tallies, history, claims, _absent(tallies, history, whose))
    return Judged(
        history,
        tuple(outcomes[r.id] for r in wanted if r.id in contract.requirements),
        tuple(outcomes[r.id] for r in foundation),
    )


def _absent(tallies: Mapping[str, Tally], history: History, whose: Whose) -> dict[str, str]:
    """Why nothing on the target could be a subject of a requirement that has none."""
    return {
        identifier: tally.law.absent(history, whose(tally.requirement))
        for identifier, tally in tallies.items()
        if tally.law is not None and tally.law.absent is not None and not tally.subjects
    }


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
    whose: Whose,
) -> bool:
    """Whether one of the laws on exchanges finds a breach."""
    everywhere, by_tool = dispatch
    broken = False
    for law in (*everywhere, *by_tool.get(exchange.tool or "", ())):
        if law.over_exchange is not None:
            tally = tallies[law.requirement]
            before = tally.breaches
            tally.take_all(law.over_exchange, exchange, whose(tally.requirement))
            broken = broken or tally.breaches > before
    return broken

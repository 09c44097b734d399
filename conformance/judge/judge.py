"""The judge: events in, one outcome a requirement out. The same for live, replayed and recorded traffic."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from conformance.contract.catalogue import Contract, load
from conformance.contract.limits import limited
from conformance.judge.cascade import settle
from conformance.judge.claims import NONE, Claims
from conformance.judge.dispatch import Dispatch, Whose
from conformance.judge.law import Compares
from conformance.judge.modelled import decided
from conformance.judge.parted import Parted, Source, Whole
from conformance.judge.promised.library import laws_of
from conformance.judge.roots import Roots
from conformance.judge.tally import Tally
from conformance.model.events import Event
from conformance.model.history import History
from conformance.model.parts import Parts
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


UNASKED = "it was not asked for"


def _never() -> str:
    return ""


def _nothing() -> int:
    return 0


def judge(  # noqa: PLR0913 -- what is judged, by what, and within which bounds
    events: Iterable[Event],
    contract: Contract,
    *,
    claims: Claims = NONE,
    spent: Callable[[], str] = _never,
    weigh: Callable[[], int] = _nothing,
    parts: Parts | None = None,
    source: Source | None = None,
    only: Collection[str] | None = None,
) -> Judged:
    """Judges a run against every requirement of a contract.

    `spent` tells why no more may be judged, empty while more may: what is left then is not judged, and it is said so.
    `weigh` tells how many octets the last event took: so that no more is kept than memory has room for.
    `parts` of a transcript that is too large tell what belongs together: each is judged as a history of its own.
    `source` reads some of its lines once more.
    `only` these requirements are asked about: what tells nothing of them is not judged, and its outcome says so.
    """
    foundation = list(load(contract.protocol).requirements.values()) if contract.protocol is not None else []
    wanted = [r for r in (*foundation, *contract.requirements.values()) if r.seen != "reference"]
    history = History(contract.envelope)

    def whose(about: Requirement) -> Contract:
        return contract if about.contract == contract.name else load(about.contract)

    # what is of other editions alone is not judged in this one
    tallies = {r.id: Tally(r, *(laws_of(r.id, whose(r)) if r.is_of(contract.edition) else ())) for r in wanted}
    asked = tallies.keys() if only is None else Roots(tallies).needed(only)
    for identifier in tallies.keys() - asked:
        tallies[identifier].cut = UNASKED

    def conclude(about: History, compares: Collection[Compares]) -> None:
        _over_history(about, tallies, whose, compares=compares, spent=spent)
        for identifier, breaches in decided(about, contract).items() if "all" in compares else ():
            if identifier in asked:
                tallies[identifier].take_all(lambda found, _: found, breaches, contract)

    keeper: Whole | Parted = Whole(history, conclude)
    if parts is not None and source is not None:
        keeper = Parted(history, conclude, parts, tallies=tallies.values(), contract=contract, source=source)
    dispatch = Dispatch([tally for identifier, tally in tallies.items() if identifier in asked], whose)
    cut = ""
    with limited(spent):
        for event in events:
            exchange = keeper.feed(event, weigh())
            cut = cut or (spent() if exchange is not None else "")
            broken = exchange is not None and not cut and dispatch.look(exchange)
            keeper.settle(exchange if broken else None)
        for tally in tallies.values():
            tally.cut = tally.cut or (cut if tally.laws else "")
        keeper.close()
    outcomes = settle(tallies, history, claims, _absent(tallies, history, whose) if keeper.all_listed else {})
    return Judged(
        history,
        tuple(outcomes[r.id] for r in wanted if r.id in contract.requirements),
        tuple(outcomes[r.id] for r in foundation),
    )


def _over_history(
    history: History,
    tallies: Mapping[str, Tally],
    whose: Whose,
    *,
    compares: Collection[Compares],
    spent: Callable[[], str],
) -> None:
    """Judges by the laws over histories that compare so much."""
    for tally in tallies.values():
        for place, law in enumerate(tally.laws):
            if law.over_history is not None and law.compares in compares:
                tally.cut = tally.cut or spent()
                if not tally.cut:
                    tally.take_all(law.over_history, history, whose(tally.requirement), place)


def _absent(tallies: Mapping[str, Tally], history: History, whose: Whose) -> dict[str, str]:
    """By law, why nothing on the target could be a subject of one that has none."""
    return {
        law.requirement: law.absent(history, whose(tally.requirement))
        for tally in tallies.values()
        for law, subjects in zip(tally.laws, tally.by_law, strict=True)
        if law.absent is not None and not subjects
    }

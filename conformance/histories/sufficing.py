"""Which calls of a run a finding needs: judged alone they show it again, with the good calls beside which it stands."""

from collections.abc import Callable, Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.drive.stimulus import STIMULI
from conformance.judge.claims import claims_of
from conformance.judge.judge import judge
from conformance.model.events import Effect, Event, Json, Listing, Message, Step, Unanswered
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Finding, Verdict

BROKEN = (Verdict.FAIL, Verdict.WARN, Verdict.XFAIL, Verdict.BLOCKED, Verdict.FLAKY)
Events = Callable[[], Iterable[Event]]
"""The events of a run, from the beginning each time."""


def narrowed(events: Iterable[Event], calls: frozenset[int]) -> Iterator[Event]:
    """The events of a run in which only these calls were made."""
    for event in events:
        match event:
            case Message(aside=None) if event.call is None or event.call in calls:
                yield event
            case Message(aside=None) | Message(call=int()):
                continue
            case Step() | Unanswered() | Effect() if event.call not in calls:
                continue
            case Listing() if not calls.issuperset(event.calls):
                continue
            case _:
                yield event


def broken(events: Iterable[Event], contract: Contract, statement: dict[str, Json]) -> frozenset[str]:
    """The requirements of a contract and its protocol that these events break."""
    judged = judge(events, contract, claims=claims_of(statement))
    return frozenset(o.id for o in (*judged.outcomes, *judged.foundation) if o.verdict in BROKEN and o.breaches)


def needed(finding: Finding, history: History, contract: Contract, events: Events) -> list[Exchange]:
    """The calls that show a finding: those of its stimuli up to the one with the breach.

    Where these do not show it alone, those of others that exercise the requirement, or show which calls are served,
    stand before them; at last all that came before.
    """
    named = [exchange for call in finding.calls if (exchange := history.find(call)) is not None]
    if not named:
        listed = {call for listing in history.listings[:1] for call in listing.calls}
        return [each for each in history.exchanges if each.call in listed]
    last = max(exchange.call for exchange in named)
    own = {exchange.stimulus for exchange in named}
    statement = history.header.statement if history.header is not None else {}
    found: list[Exchange] = []
    exercising = _exercising(finding.requirement)
    for others in (set[str](), exercising - own, (exercising | _exercising(*contract.roots)) - own):
        calls = [e for e in history.exchanges if e.stimulus in others or (e.stimulus in own and e.call <= last)]
        if len(calls) == len(found):
            continue
        found = calls
        numbers = frozenset(each.call for each in found)
        if finding.requirement in broken(narrowed(events(), numbers), contract, statement):
            return found
    return list(history.exchanges)


def _exercising(*requirements: str) -> set[str]:
    return {name for name, plan in STIMULI.items() if set(requirements).intersection(plan.exercises)}

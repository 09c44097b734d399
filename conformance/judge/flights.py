"""Whether calls that were made to overlap were seen to be under way together: else what they show is no race."""

from collections.abc import Iterable, Iterator, Sequence

from conformance.judge.judgements import unjudged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

SENT_APART = "calls that were sent at once were answered before all of them had left"


def together(history: History, calls: Sequence[Exchange]) -> bool:
    """Whether two of these calls were on their way at once.

    By the record of the flights that they were made in; where a transcript has none, by when they were sent.
    """
    numbers = {call.call for call in calls}
    flights = [flight for flight in history.flights if len(numbers.intersection(flight.calls)) > 1]
    return any(flight.together for flight in flights) or not history.flights


def raced(history: History, calls: Sequence[Exchange], judgements: Iterable[Judgement]) -> Iterator[Judgement]:
    """Judgements on a race: that a rule held is said only of calls that were under way together.

    Without any such calls there was no race that could have failed to come about.
    """
    flown = not calls or together(history, calls)
    for judgement in judgements:
        yield judgement if flown or not judgement.ok else unjudged(SENT_APART)

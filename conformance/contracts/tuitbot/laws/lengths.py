"""Length of a tweet (Session 05 contract): 280 weighted characters, of which a URL takes 23."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.beside import beside, other_values
from conformance.contracts.tuitbot.gate import decision
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.tweets import PROPOSALS, TEXTS, outcomes, written
from conformance.contracts.tuitbot.weight import LIMIT, weight
from conformance.judge.controls import ButFor
from conformance.judge.faults import declined
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.silence import silence
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

TOO_LONG = "tweet_too_long"
SHORTER = other_values("text", "content", "tweets")
TAKEN = ("queued", "executed")
PROPOSED = ButFor(shape=lambda _: None)
"""Another proposed reply, to whichever tweet."""


@law("TB-SAFE-01")
def a_tweet_weighs_280_at_most(history: History, contract: Contract) -> Iterator[Judgement]:
    """A text of more than 280 weighted characters is refused where a lighter one is taken, and a lighter one is not."""
    run = known(history, contract)
    control = beside(history, contract, lambda call: PROPOSED if call.tool == PROPOSALS else SHORTER(call))
    long: list[Exchange] = []
    for call in history.calls(*TEXTS):
        if not run.untroubled(call) or decision(call) is not None:
            continue
        weights = [weight(text) for text in written(call)]
        heaviest = max((each for each in weights if each is not None), default=None)
        if heaviest is None or (call.tool == PROPOSALS and call.accepted and outcomes(call) is None):
            continue
        if heaviest > LIMIT:
            long.append(call)
            if not (call.refused or call.received is None or _held_back(call)):
                yield breach(f"{call.tool} took a text that weighs {heaviest}", call, expected=TOO_LONG, got=told(call))
            elif (declined(call) or call.accepted) and control(call) is not None:
                yield HELD
        elif None not in weights and (call.accepted or call.code == TOO_LONG):
            saw = f"{call.tool} refused a text that weighs {heaviest} as too long"
            yield holds(call.code != TOO_LONG, saw, call, pointer="/error/code", got=call.code)
    yield from silence(long, lambda _: f"with a text that weighs more than {LIMIT}", control)


def _held_back(call: Exchange) -> bool:
    """Whether proposed replies were answered one by one, and none of them was queued or sent."""
    items = outcomes(call)
    return items is not None and not any(isinstance(item, dict) and item.get("status") in TAKEN for item in items)

"""Length of a tweet (seed 000): 280 weighted characters, of which a URL takes 23."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import decision
from conformance.contracts.tuitbot.tweets import TEXTS, written
from conformance.contracts.tuitbot.weight import LIMIT, weight
from conformance.judge.judgements import holds, told
from conformance.judge.law import law
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

TOO_LONG = "tweet_too_long"
PROPOSALS = "propose_and_queue_replies"


@law("TB-SAFE-01")
def a_tweet_weighs_280_at_most(history: History, contract: Contract) -> Iterator[Judgement]:
    """A text of more than 280 weighted characters is refused wherever a tweet is written; a lighter one is not."""
    del contract
    for call in history.calls(*TEXTS):
        if call.received is None or not set(call.conditions) <= {"clock"} or decision(call) is not None:
            continue
        weights = [weight(text) for text in written(call)]
        heaviest = max((each for each in weights if each is not None), default=None)
        if heaviest is None:
            continue
        if heaviest > LIMIT:
            saw = f"{call.tool} took a text that weighs {heaviest}"
            yield holds(call.refused or _held_back(call), saw, call, expected=TOO_LONG, got=told(call))
        elif None not in weights and (call.accepted or call.code == TOO_LONG):
            saw = f"{call.tool} refused a text that weighs {heaviest} as too long"
            yield holds(call.code != TOO_LONG, saw, call, pointer="/error/code", got=call.code)


def _held_back(call: Exchange) -> bool:
    """Whether proposed replies were answered one by one, and none of them was queued or sent."""
    items = call.payload if call.tool == PROPOSALS and isinstance(call.payload, list) else [{"status": "executed"}]
    return not any(isinstance(item, dict) and item.get("status") in ("queued", "executed") for item in items)

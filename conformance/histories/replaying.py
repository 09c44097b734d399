"""A conversation tried apart: as it is, or shrunk to the fewest calls that still break what it broke."""

from collections.abc import Callable

from conformance.contract.catalogue import Contract
from conformance.drive.bench import Bench
from conformance.drive.stimulus import StimulusPlan
from conformance.histories.conversation import Conversation
from conformance.histories.playing import Player
from conformance.histories.shrinking import Shrinking
from conformance.histories.trying import Play, Trial, Trying


def play_of(conversation: Conversation, unmet: list[str] | None = None) -> Play:
    """The calls of a conversation on instances of their own, with names of their own.

    `unmet` takes what later calls were to take from an answer that lacks it.
    """
    one = len(conversation.stores) <= 1

    async def make(bench: Bench, lanes: list[Bench]) -> None:
        run = f"{bench.session.nonce}-{bench.instance.partition('-')[0]}"
        player = Player(conversation, bench, alone=one, fresh=not one, run=run, lanes=lanes)
        await player.play()
        if unmet is not None:
            unmet.extend(player.unmet)

    settings = next(iter(conversation.stores.values())).settings if one and conversation.stores else {}
    return Play(make, settings)


async def smallest(
    conversation: Conversation,
    requirement: str,
    trying: Trying,
    shown: Trial | None = None,
    over: Callable[[], bool] = lambda: False,
) -> tuple[Conversation, Trial | None]:
    """The fewest calls that break a requirement, and the trial in which they did.

    They show the same kind of finding: without the good call beside which one stands, it could be another. None goes on
    from an answer that lacks what it takes, where the whole does not: on a server that is in order they would show
    nothing.
    Where the conversation does not break it again, it is given as it is, with the trial that showed it before. `over`
    says when there is no time for another try: then the fewest so far are given.
    """
    best = [shown]
    at_first: list[int] = []
    kinds = shown.kinds[requirement][:1] if shown is not None else []

    async def breaks(smaller: Conversation) -> bool:
        unmet: list[str] = []
        tried = [each for each in await trying.of(play_of(smaller, unmet)) if requirement in each.broken]
        at_first[:] = at_first or [len(unmet)]
        if len(unmet) > at_first[0]:
            return False
        if not kinds and tried:
            kinds.extend(tried[0].kinds[requirement][:1])
        alike = [each for each in tried if kinds[0] in each.kinds[requirement]]
        best[:] = alike or best
        return bool(alike)

    shrunk = await Shrinking(conversation, breaks, over).run() if await breaks(conversation) else conversation
    return shrunk, best[0]


def shrink_plan(conversation: Conversation, contract: Contract, result: list[Conversation]) -> StimulusPlan:
    """The stimulus that shrinks a conversation; the smallest is added to `result`, and what it showed is recorded."""

    async def run(bench: Bench) -> str:
        trying = Trying(bench, contract)
        for requirement in conversation.requirements:
            shrunk, trial = await smallest(conversation, requirement, trying)
            if trial is not None:
                trying.keep(trial)
                result.append(shrunk)
                return f"shrunk from {len(conversation.calls)} calls to {len(shrunk.calls)}"
        # nothing is broken here: then the calls themselves are what there is to judge
        await Player(conversation, bench).play()
        return "the conversation breaks nothing here: it was not shrunk"

    return StimulusPlan(f"{contract.name}.replay", contract.name, run, conversation.requirements)

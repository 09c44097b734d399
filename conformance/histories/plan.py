"""A conversation as what a run drives."""

from conformance.contract.catalogue import Contract
from conformance.drive.bench import Bench
from conformance.drive.errors import StuckError
from conformance.drive.stimulus import StimulusPlan
from conformance.histories.conversation import Conversation
from conformance.histories.playing import Player


def plan_of(conversation: Conversation, contract: Contract, name: str = "replay") -> StimulusPlan:
    """The stimulus that makes the calls of a conversation.

    It is stuck, and says so, where an answer lacks what later calls were to take from it: all calls are made then too.
    """

    async def play(bench: Bench) -> None:
        player = Player(conversation, bench)
        await player.play()
        if player.unmet:
            more = f", and {len(player.unmet) - 1} more" if len(player.unmet) > 1 else ""
            raise StuckError(f"{player.unmet[0]}{more}")

    return StimulusPlan(f"{contract.name}.{name}", contract.name, play, conversation.requirements)

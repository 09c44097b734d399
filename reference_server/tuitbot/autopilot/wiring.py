"""Builds the loops over a context, in which the X client is: no module of this layer imports it."""

from dataclasses import dataclass

from reference_server.tuitbot.autopilot.adapters import (
    GatedSender,
    KeywordSearcher,
    LlmDrafter,
    StoredSafety,
    StoredSchedule,
)
from reference_server.tuitbot.autopilot.discovery_loop import DiscoveryLoop
from reference_server.tuitbot.autopilot.posting_loop import PostingLoop
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.gate import PolicyGate
from reference_server.tuitbot.workflow.reply_safety import ReplySafety


@dataclass(frozen=True, slots=True)
class Autopilot:
    """The loops of one account. None runs in composer mode: there a person composes."""

    loops: tuple[DiscoveryLoop | PostingLoop, ...]


def autopilot(ctx: WorkflowContext, gate: PolicyGate, safety: ReplySafety) -> Autopilot:
    """The loops over a borrowed context; gate and safety checks are those that the tools ask."""
    if ctx.config.mode == "composer":
        return Autopilot(())
    sender = GatedSender(ctx, gate)
    discovery = DiscoveryLoop(KeywordSearcher(ctx), LlmDrafter(ctx), StoredSafety(ctx, safety), sender)
    return Autopilot((discovery, PostingLoop(StoredSchedule(ctx), sender)))

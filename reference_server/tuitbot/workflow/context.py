"""What a workflow function is given (Architecture decisions, AD-03, AD-14)."""

from dataclasses import dataclass

from reference_server.conditions import Clock
from reference_server.tuitbot.config import Config
from reference_server.tuitbot.llm.provider import LlmProvider
from reference_server.tuitbot.store.database import Database
from reference_server.tuitbot.x.protocol import XClient


@dataclass(frozen=True, slots=True)
class WorkflowContext:
    """Borrowed dependencies of one call: the context closes none of them, and nobody keeps it."""

    db: Database
    config: Config
    x_client: XClient
    llm: LlmProvider | None
    """None: no provider is configured; all that generates nothing works without."""
    clock: Clock

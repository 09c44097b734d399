"""One call on its way through the domain: who, what, when, and what the world behind the server saw of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reference_server.application import Json
from reference_server.threads.identity import Claims
from reference_server.threads.store import Thread
from reference_server.threads.world import World


@dataclass(slots=True)
class Call:
    """A call whose token is verified and whose arguments fit the input schema."""

    tool: str
    claims: Claims
    arguments: Mapping[str, Json]
    now: float
    """The calendar, read once a call: all that a call writes bears one instant."""
    world: World
    effects: list[dict[str, Json]]
    named: Thread | None = field(default=None)

    @property
    def thread(self) -> Thread:
        """The thread that the call names. Raises `LookupError` in a method that takes none."""
        if self.named is None:
            raise LookupError(f"{self.tool} takes no thread")
        return self.named

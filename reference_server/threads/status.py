"""The state machine of a thread (3.5)."""

from typing import Final

from reference_server.threads.refusal import Refusal
from reference_server.threads.store import Thread

MOVES: Final = {
    "active": frozenset({"blocked", "resolved", "closed"}),
    "blocked": frozenset({"active", "closed"}),
    "resolved": frozenset({"active", "closed"}),
    "closed": frozenset[str](),
}


class StateMachine:
    """Moves a thread from status to status."""

    def __init__(self) -> None:
        self.moves: dict[str, frozenset[str]] = dict(MOVES)

    def move(self, thread: Thread, wanted: str, instant: str) -> None:
        """The same status again changes nothing, not even updated_at. Raises CONFLICT."""
        if wanted == thread.status:
            return
        self.check(thread.status, wanted)
        thread.status = wanted
        thread.updated_at = instant

    def check(self, status: str, wanted: str) -> None:
        """Raises CONFLICT where the state machine lacks the move."""
        if wanted not in self.moves[status]:
            raise Refusal("CONFLICT", f"a thread does not go from {status} to {wanted}")

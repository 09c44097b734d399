"""The audit trail (1.1): every call with the identity that was verified, never the one that a payload names."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reference_server.application import Json
from reference_server.threads.identity import Claims

KEPT: Final = 100_000
"""Entries kept: the newest, about 50 MB at most."""

RESOURCES: Final = ("thread_id", "workspace_id", "session_id")
DETAILS: Final = ("reason", "metadata", "audit")
DETAILED: Final = frozenset({"update_thread_status", "trigger_participant"})


@dataclass(frozen=True, slots=True)
class Entry:
    """Who did what to which resource, and what came of it (`ok` or an error code); claims None: not verified."""

    at: str
    claims: Claims | None
    method: str
    resource: str | None
    request_id: str
    outcome: str
    details: Mapping[str, Json]


class AuditTrail:
    """Keeps entries in the order of the calls."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque(maxlen=KEPT)

    def record(
        self, at: str, claims: Claims | None, method: str, arguments: Json, request_id: str, outcome: str
    ) -> None:
        """Adds the entry of a call that has been answered; reasons are kept where one changes or interrupts others."""
        given = arguments if isinstance(arguments, dict) else {}
        resource = next((given[name] for name in RESOURCES if isinstance(given.get(name), str)), None)
        details = {name: given[name] for name in DETAILS if name in given} if method in DETAILED else {}
        self.entries.append(Entry(at, claims, method, resource, request_id, outcome, details))

"""The audit trail (1.1): every call with the identity that was verified, never the one that a payload names."""

from collections import deque
from collections.abc import Mapping
from typing import Final, NamedTuple, Self

from reference_server.application import Json, Request
from reference_server.threads.identity import Claims

KEPT: Final = 100_000
"""Entries kept: the newest, about 50 MB at most."""

DETAILS: Final = ("reason", "metadata", "audit")
DETAILED: Final = frozenset({"update_thread_status", "trigger_participant"})


class Entry(NamedTuple):
    """Who did what to which resource, and what came of it (`ok` or an error code); claims None: not verified.

    A tuple, since there is one for every call: a frozen dataclass takes 2 µs more to make.
    """

    at: float
    """Seconds since the epoch, by the instance's calendar."""
    claims: Claims | None
    method: str
    resource: str | None
    request_id: str
    outcome: str
    details: Mapping[str, Json]

    @classmethod
    def of(cls, at: float, claims: Claims | None, request: Request, request_id: str, outcome: str) -> Self:
        """The entry of a call that was answered; reasons are kept where one changes or interrupts others."""
        given = request.arguments if isinstance(request.arguments, dict) else {}
        resource = given.get("thread_id") or given.get("workspace_id")
        details = {name: given[name] for name in DETAILS if name in given} if request.tool in DETAILED else {}
        named = resource if isinstance(resource, str) else None
        return cls(at, claims, request.tool, named, request_id, outcome, details)


class AuditTrail:
    """Keeps entries in the order of the calls."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque(maxlen=KEPT)

    def record(self, entry: Entry) -> None:
        """Adds an entry; nothing changes or removes one but the limit."""
        self.entries.append(entry)

"""The registry of event types (4)."""

from typing import Final

REPORTED: Final = "finding_reported"
VERDICTS: Final = frozenset({"finding_verified", "finding_rejected"})
EVENT_TYPES: Final = (
    REPORTED,
    "fix_pushed",
    "re_review_requested",
    "finding_verified",
    "finding_rejected",
    "thread_escalated",
    "thread_resolved",
)


def event_type(kind: str, metadata: object) -> str | None:
    """The event type that a message bears, registered or not; None for chat, system and untyped events."""
    if kind != "event" or not isinstance(metadata, dict):
        return None
    named = metadata.get("event_type")
    return named if isinstance(named, str) else None

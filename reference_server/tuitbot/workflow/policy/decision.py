"""What the gate may decide."""

from dataclasses import dataclass

from reference_server.tuitbot.errors import ErrorCode


@dataclass(frozen=True, slots=True)
class Allow:
    """Go on."""


@dataclass(frozen=True, slots=True)
class NeedsApproval:
    """A person has to agree first; nothing is queued yet."""

    reason: str
    rule_id: str


@dataclass(frozen=True, slots=True)
class RouteToApproval:
    """Queued for a person."""

    queue_id: int
    reason: str
    rule_id: str


@dataclass(frozen=True, slots=True)
class DryRun:
    """Tell what would be done, do nothing."""

    would_execute: str
    params: str
    """The arguments as JSON text."""
    rule_id: str


@dataclass(frozen=True, slots=True)
class Deny:
    """Do nothing."""

    code: ErrorCode
    message: str
    reset_at: float | None = None
    """Seconds since the epoch at which the limit's window ends; None where no limit denies."""


Ruling = Allow | NeedsApproval | DryRun | Deny
Decision = Allow | RouteToApproval | DryRun | Deny

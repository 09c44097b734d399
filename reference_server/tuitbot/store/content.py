"""What the account publishes and how it fares: drafts, schedule, measured posts, followers day by day."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Draft:
    """A tweet or thread that is kept, with the time for which it is scheduled or without."""

    id: int
    content_type: str
    content: str
    scheduled_for: float | None
    created_at: float


@dataclass(frozen=True, slots=True)
class Measured:
    """A post whose performance (0 to 100) was measured."""

    topic: str
    format: str
    preview: str
    performance: float
    at: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The account on one UTC day."""

    date: str
    follower_count: int
    following_count: int
    tweet_count: int


@dataclass(slots=True)
class Content:
    """All of it, oldest first; drafts and scheduled items count from 1 together."""

    drafts: list[Draft] = field(default_factory=list)
    scheduled: list[Draft] = field(default_factory=list)
    measured: list[Measured] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    kept: int = 0
    """How many were kept so far; the latest id."""

    def keep(self, content_type: str, content: str, at: float, scheduled_for: float | None) -> Draft:
        """Keeps a draft, or schedules it where a time is given."""
        rows = self.drafts if scheduled_for is None else self.scheduled
        self.kept += 1
        draft = Draft(self.kept, content_type, content, scheduled_for, at)
        rows.append(draft)
        return draft

    def unschedule(self, draft_id: int) -> None:
        """Takes an item off the schedule, if it is there."""
        self.scheduled = [draft for draft in self.scheduled if draft.id != draft_id]

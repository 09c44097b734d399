"""What the loops need of the world, each thing by itself, so that a loop is tested with a few lines of fakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tweet that may be answered."""

    tweet_id: str
    author: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Due:
    """A scheduled item whose time has come."""

    id: int
    tweets: tuple[str, ...]
    """One: a tweet; several: a thread."""


class TweetSearcher(Protocol):
    """Finds tweets worth an answer, the best first."""

    def search(self) -> Sequence[Candidate]:
        """Those of now."""


class ReplyDrafter(Protocol):
    """Writes replies."""

    def draft(self, candidate: Candidate) -> str:
        """A reply that fits into a tweet."""


class SafetyChecker(Protocol):
    """Holds replies back."""

    def objection(self, candidate: Candidate, text: str) -> str | None:
        """The reason, None where there is none."""


class ReplySender(Protocol):
    """Sends replies, as far as policy and limits let it."""

    def send(self, candidate: Candidate, text: str) -> str:
        """What became of it: done, routed, dry_run, denied or limited."""


class Schedule(Protocol):
    """Scheduled items."""

    def due(self) -> Sequence[Due]:
        """Those whose time has come, oldest first."""

    def settled(self, item: Due) -> None:
        """Takes an item off the schedule."""


class PostSender(Protocol):
    """Posts tweets and threads, as far as policy and limits let it."""

    def post(self, item: Due) -> str:
        """What became of it: done, routed, dry_run, denied or limited."""

"""What the bot did: its log of actions, and the replies it sent."""

from dataclasses import dataclass, field
from typing import Literal

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class Action:
    """An entry of the log."""

    id: int
    action_type: str
    status: Literal["success", "failure", "denied", "routed", "dry_run"]
    message: str | None
    metadata: str | None
    """JSON text."""
    at: float


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that was sent, and to whom."""

    id: int
    target_tweet_id: str
    target_author_id: str | None
    reply_tweet_id: str
    content: str
    at: float


@dataclass(slots=True)
class Activity:
    """Both lists, oldest first."""

    actions: list[Action] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def log(
        self,
        action_type: str,
        status: Literal["success", "failure", "denied", "routed", "dry_run"],
        at: float,
        message: str | None = None,
        metadata: str | None = None,
    ) -> None:
        """Adds an entry to the log."""
        self.actions.append(Action(len(self.actions) + 1, action_type, status, message, metadata, at))

    def replied(self, target_tweet_id: str, target_author_id: str | None, sent: dict[str, Json], at: float) -> None:
        """Records a reply; `sent` is its tweet."""
        self.replies.append(
            Reply(len(self.replies) + 1, target_tweet_id, target_author_id, sent["id"], sent["text"], at)
        )

    def actions_since(self, at: float) -> list[Action]:
        """The log from `at` on."""
        return [action for action in self.actions if action.at >= at]

    def replies_since(self, at: float) -> list[Reply]:
        """The replies from `at` on."""
        return [reply for reply in self.replies if reply.at >= at]

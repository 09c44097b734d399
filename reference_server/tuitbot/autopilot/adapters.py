"""The ports, fulfilled by functions of the workflow layer."""

from collections.abc import Sequence
from dataclasses import dataclass

from reference_server.tuitbot.autopilot.ports import Candidate, Due
from reference_server.tuitbot.workflow.composing import THREAD_BREAK
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.discovering import find_reply_opportunities
from reference_server.tuitbot.workflow.generating import reply_to
from reference_server.tuitbot.workflow.policy.gate import PolicyGate
from reference_server.tuitbot.workflow.publishing import publish
from reference_server.tuitbot.workflow.reply_safety import ReplySafety


@dataclass(frozen=True, slots=True)
class KeywordSearcher:
    """Searches by the product's keywords. Implements `TweetSearcher`."""

    ctx: WorkflowContext
    most: int = 10

    def search(self) -> Sequence[Candidate]:
        """Those from the threshold on."""
        threshold = self.ctx.config.scoring.threshold
        found = find_reply_opportunities(self.ctx, None, threshold, self.most, None)
        return [
            Candidate(each["tweet_id"], each["author_username"], each["text"], each["score_total"])
            for each in found["candidates"]
        ]


@dataclass(frozen=True, slots=True)
class LlmDrafter:
    """Implements `ReplyDrafter`."""

    ctx: WorkflowContext

    def draft(self, candidate: Candidate) -> str:
        """A helpful reply."""
        return reply_to(self.ctx, candidate.text, candidate.author, mention_product=False, tone="helpful")


@dataclass(frozen=True, slots=True)
class StoredSafety:
    """Implements `SafetyChecker` for tweets that were discovered."""

    ctx: WorkflowContext
    safety: ReplySafety

    def objection(self, candidate: Candidate, text: str) -> str | None:
        """The first reason of the contract's order."""
        found = self.ctx.db.discovery.tweets.get(candidate.tweet_id)
        return "the tweet was not discovered" if found is None else self.safety.objection(self.ctx, found, text)


@dataclass(frozen=True, slots=True)
class GatedSender:
    """Implements `ReplySender` and `PostSender`."""

    ctx: WorkflowContext
    gate: PolicyGate

    def send(self, candidate: Candidate, text: str) -> str:
        """Sends a reply."""
        params = {"text": text, "in_reply_to_id": candidate.tweet_id}
        return publish(self.ctx, self.gate, "x_reply_to_tweet", params)

    def post(self, item: Due) -> str:
        """Posts a tweet or thread."""
        if len(item.tweets) == 1:
            return publish(self.ctx, self.gate, "x_post_tweet", {"text": item.tweets[0]})
        return publish(self.ctx, self.gate, "x_post_thread", {"tweets": list(item.tweets)})


@dataclass(frozen=True, slots=True)
class StoredSchedule:
    """Implements `Schedule`."""

    ctx: WorkflowContext

    def due(self) -> Sequence[Due]:
        """Items whose time is not after now."""
        now = self.ctx.clock.now()
        return [
            Due(
                draft.id,
                tuple(draft.content.split(THREAD_BREAK)) if draft.content_type == "thread" else (draft.content,),
            )
            for draft in self.ctx.db.content.scheduled
            if draft.scheduled_for is not None and draft.scheduled_for <= now
        ]

    def settled(self, item: Due) -> None:
        """Takes the item off the schedule."""
        self.ctx.db.content.unschedule(item.id)

"""Why a reply is held back: the toolkit's pure checks with what the store remembers, and the author's daily limit."""

from typing import Final

from reference_server.tuitbot.store.approvals import Approval
from reference_server.tuitbot.store.discovery import Found
from reference_server.tuitbot.toolkit import safety
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import day_start

RECENT: Final = 20
"""Replies that a new one is compared with."""
REPLY_TOOL: Final = "x_reply_to_tweet"


class ReplySafety:
    """Each check answers the reason to hold back, None where there is none. Replies that wait for approval count."""

    def objection(self, ctx: WorkflowContext, found: Found, text: str) -> str | None:
        """The first reason, in the contract's order."""
        return (
            self.already_replied(ctx, found)
            or self.banned(ctx, text)
            or self.similar(ctx, text)
            or self.self_reply(ctx, found)
            or self.author_limit(ctx, found)
        )

    def already_replied(self, ctx: WorkflowContext, found: Found) -> str | None:
        """The tweet has an answer."""
        waiting = any(item.target_tweet_id == found.id for item in waiting_replies(ctx))
        return "the tweet is answered already" if found.replied_to or waiting else None

    def banned(self, ctx: WorkflowContext, text: str) -> str | None:
        """The reply holds a banned phrase."""
        phrase = safety.banned_phrase(text, ctx.config.limits.banned_phrases)
        return f"it holds the banned phrase {phrase!r}" if phrase is not None else None

    def similar(self, ctx: WorkflowContext, text: str) -> str | None:
        """The reply repeats a recent one."""
        sent = [(reply.at, reply.content) for reply in ctx.db.activity.replies[-RECENT:]]
        waiting = [(item.created_at, item.generated_content or "") for item in waiting_replies(ctx)]
        recent = [content for _, content in sorted(sent + waiting)[-RECENT:]]
        return "it is too similar to a recent reply" if safety.similar_to(text, recent) is not None else None

    def self_reply(self, ctx: WorkflowContext, found: Found) -> str | None:
        """The tweet is one's own."""
        return "the tweet is one's own" if safety.is_self_reply(found.author_id, ctx.config.user_id) else None

    def author_limit(self, ctx: WorkflowContext, found: Found) -> str | None:
        """The author had enough replies today (UTC)."""
        limit = ctx.config.limits.max_replies_per_author_per_day
        return f"the author had {limit} replies today" if replies_today(ctx, found.author_id) >= limit else None


def waiting_replies(ctx: WorkflowContext) -> list[Approval]:
    """Single replies in the approval queue."""
    return [item for item in ctx.db.approvals.pending() if item.action_type == REPLY_TOOL]


def replies_today(ctx: WorkflowContext, author_id: str) -> int:
    """Replies to an author on this UTC day, sent or waiting."""
    start = day_start(ctx.clock.now())
    sent = sum(
        author_id == (reply.target_author_id or _author(ctx, reply.target_tweet_id))
        for reply in ctx.db.activity.replies_since(start)
    )
    waiting = sum(
        author_id == _author(ctx, item.target_tweet_id) for item in waiting_replies(ctx) if item.created_at >= start
    )
    return sent + waiting


def _author(ctx: WorkflowContext, tweet_id: str | None) -> str | None:
    found = ctx.db.discovery.tweets.get(tweet_id or "")
    return found.author_id if found else None

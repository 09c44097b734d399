"""Drafts and scheduled posts."""

from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.toolkit.weight import check_length
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import moment

TYPES: Final = ("tweet", "thread")
THREAD_BREAK: Final = "\n---\n"
"""Between the tweets of a thread's content."""


def check_draft(content: str, content_type: str, scheduled_for: str | None) -> None:
    """InvalidInputError: blank, another type, no instant. TweetTooLongError: a part that fits into no tweet."""
    if content_type not in TYPES:
        raise InvalidInputError(f"content_type {content_type!r} is none of {', '.join(TYPES)}")
    for part in content.split(THREAD_BREAK) if content_type == "thread" else [content]:
        if not part.strip():
            raise InvalidInputError("content is blank")
        check_length(part, "content")
    if scheduled_for is not None:
        moment(scheduled_for, "scheduled_for")


def compose_tweet(ctx: WorkflowContext, content: str, content_type: str, scheduled_for: str | None) -> dict[str, Json]:
    """Keeps a draft; with a time, schedules it. InvalidInputError: a time that is past."""
    at = None if scheduled_for is None else moment(scheduled_for, "scheduled_for")
    now = ctx.clock.now()
    if at is not None and at <= now:
        raise InvalidInputError(f"scheduled_for {scheduled_for!r} is past")
    kept = ctx.db.content.keep(content_type, content, now, at)
    if at is None:
        return {"draft_id": kept.id, "content_type": content_type}
    return {"scheduled_item_id": kept.id, "content_type": content_type, "scheduled_for": ctx.clock.instant(at)}

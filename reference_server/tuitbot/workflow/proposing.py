"""Replies proposed to discovered tweets: held back, queued for a person, or sent."""

from collections.abc import Mapping, Sequence

from reference_server.application import Json
from reference_server.tuitbot.codes import code_of
from reference_server.tuitbot.store.discovery import Found
from reference_server.tuitbot.toolkit.errors import InvalidInputError, ToolkitError
from reference_server.tuitbot.toolkit.weight import check_length
from reference_server.tuitbot.toolkit.writes import post_tweet
from reference_server.tuitbot.workflow.bookkeeping import record_done
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import WorkflowError
from reference_server.tuitbot.workflow.generating import reply_to
from reference_server.tuitbot.workflow.reply_safety import REPLY_TOOL, ReplySafety
from reference_server.tuitbot.x.protocol import Draft

Item = Mapping[str, Json]
"""`{candidate_id, pre_drafted_text?}`."""


def check_items(items: Sequence[Item]) -> None:
    """InvalidInputError: none, or a blank text. TweetTooLongError: a text that fits into no tweet."""
    if not items:
        raise InvalidInputError("items is empty")
    for index, item in enumerate(items):
        text = item.get("pre_drafted_text")
        if text is not None:
            if not text.strip():
                raise InvalidInputError(f"items[{index}].pre_drafted_text is blank")
            check_length(text, f"items[{index}].pre_drafted_text")


def propose_replies(
    ctx: WorkflowContext, items: Sequence[Item], safety: ReplySafety, *, mention_product: bool, approved: bool
) -> list[dict[str, Json]]:
    """What became of each: blocked, queued, executed or failed. `approved`: a person agreed, nothing is queued."""
    return [_one(ctx, item, safety, mention_product=mention_product, approved=approved) for item in items]


def _one(
    ctx: WorkflowContext, item: Item, safety: ReplySafety, *, mention_product: bool, approved: bool
) -> dict[str, Json]:
    candidate = {"candidate_id": item["candidate_id"]}
    found = ctx.db.discovery.tweets.get(item["candidate_id"])
    if found is None:
        return {**candidate, "status": "blocked", "reason": "the tweet was not discovered"}
    try:
        text = item.get("pre_drafted_text") or reply_to(
            ctx, found.content, found.author_username, mention_product=mention_product, tone="helpful"
        )
        if (reason := safety.objection(ctx, found, text)) is not None:
            return {**candidate, "status": "blocked", "reason": reason}
        if ctx.config.approval and not approved:
            return {**candidate, "status": "queued", "approval_queue_id": _queue(ctx, found, text)}
        return {**candidate, "status": "executed", "reply_tweet_id": _send(ctx, found, text)}
    except (ToolkitError, WorkflowError) as error:
        return {**candidate, "status": "failed", "error_code": code_of(error).value, "error_message": str(error)}


def _queue(ctx: WorkflowContext, found: Found, text: str) -> int:
    item = ctx.db.approvals.add(
        REPLY_TOOL,
        {"text": text, "in_reply_to_id": found.id},
        "approval mode",
        ctx.clock.now(),
        target_tweet_id=found.id,
        target_author=found.author_username,
        generated_content=text,
        score=found.relevance_score,
    )
    return item.id


def _send(ctx: WorkflowContext, found: Found, text: str) -> str:
    sent = post_tweet(ctx.x_client, Draft(text, in_reply_to=found.id))
    record_done(ctx, REPLY_TOOL, {"text": text, "in_reply_to_id": found.id}, sent)
    own_id: str = sent["id"]
    return own_id

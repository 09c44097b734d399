"""The approval queue: what waits, and what a person's word does to it."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.codes import code_of
from reference_server.tuitbot.store.approvals import Approval
from reference_server.tuitbot.toolkit.errors import InvalidInputError, ThreadPartialFailureError, ToolkitError
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import ItemNotFoundError, WorkflowError

MOST_AT_ONCE: Final = 25
"""Items that approve_all takes."""

Execute = Callable[[str, Mapping[str, Json]], Json]
"""Does what a tool does, with these parameters, without asking the gate again."""


def list_pending(ctx: WorkflowContext) -> list[dict[str, Json]]:
    """Waiting items, oldest first."""
    return [_shown(ctx, item) for item in ctx.db.approvals.pending()]


def pending_count(ctx: WorkflowContext) -> dict[str, Json]:
    """How many items wait."""
    return {"pending_count": len(ctx.db.approvals.pending())}


def approve(ctx: WorkflowContext, item_id: int, execute: Execute) -> dict[str, Json]:
    """Does what waits, once. Where it fails the item waits on; a thread of which a part is out does not."""
    item = _waiting(ctx, item_id)
    try:
        result = execute(item.action_type, item.params)
    except ThreadPartialFailureError as error:
        # approved again, it would post the first tweets a second time
        ctx.db.approvals.settle(item, "failed", str(error))
        raise
    ctx.db.approvals.settle(item, "approved")
    return {"status": "approved", "id": item_id, "result": result}


def reject(ctx: WorkflowContext, item_id: int) -> dict[str, Json]:
    """Never does what waits."""
    ctx.db.approvals.settle(_waiting(ctx, item_id), "rejected")
    return {"status": "rejected", "id": item_id}


def approve_all(ctx: WorkflowContext, execute: Execute) -> dict[str, Json]:
    """Approves the oldest items; `failed` names those that could not be done. Raises where not one could."""
    done: list[int] = []
    failed: list[dict[str, Json]] = []
    first: ToolkitError | WorkflowError | None = None
    for item in ctx.db.approvals.pending()[:MOST_AT_ONCE]:
        try:
            approve(ctx, item.id, execute)
        except (ToolkitError, WorkflowError) as error:
            first = first or error
            failed.append({"id": item.id, "error_code": code_of(error).value, "error_message": str(error)})
        else:
            done.append(item.id)
    if first is not None and not done:
        raise first
    return {"approved": len(done), "ids": done, "failed": failed, "max_batch": MOST_AT_ONCE}


def _waiting(ctx: WorkflowContext, item_id: int) -> Approval:
    item = ctx.db.approvals.find(item_id)
    if item is None:
        raise ItemNotFoundError(f"the approval queue holds no item {item_id}")
    if item.status != "pending":
        raise InvalidInputError(f"item {item_id} is {item.status} already")
    return item


def _shown(ctx: WorkflowContext, item: Approval) -> dict[str, Json]:
    return {
        "id": item.id,
        "action_type": item.action_type,
        "params": dict(item.params),
        "target_tweet_id": item.target_tweet_id,
        "target_author": item.target_author,
        "generated_content": item.generated_content,
        "topic": None,
        "archetype": None,
        "score": item.score,
        "status": item.status,
        "created_at": ctx.clock.instant(item.created_at),
        "reviewed_by": item.reviewed_by,
        "review_notes": item.review_notes,
        "reason": item.reason,
        "detected_risks": json.dumps([]),
    }

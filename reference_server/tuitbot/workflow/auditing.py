"""What is kept of each mutation, and shown of it."""

import json
from collections.abc import Mapping
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.store.mutations import Mutation, Status
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import ItemNotFoundError

LONGEST: Final = 500
"""Characters of a summary."""


def note_mutation(  # noqa: PLR0913 - what is kept of a mutation, each by name
    ctx: WorkflowContext,
    tool: str,
    arguments: Mapping[str, Json],
    status: Status,
    elapsed_ms: int,
    *,
    result: Json = None,
    error: str | None = None,
) -> None:
    """Keeps a mutation that the gate let through."""
    ctx.db.mutations.note(
        tool,
        status,
        _summary(arguments),
        ctx.clock.now(),
        result_summary=None if error is not None else _summary(result),
        error_message=error,
        elapsed_ms=elapsed_ms,
    )


def recent_mutations(ctx: WorkflowContext, limit: int, tool: str | None, status: str | None) -> dict[str, Json]:
    """The latest mutations, newest first; all of them, or those of a tool, or with a status."""
    rows = [
        _shown(ctx, row)
        for row in reversed(ctx.db.mutations.rows.values())
        if tool in (None, row.tool_name) and status in (None, row.status)
    ][:limit]
    return {"mutations": rows, "count": len(rows)}


def mutation_detail(ctx: WorkflowContext, correlation_id: str) -> dict[str, Json]:
    """One mutation. ItemNotFoundError: none has this id."""
    row = ctx.db.mutations.rows.get(correlation_id)
    if row is None:
        raise ItemNotFoundError(f"no mutation has the correlation id {correlation_id!r}")
    return _shown(ctx, row)


def _shown(ctx: WorkflowContext, row: Mutation) -> dict[str, Json]:
    ended = ctx.clock.instant(row.created_at)
    return {**row.shown(), "created_at": ended, "completed_at": ended}


def _summary(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))[:LONGEST]

"""What posting would come to: the text is weighed and the gate is asked, nothing is queued, counted or sent."""

from collections.abc import Mapping, Sequence

from reference_server.application import Json
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.decision import Allow
from reference_server.tuitbot.workflow.policy.gate import PolicyGate


def preview_tweet(
    ctx: WorkflowContext, gate: PolicyGate, text: str, media_ids: Sequence[str], *, x_available: bool
) -> dict[str, Json]:
    """What x_post_tweet would come to. PolicyEvaluationError: the gate cannot be asked."""
    return {
        "dry_run": True,
        "valid": True,
        "text": text,
        "text_length": len(text.encode()),
        "has_media": bool(media_ids),
        "media_count": len(media_ids),
        "media_ids": list(media_ids),
        "policy_would_allow": _allowed(ctx, gate, "x_post_tweet", {"text": text, "media_ids": list(media_ids)}),
        "x_client_available": x_available,
    }


def preview_thread(
    ctx: WorkflowContext,
    gate: PolicyGate,
    tweets: Sequence[str],
    media_ids: Sequence[Sequence[str]],
    *,
    x_available: bool,
) -> dict[str, Json]:
    """What x_post_thread would come to. PolicyEvaluationError: the gate cannot be asked."""
    media = [list(media_ids[index]) if index < len(media_ids) else [] for index in range(len(tweets))]
    return {
        "dry_run": True,
        "valid": True,
        "tweet_count": len(tweets),
        "tweets": [
            {
                "index": index,
                "text": text,
                "text_length": len(text.encode()),
                "valid": True,
                "has_media": bool(media[index]),
                "media_ids": media[index],
                "chain_action": "reply_to_previous" if index else "root",
            }
            for index, text in enumerate(tweets)
        ],
        "policy_would_allow": _allowed(ctx, gate, "x_post_thread", {"tweets": list(tweets), "media_ids": media}),
        "x_client_available": x_available,
    }


def _allowed(ctx: WorkflowContext, gate: PolicyGate, tool: str, params: Mapping[str, Json]) -> bool:
    return isinstance(gate.decide(ctx, tool, params), Allow)

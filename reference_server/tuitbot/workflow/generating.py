"""Texts that the LLM writes."""

from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.codes import code_of
from reference_server.tuitbot.llm.provider import Prompt, ProviderFailureError
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.toolkit.safety import banned_phrase
from reference_server.tuitbot.toolkit.weight import LIMIT, weighted_length
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import (
    ItemNotFoundError,
    LlmFailedError,
    LlmNotConfiguredError,
    WorkflowError,
)

HIGH_BELOW: Final = 200
MEDIUM_BELOW: Final = 260
"""Characters below which a draft is thought good: long replies are read less."""


def complete(ctx: WorkflowContext, prompt: Prompt) -> str:
    """Asks the provider. LlmNotConfiguredError: none; LlmFailedError: it did not answer."""
    if ctx.llm is None:
        raise LlmNotConfiguredError("no LLM provider is configured")
    try:
        return ctx.llm.complete(prompt)
    except ProviderFailureError as error:
        raise LlmFailedError(str(error)) from error


def reply_to(ctx: WorkflowContext, tweet_text: str, author: str, *, mention_product: bool, tone: str) -> str:
    """A reply that fits into a tweet."""
    mention = ctx.config.business.product_name if mention_product else None
    return _fitting(complete(ctx, Prompt("reply", f"{tweet_text} {author}", tone, mention)))


def generate_reply(ctx: WorkflowContext, tweet_text: str, author: str, *, mention_product: bool) -> dict[str, Json]:
    """`{reply, char_count}`."""
    reply = reply_to(ctx, tweet_text, author, mention_product=mention_product, tone="helpful")
    return {"reply": reply, "char_count": weighted_length(reply)}


def generate_tweet(ctx: WorkflowContext, topic: str | None) -> dict[str, Json]:
    """`{tweet, char_count}`; without a topic, about the first of the business's."""
    tweet = _fitting(complete(ctx, Prompt("tweet", topic or _topic(ctx))))
    return {"tweet": tweet, "char_count": weighted_length(tweet)}


def generate_thread(ctx: WorkflowContext, topic: str | None) -> dict[str, Json]:
    """`{thread, tweet_count}`."""
    thread = _parts(complete(ctx, Prompt("thread", topic or _topic(ctx))))
    return {"thread": thread, "tweet_count": len(thread)}


def check_topic(topic: str) -> None:
    """InvalidInputError: a topic of nothing but white space."""
    if not topic.strip():
        raise InvalidInputError("topic is blank")


def generate_thread_plan(
    ctx: WorkflowContext, topic: str, objective: str | None, target_audience: str | None, structure: str | None
) -> dict[str, Json]:
    """A thread with what speaks for it."""
    tweets = _parts(complete(ctx, Prompt("plan", topic, structure or "lessons")))
    known = [each for each in ctx.config.business.industry_topics if each.lower() in topic.lower()]
    return {
        "thread_tweets": tweets,
        "tweet_count": len(tweets),
        "structure_used": structure or "lessons",
        "hook_analysis": {"type": _hook(tweets[0]), "first_tweet_preview": tweets[0][:80]},
        "estimated_performance": "high" if known else "medium",
        "objective_alignment": objective or "general engagement",
        "target_audience": target_audience or "general",
        "topic_relevance": known,
    }


def draft_replies(
    ctx: WorkflowContext, candidate_ids: list[str], archetype: str | None, *, mention_product: bool
) -> list[dict[str, Json]]:
    """A draft for each candidate, or why there is none."""
    return [_draft(ctx, each, archetype or "helpful", mention_product=mention_product) for each in candidate_ids]


def check_candidates(candidate_ids: list[str]) -> None:
    """InvalidInputError: none named."""
    if not candidate_ids:
        raise InvalidInputError("candidate_ids is empty")


def _draft(ctx: WorkflowContext, candidate_id: str, archetype: str, *, mention_product: bool) -> dict[str, Json]:
    try:
        found = ctx.db.discovery.tweets.get(candidate_id)
        if found is None:
            raise ItemNotFoundError(f"no tweet {candidate_id!r} was discovered")
        text = reply_to(ctx, found.content, found.author_username, mention_product=mention_product, tone=archetype)
    except WorkflowError as error:
        return {
            "status": "error",
            "candidate_id": candidate_id,
            "error_code": code_of(error).value,
            "error_message": str(error),
        }
    banned = banned_phrase(text, ctx.config.limits.banned_phrases)
    weight = weighted_length(text)
    return {
        "status": "success",
        "candidate_id": candidate_id,
        "draft_text": text,
        "archetype": archetype,
        "char_count": weight,
        "confidence": "high" if weight < HIGH_BELOW else "medium" if weight < MEDIUM_BELOW else "low",
        "risks": [f"holds the banned phrase {banned!r}"] if banned else [],
    }


def _topic(ctx: WorkflowContext) -> str:
    return next(iter(ctx.config.business.industry_topics), ctx.config.business.product_name)


def _parts(text: str) -> list[str]:
    return [_fitting(part) for part in text.split("\n\n")]


def _fitting(text: str) -> str:
    """Cut at a word, where it would not fit into a tweet."""
    while weighted_length(text) > LIMIT:
        text = text[: len(text) - 1].rpartition(" ")[0] or text[: LIMIT // 2]
    return text


def _hook(first: str) -> str:
    if "?" in first:
        return "question"
    if first.startswith("One lesson"):
        return "story"
    return "contrarian" if first.startswith(("An underrated", "Hard-won")) else "statement"

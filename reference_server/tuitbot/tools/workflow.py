"""Tools of the workflow layer that mutate or generate: approvals, composites, content."""

from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.definition import WORKFLOW, Arguments, Call, ToolDefinition
from reference_server.tuitbot.tools.parameters import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_ENTRIES,
    SINCE_ID,
    Parameter,
    count,
    flag,
    item_id,
    name,
    number,
    strings,
    text,
)
from reference_server.tuitbot.workflow import approvals, composing, discovering, generating, proposing

SHOW_QUEUE: Final = ("list_pending_approvals", "get_pending_count")
SHOW_EXECUTED: Final = (*SHOW_QUEUE, "x_get_user_tweets", "x_search_tweets", "x_get_home_timeline")
THREAD_FAILURE: Final = (ErrorCode.TWEET_TOO_LONG, ErrorCode.THREAD_PARTIAL_FAILURE)
ITEMS: Final = Parameter(
    "items",
    {
        "type": "array",
        "maxItems": MOST_ENTRIES,
        "items": {
            "type": "object",
            "properties": {
                "candidate_id": {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
                "pre_drafted_text": {"type": ["string", "null"], "maxLength": LONGEST_TEXT},
            },
            "required": ["candidate_id"],
            "additionalProperties": False,
        },
    },
    description="discovered tweets, each with the reply's text or without",
)
MENTION_PRODUCT: Final = flag("mention_product", "name the product in generated text")


def _approve(call: Call) -> Json:
    return approvals.approve(call.ctx, call["id"], call.services.execute)


def _check_items(arguments: Arguments) -> None:
    proposing.check_items(arguments["items"])


def _propose(call: Call) -> Json:
    return proposing.propose_replies(
        call.ctx,
        call["items"],
        call.services.safety,
        mention_product=call["mention_product"],
        approved=call.approved,
    )


def _proposed_something(result: Json) -> bool:
    return any(item["status"] in ("queued", "executed") for item in result)


def _check_draft(arguments: Arguments) -> None:
    composing.check_draft(arguments["content"], arguments["content_type"], arguments["scheduled_for"])


def _check_candidates(arguments: Arguments) -> None:
    generating.check_candidates(arguments["candidate_ids"])


DEFINITIONS: Final = (
    ToolDefinition(
        "approve_all",
        "Approves and does the oldest waiting items, 25 at most.",
        "approval",
        lambda call: approvals.approve_all(call.ctx, call.services.execute),
        profiles=WORKFLOW,
        mutation=True,
        requires_x_client=True,
        requires_db=True,
        calls_x=True,
        codes=(ErrorCode.NOT_FOUND, ErrorCode.INVALID_INPUT, ErrorCode.SCRAPER_MUTATION_BLOCKED, *THREAD_FAILURE),
        shown_by=SHOW_EXECUTED,
        destructive=True,
    ),
    ToolDefinition(
        "approve_item",
        "Approves a waiting item and does it at once.",
        "approval",
        _approve,
        (item_id(),),
        profiles=WORKFLOW,
        mutation=True,
        requires_x_client=True,
        requires_db=True,
        calls_x=True,
        codes=(ErrorCode.NOT_FOUND, ErrorCode.INVALID_INPUT, ErrorCode.SCRAPER_MUTATION_BLOCKED, *THREAD_FAILURE),
        shown_by=SHOW_EXECUTED,
        destructive=True,
    ),
    ToolDefinition(
        "compose_tweet",
        "Keeps a draft of a tweet or thread, or schedules it.",
        "write",
        lambda call: composing.compose_tweet(call.ctx, call["content"], call["content_type"], call["scheduled_for"]),
        (
            text("content", "the text; a thread's tweets are separated by a line of three hyphens"),
            Parameter("content_type", {"type": "string"}, False, "tweet", description="tweet or thread"),
            Parameter("scheduled_for", {"type": "string"}, required=False, description="ISO 8601; UTC without offset"),
        ),
        _check_draft,
        WORKFLOW,
        mutation=True,
        requires_x_client=True,
        requires_db=True,
        gated=True,
        codes=(ErrorCode.INVALID_INPUT, ErrorCode.TWEET_TOO_LONG, ErrorCode.DB_ERROR),
    ),
    ToolDefinition(
        "draft_replies_for_candidates",
        "Drafts a reply to each discovered tweet named.",
        "composite",
        lambda call: generating.draft_replies(
            call.ctx, call["candidate_ids"], call["archetype"], mention_product=call["mention_product"]
        ),
        (
            strings("candidate_ids", "ids of discovered tweets"),
            name("archetype", "how the replies are to sound", required=False),
            MENTION_PRODUCT,
        ),
        _check_candidates,
        WORKFLOW,
        requires_llm=True,
        requires_db=True,
        codes=(ErrorCode.INVALID_INPUT, ErrorCode.NOT_FOUND),
        state=False,
    ),
    ToolDefinition(
        "find_reply_opportunities",
        "Searches X for tweets worth a reply, scores and keeps them.",
        "composite",
        lambda call: discovering.find_reply_opportunities(
            call.ctx, call["query"], call["min_score"], call["limit"], call["since_id"]
        ),
        (
            text("query", "as in x_search_tweets; by default the product's keywords", required=False),
            number("min_score", description="leave out candidates below"),
            count("limit", 10, MOST_ENTRIES, "candidates to answer"),
            SINCE_ID,
        ),
        lambda arguments: discovering.check_query(arguments["query"]),
        WORKFLOW,
        requires_x_client=True,
        requires_db=True,
        calls_x=True,
        codes=(ErrorCode.INVALID_INPUT,),
        state=False,
    ),
    ToolDefinition(
        "generate_reply",
        "Writes a reply to a tweet.",
        "content",
        lambda call: generating.generate_reply(
            call.ctx, call["tweet_text"], call["tweet_author"], mention_product=call["mention_product"]
        ),
        (text("tweet_text"), name("tweet_author"), MENTION_PRODUCT),
        profiles=WORKFLOW,
        requires_llm=True,
        requires_db=True,
        state=False,
    ),
    ToolDefinition(
        "generate_thread",
        "Writes a thread.",
        "content",
        lambda call: generating.generate_thread(call.ctx, call["topic"]),
        (name("topic", required=False),),
        profiles=WORKFLOW,
        requires_llm=True,
        requires_db=True,
        state=False,
    ),
    ToolDefinition(
        "generate_thread_plan",
        "Plans a thread and says what speaks for it.",
        "composite",
        lambda call: generating.generate_thread_plan(
            call.ctx, call["topic"], call["objective"], call["target_audience"], call["structure"]
        ),
        (
            text("topic"),
            name("objective", required=False),
            name("target_audience", required=False),
            name("structure", required=False),
        ),
        lambda arguments: generating.check_topic(arguments["topic"]),
        WORKFLOW,
        requires_llm=True,
        codes=(ErrorCode.INVALID_INPUT,),
        state=False,
    ),
    ToolDefinition(
        "generate_tweet",
        "Writes a tweet.",
        "content",
        lambda call: generating.generate_tweet(call.ctx, call["topic"]),
        (name("topic", required=False),),
        profiles=WORKFLOW,
        requires_llm=True,
        requires_db=True,
        state=False,
    ),
    ToolDefinition(
        "propose_and_queue_replies",
        "Proposes replies to discovered tweets: each is held back, queued for approval, or sent.",
        "composite",
        _propose,
        (ITEMS, MENTION_PRODUCT),
        _check_items,
        WORKFLOW,
        mutation=True,
        requires_x_client=True,
        requires_db=True,
        gated=True,
        calls_x=True,
        codes=(
            ErrorCode.INVALID_INPUT,
            ErrorCode.TWEET_TOO_LONG,
            ErrorCode.NOT_FOUND,
            ErrorCode.LLM_NOT_CONFIGURED,
            ErrorCode.LLM_ERROR,
            ErrorCode.DB_ERROR,
        ),
        shown_by=SHOW_EXECUTED,
        did_something=_proposed_something,
    ),
    ToolDefinition(
        "reject_item",
        "Rejects a waiting item; it is never done.",
        "approval",
        lambda call: approvals.reject(call.ctx, call["id"]),
        (item_id(),),
        profiles=WORKFLOW,
        mutation=True,
        requires_db=True,
        codes=(ErrorCode.NOT_FOUND, ErrorCode.INVALID_INPUT),
        shown_by=SHOW_QUEUE,
        destructive=True,
    ),
)

"""Tools that show what the server is and remembers."""

from collections.abc import Callable
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.editions import Profile
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.toolkit.scoring import ScoringInput, score_tweet
from reference_server.tuitbot.tools.definition import EVERYWHERE, LATER, WORKFLOW, Call, ToolDefinition
from reference_server.tuitbot.tools.parameters import MOST_ENTRIES, Parameter, count, name, number, text, whole
from reference_server.tuitbot.workflow import (
    account,
    analytics,
    approvals,
    auditing,
    authors,
    discovering,
    measuring,
    policy_view,
    topics,
)

MOST_HOURS: Final = 87_600
MOST_DAYS: Final = 3_650
"""Ten years."""
HOURS: Final = count("since_hours", 24, MOST_HOURS, "hours to look back")
MUTATIONS: Final = Parameter(
    "limit",
    {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
    False,
    20,
    (1, 100),
    "mutations to show, brought into 1 to 100",
)
DAYS: Final = count("days", 7, MOST_DAYS, "days to look back")


def _stored(  # noqa: PLR0913 - a definition's fields, most of them by keyword
    tool: str,
    description: str,
    category: str,
    act: Callable[[Call], Json],
    *parameters: Parameter,
    state: bool,
    codes: tuple[ErrorCode, ...] = (),
    profiles: tuple[Profile, ...] = WORKFLOW,
) -> ToolDefinition:
    return ToolDefinition(
        tool,
        description,
        category,
        act,
        parameters,
        profiles=profiles,
        requires_db=True,
        codes=codes,
        state=state,
    )


def _score(call: Call) -> Json:
    given = ScoringInput(
        call["text"], call["author_followers"], call["likes"], call["retweets"], call["replies"], call["created_at"]
    )
    return score_tweet(given, call.ctx.config.scoring_config, call.ctx.clock.now()).shown()


STORED: Final = (
    _stored(
        "get_action_counts",
        "How often each action was done.",
        "analytics",
        lambda call: analytics.action_counts(call.ctx, call["since_hours"]),
        HOURS,
        state=False,
    ),
    _stored(
        "get_action_log",
        "What was done, oldest first.",
        "analytics",
        lambda call: analytics.action_log(call.ctx, call["since_hours"], call["action_type"]),
        HOURS,
        name("action_type", "only this action", required=False),
        state=False,
    ),
    _stored(
        "get_discovery_feed",
        "Discovered tweets, the best first.",
        "discovery",
        lambda call: discovering.discovery_feed(call.ctx, call["min_score"], call["limit"]),
        number("min_score", 50.0),
        count("limit", 10, MOST_ENTRIES),
        state=False,
    ),
    _stored(
        "get_follower_trend",
        "Followers day by day.",
        "analytics",
        lambda call: analytics.follower_trend(call.ctx, call["limit"]),
        count("limit", 7, MOST_ENTRIES, "days to show"),
        state=True,
    ),
    _stored(
        "get_mcp_error_breakdown",
        "Which tools answered which codes.",
        "telemetry",
        lambda call: measuring.error_breakdown(call.ctx, call["since_hours"]),
        HOURS,
        state=False,
    ),
    _stored(
        "get_mcp_tool_metrics",
        "How the tools were called.",
        "telemetry",
        lambda call: measuring.tool_metrics(call.ctx, call["since_hours"]),
        HOURS,
        state=False,
    ),
    _stored(
        "get_mutation_detail",
        "One mutation, and what came of it.",
        "analytics",
        lambda call: auditing.mutation_detail(call.ctx, call["correlation_id"]),
        name("correlation_id", "as get_recent_mutations shows it"),
        state=False,
        codes=(ErrorCode.NOT_FOUND,),
        profiles=LATER,
    ),
    _stored(
        "get_pending_count",
        "How many items wait for approval.",
        "approval",
        lambda call: approvals.pending_count(call.ctx),
        state=True,
    ),
    _stored(
        "get_policy_status",
        "The policy, its rules and how far its limits are used.",
        "policy",
        lambda call: policy_view.policy_status(call.ctx),
        state=False,
        codes=(ErrorCode.POLICY_ERROR,),
    ),
    _stored(
        "get_rate_limits",
        "How far each limit is used.",
        "policy",
        lambda call: policy_view.rate_limits(call.ctx),
        state=False,
        codes=(ErrorCode.POLICY_ERROR,),
    ),
    _stored(
        "get_recent_mutations",
        "The latest mutations, newest first.",
        "analytics",
        lambda call: auditing.recent_mutations(call.ctx, call["limit"], call["tool_name"], call["status"]),
        MUTATIONS,
        name("tool_name", "only mutations by this tool", required=False),
        name("status", "only those that ended so: success, failure or duplicate", required=False),
        state=False,
        profiles=LATER,
    ),
    _stored(
        "get_recent_replies",
        "Replies that were sent.",
        "analytics",
        lambda call: analytics.recent_replies(call.ctx, call["since_hours"]),
        HOURS,
        state=False,
    ),
    _stored(
        "get_reply_count_today",
        "Replies that were sent on this UTC day.",
        "analytics",
        lambda call: analytics.reply_count_today(call.ctx),
        state=False,
    ),
    _stored(
        "get_stats",
        "How the account fares.",
        "analytics",
        lambda call: analytics.get_stats(call.ctx, call["days"]),
        DAYS,
        state=False,
    ),
    _stored(
        "get_x_usage",
        "Calls of X and what they cost.",
        "analytics",
        lambda call: measuring.x_usage(call.ctx, call["days"]),
        DAYS,
        state=False,
    ),
    _stored(
        "list_pending_approvals",
        "Items that wait for approval, oldest first.",
        "approval",
        lambda call: approvals.list_pending(call.ctx),
        state=True,
    ),
    _stored(
        "list_target_accounts",
        "Accounts to be in touch with.",
        "discovery",
        lambda call: discovering.target_accounts(call.ctx),
        state=True,
    ),
    _stored(
        "list_unreplied_tweets",
        "Discovered tweets without an answer.",
        "discovery",
        lambda call: discovering.unreplied(call.ctx, call["threshold"]),
        number("threshold", 0.0),
        state=False,
    ),
    _stored(
        "suggest_topics",
        "Topics that fared best.",
        "content",
        lambda call: topics.top_topics(call.ctx),
        state=True,
    ),
    _stored(
        "topic_performance_snapshot",
        "How topics fared, and what to do about it.",
        "context",
        lambda call: topics.topic_performance(call.ctx, call["lookback_days"], call.services.topics),
        count("lookback_days", 30, MOST_DAYS),
        state=False,
        codes=(ErrorCode.TOPIC_ERROR,),
    ),
)
ABOUT_AUTHORS: Final = (
    ToolDefinition(
        "get_author_context",
        "What is known of an author.",
        "context",
        lambda call: authors.get_author_context(call.ctx, call["identifier"]),
        (name("identifier", "handle or numeric id"),),
        profiles=WORKFLOW,
        requires_x_client=True,
        requires_db=True,
        codes=(ErrorCode.CONTEXT_ERROR,),
        state=False,
    ),
    ToolDefinition(
        "recommend_engagement_action",
        "Whether to answer a tweet.",
        "context",
        lambda call: authors.recommend_engagement(
            call.ctx, call["author_username"], call["tweet_text"], call["campaign_objective"]
        ),
        (name("author_username"), text("tweet_text"), name("campaign_objective", required=False)),
        profiles=WORKFLOW,
        requires_x_client=True,
        requires_db=True,
        codes=(ErrorCode.RECOMMENDATION_ERROR,),
        state=False,
    ),
)
ABOUT_SERVER: Final = (
    ToolDefinition(
        "get_capabilities",
        "What the server can do now.",
        "meta",
        lambda call: account.get_capabilities(call.ctx, call.services.tools, x_available=call.services.x_available),
        state=False,
    ),
    ToolDefinition(
        "get_config",
        "The configuration; secrets are masked.",
        "config",
        lambda call: account.get_config(call.ctx),
        profiles=EVERYWHERE,
    ),
    ToolDefinition("get_mode", "Operating mode and approval state.", "meta", lambda call: account.get_mode(call.ctx)),
    ToolDefinition(
        "health_check",
        "What is there and what is away.",
        "health",
        lambda call: account.health_check(call.ctx, x_available=call.services.x_available),
        profiles=EVERYWHERE,
        requires_db=True,
        state=False,
    ),
    ToolDefinition(
        "score_tweet",
        "How much a tweet is worth answering, 0 to 100.",
        "scoring",
        _score,
        (
            text("text"),
            name("author_username"),
            whole("author_followers"),
            whole("likes"),
            whole("retweets"),
            whole("replies"),
            text("created_at", "ISO 8601; what does not parse counts as old"),
        ),
        profiles=EVERYWHERE,
        requires_db=True,
        state=False,
    ),
    ToolDefinition(
        "validate_config",
        "Whether the configuration can work.",
        "config",
        lambda call: account.validate_config(call.ctx),
    ),
)
DEFINITIONS: Final = (*STORED, *ABOUT_AUTHORS, *ABOUT_SERVER)

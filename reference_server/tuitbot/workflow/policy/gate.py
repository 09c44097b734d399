"""The gate: MCP tools, autopilot loops and whoever else mutates ask it first (Architecture decisions, AD-05)."""

import json
from collections.abc import Mapping

from reference_server.application import Json
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.policy import Rule
from reference_server.tuitbot.store.database import DatabaseFailureError
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import PolicyEvaluationError
from reference_server.tuitbot.workflow.policy.categories import category
from reference_server.tuitbot.workflow.policy.decision import (
    Allow,
    Decision,
    Deny,
    DryRun,
    NeedsApproval,
    RouteToApproval,
    Ruling,
)
from reference_server.tuitbot.workflow.policy.limits import MutationLimits
from reference_server.tuitbot.workflow.policy.rules import Mutation, effective_rules, first_match

BLOCKED_PREFIX = "v1:blocked:"
HARD_PREFIX = "hard:"


class PolicyGate:
    """Decides from the context's policy and counters."""

    def __init__(self) -> None:
        self.limits = MutationLimits()

    def evaluate(self, ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Decision:
        """Decides, and queues what needs approval. PolicyEvaluationError: rules or counters cannot be read."""
        ruling = self.decide(ctx, tool, params)
        return self.route(ctx, tool, params, ruling) if isinstance(ruling, NeedsApproval) else ruling

    def decide(self, ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Ruling:
        """Decides without effect. PolicyEvaluationError: rules or counters cannot be read."""
        policy = ctx.config.policy
        try:
            ctx.db.ping()
            rules = effective_rules(policy)
            if not policy.enforce_for_mutations:
                return Allow()
            rule = first_match(rules, Mutation(tool, category(tool), ctx.config.mode, ctx.clock.now()))
            if rule is not None and rule.action.type != "allow":
                return self.ruled(rule, tool, params)
            return self.within_limits(ctx, tool)
        except DatabaseFailureError as error:
            raise PolicyEvaluationError(f"the gate cannot be asked: {error}") from error

    def ruled(self, rule: Rule, tool: str, params: Mapping[str, Json]) -> Ruling:
        """What a rule that holds back says."""
        match rule.action.type:
            case "require_approval":
                return NeedsApproval(rule.action.reason or f"{tool} needs approval", rule.id)
            case "dry_run":
                return DryRun(tool, json.dumps(params, ensure_ascii=False, separators=(",", ":")), rule.id)
            case _:
                return Deny(self.code(rule), rule.action.reason or f"{tool} is denied by rule {rule.id}")

    def code(self, rule: Rule) -> ErrorCode:
        """The code of a denial follows from where the rule stands."""
        if rule.id.startswith(BLOCKED_PREFIX):
            return ErrorCode.POLICY_DENIED_BLOCKED
        if rule.id.startswith(HARD_PREFIX):
            return ErrorCode.POLICY_DENIED_HARD_RULE
        return ErrorCode.POLICY_DENIED_USER_RULE

    def within_limits(self, ctx: WorkflowContext, tool: str) -> Ruling:
        """Allow, unless a limit is used up."""
        if (spent := self.limits.used_up(ctx, tool)) is None:
            return Allow()
        limit, reset_at = spent
        message = f"the limit {limit.key} of {limit.max_count} in {limit.period_seconds} s is used up"
        return Deny(ErrorCode.POLICY_DENIED_RATE_LIMITED, message, reset_at)

    def route(
        self, ctx: WorkflowContext, tool: str, params: Mapping[str, Json], ruling: NeedsApproval
    ) -> RouteToApproval:
        """Queues the mutation as it was asked for."""
        item = ctx.db.approvals.add(
            tool,
            dict(params),
            ruling.reason,
            ctx.clock.now(),
            target_tweet_id=_target(params),
            generated_content=_content(params),
        )
        return RouteToApproval(item.id, ruling.reason, ruling.rule_id)


def _target(params: Mapping[str, Json]) -> str | None:
    return next((params[key] for key in ("in_reply_to_id", "quoted_tweet_id", "tweet_id") if key in params), None)


def _content(params: Mapping[str, Json]) -> str | None:
    if "tweets" in params:
        return "\n\n".join(params["tweets"])
    return next((params[key] for key in ("text", "content") if key in params), None)

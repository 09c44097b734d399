"""Faults of the gate's counters and conditions, each of which shows in one combination of them alone."""

import dataclasses
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.policy import Policy, RateLimit
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.store.counters import Window
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure, Outcome
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.decision import Deny, Ruling
from reference_server.tuitbot.workflow.policy.limits import limits_in_force

MINUTE_S = 60


@deviation("TB-POL-08", variant="minutes")
def an_hour_lasts_a_minute(tuitbot: Tuitbot) -> None:
    """The window of the hourly limit ends after a minute, and its denials do not say when."""
    limits = tuitbot.pipeline.gate.limits
    original, run = limits.window, tuitbot.pipeline.run

    @instead(limits, "window")
    def window(ctx: WorkflowContext, limit: RateLimit) -> Window:
        return original(ctx, replace(limit, period_seconds=MINUTE_S))

    @instead(tuitbot.pipeline, "run")
    def untold(definition: ToolDefinition, arguments: Json, session: Session) -> Outcome:
        outcome = run(definition, arguments, session)
        if isinstance(outcome, Failure) and outcome.code is ErrorCode.POLICY_DENIED_RATE_LIMITED:
            return dataclasses.replace(outcome, reset_at=None)
        return outcome


@deviation("TB-POL-08", variant="rows-alone")
def limits_of_their_own_replace_the_hourly_one(tuitbot: Tuitbot) -> None:
    """Where the policy has rate_limits, max_mutations_per_hour is not looked at."""
    _with_policy(
        tuitbot, lambda policy: replace(policy, max_mutations_per_hour=10**6) if policy.rate_limits else policy
    )


@deviation("TB-SRV-01", variant="limit-of-a-tool")
def the_limit_of_a_tool_denies_all(tuitbot: Tuitbot) -> None:
    """Where the limit of one tool is used up, every mutation is denied."""
    limits = tuitbot.pipeline.gate.limits
    original = limits.used_up

    @instead(limits, "used_up")
    def used_up(ctx: WorkflowContext, tool: str) -> tuple[RateLimit, float] | None:
        tools = [each.match_value for each in limits_in_force(ctx.config.policy) if each.dimension == "tool"]
        return next((spent for each in (tool, *tools) if (spent := original(ctx, each)) is not None), None)


@deviation("TB-POL-10", variant="denied")
def denials_count(tuitbot: Tuitbot) -> None:
    """A mutation that the configuration denies uses up the limit."""
    _denials_count(tuitbot, ErrorCode.POLICY_DENIED_BLOCKED)


@deviation("TB-POL-10", variant="denied-by-a-rule")
def what_a_users_rule_denies_counts(tuitbot: Tuitbot) -> None:
    """A mutation that a user's rule denies uses up the limit."""
    _denials_count(tuitbot, ErrorCode.POLICY_DENIED_USER_RULE)


def _denials_count(tuitbot: Tuitbot, code: ErrorCode) -> None:
    gate = tuitbot.pipeline.gate
    original = gate.decide

    @instead(gate, "decide")
    def decide(ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Ruling:
        ruling = original(ctx, tool, params)
        if isinstance(ruling, Deny) and ruling.code is code:
            gate.limits.count(ctx, tool)
        return ruling


@deviation("TB-SRV-01", variant="timelines-count")
def timelines_use_up_the_limit(tuitbot: Tuitbot) -> None:
    """x_get_home_timeline is counted against the limit of mutations."""
    original = tuitbot.pipeline.settle

    @instead(tuitbot.pipeline, "settle")
    def settle(definition: ToolDefinition, arguments: Arguments, data: Json, session: Session) -> None:
        original(definition, arguments, data, session)
        if definition.name == "x_get_home_timeline" and session.has_store:
            tuitbot.pipeline.gate.limits.count(session.ctx, definition.name)


@deviation("TB-POL-07", variant="approvals-first")
def the_list_of_approvals_comes_first(tuitbot: Tuitbot) -> None:
    """What stands on both lists is routed to approval, not denied."""

    def unblocked(policy: Policy) -> Policy:
        rest = tuple(each for each in policy.blocked_tools if each not in policy.require_approval_for)
        return replace(policy, blocked_tools=rest)

    _with_policy(tuitbot, unblocked)


@deviation("TB-POL-01", variant="one-mode")
def the_first_mode_counts(tuitbot: Tuitbot) -> None:
    """Of the modes of a rule the first alone is looked at."""

    def shortened(policy: Policy) -> Policy:
        rules = tuple(replace(r, conditions=replace(r.conditions, modes=r.conditions.modes[:1])) for r in policy.rules)
        return replace(policy, rules=rules)

    _with_policy(tuitbot, shortened)


@deviation("TB-POL-02", variant="engagements")
def rules_of_a_category_hold_for_all(tuitbot: Tuitbot) -> None:
    """The categories of a rule that routes are not looked at."""

    def widened(policy: Policy) -> Policy:
        rules = tuple(
            replace(each, conditions=replace(each.conditions, categories=()))
            if each.action.type == "require_approval"
            else each
            for each in policy.rules
        )
        return replace(policy, rules=rules)

    _with_policy(tuitbot, widened)


def _with_policy(tuitbot: Tuitbot, change: Callable[[Policy], Policy]) -> None:
    """The gate decides by a policy that is changed."""
    gate = tuitbot.pipeline.gate
    original = gate.decide

    @instead(gate, "decide")
    def decide(ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Ruling:
        config = replace(ctx.config, policy=change(ctx.config.policy))
        return original(dataclasses.replace(ctx, config=config), tool, params)

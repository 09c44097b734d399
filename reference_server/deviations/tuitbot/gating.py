"""Breaks the policy gate."""

import dataclasses
from collections.abc import Mapping

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.policy import RateLimit, Rule
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure, Outcome, Success
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.decision import Allow, Ruling
from reference_server.tuitbot.workflow.policy.gate import HARD_PREFIX


def _act_all_the_same(tuitbot: Tuitbot, *held: str) -> None:
    """Does what the gate holds back; `held` names its answers: routed_to_approval, dry_run, denied."""
    original = tuitbot.pipeline.ask_gate

    @instead(tuitbot.pipeline, "ask_gate")
    def ask_gate(definition: ToolDefinition, arguments: Arguments, session: Session) -> Outcome | None:
        outcome = original(definition, arguments, session)
        match outcome:
            case Success(held_back=answer) if answer in held:
                tuitbot.pipeline.act(definition, definition.bound.bind(arguments), session)
            case Failure(denied=True) if "denied" in held:
                tuitbot.pipeline.act(definition, definition.bound.bind(arguments), session)
        return outcome


@deviation("TB-POL-01")
def one_tool_passes_by_the_gate(tuitbot: Tuitbot) -> None:
    """x_unbookmark_tweet does not ask the gate."""
    original = tuitbot.pipeline.ask_gate

    @instead(tuitbot.pipeline, "ask_gate")
    def ask_gate(definition: ToolDefinition, arguments: Arguments, session: Session) -> Outcome | None:
        return None if definition.name == "x_unbookmark_tweet" else original(definition, arguments, session)


@deviation("TB-POL-02")
def an_allowed_retweet_is_dropped(tuitbot: Tuitbot) -> None:
    """x_retweet answers success and does nothing."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        if definition.name == "x_retweet":
            return {"retweeted": True, "tweet_id": bound["tweet_id"]}
        return original(definition, bound, session, approved=approved)


@deviation("TB-POL-03")
def routed_and_done(tuitbot: Tuitbot) -> None:
    """What is routed to approval is done at once as well."""
    _act_all_the_same(tuitbot, "routed_to_approval")


@deviation("TB-POL-04")
def approved_once_done_twice(tuitbot: Tuitbot) -> None:
    """An approved item is done twice."""
    original = tuitbot.pipeline.execute

    @instead(tuitbot.pipeline, "execute")
    def execute(tool: str, params: Mapping[str, Json], session: Session) -> Json:
        original(tool, params, session)
        return original(tool, params, session)


@deviation("TB-POL-05")
def a_dry_run_is_wet(tuitbot: Tuitbot) -> None:
    """A dry run does what it says it would do."""
    _act_all_the_same(tuitbot, "dry_run")


@deviation("TB-POL-06")
def denied_and_done(tuitbot: Tuitbot) -> None:
    """What is denied is done all the same."""
    _act_all_the_same(tuitbot, "denied")


@deviation("TB-POL-07")
def hard_rules_are_soft(tuitbot: Tuitbot) -> None:
    """A hard rule that denies lets everything through."""
    gate = tuitbot.pipeline.gate
    original = gate.ruled

    @instead(gate, "ruled")
    def ruled(rule: Rule, tool: str, params: Mapping[str, Json]) -> Ruling:
        if rule.action.type == "deny" and rule.id.startswith(HARD_PREFIX):
            return Allow()
        return original(rule, tool, params)


@deviation("TB-POL-08")
def limits_never_bite(tuitbot: Tuitbot) -> None:
    """Mutations over the limit go on."""

    @instead(tuitbot.pipeline.gate.limits, "used_up")
    def used_up(_ctx: WorkflowContext, _tool: str) -> tuple[RateLimit, float] | None:
        return None


@deviation("TB-POL-09")
def uploads_are_gated(tuitbot: Tuitbot) -> None:
    """x_upload_media asks the gate."""
    original = tuitbot.find

    @instead(tuitbot, "find")
    def find(tool: str) -> ToolDefinition | None:
        found = original(tool)
        return dataclasses.replace(found, gated=True) if found and tool == "x_upload_media" else found


@deviation("TB-POL-10")
def failures_count(tuitbot: Tuitbot) -> None:
    """A mutation that fails uses up the limit as well."""
    original = tuitbot.pipeline.act
    limits = tuitbot.pipeline.gate.limits
    count = limits.count

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        if definition.gated and session.has_store and not approved:
            count(session.ctx, definition.name)
        return original(definition, bound, session, approved=approved)

    @instead(limits, "count")
    def counted_already(_ctx: WorkflowContext, _tool: str) -> None:
        return None

"""Other typical forms of a fault: each breaks a requirement that another deviation breaks in another way."""

import dataclasses
from collections.abc import Mapping

from msgspec.structs import replace

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.tuitbot.safety import too_long_is_taken
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.codes import LayerError
from reference_server.tuitbot.editions import CONVERGENCE
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.policy import RateLimit
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.store.discovery import Found
from reference_server.tuitbot.toolkit.errors import (
    InvalidInputError,
    ThreadPartialFailureError,
    XAuthExpiredError,
)
from reference_server.tuitbot.toolkit.safety import similar_to
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure, Outcome
from reference_server.tuitbot.tools.pipeline import ArgumentsError
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.errors import PolicyEvaluationError
from reference_server.tuitbot.workflow.policy.decision import Ruling


@deviation("TB-SRV-01", variant="hours")
def rules_hold_at_any_hour(tuitbot: Tuitbot) -> None:
    """The hours, days and time zone of a rule are not looked at."""
    gate = tuitbot.pipeline.gate
    original = gate.decide

    @instead(gate, "decide")
    def decide(ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Ruling:
        policy = ctx.config.policy
        rules = tuple(replace(each, conditions=replace(each.conditions, schedule_window=None)) for each in policy.rules)
        config = replace(ctx.config, policy=replace(policy, rules=rules))
        return original(dataclasses.replace(ctx, config=config), tool, params)


@deviation("TB-SRV-01", variant="searches-count")
def searches_use_up_the_limit(tuitbot: Tuitbot) -> None:
    """x_search_tweets is counted against the limit of mutations."""
    original = tuitbot.pipeline.settle

    @instead(tuitbot.pipeline, "settle")
    def settle(definition: ToolDefinition, arguments: Arguments, data: Json, session: Session) -> None:
        original(definition, arguments, data, session)
        if definition.name == "x_search_tweets" and session.has_store:
            tuitbot.pipeline.gate.limits.count(session.ctx, definition.name)


@deviation("TB-SRV-01", variant="offset")
def times_are_taken_in_utc_alone(tuitbot: Tuitbot) -> None:
    """compose_tweet refuses a time whose offset from UTC is written in figures."""
    original = tuitbot.pipeline.check

    @instead(tuitbot.pipeline, "check")
    def check(definition: ToolDefinition, bound: Arguments) -> None:
        if definition.name == "compose_tweet" and "+" in (bound["scheduled_for"] or ""):
            raise InvalidInputError("scheduled_for is no time in UTC")
        original(definition, bound)


@deviation("TB-POL-02", variant="composer")
def composers_ask_a_gate_that_asks_nobody(tuitbot: Tuitbot) -> None:
    """In composer mode the rules hold also where the policy does not enforce them."""
    gate = tuitbot.pipeline.gate
    original = gate.decide

    @instead(gate, "decide")
    def decide(ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Ruling:
        if ctx.config.mode != "composer":
            return original(ctx, tool, params)
        config = replace(ctx.config, policy=replace(ctx.config.policy, enforce_for_mutations=True))
        return original(dataclasses.replace(ctx, config=config), tool, params)


@deviation("TB-SRV-02", variant="all-of-them")
def to_unfollow_one_is_to_unfollow_all(tuitbot: Tuitbot) -> None:
    """x_unfollow_user takes back whatever the account follows."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        if definition.name == "x_unfollow_user":
            tuitbot.world.follows.pop(tuitbot.config.user_id, None)
        return original(definition, bound, session, approved=approved)


@deviation("TB-SRV-02", variant="toggled")
@deviation("TB-SRV-02", edition=CONVERGENCE.name, variant="toggled-later")
def a_second_like_takes_the_first_one_back(tuitbot: Tuitbot) -> None:
    """x_like_tweet is a toggle: of a tweet that is liked it makes one that is not."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        liked = definition.name == "x_like_tweet" and tuitbot.config.user_id in tuitbot.world.likes.get(
            bound["tweet_id"], {}
        )
        done = original(definition, bound, session, approved=approved)
        if liked:
            tuitbot.world.likes[bound["tweet_id"]].pop(tuitbot.config.user_id)
        return done


@deviation("TB-SRV-02", edition=CONVERGENCE.name, variant="all-members")
def to_remove_one_member_is_to_remove_all(tuitbot: Tuitbot) -> None:
    """x_v2_lists_members_remove takes everybody off the list."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        done = original(definition, bound, session, approved=approved)
        if definition.name == "x_v2_lists_members_remove":
            tuitbot.world.members.pop(bound["id"], None)
        return done


@deviation("TB-SRV-02", variant="refused-and-done")
def what_the_gate_cannot_decide_is_done(tuitbot: Tuitbot) -> None:
    """x_unbookmark_tweet answers policy_error where the policy cannot be evaluated, and takes the bookmark back."""
    original = tuitbot.pipeline.ask_gate

    @instead(tuitbot.pipeline, "ask_gate")
    def ask_gate(definition: ToolDefinition, arguments: Arguments, session: Session) -> Outcome | None:
        try:
            return original(definition, arguments, session)
        except PolicyEvaluationError:
            if definition.name == "x_unbookmark_tweet":
                tuitbot.pipeline.act(definition, definition.bound.bind(arguments), session)
            raise


@deviation("TB-ERR-thread_partial_failure", variant="one-failure")
def a_thread_ends_by_its_failure(tuitbot: Tuitbot) -> None:
    """A thread that breaks off because the token has expired is answered with x_auth_expired alone."""
    original = tuitbot.pipeline.failure

    @instead(tuitbot.pipeline, "failure")
    def failure(error: LayerError) -> Failure:
        cause = error.__cause__ if isinstance(error, ThreadPartialFailureError) else None
        return original(cause if isinstance(cause, XAuthExpiredError) else error)


@deviation("TB-SRV-03", variant="entries")
def entries_are_not_checked(tuitbot: Tuitbot) -> None:
    """Items to propose are checked to be a list, not what is in it: what is no object faults."""
    original = tuitbot.pipeline.validate

    @instead(tuitbot.pipeline, "validate")
    def validate(definition: ToolDefinition, arguments: Json) -> None:
        items = arguments.get("items") if definition.name == "propose_and_queue_replies" else None
        try:
            original(definition, arguments)
        except ArgumentsError as error:
            strangers = [each for each in items if not isinstance(each, dict)] if isinstance(items, list) else []
            if strangers:
                kind = type(strangers[0]).__name__
                raise ArgumentsError(f"AttributeError: {kind!r} object has no attribute 'get'") from error
            raise


@deviation("TB-POL-04", variant="again")
def approved_again_done_again(tuitbot: Tuitbot) -> None:
    """An item that was approved is done once more by each further approval."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        item = session.ctx.db.approvals.find(bound["id"]) if definition.name == "approve_item" else None
        if item is not None and item.status == "approved":
            session.ctx.db.approvals.settle(item, "pending")
        return original(definition, bound, session, approved=approved)


@deviation("TB-SAFE-02", edition=CONVERGENCE.name, variant="the-last")
def only_the_last_reply_is_remembered(tuitbot: Tuitbot) -> None:
    """A reply is compared with the one that was sent last, not with those before."""

    @instead(tuitbot.pipeline.safety, "similar")
    def similar(ctx: WorkflowContext, text: str) -> str | None:
        last = [reply.content for reply in ctx.db.activity.replies[-1:]]
        return "it repeats the last reply" if similar_to(text, last) is not None else None


@deviation("TB-POL-08", variant="undoing-is-free")
def what_is_taken_back_is_not_counted(tuitbot: Tuitbot) -> None:
    """x_unlike_tweet uses up no limit."""
    limits = tuitbot.pipeline.gate.limits
    original = limits.count

    @instead(limits, "count")
    def count(ctx: WorkflowContext, tool: str) -> None:
        if tool != "x_unlike_tweet":
            original(ctx, tool)


@deviation("TB-POL-08", variant="denials-prolong")
def a_denial_begins_the_window_anew(tuitbot: Tuitbot) -> None:
    """The window of a limit lasts an hour from the last denial."""
    limits = tuitbot.pipeline.gate.limits
    original = limits.used_up

    @instead(limits, "used_up")
    def used_up(ctx: WorkflowContext, tool: str) -> tuple[RateLimit, float] | None:
        spent = original(ctx, tool)
        if spent is not None:
            window = limits.window(ctx, spent[0])
            ctx.db.counters.windows[spent[0].key] = dataclasses.replace(window, start=ctx.clock.now())
        return spent


@deviation("TB-POL-06", variant="over-the-limit")
def what_a_limit_denies_is_done(tuitbot: Tuitbot) -> None:
    """A mutation over the limit is denied, and done all the same."""
    original = tuitbot.pipeline.ask_gate

    @instead(tuitbot.pipeline, "ask_gate")
    def ask_gate(definition: ToolDefinition, arguments: Arguments, session: Session) -> Outcome | None:
        outcome = original(definition, arguments, session)
        if isinstance(outcome, Failure) and outcome.code is ErrorCode.POLICY_DENIED_RATE_LIMITED:
            tuitbot.pipeline.act(definition, definition.bound.bind(arguments), session)
        return outcome


@deviation("TB-POL-05", variant="modes")
def rules_hold_in_any_mode(tuitbot: Tuitbot) -> None:
    """The modes of a rule are not looked at."""
    gate = tuitbot.pipeline.gate
    original = gate.decide

    @instead(gate, "decide")
    def decide(ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> Ruling:
        policy = ctx.config.policy
        rules = tuple(replace(each, conditions=replace(each.conditions, modes=())) for each in policy.rules)
        config = replace(ctx.config, policy=replace(policy, rules=rules))
        return original(dataclasses.replace(ctx, config=config), tool, params)


@deviation("TB-SRV-01", variant="blocked-reads")
def the_blocked_list_holds_for_reads(tuitbot: Tuitbot) -> None:
    """get_author_context is denied where the blocked list names it."""
    original = tuitbot.pipeline.run

    @instead(tuitbot.pipeline, "run")
    def run(definition: ToolDefinition, arguments: Json, session: Session) -> Outcome:
        name = definition.name
        if name == "get_author_context" and name in session.ctx.config.policy.blocked_tools:
            return Failure(ErrorCode.POLICY_DENIED_BLOCKED, f"{name} is on the blocked list", denied=True)
        return original(definition, arguments, session)


@deviation("TB-SAFE-01", variant="pictures")
def a_text_beside_a_picture_may_be_long(tuitbot: Tuitbot) -> None:
    """A text of any weight is taken where media_ids are given."""
    too_long_is_taken(tuitbot, lambda _, bound: bool(bound.get("media_ids")))


@deviation("TB-SAFE-01", variant="scheduled")
def a_draft_that_is_due_may_be_long(tuitbot: Tuitbot) -> None:
    """compose_tweet takes a text of any weight for later."""

    def later(definition: ToolDefinition, bound: Arguments) -> bool:
        return definition.name == "compose_tweet" and bool(bound.get("scheduled_for"))

    too_long_is_taken(tuitbot, later)


@deviation("TB-META-05", variant="failures")
def failures_tell_autopilot(tuitbot: Tuitbot) -> None:
    """meta.mode of a failure is autopilot in composer mode too."""
    original = tuitbot.envelopes.wrap

    @instead(tuitbot.envelopes, "wrap")
    def wrap(outcome: Outcome, elapsed_ms: int) -> dict[str, Json]:
        envelope = original(outcome, elapsed_ms)
        if isinstance(outcome, Failure) and outcome.code is not ErrorCode.VALIDATION_ERROR and tuitbot.config.remembers:
            envelope["meta"]["mode"] = "autopilot"
        return envelope


@deviation("TB-SAFE-05", edition=CONVERGENCE.name, variant="together")
def the_first_of_several_replies_is_looked_at(tuitbot: Tuitbot) -> None:
    """Of the replies of one call only the first has to keep its author's limit."""
    safety, original = tuitbot.pipeline.safety, tuitbot.pipeline.act
    looked_at: list[str] = []

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        looked_at.clear()
        return original(definition, bound, session, approved=approved)

    limit = safety.author_limit

    @instead(safety, "author_limit")
    def author_limit(ctx: WorkflowContext, found: Found) -> str | None:
        looked_at.append(found.id)
        return limit(ctx, found) if len(looked_at) == 1 else None


@deviation("TB-POL-01", variant="scheduled")
def drafts_that_are_due_pass_by_the_gate(tuitbot: Tuitbot) -> None:
    """compose_tweet does not ask the gate where it is told when the draft is due."""
    original = tuitbot.pipeline.ask_gate

    @instead(tuitbot.pipeline, "ask_gate")
    def ask_gate(definition: ToolDefinition, arguments: Arguments, session: Session) -> Outcome | None:
        free = definition.name == "compose_tweet" and arguments.get("scheduled_for") is not None
        return None if free else original(definition, arguments, session)

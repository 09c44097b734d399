"""Faults of the queue: what an approval or a rejection does besides, or leaves undone, for one kind of mutation."""

from collections.abc import Callable

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition


@deviation("TB-POL-04", variant="likes-approved")
def an_approved_like_is_not_done(tuitbot: Tuitbot) -> None:
    """A like that was routed and approved is said to be done, and is not."""
    _approved_otherwise(tuitbot, "x_like_tweet", lambda _: None)


@deviation("TB-POL-04", variant="follows-approved")
def an_approved_follow_is_not_done(tuitbot: Tuitbot) -> None:
    """A follow that was routed and approved is said to be done, and is not."""
    _approved_otherwise(tuitbot, "x_follow_user", lambda _: None)


@deviation("TB-POL-04", variant="replies-approved")
def an_approved_reply_answers_nothing(tuitbot: Tuitbot) -> None:
    """A reply that was routed and approved is posted as a tweet of its own."""
    _approved_otherwise(tuitbot, "x_reply_to_tweet", lambda given: {"text": given["text"], "media_ids": None})


def _approved_otherwise(tuitbot: Tuitbot, name: str, post: Callable[[Arguments], dict[str, Json] | None]) -> None:
    """What was approved by this tool is done as a post with these arguments, or not at all."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        if not approved or definition.name != name:
            return original(definition, bound, session, approved=approved)
        given = post(bound)
        tweet = tuitbot.pipeline.catalogue["x_post_tweet"]
        return original(tweet, tweet.bound.bind(given), session, approved=True) if given is not None else {}


@deviation("TB-SRV-02", variant="rejected-as-well")
def to_reject_one_is_to_reject_those_before(tuitbot: Tuitbot) -> None:
    """reject_item takes the item before it out of the queue as well."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        done = original(definition, bound, session, approved=approved)
        if definition.name == "reject_item":
            approvals = session.ctx.db.approvals
            before = [item for item in approvals.pending() if item.id < bound["id"]]
            for item in before[-1:]:
                approvals.settle(item, "rejected")
        return done

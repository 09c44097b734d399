"""Faults that only further reading shows: the next pages, special characters, conversations, pictures, decisions."""

import dataclasses
import re
from collections.abc import Callable, Mapping

from reference_server.application import Json, Request
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import Envelope, instead, rewrite_results
from reference_server.deviations.tuitbot.safety import too_long_is_taken
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.session import Session
from reference_server.tuitbot.toolkit.errors import InvalidInputError, TweetTooLongError
from reference_server.tuitbot.toolkit.weight import LIMIT
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition
from reference_server.tuitbot.tools.outcome import Outcome, Success
from reference_server.tuitbot.x.world import Tweet

CAPITAL_URL = re.compile(r"HTTPS?://[!-~]+")


@deviation("TB-SRV-02", variant="next-page")
def a_next_page_leaves_one_out(tuitbot: Tuitbot) -> None:
    """x_get_user_tweets begins every page but the first one entry too late."""

    def later(request: Request, envelope: Envelope) -> Envelope:
        data = envelope["data"]
        if not request.arguments.get("pagination_token") or not data["data"]:
            return envelope
        return {**envelope, "data": {**data, "data": data["data"][1:]}}

    rewrite_results(tuitbot, "x_get_user_tweets", later)


@deviation("TB-SRV-02", variant="marks")
def marks_are_spelled_out(tuitbot: Tuitbot) -> None:
    """An ampersand is posted as the word and."""
    _post_otherwise(tuitbot, lambda tweet: dataclasses.replace(tweet, text=tweet.text.replace("&", "and")))


@deviation("TB-SRV-02", variant="conversation")
def replies_begin_conversations(tuitbot: Tuitbot) -> None:
    """A reply is posted as a tweet of its own."""
    _post_otherwise(tuitbot, lambda tweet: dataclasses.replace(tweet, conversation_id=tweet.id, in_reply_to=None))


def _post_otherwise(tuitbot: Tuitbot, change: Callable[[Tweet], Tweet]) -> None:
    """Changes each tweet that a tool posts."""
    original, tweets = tuitbot.pipeline.act, tuitbot.world.tweets

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        before = set(tweets)
        try:
            return original(definition, bound, session, approved=approved)
        finally:
            tweets.update({name: change(tweets[name]) for name in set(tweets) - before})


@deviation("TB-MAN-06", variant="gif")
def a_gif_is_not_kept(tuitbot: Tuitbot) -> None:
    """The upload of a GIF gives an id that X does not know afterwards."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        done = original(definition, bound, session, approved=approved)
        if definition.name == "x_upload_media" and isinstance(done, dict) and done.get("media_type") == "image/gif":
            tuitbot.world.media.pop(str(done.get("media_id")), None)
        return done


@deviation("TB-SAFE-01", variant="capitals")
def a_scheme_in_capitals_makes_no_url(tuitbot: Tuitbot) -> None:
    """A URL whose scheme is written in capitals weighs as many as it has letters."""
    original = tuitbot.pipeline.check

    @instead(tuitbot.pipeline, "check")
    def check(definition: ToolDefinition, bound: Arguments) -> None:
        original(definition, bound)
        text = bound.get("text") if definition.name == "x_post_tweet" else None
        if isinstance(text, str) and CAPITAL_URL.search(text) and len(text) > LIMIT:
            raise TweetTooLongError("the tweet is too long")


@deviation("TB-SAFE-01", variant="threads")
def heavy_characters_are_light_in_threads(tuitbot: Tuitbot) -> None:
    """In a thread every character weighs one."""

    def light(definition: ToolDefinition, bound: Arguments) -> bool:
        return definition.name == "x_post_thread" and all(len(each) <= LIMIT for each in bound["tweets"])

    too_long_is_taken(tuitbot, light)


@deviation("TB-SRV-03", variant="nothing-in-a-list")
def nothing_to_propose_is_a_fault(tuitbot: Tuitbot) -> None:
    """propose_and_queue_replies takes the first of its items, and there is none."""
    original = tuitbot.pipeline.check

    @instead(tuitbot.pipeline, "check")
    def check(definition: ToolDefinition, bound: Arguments) -> None:
        if definition.name == "propose_and_queue_replies" and not bound["items"]:
            raise InvalidInputError("IndexError: list index out of range")
        original(definition, bound)


@deviation("TB-SRV-03", variant="past")
def a_time_that_is_past_is_a_fault(tuitbot: Tuitbot) -> None:
    """compose_tweet looks for the time until a draft is due, which is none if it is past."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        try:
            return original(definition, bound, session, approved=approved)
        except InvalidInputError as error:
            if "is past" not in str(error):
                raise
            raise InvalidInputError("TypeError: unsupported operand type(s) for -: 'NoneType' and 'float'") from error


@deviation("TB-POL-04", variant="rejected-later")
def what_was_approved_is_rejected(tuitbot: Tuitbot) -> None:
    """reject_item says of an item that was approved and done that it is rejected."""
    original = tuitbot.pipeline.act

    @instead(tuitbot.pipeline, "act")
    def act(definition: ToolDefinition, bound: Arguments, session: Session, *, approved: bool = False) -> Json:
        item = session.ctx.db.approvals.find(bound["id"]) if definition.name == "reject_item" else None
        if item is not None and item.status == "approved":
            return {"status": "rejected", "id": bound["id"]}
        return original(definition, bound, session, approved=approved)


@deviation("TB-POL-03", variant="follows")
def a_routed_follow_is_done(tuitbot: Tuitbot) -> None:
    """x_follow_user is answered as routed to approval, and done all the same."""
    original = tuitbot.pipeline.ask_gate

    @instead(tuitbot.pipeline, "ask_gate")
    def ask_gate(definition: ToolDefinition, arguments: Mapping[str, Json], session: Session) -> Outcome | None:
        outcome = original(definition, arguments, session)
        if isinstance(outcome, Success) and definition.name == "x_follow_user":
            following = tuitbot.world.follows.setdefault(tuitbot.config.user_id, {})
            following[str(arguments["target_user_id"])] = None
        return outcome

"""Breaks the safety checks."""

from collections.abc import Callable
from pathlib import Path

from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.tuitbot import Tuitbot
from reference_server.tuitbot.codes import LayerError
from reference_server.tuitbot.editions import CONVERGENCE
from reference_server.tuitbot.store.discovery import Found
from reference_server.tuitbot.toolkit.errors import TweetTooLongError, UnsupportedMediaTypeError
from reference_server.tuitbot.tools.definition import Arguments, ToolDefinition
from reference_server.tuitbot.tools.outcome import Failure
from reference_server.tuitbot.workflow.context import WorkflowContext


@deviation("TB-SAFE-01")
def quotes_may_be_long(tuitbot: Tuitbot) -> None:
    """x_quote_tweet takes a text of any weight."""
    too_long_is_taken(tuitbot, lambda definition, _: definition.name == "x_quote_tweet")


def too_long_is_taken(tuitbot: Tuitbot, taken: Callable[[ToolDefinition, Arguments], bool]) -> None:
    """Texts of any weight are taken in these calls."""
    original = tuitbot.pipeline.check

    @instead(tuitbot.pipeline, "check")
    def check(definition: ToolDefinition, bound: Arguments) -> None:
        try:
            original(definition, bound)
        except TweetTooLongError:
            if not taken(definition, bound):
                raise


@deviation("TB-SAFE-02", edition=CONVERGENCE.name)
def repetition_is_fine(tuitbot: Tuitbot) -> None:
    """A reply like a recent one is not held back."""

    @instead(tuitbot.pipeline.safety, "similar")
    def similar(_ctx: WorkflowContext, _text: str) -> str | None:
        return None


@deviation("TB-SAFE-03")
def phrases_are_banned_in_one_case(tuitbot: Tuitbot) -> None:
    """A banned phrase is found only as it is written in the configuration."""

    @instead(tuitbot.pipeline.safety, "banned")
    def banned(ctx: WorkflowContext, text: str) -> str | None:
        phrases = ctx.config.limits.banned_phrases
        return next((f"it holds the banned phrase {phrase!r}" for phrase in phrases if phrase in text), None)


@deviation("TB-SAFE-04", edition=CONVERGENCE.name)
def talking_to_oneself(tuitbot: Tuitbot) -> None:
    """A reply to one's own tweet is not held back."""

    @instead(tuitbot.pipeline.safety, "self_reply")
    def self_reply(_ctx: WorkflowContext, _found: Found) -> str | None:
        return None


@deviation("TB-SAFE-05", edition=CONVERGENCE.name)
def authors_are_never_spared(tuitbot: Tuitbot) -> None:
    """The author's daily limit is not kept."""

    @instead(tuitbot.pipeline.safety, "author_limit")
    def author_limit(_ctx: WorkflowContext, _found: Found) -> str | None:
        return None


@deviation("TB-SAFE-06")
def a_broken_thread_says_nothing(tuitbot: Tuitbot) -> None:
    """A thread that fails midway does not say what was posted."""
    original = tuitbot.pipeline.failure

    @instead(tuitbot.pipeline, "failure")
    def failure(error: LayerError) -> Failure:
        answered = original(error)
        return Failure(answered.code, answered.message, None, answered.reset_at)


@deviation("TB-SAFE-07")
def extensions_in_capitals_are_unknown(tuitbot: Tuitbot) -> None:
    """A file named .PNG is refused as of an unsupported type."""
    original = tuitbot.pipeline.check

    @instead(tuitbot.pipeline, "check")
    def check(definition: ToolDefinition, bound: Arguments) -> None:
        if definition.name == "x_upload_media":
            suffix = Path(bound["file_path"]).suffix
            if suffix != suffix.lower():
                raise UnsupportedMediaTypeError(f"the extension {suffix!r} is not supported")
        original(definition, bound)

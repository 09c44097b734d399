"""Tools that tell what posting would come to (dry runs)."""

from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.tools.definition import LATER, Call, ToolDefinition
from reference_server.tuitbot.tools.parameters import LONGEST_TEXT, MEDIA_IDS, strings, text
from reference_server.tuitbot.tools.writes import THREAD_MEDIA, check_text, check_tweets
from reference_server.tuitbot.workflow import previewing


def _tweet(call: Call) -> Json:
    services = call.services
    return previewing.preview_tweet(
        call.ctx, services.gate, call["text"], call["media_ids"] or (), x_available=services.x_available
    )


def _thread(call: Call) -> Json:
    services = call.services
    return previewing.preview_thread(
        call.ctx, services.gate, call["tweets"], call["media_ids"] or (), x_available=services.x_available
    )


CODES: Final = (ErrorCode.INVALID_INPUT, ErrorCode.TWEET_TOO_LONG)
DEFINITIONS: Final = (
    ToolDefinition(
        "x_post_thread_dry_run",
        "What x_post_thread would come to; nothing is posted, queued or counted.",
        "write",
        _thread,
        (strings("tweets", "texts in order", longest=LONGEST_TEXT), THREAD_MEDIA),
        check_tweets,
        LATER,
        requires_db=True,
        asks_gate=True,
        codes=CODES,
        state=False,
    ),
    ToolDefinition(
        "x_post_tweet_dry_run",
        "What x_post_tweet would come to; nothing is posted, queued or counted.",
        "write",
        _tweet,
        (text("text", "at most 280 weighted characters"), MEDIA_IDS),
        check_text,
        LATER,
        requires_db=True,
        asks_gate=True,
        codes=CODES,
        state=False,
    ),
)

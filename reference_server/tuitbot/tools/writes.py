"""Tools that write to X: posts, engagement, media."""

from collections.abc import Callable
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.toolkit import engage, media, writes
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.toolkit.weight import check_length
from reference_server.tuitbot.tools.definition import WRITING, Arguments, Call, ToolDefinition, nothing_to_check
from reference_server.tuitbot.tools.parameters import (
    LONGEST_TEXT,
    MEDIA_IDS,
    MOST_ENTRIES,
    Parameter,
    flag,
    name,
    strings,
    text,
)
from reference_server.tuitbot.x.protocol import Draft, XClient

SHOW_POSTS: Final = (
    "get_tweet_by_id",
    "x_get_user_tweets",
    "x_search_tweets",
    "x_get_home_timeline",
    "x_get_user_by_id",
    "x_get_user_by_username",
    "x_get_users_by_ids",
    "x_get_me",
)
SHOW_LIKES: Final = ("get_tweet_by_id", "x_get_tweet_liking_users", "x_get_liked_tweets")
SHOW_FOLLOWS: Final = (
    "x_get_following",
    "x_get_followers",
    "x_get_user_by_id",
    "x_get_user_by_username",
    "x_get_users_by_ids",
    "x_get_home_timeline",
    "x_get_me",
)
POST_CODES: Final = (ErrorCode.INVALID_INPUT, ErrorCode.TWEET_TOO_LONG)
TWEET_ID: Final = name("tweet_id", "numeric id of a tweet")
THREAD_MEDIA: Final = Parameter(
    "media_ids",
    {
        "type": "array",
        "items": {"type": "array", "items": {"type": "string"}, "maxItems": MOST_ENTRIES},
        "maxItems": MOST_ENTRIES,
    },
    required=False,
    description="each tweet's media, by position",
)


def _write(  # noqa: PLR0913 - a definition's fields, most of them by keyword
    tool: str,
    description: str,
    act: Callable[[Call], Json],
    *parameters: Parameter,
    check: Callable[[Arguments], None] = nothing_to_check,
    codes: tuple[ErrorCode, ...] = (),
    shown_by: tuple[str, ...] = SHOW_POSTS,
    destructive: bool = False,
) -> ToolDefinition:
    return ToolDefinition(
        tool,
        description,
        "write",
        act,
        parameters,
        check,
        profiles=WRITING,
        mutation=True,
        requires_x_client=True,
        requires_db=True,
        gated=True,
        guarded=True,
        calls_x=True,
        codes=codes,
        shown_by=shown_by,
        destructive=destructive,
    )


def _engage(  # noqa: PLR0913 - a definition's fields, most of them by keyword
    tool: str,
    description: str,
    act: Callable[[XClient, str], Json],
    shown_by: tuple[str, ...],
    *,
    parameter: Parameter = TWEET_ID,
    destructive: bool = False,
) -> ToolDefinition:
    return ToolDefinition(
        tool,
        description,
        "engage",
        lambda call: act(call.ctx.x_client, call[parameter.name]),
        (parameter,),
        profiles=WRITING,
        mutation=True,
        requires_x_client=True,
        requires_db=True,
        gated=True,
        guarded=True,
        calls_x=True,
        # a user cannot follow itself
        codes=(ErrorCode.NOT_FOUND, *((ErrorCode.INVALID_INPUT,) if tool == "x_follow_user" else ())),
        shown_by=shown_by,
        destructive=destructive,
    )


def check_text(arguments: Arguments) -> None:
    """InvalidInputError: blank. TweetTooLongError: it fits into no tweet."""
    if not arguments["text"].strip():
        raise InvalidInputError("text is blank")
    check_length(arguments["text"])


def check_tweets(arguments: Arguments) -> None:
    """InvalidInputError: no tweet, a blank one, or media for more tweets than there are. TweetTooLongError."""
    writes.check_thread(arguments["tweets"], arguments["media_ids"] or ())
    for index, tweet in enumerate(arguments["tweets"]):
        if not tweet.strip():
            raise InvalidInputError(f"tweets[{index}] is blank")
        check_length(tweet, f"tweets[{index}]")


def _check_file(arguments: Arguments) -> None:
    media.media_type(arguments["file_path"])


def _upload(call: Call) -> Json:
    if call.arguments.get("dry_run"):
        return media.inspect_media(call["file_path"], call["alt_text"])
    return media.upload_media(call.ctx.x_client, call["file_path"], call.arguments.get("alt_text"))


def _draft(call: Call, *, in_reply_to: str | None = None, quoted: str | None = None) -> Draft:
    return Draft(call["text"], tuple(call["media_ids"] or ()), in_reply_to, quoted)


FOLLOWED: Final = name("target_user_id", "numeric id of a user")
DEFINITIONS: Final = (
    _engage("x_bookmark_tweet", "Bookmarks a tweet.", engage.bookmark_tweet, ("x_get_bookmarks", "get_tweet_by_id")),
    _write(
        "x_delete_tweet",
        "Deletes a tweet of the own account.",
        lambda call: writes.delete_tweet(call.ctx.x_client, call["tweet_id"]),
        TWEET_ID,
        codes=(ErrorCode.NOT_FOUND,),
        destructive=True,
    ),
    _engage("x_follow_user", "Follows a user.", engage.follow_user, SHOW_FOLLOWS, parameter=FOLLOWED),
    _engage("x_like_tweet", "Likes a tweet.", engage.like_tweet, SHOW_LIKES),
    _write(
        "x_post_thread",
        "Posts tweets as a thread, each answering the one before.",
        lambda call: writes.post_thread(call.ctx.x_client, call["tweets"], call["media_ids"] or ()),
        strings("tweets", "texts in order", longest=LONGEST_TEXT),
        THREAD_MEDIA,
        check=check_tweets,
        codes=(*POST_CODES, ErrorCode.THREAD_PARTIAL_FAILURE),
    ),
    _write(
        "x_post_tweet",
        "Posts a tweet.",
        lambda call: writes.post_tweet(call.ctx.x_client, _draft(call)),
        text("text", "at most 280 weighted characters"),
        MEDIA_IDS,
        check=check_text,
        codes=POST_CODES,
    ),
    _write(
        "x_quote_tweet",
        "Posts a tweet that quotes another.",
        lambda call: writes.post_tweet(call.ctx.x_client, _draft(call, quoted=call["quoted_tweet_id"])),
        text("text", "at most 280 weighted characters"),
        name("quoted_tweet_id", "numeric id of a tweet"),
        MEDIA_IDS,
        check=check_text,
        codes=(*POST_CODES, ErrorCode.NOT_FOUND),
    ),
    _write(
        "x_reply_to_tweet",
        "Posts a tweet that answers another.",
        lambda call: writes.post_tweet(call.ctx.x_client, _draft(call, in_reply_to=call["in_reply_to_id"])),
        text("text", "at most 280 weighted characters"),
        name("in_reply_to_id", "numeric id of a tweet"),
        MEDIA_IDS,
        check=check_text,
        codes=(*POST_CODES, ErrorCode.NOT_FOUND),
        shown_by=(*SHOW_POSTS, "list_target_accounts"),
    ),
    _engage("x_retweet", "Retweets a tweet.", engage.retweet, ("get_tweet_by_id",)),
    _engage(
        "x_unbookmark_tweet",
        "Takes a bookmark away.",
        engage.unbookmark_tweet,
        ("x_get_bookmarks", "get_tweet_by_id"),
        destructive=True,
    ),
    _engage(
        "x_unfollow_user",
        "Stops following a user.",
        engage.unfollow_user,
        SHOW_FOLLOWS,
        parameter=FOLLOWED,
        destructive=True,
    ),
    _engage("x_unlike_tweet", "Takes a like back.", engage.unlike_tweet, SHOW_LIKES, destructive=True),
    _engage("x_unretweet", "Takes a retweet back.", engage.unretweet, ("get_tweet_by_id",), destructive=True),
    ToolDefinition(
        "x_upload_media",
        "Uploads an image or video from a file of the server's machine: jpg, jpeg, png, webp, gif, mp4.",
        "media",
        _upload,
        (
            name("file_path", "path on the server's machine"),
            name("alt_text", "what the medium shows", required=False, since="convergence"),
            flag("dry_run", "look at the file, upload nothing", since="convergence"),
        ),
        _check_file,
        WRITING,
        mutation=True,
        requires_x_client=True,
        guarded=True,
        codes=(ErrorCode.UNSUPPORTED_MEDIA_TYPE, ErrorCode.FILE_READ_ERROR, ErrorCode.MEDIA_UPLOAD_ERROR),
    ),
)

"""What kind of mutation a tool is, for rules and limits."""

from typing import Final

from reference_server.tuitbot.policy import Category

CATEGORIES: Final[dict[str, Category]] = {
    "x_like_tweet": "engage",
    "x_follow_user": "engage",
    "x_unfollow_user": "engage",
    "x_retweet": "engage",
    "x_unretweet": "engage",
    "x_post_thread": "thread",
    "propose_and_queue_replies": "thread",
    "x_delete_tweet": "delete",
    "x_upload_media": "media",
}
ENGAGEMENTS: Final = {
    "x_like_tweet": "like",
    "x_follow_user": "follow",
    "x_unfollow_user": "unfollow",
    "x_retweet": "retweet",
    "x_unretweet": "unretweet",
    "x_reply_to_tweet": "reply",
    "x_quote_tweet": "quote",
}
"""Types of engagement that a limit may count."""


def category(tool: str) -> Category:
    """The tool's category; an unknown tool writes, which is the safest to assume of a mutation."""
    return CATEGORIES.get(tool, "write")

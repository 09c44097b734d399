"""Which lists of tweets show what the account posts: no clause says that a home timeline or a search does."""

from collections.abc import Collection

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.tweets import listed, texts_posted
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History

OWN = ("x_get_home_timeline", "x_get_user_tweets")
"""Lists that hold all that the account posts, where they hold any of it."""
LISTS = (*OWN, "x_search_tweets")
"""Reads of tweets, of which some may be the account's own."""


@once
def showing_own(history: History, _: Contract) -> Collection[tuple[str, str]]:
    """The lists that showed a tweet which the account had posted without approval, in any instance."""
    posted = {(call.instance, each) for call in history.accepted() for each in texts_posted(call)}
    return {
        of_whom(read)
        for read in history.accepted(*LISTS)
        if any((read.instance, str(tweet.get("id"))) in posted for tweet in listed(read) or ())
    }


def of_whom(read: Exchange) -> tuple[str, str]:
    """A list: its tool, and the user whose tweets it holds."""
    return read.tool or "", spelled(read.argument("user_id"))

"""The account that posts through the server."""

from collections import defaultdict

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.tweets import posted
from conformance.judge.kinds import text
from conformance.judge.memo import once
from conformance.model.history import History


def own_accounts(history: History) -> dict[str, set[str]]:
    """By instance its id: that of the author of what was posted, and as x_get_me shows it."""
    own = {(call.instance, name) for call in history.calls() for name in posted(call)}
    found: dict[str, set[str]] = defaultdict(set)
    for read in history.accepted("get_tweet_by_id"):
        author = read.given.get("author_id")
        if (read.instance, text(read.argument("tweet_id"))) in own and isinstance(author, str):
            found[read.instance].add(author)
    for read in history.accepted("x_get_me"):
        if isinstance(read.given.get("id"), str):
            found[read.instance].add(str(read.given["id"]))
    return found


@once
def own_handles(history: History, _: Contract) -> dict[str, set[str]]:
    """By instance its handle in lower case, as x_get_me or a read of the user by id shows it."""
    accounts, found = own_accounts(history), defaultdict[str, set[str]](set)
    for read in history.accepted("x_get_me", "x_get_user_by_id"):
        handle = text(read.given.get("username"))
        asked = text(read.argument("user_id"))
        if handle and (read.tool == "x_get_me" or asked in accounts[read.instance]):
            found[read.instance].add(handle.lower())
    return dict(found)

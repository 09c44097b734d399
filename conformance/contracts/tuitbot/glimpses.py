"""What reads show of what was written: which tweets are there, who likes and follows whom, what waits for approval."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import chain

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot import endpoints_shown, tweets_shown, users_shown
from conformance.contracts.tuitbot.acting import own_accounts
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.pages import read_through, whole
from conformance.contracts.tuitbot.places import ANSWERS, CONTENT, RETWEET, THERE, WAITS, place
from conformance.contracts.tuitbot.shown_so_far import DELETE
from conformance.contracts.tuitbot.tweets import listed
from conformance.contracts.tuitbot.written import assignments
from conformance.judge.faults import declined
from conformance.judge.kinds import integer, spelled, text
from conformance.judge.memo import once
from conformance.judge.registers import Showing
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

GONE = ("not_found", "x_api_error", "x_forbidden")
"""With these a read of a tweet says that it is not there."""
LISTS = (
    "x_get_home_timeline", "x_get_user_tweets", "x_search_tweets", "x_get_bookmarks", "x_get_liked_tweets",
    "x_get_user_mentions",
)  # fmt: skip

HOLDS = {
    "x_get_bookmarks": ("x_bookmark_tweet", "the bookmark"),
    "x_get_liked_tweets": ("x_like_tweet", "the like"),
    "x_get_user_tweets": (THERE, "the tweet"),
    "x_get_following": ("x_follow_user", "the follow"),
}
"""What the lists of the account's own hold."""


class Glimpses:
    """Showings of a history."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._history = history
        self._run = known(history, contract)
        self._names: dict[tuple[str, str], set[str]] = defaultdict(set)
        """What was written of, by instance and kind, each as its JSON text."""
        for one in assignments(history, contract):
            instance, what, *rest = one.register if isinstance(one.register, tuple) else ("", "")
            if isinstance(what, str) and rest:
                self._names[str(instance), what].add(str(rest[0]))
        self._own = own_accounts(history)
        self._through = read_through(history, contract)
        self._bare: set[tuple[str, str]] = set()
        """Tweets that nobody had retweeted, by instance and id, as their first reads show."""

    def all(self) -> Iterator[Showing]:
        """Every showing."""
        for call in self._history.calls():
            if not self._run.untroubled(call):
                continue
            if call.tool == "get_tweet_by_id":
                yield from self._of_tweet(call)
            elif call.accepted and call.tool in LISTS:
                yield from self._of_tweets(call)
            elif call.accepted and call.tool in ("x_get_followers", "x_get_following", "x_get_tweet_liking_users"):
                yield from self._of_users(call)
            elif call.accepted and call.tool == "list_pending_approvals":
                yield from self._of_queue(call)
            else:
                yield from self._of_later(call)
        for through in self._through:
            if self._run.untroubled(through.first) and self._run.untroubled(through.last):
                ids = {spelled(entry.get("id")) for entry in through.entries}
                yield from self._listed(through.read, ids, whole=True)

    def _of_later(self, call: Exchange) -> Iterator[Showing]:
        """What the reads show that the later edition alone has."""
        names, own = self._written(call.instance), self._own[call.instance]
        yield from endpoints_shown.shown(call, names, own)
        if call.accepted:
            yield from tweets_shown.shown(call, names, own, whole=whole(call))
            yield from users_shown.shown(call)

    def _written(self, instance: str) -> Callable[[str], list[str]]:
        """What was written of a kind on an instance."""
        return lambda kind: sorted(self._names.get((instance, kind), ()))

    def _of_tweet(self, call: Exchange) -> Iterator[Showing]:
        name = call.argument("tweet_id")
        if call.accepted:
            yield Showing(place(call.instance, THERE, name), True, call, "", "the tweet")
            yield from self._marked(call, call.given, "")
        elif declined(call) and call.code in GONE and self._deleted(call, name):
            yield Showing(place(call.instance, THERE, name), False, call, "", "the tweet")

    def _deleted(self, call: Exchange, name: Json) -> bool:
        """Whether somebody tried to delete a tweet before: that another is not found is not this matter."""
        return any(
            d.instance == call.instance and name in (d.argument("tweet_id"), _last(d)) and d.sent < call.sent
            for d in chain(self._history.calls(DELETE), self._history.calls("x_delete"))
        )

    def _marked(self, call: Exchange, tweet: dict[str, Json], pointer: str) -> Iterator[Showing]:
        yield from tweets_shown.hidden(call, tweet, pointer)
        begun, name = tweet.get("conversation_id"), tweet.get("id")
        if isinstance(begun, str) and isinstance(name, str):
            at = f"{pointer}/conversation_id"
            yield Showing(place(call.instance, ANSWERS, name), begun != name, call, at, "whether it is a reply")
        metrics = tweet.get("public_metrics")
        count = integer(metrics.get("retweet_count")) if isinstance(metrics, dict) else None
        if count is None or not isinstance(tweet.get("id"), str):
            return
        here = call.instance, spelled(tweet["id"])
        if count == 0:
            self._bare.add(here)
        # others may have retweeted what was there before, and a count does not say who did
        if count == 0 or here in self._bare or here[1] in self._names.get((call.instance, THERE), ()):
            at = f"{pointer}/public_metrics/retweet_count"
            yield Showing(place(call.instance, RETWEET, tweet["id"]), count > 0, call, at, "whether it is retweeted")

    def _of_tweets(self, call: Exchange) -> Iterator[Showing]:
        """Those that a list shows are there; a whole list of likes, bookmarks or own tweets shows which are not."""
        tweets = listed(call) or []
        ids = {spelled(tweet.get("id")) for tweet in tweets}
        for number, tweet in enumerate(tweets):
            if isinstance(tweet.get("id"), str):
                yield Showing(place(call.instance, THERE, tweet["id"]), True, call, f"/data/{number}", "the tweet")
                yield from self._marked(call, tweet, f"/data/{number}")
        yield from self._listed(call, ids, whole=whole(call))

    def _listed(self, call: Exchange, ids: set[str], *, whole: bool) -> Iterator[Showing]:
        """Which of those that were written the account's own list holds, and which it does not where it is whole."""
        kind, what = HOLDS.get(call.tool or "", ("", ""))
        # a tweet that is not the account's own is there as well: those that a page lists are told by themselves
        if kind and (whole or kind != THERE) and (call.tool == "x_get_bookmarks" or self._is_own(call)):
            yield from self._members(call, kind, ids, whole=whole, what=what)

    def _of_users(self, call: Exchange) -> Iterator[Showing]:
        ids = {spelled(user.get("id")) for user in listed(call) or []}
        own = {spelled(each) for each in self._own[call.instance]}
        if call.tool == "x_get_following":
            yield from self._listed(call, ids, whole=whole(call))
            return
        what, about = ("x_follow_user", "user_id") if call.tool == "x_get_followers" else ("x_like_tweet", "tweet_id")
        there = bool(ids & own)
        if own and (there or whole(call)):
            yield Showing(place(call.instance, what, call.argument(about)), there, call, "/data", "the own account")

    def _is_own(self, call: Exchange) -> bool:
        """Whether a list is that of the account that posts through the server."""
        return text(call.argument("user_id")) in self._own[call.instance]

    def _members(self, call: Exchange, kind: str, ids: set[str], *, whole: bool, what: str) -> Iterator[Showing]:
        """Which of those that were written of a list holds."""
        for name in sorted(self._names[call.instance, kind]):
            if whole or name in ids:
                yield Showing((call.instance, kind, name), name in ids, call, "/data", what)

    def _of_queue(self, call: Exchange) -> Iterator[Showing]:
        if not isinstance(call.payload, list):
            return
        entries = {spelled(each.get("id")): each for each in call.payload if isinstance(each, dict)}
        yield from self._members(call, WAITS, set(entries), whole=True, what="the item")
        for name, entry in entries.items():
            yield Showing((call.instance, CONTENT, name), entry, call, "", "its text")


def _last(call: Exchange) -> str:
    """The last step of a universal request's path."""
    return str(call.argument("path")).rpartition("/")[2]


@once
def glimpses(history: History, contract: Contract) -> list[Showing]:
    """What reads show, beyond the rows of [[shown]]."""
    return list(Glimpses(history, contract).all())

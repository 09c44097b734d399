"""What the later edition's reads show of tweets: those that a lookup asks for, quotes, retweets, which are hidden."""

from collections.abc import Callable, Iterator

from conformance.contracts.tuitbot.places import HIDDEN, PLAIN, RETWEET, TEXT, THERE, place, quote, text_of_tweet
from conformance.contracts.tuitbot.tweets import listed
from conformance.judge.kinds import spelled
from conformance.judge.registers import Showing
from conformance.model.events import Json
from conformance.model.exchange import Exchange

LOOKUP, QUOTES, RETWEETERS = "x_v2_tweets_lookup", "x_v2_tweets_quote_tweets", "x_v2_tweets_retweeted_by"
OF_TWEETS = (LOOKUP, QUOTES, "x_v2_lists_tweets", "x_v2_spaces_tweets")
"""Reads that show tweets with their texts."""


def shown(call: Exchange, names: Callable[[str], list[str]], own: set[str], *, whole: bool) -> Iterator[Showing]:
    """What an accepted read shows.

    `names` gives what was written of a kind, as JSON text; `own` are the acting accounts; `whole`: it is no page of a
    longer list.
    """
    if call.tool == LOOKUP:
        yield from _not_found(call)
    entries = listed(call)
    if entries is None:
        return
    if call.tool in OF_TWEETS:
        yield from _tweets(call, entries)
    ids = {spelled(each.get("id")) for each in entries}
    if call.tool == QUOTES:
        yield from _quotes(call, ids, names, whole=whole)
    elif call.tool == RETWEETERS and own:
        there = not ids.isdisjoint(map(spelled, own))
        if there or whole:
            yield Showing(place(call.instance, RETWEET, call.argument("id")), there, call, "/data", "the own account")


def _quotes(call: Exchange, ids: set[str], names: Callable[[str], list[str]], *, whole: bool) -> Iterator[Showing]:
    """Which tweets quote the one that is asked for; what quotes nothing is not among them."""
    kind = quote(call.argument("id"))
    for name in names(kind):
        if whole or name in ids:
            yield Showing((call.instance, kind, name), name in ids, call, "/data", "the quote")
    for name in sorted(ids.intersection(names(PLAIN))):
        yield Showing(
            (call.instance, PLAIN, name), value=False, call=call, pointer="/data", what="a tweet that quotes nothing"
        )


def _tweets(call: Exchange, entries: list[dict[str, Json]]) -> Iterator[Showing]:
    for number, tweet in enumerate(entries):
        name = tweet.get("id")
        if isinstance(name, str):
            yield Showing(place(call.instance, THERE, name), True, call, f"/data/{number}", "the tweet")
            yield Showing(
                text_of_tweet(call.instance, name), tweet.get(TEXT[1:]), call, f"/data/{number}{TEXT}", "text"
            )
        yield from hidden(call, tweet, f"/data/{number}")


def hidden(call: Exchange, tweet: dict[str, Json], pointer: str) -> Iterator[Showing]:
    """Whether a reply is hidden, where a server says so: X has no field for it that every read shows."""
    if isinstance(tweet.get("hidden"), bool):
        at = f"{pointer}/hidden"
        yield Showing(place(call.instance, HIDDEN, tweet.get("id")), tweet["hidden"], call, at, "whether it is hidden")


def _not_found(call: Exchange) -> Iterator[Showing]:
    """The tweets that were asked for and of which nothing came: X leaves its data out where it has none of them."""
    asked = call.argument("ids")
    told = spelled({name: value for name, value in call.given.items() if name != "errors"})
    for name in asked.split(",") if isinstance(asked, str) else ():
        if spelled(name) not in told:
            yield Showing(place(call.instance, THERE, name), False, call, "/data", "the tweet")

"""Safety of replies (seed 002, AD-12): repeated, banned, to oneself, and too many to one author."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from conformance.contracts.tuitbot.bench import OPEN, TuitbotBench
from conformance.contracts.tuitbot.calls import FIXED, Calls
from conformance.drive.bench import taken
from conformance.drive.errors import StuckError
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

SENDING: dict[str, Json] = {"approval_mode": False, "policy": OPEN}
"""Settings with which a proposed reply is sent at once, if nothing is to be said against it."""
DAY_S = 86_400
HALF_A_DAY_S = DAY_S // 2
BANNED = ("check out", "you should try", "I recommend", "link in bio")
"""What is tried where the configuration names no banned phrases."""


class Proposals:
    """Replies proposed one at a time to tweets that the server found."""

    def __init__(self, calls: Calls, by_author: Mapping[str, Sequence[str]]) -> None:
        self.server = calls.bench
        self.calls = calls
        self.by_author = by_author
        """Tweets that may be answered, by their author's handle."""

    @classmethod
    async def at(cls, server: TuitbotBench) -> "Proposals":
        """Looks for tweets to answer; the configuration is read as well, for what it says of limits."""
        await server.call("get_config", {})
        own = await _own_handle(server)
        found = await server.call("find_reply_opportunities", FIXED["find_reply_opportunities"])
        by_author: dict[str, list[str]] = {}
        for each in _objects(taken(found, "candidates")):
            author, tweet = each.get("author_username"), each.get("tweet_id")
            if isinstance(author, str) and isinstance(tweet, str) and author != own and not each.get("already_replied"):
                by_author.setdefault(author, []).append(tweet)
        return cls(await Calls.at(server), by_author)

    def authors(self, wanted: int, *, tweets: int = 1) -> list[Sequence[str]]:
        """The tweets of so many authors, so many each at least; StuckError where there are not as many."""
        found = [each for each in self.by_author.values() if len(each) >= tweets]
        if len(found) < wanted:
            message = f"{len(found)} authors with {tweets} tweets to be answered were found, {wanted} are needed"
            raise StuckError(message)
        return found[:wanted]

    async def propose(self, tweet: str, text: str, *, on: TuitbotBench | None = None) -> Exchange:
        """Proposes one reply."""
        item: Json = {"candidate_id": tweet, "pre_drafted_text": text}
        return await (on or self.server).call("propose_and_queue_replies", {"items": [item]})


async def _own_handle(server: TuitbotBench) -> str | None:
    """The account's own handle, by a tweet that it posts."""
    posted = await server.call("x_post_tweet", {"text": server.unique("about me")})
    shown = await server.call("get_tweet_by_id", {"tweet_id": taken(posted, "id")})
    user = await server.call("x_get_user_by_id", {"user_id": taken(shown, "author_id")})
    handle = taken(user, "username")
    return handle if isinstance(handle, str) else None


def _objects(value: Json) -> list[dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


@stimulus("tuitbot", exercises=("TB-SAFE-02",), needs=("approval_mode", "policy"))
async def a_reply_is_repeated(bench: TuitbotBench) -> None:
    """The same words to another author, nearly the same in other case, and others."""
    replies = await Proposals.at(await bench.workflow(**SENDING))
    [first], second, *_ = [tweets[:1] for tweets in replies.authors(2)]
    words = " ".join(replies.calls.words() for _ in range(2))
    await replies.propose(first, words)
    for text in (words, f"{words.upper()}!", f"{words} indeed", replies.calls.words()):
        await replies.propose(second[0], text)


@stimulus("tuitbot", exercises=("TB-SAFE-03",), needs=("approval_mode", "policy"))
async def a_reply_holds_a_banned_phrase(bench: TuitbotBench) -> None:
    """Each phrase as it is configured, in capitals and with its case turned."""
    replies = await Proposals.at(await bench.workflow(**SENDING))
    [[tweet, *_]] = replies.authors(1)
    for number, phrase in enumerate(BANNED):
        for written in (phrase, phrase.upper()) if number == 0 else (phrase.swapcase(),):
            await replies.propose(tweet, f"{replies.calls.words()}, {written} {replies.calls.words()}")


@stimulus("tuitbot", exercises=("TB-SAFE-04",), needs=("approval_mode", "policy"))
async def the_account_answers_itself(bench: TuitbotBench) -> None:
    """A tweet is posted, found and answered."""
    server = await bench.workflow(**SENDING)
    calls = await Calls.at(server)
    word = calls.words().partition(" ")[0]
    posted = str(taken(await server.call("x_post_tweet", {"text": f"{word} on testing"}), "id"))
    await server.call("find_reply_opportunities", {"query": word})
    await Proposals(calls, {}).propose(posted, calls.words())


@stimulus("tuitbot", exercises=("TB-SAFE-05",), needs=("approval_mode", "policy", "clock"))
async def an_author_gets_a_second_reply(bench: TuitbotBench) -> None:
    """On the same day, at noon, and on the next."""
    server = await bench.workflow(**SENDING)
    noon = await _until_noon(server)
    replies = await Proposals.at(await server.under(clock=noon))
    [[first, second, *_]] = replies.authors(1, tweets=2)
    await replies.propose(first, replies.calls.words())
    await replies.propose(second, replies.calls.words())
    await replies.propose(second, replies.calls.words(), on=await server.under(clock=noon + DAY_S))


async def _until_noon(server: TuitbotBench) -> int:
    """Seconds until it is noon in UTC by the server's calendar, as a new tweet tells it."""
    posted = await server.call("x_post_tweet", {"text": server.unique("now")})
    shown = taken(await server.call("get_tweet_by_id", {"tweet_id": taken(posted, "id")}), "created_at")
    try:
        now = datetime.fromisoformat(str(shown)).astimezone(UTC)
    except ValueError as error:
        message = f"a tweet's created_at is {shown!r}, which tells no time"
        raise StuckError(message) from error
    return (HALF_A_DAY_S - (now.hour * 3600 + now.minute * 60 + now.second)) % DAY_S

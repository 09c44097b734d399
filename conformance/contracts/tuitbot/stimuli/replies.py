"""Safety of replies (Architecture decisions, AD-12): repeated, banned, to oneself, and too many to one author."""

from collections.abc import Mapping, Sequence

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.contracts.tuitbot.calls import Calls
from conformance.contracts.tuitbot.looking import Reads, server_time
from conformance.contracts.tuitbot.policies import OPEN
from conformance.contracts.tuitbot.settings_shown import phrases, replies_a_day
from conformance.drive.bench import taken
from conformance.drive.errors import StuckError
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

SENDING: dict[str, Json] = {"approval_mode": False, "policy": OPEN}
"""Settings with which a proposed reply is sent at once, if nothing is to be said against it."""
ONE_A_DAY: dict[str, Json] = {**SENDING, "limits": {"max_replies_per_author_per_day": 1}}
DAY_S = 86_400
HALF_A_DAY_S = DAY_S // 2
BANNED = ("check out", "you should try", "I recommend", "link in bio")
"""What is tried where the configuration shows no banned phrases."""
READS: Reads = (("get_recent_replies", {}), ("get_reply_count_today", {}), ("list_unreplied_tweets", {}))


class Proposals:
    """Replies proposed one at a time to tweets that the server found."""

    def __init__(self, calls: Calls, by_author: Mapping[str, Sequence[str]], config: Json) -> None:
        self.server = calls.bench
        self.calls = calls
        self.by_author = by_author
        """Tweets that may be answered, by their author's handle."""
        self.config = config

    @classmethod
    async def at(cls, server: TuitbotBench) -> "Proposals":
        """Looks for tweets to answer; the configuration is read as well, for what it says of limits."""
        config = (await server.call("get_config", {})).payload
        own = await _own_handle(server)
        calls = await Calls.at(server)
        await calls.discover()
        by_author: dict[str, list[str]] = {}
        for each in calls.found:
            if each.author is not None and each.author != own and not each.answered:
                by_author.setdefault(each.author, []).append(each.tweet_id)
        return cls(calls, by_author, config)

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

    async def together(self, *replies: tuple[str, str]) -> Exchange:
        """Proposes replies in one call: to which tweet, with which text."""
        items: Json = [{"candidate_id": tweet, "pre_drafted_text": text} for tweet, text in replies]
        return await self.server.call("propose_and_queue_replies", {"items": items})


async def _own_handle(server: TuitbotBench) -> str | None:
    """The account's own handle, by a tweet that it posts; None where nothing tells it."""
    posted = await server.call("x_post_tweet", {"text": server.unique("about me")})
    if not isinstance(posted.given.get("id"), str):
        return None
    shown = await server.call("get_tweet_by_id", {"tweet_id": posted.given["id"]})
    user = await server.call("x_get_user_by_id", {"user_id": taken(shown, "author_id")})
    handle = taken(user, "username")
    return handle if isinstance(handle, str) else None


@stimulus("tuitbot", exercises=("TB-SAFE-02", "TB-SRV-02"))
async def a_reply_is_repeated(bench: TuitbotBench) -> None:
    """The same words to another author, nearly the same in other case and order, two of them, then the first ones."""
    replies = await Proposals.at(await bench.working(SENDING))
    [first], second, *_ = [tweets[:1] for tweets in replies.authors(2)]
    words = " ".join(replies.calls.words() for _ in range(2))
    await replies.propose(first, words)
    for tool, given in READS:
        await replies.server.call(tool, given)
    turned = " ".join(reversed(words.split()))
    other = f"{' '.join(words.split()[:2])} {replies.calls.words()}"
    for text in (words, f"{words.upper()}!", turned, f"{words} indeed", other):
        await replies.propose(second[0], text)
    for tool, given in READS:
        await replies.server.call(tool, given)
    # the reply that was sent last is another one by now
    for tweets in list(replies.by_author.values())[2:3]:
        await replies.propose(tweets[0], words)


@stimulus("tuitbot", exercises=("TB-SAFE-02",))
async def a_short_reply_is_repeated(bench: TuitbotBench) -> None:
    """One word to one author, the same to another, and then another word."""
    replies = await Proposals.at(await bench.working(SENDING))
    [first, *_], [second, *_] = replies.authors(2)
    one, other = (replies.calls.words().partition(" ")[0] for _ in range(2))
    for tweet, text in ((first, one), (second, one), (second, other)):
        await replies.propose(tweet, text)


@stimulus("tuitbot", exercises=("TB-SRV-01", "TB-SRV-03"))
async def replies_have_no_words(bench: TuitbotBench) -> None:
    """Two replies of marks alone, to two authors: what compares their words finds none."""
    replies = await Proposals.at(await bench.working(SENDING))
    for [tweet, *_], text in zip(replies.authors(2), ("?!", "!?"), strict=True):
        await replies.propose(tweet, text)


@stimulus("tuitbot", exercises=("TB-SRV-01", "TB-SRV-03"))
async def replies_are_left_to_the_server(bench: TuitbotBench) -> None:
    """Replies without a text: alone, as null, beside one that has its text, and where no LLM could write it."""
    calls = await Calls.at(await bench.working())
    bare: list[dict[str, Json]] = [{"candidate_id": await calls.candidate()} for _ in range(3)]
    bare[2]["pre_drafted_text"] = None
    written: Json = {"candidate_id": await calls.candidate(), "pre_drafted_text": calls.words()}
    for items in ([bare[0]], [bare[1], written], [bare[2]]):
        await calls.bench.call("propose_and_queue_replies", {"items": items})
    if bench.can("llm"):
        without = await Calls.at(await calls.bench.given(llm=False))
        item: Json = {"candidate_id": await without.candidate()}
        await without.bench.call("propose_and_queue_replies", {"items": [item]})


@stimulus("tuitbot", exercises=("TB-SAFE-03",))
async def a_reply_holds_a_banned_phrase(bench: TuitbotBench) -> None:
    """Each phrase as it is configured, in capitals and with its case turned; then a reply without any."""
    replies = await Proposals.at(await bench.working(SENDING))
    [[tweet, *_]] = replies.authors(1)
    for number, phrase in enumerate(phrases(replies.config) or BANNED):
        for written in (phrase, phrase.upper()) if number == 0 else (phrase.swapcase(),):
            await replies.propose(tweet, f"{replies.calls.words()}, {written} {replies.calls.words()}")
    await replies.propose(tweet, replies.calls.words())


@stimulus("tuitbot", exercises=("TB-SAFE-04",))
async def the_account_answers_itself(bench: TuitbotBench) -> None:
    """A tweet is posted, found and answered; then somebody else's."""
    server = await bench.working(SENDING)
    calls = await Calls.at(server)
    word = calls.words().partition(" ")[0]
    posted = str(taken(await server.call("x_post_tweet", {"text": f"{word} on testing"}), "id"))
    await server.call("find_reply_opportunities", {"query": word})
    await Proposals(calls, {}, None).propose(posted, calls.words())
    replies = await Proposals.at(server)
    [[tweet, *_]] = replies.authors(1)
    await replies.propose(tweet, calls.words())


@stimulus("tuitbot", exercises=("TB-SAFE-02", "TB-SAFE-03", "TB-SAFE-04", "TB-SAFE-05"))
async def replies_are_proposed_together(bench: TuitbotBench) -> None:
    """Two replies in one call: the second repeats the first, is banned, answers the account itself, or one too many."""
    server = await bench.working(SENDING)
    replies = await Proposals.at(server)
    say, phrase = replies.calls.words, (phrases(replies.config) or BANNED)[0]
    own = str(taken(await server.call("x_post_tweet", {"text": say()}), "id"))
    [[one, *_], [other, *_], *rest] = replies.authors(2)
    words = say()
    await replies.together((one, words), (other, words))
    await replies.together(*[(tweet, f"{say()} {more}") for tweet, more in ((other, ""), (one, phrase))])
    await replies.together(*[(tweets[0], say()) for tweets in rest[:1]], (own, say()))
    spare = await Proposals.at(await bench.working(ONE_A_DAY))
    most = replies_a_day(spare.config) or 1
    [tweets] = spare.authors(1, tweets=most + 1)
    await spare.together(*[(tweet, spare.calls.words()) for tweet in tweets[: most + 1]])


@stimulus("tuitbot", exercises=("TB-SAFE-05",), needs=("clock",))
async def an_author_gets_one_reply_too_many(bench: TuitbotBench) -> None:
    """As many as a day allows and one more, at noon, and one on the next day."""
    server = await bench.working(ONE_A_DAY)
    noon = await _until_noon(server)
    replies = await Proposals.at(await server.under(clock=noon))
    most = replies_a_day(replies.config) or 1
    [tweets] = replies.authors(1, tweets=most + 1)
    for tweet in tweets[: most + 1]:
        await replies.propose(tweet, replies.calls.words())
    await replies.propose(tweets[most], replies.calls.words(), on=await server.under(clock=noon + DAY_S))


async def _until_noon(server: TuitbotBench) -> int:
    """Seconds until it is noon in UTC by the server's calendar."""
    now = await server_time(server)
    return (HALF_A_DAY_S - (now.hour * 3600 + now.minute * 60 + now.second)) % DAY_S

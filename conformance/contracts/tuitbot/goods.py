"""Which calls nothing in the contract speaks against: by their arguments, by what they are about, by the gate."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot import endpoints
from conformance.contracts.tuitbot.clock import ServerClock, server_clock
from conformance.contracts.tuitbot.contested import contested
from conformance.contracts.tuitbot.deeds import UNDOES
from conformance.contracts.tuitbot.gate import DENIALS, UPLOAD, decision
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.manifest import entry, manifest
from conformance.contracts.tuitbot.pages import TOKEN
from conformance.contracts.tuitbot.rulings import rulings
from conformance.contracts.tuitbot.shown_so_far import APPROVING, DELETE, Shown, walk
from conformance.contracts.tuitbot.spending import beyond_limit
from conformance.contracts.tuitbot.tweets import printed, written
from conformance.contracts.tuitbot.weight import LIMIT, at_most
from conformance.judge.instants import instant
from conformance.judge.kinds import integer, spelled, text
from conformance.judge.means import brings_about
from conformance.judge.memo import once
from conformance.judge.serving import Unsupported
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

PAGES: Mapping[str, tuple[int, int]] = {
    "x_get_bookmarks": (1, 100),
    "x_get_followers": (1, 1_000),
    "x_get_following": (1, 1_000),
    "x_get_home_timeline": (1, 100),
    "x_get_liked_tweets": (1, 100),
    "x_get_tweet_liking_users": (1, 100),
    "x_get_user_tweets": (5, 100),
    "x_search_tweets": (10, 100),
}
"""Entries of a page that each list of X gives at least and at most."""
LONGEST_WINDOW: Mapping[str, int] = {"since_hours": 8_760, "days": 365, "lookback_days": 365, "limit": 100}
"""A year back, and a hundred entries: no list of parameters says that less is the most."""
POSTING = ("x_post_tweet", "x_reply_to_tweet", "x_quote_tweet", "x_post_thread", "compose_tweet")
MOST_USERS, MOST_MEDIA, MOST_TWEETS = 100, 4, 25
AHEAD_S = 300
"""Seconds by which a time has to be ahead to be surely in the future."""
PICTURES = (".jpg", ".jpeg", ".png", ".gif")
"""Kinds of file that X has always taken; which others a server supports is its own to say."""
FREE_TEXTS = ("archetype", "structure")
"""Texts of which a server may know some and refuse the others as invalid."""
NOT_ITS_OWN = {
    "x": ("x_rate_limited", "x_network_error", "x_auth_expired", "x_account_restricted"),
    "llm": ("llm_error",),
}
"""What may come from a service of others, where the target cannot bring about how that fails."""
FORBIDDEN, DOWN = "x_forbidden", "x_api_error"
"""How X says that it does not allow a call, and that it cannot serve one."""
OF_ONESELF = ("invalid_input", FORBIDDEN, DOWN)
"""With these an account is told that it cannot follow itself."""
LIKES = "x_get_liked_tweets"
SCRAPER = "scraper_mutation_blocked"
IN_ITS_PLACE = ("media_upload_error", "context_error", "recommendation_error", "thread_partial_failure")
"""How tools with a code of their own tell that X failed."""


class Goods:
    """The calls of a run that nothing speaks against."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._run = known(history, contract)
        self._gate = rulings(history, contract)
        self._clock = server_clock(history, contract)
        self._history = history
        self._contract = contract
        self._theirs = _theirs(history, contract)
        self._never_allowed = _never_allowed(history, contract)
        self._scraping = _scraping(history, contract)
        self._contested = contested(history, contract)
        self._beyond = {call.call for call in beyond_limit(history, contract)}
        left_out = Unsupported(history)
        self._numbers: set[int] = set()
        self._sound: set[int] = set()
        for call, shown in walk(history, contract):
            if not left_out.concerns(call) and self._is_sound(call, shown):
                self._sound.add(call.call)
                if self._is_free(call):
                    self._numbers.add(call.call)

    def good(self, call: Exchange) -> bool:
        """Whether nothing speaks against serving a call."""
        return call.call in self._numbers

    def sound(self, call: Exchange) -> bool:
        """Whether nothing that a call is given, or is about, speaks against serving it, whatever else does."""
        return call.call in self._sound

    def all(self) -> Iterator[Exchange]:
        """Those calls, in the order sent."""
        return filter(self.good, self._history.calls())

    def _is_free(self, call: Exchange) -> bool:
        """Whether neither a condition, the gate, others' services nor another call holds it back."""
        if not self._run.untroubled(call) or call.call in self._contested or self._is_theirs(call):
            return False
        return not self._held_back(call) and not (call.code == SCRAPER and call.instance in self._scraping)

    def _is_theirs(self, call: Exchange) -> bool:
        """Whether a refusal may be that of a service of others."""
        # an approval does what another tool would
        forbidden = call.tool in self._never_allowed or (bool(self._never_allowed) and call.tool in APPROVING)
        return call.code in self._theirs or (call.code == FORBIDDEN and forbidden)

    def _is_sound(self, call: Exchange, shown: Shown) -> bool:
        run = self._run
        if entry(call, self._contract) is None or run.keeps_contract(call) is not True:
            return False
        if _has_null(call.arguments) and run.keeps_schema(call) is False:
            return False  # no document promises that null leaves an argument out: the server's own list says it
        later = endpoints.is_good(call, shown, self._clock)
        if later is not None:
            return later
        given = call.arguments if isinstance(call.arguments, dict) else {}
        values = all(_of(name)(value, call, shown) for name, value in given.items() if value is not None)
        return values and self._permitted(call, shown) and not _in_doubt(call) and self._future(call, self._clock)

    def _held_back(self, call: Exchange) -> bool:
        """Whether the gate may have to hold a call back: a rule of its policy says so, or its limit is used up."""
        rule = self._gate.ruling(call)
        if (rule is not None and rule.answer is not None) or call.call in self._beyond:
            return True
        return (call.code or "").startswith(DENIALS) and not self._gate.allowed(call)

    def _permitted(self, call: Exchange, shown: Shown) -> bool:
        """Whether the state of what the call is about permits it."""
        texts = written(call)
        if (texts or call.tool in POSTING) and not (_postable(texts) and shown.texts.isdisjoint(texts)):
            return False
        if call.tool == "x_follow_user" and not self._may_be_followed(call, shown):
            return False
        if call.tool == LIKES and call.code == FORBIDDEN and text(call.argument("user_id")) not in shown.me:
            return False  # what a user likes may be shown to that user alone, as on X
        if call.tool in UNDOES:
            return shown.undone(call)
        if call.tool == DELETE:
            return text(call.argument("tweet_id")) in shown.own - shown.gone
        return shown.postable(call) if call.tool in APPROVING else True

    @staticmethod
    def _may_be_followed(call: Exchange, shown: Shown) -> bool:
        """Whether somebody is neither blocked nor the acting account, as far as it is known which that is."""
        user = text(call.argument("target_user_id"))
        own = user in shown.me or (not shown.me and call.code in OF_ONESELF)
        return not own and user not in shown.blocked

    @staticmethod
    def _future(call: Exchange, clock: ServerClock) -> bool:
        """Whether a time that is named is ahead by the server's own calendar."""
        when = call.argument("scheduled_for")
        if when is None:
            return True
        at, now = _rfc3339(when), clock.now(call)
        return at is not None and now is not None and at > now + AHEAD_S


def _theirs(history: History, contract: Contract) -> frozenset[str]:
    """Codes by which others may fail: the harness plays them where the target can bring about how they fail."""
    theirs = frozenset(code for name, codes in NOT_ITS_OWN.items() if not brings_about(history, name) for code in codes)
    if not brings_about(history, "media_upload") and not history.accepted(UPLOAD):
        theirs |= {"media_upload_error"}  # X takes uploads, or takes none at all
    if brings_about(history, "x"):
        return theirs
    if not any(name.startswith("x_") for name in _served_by_x(history, contract)):
        theirs |= {DOWN}
    fails = {DOWN, *NOT_ITS_OWN["x"]} & theirs
    failed = _never_allowed(history, contract) or any(call.code in fails for call in history.calls())
    return theirs.union(IN_ITS_PLACE) if failed else theirs


def _never_allowed(history: History, contract: Contract) -> frozenset[str]:
    """Tools that X forbids whenever they are called, where it is the real one: its plans allow some."""
    if brings_about(history, "x"):
        return frozenset()
    of_x = _of_x(contract)
    forbidden = {name for call in history.calls() if call.code == FORBIDDEN and (name := str(call.tool)) in of_x}
    return frozenset(forbidden - _served_by_x(history, contract))


def _served_by_x(history: History, contract: Contract) -> frozenset[str]:
    """Tools that need X, and were served once at least."""
    return frozenset(str(call.tool) for call in history.accepted(*_of_x(contract)) if decision(call) is None)


def _of_x(contract: Contract) -> frozenset[str]:
    """Tools that need X."""
    return frozenset(each.name for each in manifest(contract.edition).values() if each.requires_x_client)


def _scraping(history: History, contract: Contract) -> frozenset[str]:
    """Instances that say themselves of X that a scraper reaches it, and never show that they can mutate."""
    said = {call.instance for call in history.calls() if call.code == SCRAPER and "backend" not in call.conditions}
    mutating = [each.name for each in manifest(contract.edition).values() if each.mutation and each.name[:2] == "x_"]
    return frozenset(said - {call.instance for call in history.accepted(*mutating) if decision(call) is None})


def _has_null(value: Json) -> bool:
    """Whether null stands anywhere in arguments."""
    if isinstance(value, dict | list):
        return any(map(_has_null, value.values() if isinstance(value, dict) else value))
    return value is None


def _in_doubt(call: Exchange) -> bool:
    """Whether the server refuses for a cause that the contract leaves open: a style that it does not know, a file."""
    if call.tool == "x_upload_media" and call.code == "file_read_error":
        return True  # the suite's files are not on the server's machine
    return call.code == "invalid_input" and call.gives(FREE_TEXTS)


def _postable(texts: list[str]) -> bool:
    return 0 < len(texts) <= MOST_TWEETS and len(set(texts)) == len(texts) and all(map(_fits, texts))


def _fits(text: str) -> bool:
    return bool(text.strip()) and text == text.strip() and printed(text) and at_most(text, LIMIT)


def _rfc3339(value: Json) -> float | None:
    return instant(value) if isinstance(value, str) and "T" in value else None


Test = Callable[[Json, Exchange, Shown], bool]
"""Whether a value that the contract's list allows is good in a call."""


def _of(name: str) -> Test:
    return TESTS.get(name, _plain)


def _plain(value: Json, call: Exchange, shown: Shown) -> bool:
    """Any number or boolean, and any text that says something in characters that are printed."""
    del call, shown
    return bool(value.strip()) and printed(value) if isinstance(value, str) else not isinstance(value, dict | list)


def _each(test: Callable[[Json, Shown], bool], most: int) -> Test:
    def every(value: Json, call: Exchange, shown: Shown) -> bool:
        del call
        listed = value if isinstance(value, list) else []
        return 0 < len(listed) <= most and all(test(each, shown) for each in listed)

    return every


def _tweet(value: Json, call: Exchange, shown: Shown) -> bool:
    del call
    return shown.tweet(value)


def _user(value: Json, call: Exchange, shown: Shown) -> bool:
    del call
    return value in shown.users


def _name(value: Json, call: Exchange, shown: Shown) -> bool:
    return value in shown.names if call.tool not in ("score_tweet", "generate_reply") else _plain(value, call, shown)


def _window(name: str) -> Test:
    def within(value: Json, call: Exchange, shown: Shown) -> bool:
        del call, shown
        number = integer(value)
        return number is not None and 1 <= number <= LONGEST_WINDOW[name]

    return within


def _page(value: Json, call: Exchange, shown: Shown) -> bool:
    del shown
    number, (least, most) = integer(value), PAGES.get(call.tool or "", (1, 0))
    return number is not None and least <= number <= most


def _next_page(value: Json, call: Exchange, shown: Shown) -> bool:
    del value
    return (str(call.tool), spelled(call.arguments)) in shown.pages


def _items(value: Json, call: Exchange, shown: Shown) -> bool:
    del call
    listed = value if isinstance(value, list) else []
    return bool(listed) and all(
        isinstance(each, dict) and text(each.get("candidate_id")) in shown.candidates for each in listed
    )


def _pending(value: Json, call: Exchange, shown: Shown) -> bool:
    del call
    return integer(value) in shown.pending


def _media(value: Json, call: Exchange, shown: Shown) -> bool:
    lists = value if isinstance(value, list) else []
    tweets = lists if call.tool == "x_post_thread" else [lists]
    texts = call.argument("tweets")
    fits = call.tool != "x_post_thread" or (isinstance(texts, list) and len(lists) <= len(texts))
    return fits and all(
        isinstance(each, list) and len(each) <= MOST_MEDIA and len(set(map(str, each))) == len(each)
        and shown.media.issuperset(map(str, each))
        for each in tweets
    )  # fmt: skip


def _picture(value: Json, call: Exchange, shown: Shown) -> bool:
    """A file with a picture's name that does not lie behind another file."""
    del call, shown
    place = PurePosixPath(value.replace("\\", "/").lower() if isinstance(value, str) else "")
    return place.suffix in PICTURES and not any(part.endswith(PICTURES) for part in place.parts[:-1])


def _moment(value: Json, call: Exchange, shown: Shown) -> bool:
    del call, shown
    return _rfc3339(value) is not None


def _kind(value: Json, call: Exchange, shown: Shown) -> bool:
    del call, shown
    return isinstance(value, str) and value == "tweet"


TESTS: Mapping[str, Test] = {
    "tweet_id": _tweet,
    "in_reply_to_id": _tweet,
    "quoted_tweet_id": _tweet,
    "since_id": _tweet,
    "user_id": _user,
    "target_user_id": _user,
    "user_ids": _each(lambda each, shown: each in shown.users, MOST_USERS),
    "username": _name,
    "author_username": _name,
    "identifier": _name,
    "candidate_ids": _each(lambda each, shown: each in shown.candidates, MOST_USERS),
    "items": _items,
    "id": _pending,
    "media_ids": _media,
    "max_results": _page,
    TOKEN: _next_page,
    "file_path": _picture,
    "content_type": _kind,
    "scheduled_for": _moment,
    "created_at": _moment,
    "tweets": lambda *_: True,
    **{name: _window(name) for name in LONGEST_WINDOW},
}
"""By parameter. What tweets and times have to be is asked of the call as a whole."""


goods = once(Goods)

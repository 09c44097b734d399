"""What the server's own calendar shows: tweets tell when they were posted by it."""

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.tweets import posted
from conformance.judge.calendar import MICROSECONDS, calendar_of
from conformance.judge.instants import instant
from conformance.judge.kinds import text
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History


class ServerClock:
    """How far each instance's calendar is from the run's own time, by a tweet that was posted and shown."""

    def __init__(self, history: History, _: Contract) -> None:
        self.moved = calendar_of(history)
        self._off: dict[str, float] = {}
        posts = {(call.instance, each): call for call in history.calls() for each in posted(call)}
        for read in history.accepted("get_tweet_by_id"):
            post = posts.get((read.instance, text(read.argument("tweet_id")) or ""))
            created = instant(read.given.get("created_at"))
            if post is not None and created is not None:
                self._off.setdefault(post.instance, created - self._run(post))

    def _run(self, call: Exchange) -> float:
        return call.sent / MICROSECONDS + self.moved.ahead(call)

    def now(self, call: Exchange) -> float | None:
        """Seconds since 1970 by the server's calendar when the call was sent; None where nothing tells."""
        off = self._off.get(call.instance)
        return self._run(call) + off if off is not None else None


server_clock = once(ServerClock)

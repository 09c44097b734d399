"""MC-CALL-09: whether a server goes on after a call that failed."""

import re
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice, takewhile
from operator import attrgetter

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import meta_of, well_asked
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.judge.alike import alike
from conformance.judge.following import sent_before
from conformance.judge.judgements import breach, told
from conformance.judge.law import law
from conformance.judge.served import Served, served
from conformance.judge.windows import key_of
from conformance.model.ending import reason
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.revision import LOG_LEVEL_KEY
from conformance.model.verdict import HELD, Judgement

_when = attrgetter("sent")

INTERNAL = -32603
LOOKED_AT = 200
"""Calls before a failed one among which the next is looked for."""
STRANGERS = 16
"""Calls after a failed one among which one is looked for whose like was accepted before."""
TWICE = 2
"""Calls that worked before and do not work again: one may have failed by chance, as one over the network does."""
OFTEN = 3
"""Calls of a read in succession after which the next is taken to be accepted too, whatever it tells."""
FOR_A_TIME = re.compile(
    r"limit|quota|too many|throttl|\b429\b|retry|try again|later|busy|unavailable|time(?:d )?-?out|expired"
    r"|unauthori[sz]ed|forbidden|network|connect|fetch|slow down|cool ?down|\b50[234]\b",
    re.IGNORECASE,
)
"""Words of a refusal that has a cause of its own: a limit, a token, what lies behind the server."""


@law("MC-CALL-09", absent=no_tools)
def the_server_goes_on(history: History, contract: Contract) -> Iterator[Judgement]:
    """After a failed call its connection serves the next call, where the same call is accepted otherwise.

    A call that was not accepted just before the failed one either shows nothing: its refusal has perhaps another cause.
    A call that was answered alike twice before the failed one, and is never accepted after it, no longer works.
    """
    listed = served(history, contract)
    by_connection: dict[str, list[Exchange]] = {}
    by_instance: dict[str, list[Exchange]] = {}
    heard, lost = _Heard(history.exchanges), _lost_requests(history)
    for call in history.calls():
        by_connection.setdefault(call.connection.id, []).append(call)
        by_instance.setdefault(call.instance, []).append(call)
    for calls in by_instance.values():
        calls.sort(key=_when)
        yield from _stopped(calls, listed)
    for calls in by_connection.values():
        beside = by_instance[calls[0].instance]
        for place, call in enumerate(calls):
            if call.accepted or (call.received is None and call.unanswered is None):
                continue
            if _died(call):
                yield from _ended(call, lost)
                continue
            later = _next(call, (calls[after] for after in range(place + 1, len(calls))), beside)
            if later is None or call.turned_away or later.turned_away or for_a_time(later):
                continue  # where a proxy, a session's end or a limit said so, no call went wrong
            if later.accepted:
                yield HELD
            elif heard.nothing_since(call, later) or (
                _faulty(later)
                and not _by_chance(later, beside)
                and _worked(_earlier(beside, call, later), later, listed)
            ):
                yield breach(_told(call, later), call, later)
        yield from _dead(calls, beside, listed)


def _died(call: Exchange) -> bool:
    """Whether the server's process ended before a call was answered."""
    return call.unanswered == "lost" and call.connection.transport == "stdio"


def _lost_requests(history: History) -> list[Exchange]:
    """The requests, other than calls, at which a process ended, of the methods at which one ended without any call."""
    lost = [e for e in history.exchanges if e.unanswered == "lost" and e.connection.transport == "stdio"]
    with_calls = {e.connection.id for e in lost if e.method == "tools/call"}
    alone = {e.method for e in lost if e.connection.id not in with_calls}
    return [e for e in lost if e.method != "tools/call" and e.method in alone]


def _ended(call: Exchange, lost: list[Exchange]) -> Iterator[Judgement]:
    """A process that ended at a call; at a request of `lost` that was under way, that is the matter of MC-RPC-01."""
    over = call.given_up
    if not any(e.connection is call.connection and (over is None or e.sent < over) for e in lost):
        yield breach(f"the server ended at the call of {call.tool}", call)


def _next(call: Exchange, following: Iterable[Exchange], beside: list[Exchange]) -> Exchange | None:
    """The next call after one that failed; of those that fail too one whose like was accepted before."""
    later = (other for other in following if _after(call, other))
    for other in islice(later, STRANGERS):
        # a process may have ended at a call by itself, whatever came before
        alone = not _faulty(other) or (other.unanswered == "lost" and not _died(other))
        if alone or ((like := _like(_earlier(beside, call, other), other)) is not None and like.accepted):
            return other
    return None


def _told(call: Exchange, later: Exchange) -> str:
    before = f"called after a call of {call.tool} that failed ({told(call)})"
    if _died(later):
        # its process ended: by the call before, or by this one
        return f"the server ended at the call of {later.tool}, {before}"
    return f"{later.tool}, {before}, no longer works: {told(later)}"


def _faulty(later: Exchange) -> bool:
    """Whether a call failed in a way in which none does for its own sake."""
    return later.unanswered == "lost" or later.protocol_code == INTERNAL


def _by_chance(later: Exchange, beside: list[Exchange]) -> bool:
    """Whether a connection was lost to a server that is there, and serves calls again: that is MC-RPC-01's matter."""
    again = later.given_up
    return later.left_alone and again is not None and any(call.accepted and call.sent > again for call in beside)


class _Heard:
    """When each server was last heard: it may be there, and answer some requests in no way of HTTP's.

    Over HTTP all connections reach one server.
    """

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._answered: dict[str, int] = {}
        """When the last request that was answered had been sent, by server."""
        self._received: dict[str, int] = {}
        for exchange in exchanges:
            if exchange.received is not None:
                name = _server(exchange)
                self._answered[name] = max(self._answered.get(name, 0), exchange.sent)
                self._received[name] = max(self._received.get(name, 0), exchange.received)

    def nothing_since(self, call: Exchange, later: Exchange) -> bool:
        """Whether a later call was lost, and the server is there no more: nothing at all was answered any more."""
        if later.received is not None or later.unanswered != "lost" or later.left_alone:
            return False
        name, over = _server(later), call.received if call.received is not None else call.given_up
        late = over is not None and self._received.get(name, 0) > over
        return not late and self._answered.get(name, 0) < later.sent


def _server(exchange: Exchange) -> str:
    about = exchange.connection
    return f"{about.endpoint} {about.instance}" if about.transport == "http" else about.id


def _earlier(beside: list[Exchange], call: Exchange, until: Exchange) -> list[Exchange]:
    """The last calls of an instance that were sent before one, the latest first, but for the one that failed.

    Nor those that went the same way since that was made: some may have been under way together with it. Another
    connection may change what this one reads.
    """
    latest = (beside[place] for place in range(sent_before(beside, until.sent) - 1, -1, -1))
    unspoilt = (other for other in latest if other.sent < call.sent or not _faulty(other))
    return list(islice((other for other in unspoilt if other is not call), LOOKED_AT))


def _worked(before: list[Exchange], later: Exchange, listed: Served) -> bool:
    """Whether a call's like was accepted the last time before, and nothing since may have changed anything.

    What got no answer may have taken effect.
    """
    like = _like(before, later)
    if like is None or not like.accepted:
        return False
    since = takewhile(lambda other: other is not like, before)
    return all(other.refused or _reads(other, listed) for other in since)


def _like(before: list[Exchange], later: Exchange) -> Exchange | None:
    """The last call before that asks for the same."""
    key, wants = key_of(later), _wants(later)
    found = (other for other in before if key_of(other) == key and _wants(other) == wants)
    return next(found, None)


def _wants(call: Exchange) -> tuple[bool, Json, type, bool]:
    """What a call wants to be told while it runs, under what kind of id, and whether it says all that it ought to.

    Another may fail for that alone.
    """
    meta = meta_of(call)
    number = call.request.get("id") if isinstance(call.request, dict) else None
    return "progressToken" in meta, meta.get(LOG_LEVEL_KEY), type(number), well_asked(call)


def _reads(call: Exchange, listed: Served) -> bool:
    tool = listed.tool(call)
    return tool is not None and tool.reads_only


def _dead(calls: list[Exchange], beside: list[Exchange], listed: Served) -> Iterator[Judgement]:
    """Reads that worked up to a call that failed, and after it never again, like all that was called after it."""
    last = max((place for place, call in enumerate(calls) if call.accepted), default=None)
    if last is None or last + 1 >= len(calls) or not calls[last + 1].refused:
        return
    call, *after = calls[last + 1 :]
    before = _earlier(beside, call, call)
    quiet = all(other.refused or _reads(other, listed) for other in beside if other.sent > call.sent)
    again = [
        other
        for other in (after if quiet else ())
        if other.refused and not _excused(other) and other.protocol_code != INTERNAL and call.before(other)
        if _reads(other, listed)
        if key_of(other) != key_of(call) and _worked(before, other, listed)
    ]
    if len(again) >= TWICE:
        yield breach(_told(call, again[0]), call, again[0])


def _stopped(beside: list[Exchange], listed: Served) -> Iterator[Judgement]:
    """Calls that were answered alike each time, up to one that failed, and right after it never again.

    However they fail then: the server may be locked, or wait for itself. Between the last that was accepted and the
    first that failed nothing was accepted, so that nothing else changed what they find; and what is merely away for a
    time says so, or is there again in the end.
    """
    asked: dict[Hashable, list[int]] = {}
    served_last: dict[tuple[int, str | None], int] = {}
    for place, call in enumerate(beside):
        asked.setdefault((call.connection.endpoint, *key_of(call), *_wants(call)), []).append(place)
        if call.accepted:
            served_last[call.connection.endpoint, call.tool] = call.sent
    for places in asked.values():
        upto = max((at for at, place in enumerate(places) if beside[place].accepted), default=None)
        if upto is None or len(places) - upto <= TWICE or not _repeatable(beside, places[: upto + 1], listed):
            continue
        again = [beside[place] for place in places[upto + 1 :]]
        between = beside[places[upto] + 1 : places[upto + 1]]
        last = beside[places[upto]]
        undisturbed = all(other.refused and last.before(other) and other.before(again[0]) for other in between)
        since = served_last[last.connection.endpoint, last.tool] > last.sent
        if not between or not undisturbed or since or any(map(_excused, again)):
            continue
        if not any(_under_way(other, last, listed) for other in beside[: places[upto]]):
            yield breach(_told(between[-1], again[0]), between[-1], again[0])


def _under_way(other: Exchange, call: Exchange, listed: Served) -> bool:
    """Whether an earlier call may still have changed something once this one was sent."""
    return not (other.refused or other.before(call) or _reads(other, listed))


def _repeatable(beside: list[Exchange], places: list[int], listed: Served) -> bool:
    """Whether the last calls of these were accepted and answered alike; of a read, more in succession will do."""
    latest = [beside[place] for place in places[-OFTEN:]]
    if not all(call.accepted for call in latest[-TWICE:]):
        return False
    if len(latest) >= TWICE and alike(latest[-2], latest[-1]):
        return True
    return len(latest) == OFTEN and all(call.accepted and _reads(call, listed) for call in latest)


def _excused(call: Exchange) -> bool:
    """Whether a call failed for a cause that passes, or at what stands before the server."""
    away = FOR_A_TIME.search(f"{call.code} {reason(call)}") if call.refused else None
    return call.turned_away or call.left_alone or call.withdrawn or call.unanswered == "cancelled" or away is not None


def _after(call: Exchange, other: Exchange) -> bool:
    """Whether a call was sent when the other was over: answered, or given up."""
    return call.before(other) if call.received is not None else call.unanswered is not None and other.sent > call.sent

"""Whether a list that a server gives is all there is, or a page of a longer one, and lists read page by page."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.tweets import listed
from conformance.judge.kinds import integer, spelled
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

TOKEN = "pagination_token"  # noqa: S105 -- a place in a list
USUAL = 10
"""Entries of a page where a caller names no number: fewer are no full one on any server."""


def whole(read: Exchange) -> bool:
    """Whether it is no page of a longer list: it says nothing of another one, and is none that is full."""
    found, meta = read.given.get("data"), read.given.get("meta")
    if read.argument(TOKEN) is not None or not isinstance(found, list):
        return False
    if isinstance(meta, dict):
        return meta.get("next_token") is None
    return len(found) < (integer(read.argument("max_results")) or USUAL)


@dataclass
class Through:
    """A list that was read page by page, each time by the token of the page before."""

    first: Exchange
    last: Exchange
    entries: list[dict[str, Json]] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    """Those that its pages gave."""

    @property
    def read(self) -> Exchange:
        """Its last page, as a read that took from the first page to the last."""
        return replace(self.last, sent=self.first.sent)


@once
def read_through(history: History, contract: Contract) -> list[Through]:
    """Lists of several pages that were read to their end, while nothing was written.

    The end is a page that names no further one, or names again one that was asked for: no caller gets beyond it.
    """
    return [each for each in _read_through(history) if not _written_meanwhile(history, contract, each)]


def _read_through(history: History) -> Iterator[Through]:
    begun: dict[tuple[str, str, str], Through] = {}
    for read in history.accepted():
        found = listed(read)
        if found is None or not isinstance(read.arguments, dict):
            continue
        others = {name: value for name, value in read.arguments.items() if name != TOKEN}
        place = (read.instance, str(read.tool), spelled(others))
        asked = read.argument(TOKEN)
        if asked is None:
            begun[place] = Through(read, read)
        elif place not in begun or begun[place].tokens[-1:] != [asked] or not begun[place].last.before(read):
            continue
        through = begun[place]
        through.last = read
        through.entries += found
        meta = read.given.get("meta")
        following = meta.get("next_token") if isinstance(meta, dict) else None
        if isinstance(following, str) and following not in through.tokens:
            through.tokens.append(following)
            continue
        begun.pop(place)
        if asked is not None:
            yield through


def _written_meanwhile(history: History, contract: Contract, through: Through) -> bool:
    """Whether a write of the instance was under way between the first page and the last."""
    begun, ended = through.first.sent, through.last.received or through.last.sent
    return any(
        call.instance == through.first.instance
        and call.sent < ended
        and (call.received is None or call.received > begun)
        and not surely_refused(call, contract)
        for call in history.calls(*contract.writes())
    )

"""From which level on log messages were asked for: by a request's `_meta`, or for a connection (logging/setLevel)."""

from typing import NamedTuple

from conformance.contracts.mcp.laws.asking import meta_of
from conformance.contracts.mcp.laws.repeated import params_of
from conformance.model.events import Json, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.revision import LEVELS, LOG_LEVEL_KEY, SET_LEVEL

ON_THE_WAY_US = 1_000_000
"""Over HTTP what comes on another stream may have been sent before the level was set, if it comes this soon after."""


class Span(NamedTuple):
    """While a level holds that was set for a connection, in microseconds of the run."""

    since: int
    until: int | None
    level: str


class Levels:
    """The levels that were asked for, by connection."""

    def __init__(self, history: History) -> None:
        self._asked: dict[str, list[Json]] = {}
        self._spans: dict[str, list[Span]] = {}
        for exchange in history.exchanges:
            self._asked.setdefault(exchange.connection.id, []).extend(_asked(exchange))
            if exchange.method == SET_LEVEL:
                self._note(exchange)

    def _note(self, exchange: Exchange) -> None:
        spans = self._spans.setdefault(exchange.connection.id, [])
        if spans and spans[-1].until is None:
            spans[-1] = spans[-1]._replace(until=exchange.sent)
        level = params_of(exchange).get("level")
        if exchange.accepted and exchange.received is not None and isinstance(level, str) and level in LEVELS:
            spans.append(Span(exchange.received, None, level))

    def wanted(self, message: Message, exchange: Exchange | None) -> list[Json]:
        """The levels that requests ask for: that with which a message came, or all of its connection."""
        return self._asked.get(message.connection, []) if exchange is None else _asked(exchange)

    def least(self, message: Message, exchange: Exchange | None, *, ordered: bool) -> str | None:
        """The level that was set when a message came; None: none was, or perhaps another.

        `ordered`: what comes on this connection comes as it was sent.
        """
        for span in self._spans.get(message.connection, []):
            after = message.t >= span.since + (0 if ordered else ON_THE_WAY_US)
            begun = exchange is not None and exchange.sent >= span.since
            if (after or begun) and (span.until is None or message.t <= span.until):
                return span.level
        return None


def _asked(exchange: Exchange) -> list[Json]:
    meta = meta_of(exchange)
    return [meta[LOG_LEVEL_KEY]] if LOG_LEVEL_KEY in meta else []

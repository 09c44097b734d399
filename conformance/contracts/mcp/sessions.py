"""Sessions over HTTP: which a server gave out, and which of them the client ended."""

from conformance.model.exchange import SESSION, Exchange
from conformance.model.history import History

NOT_FOUND = 404


class Sessions:
    """What a run shows of them. Times are those of the transcript, in its unit."""

    def __init__(self, history: History) -> None:
        self._begun: dict[str, Exchange] = {}
        """What the server first answered with a session's name."""
        for exchange in history.exchanges:
            named = session_of(exchange, answered=True)
            if named is not None:
                self._begun.setdefault(named, exchange)
        self.given = frozenset(self._begun)
        """Those that an answer of the server's named."""
        self.left: dict[str, int] = {}
        """When the client first asked to end a session, by the session."""
        self.ended: dict[str, int] = {}
        """When it first asked so that the server agreed."""
        for aside in history.asides.values():
            http = aside.sent.http
            if http is None or http.method != "DELETE" or SESSION not in http.headers:
                continue
            self.left.setdefault(http.headers[SESSION], aside.sent.t)
            if any(a.http is not None and (a.http.status or 0) // 100 == 2 for a in aside.answers):  # noqa: PLR2004 -- HTTP's class of success
                self.ended.setdefault(http.headers[SESSION], aside.sent.t)
        self._served: dict[str, int] = {}
        """When the last request that was served in a session was sent."""
        for exchange in history.exchanges:
            session = session_of(exchange)
            if session is not None and exchange.accepted:
                self._served[session] = exchange.sent

    def forgot(self, exchange: Exchange) -> bool:
        """Whether the server knew the request's session no more, which it may forget whenever it likes.

        One in which it serves what is asked after that is not forgotten.
        """
        session = session_of(exchange)
        if session is None or not exchange.of_no_session:
            return False
        told = exchange.sent if exchange.received is None else exchange.received
        return session in self.given and self._served.get(session, 0) <= told

    def replaced(self, exchange: Exchange) -> bool:
        """Whether another session may have begun since a forgotten one did: a server may have the latest alone."""
        if exchange.received is None or not self.forgot(exchange):
            return False
        own = self._begun[str(session_of(exchange))]
        others = (other for other in self._begun.values() if other is not own)
        return any(other.sent < exchange.received and (other.received or 0) > own.sent for other in others)


def session_of(exchange: Exchange, *, answered: bool = False) -> str | None:
    """The session that a request names, or its answer."""
    side = exchange.answered if answered else exchange.asked
    return side.headers.get(SESSION) if side is not None else None

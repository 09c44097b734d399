"""Which requests are owed an answer: none that we cancelled or whose server we killed, nor what only new ones know."""

from conformance.contracts.mcp.crowds import GREETINGS, Crowds
from conformance.contracts.mcp.laws.provoked import is_malformed
from conformance.contracts.mcp.sessions import NOT_FOUND, Sessions, session_of
from conformance.model.exchange import Connection, Exchange
from conformance.model.history import History
from conformance.model.revision import stateless


class Debts:
    """What a run shows of that."""

    def __init__(self, history: History, crowds: Crowds) -> None:
        self._whole = history.footer is not None and history.footer.complete
        self._shaken = {exchange.connection.id for exchange in history.exchanges if exchange.method == "initialize"}
        agreed = [c for c in history.connections.values() if c.revision is not None and c.binding == "mcp"]
        self._served = {connection.transport for connection in agreed}
        self._instances = {connection.instance for connection in agreed}
        self._older = {connection.transport for connection in agreed if not stateless(connection.revision)}
        self._disturbed: dict[str, int] = {}
        """When a connection was first sent what is no message: from then on it may be out of step."""
        for aside in history.asides.values():
            if is_malformed(aside):
                self._disturbed.setdefault(aside.connection.id, aside.sent.t)
        self._sessions = Sessions(history)
        self._crowds = crowds

    def owed(self, exchange: Exchange) -> bool:
        """Whether that no answer came is the server's doing."""
        if exchange.unanswered is None:
            return self._whole and not self.is_probe(exchange)
        if exchange.unanswered in ("cancelled", "killed"):
            return False
        if exchange.unanswered == "time" and (exchange.cancelled is not None or _closed(exchange)):
            return False
        if self._too_early(exchange) or exchange.sent > self._disturbed.get(exchange.connection.id, exchange.sent):
            return False
        return not self.is_probe(exchange) and not self._never_started(exchange)

    def outside(self, exchange: Exchange) -> bool:
        """Whether a request was made outside of any session of a server that gives sessions out.

        A server ends a session when it likes: it says so by HTTP 404.
        """
        given = self._sessions.given
        if exchange.asked is None or not given or stateless(exchange.connection.revision):
            return False
        session = session_of(exchange)
        left = self._sessions.left.get(session) if session is not None else None
        gone = exchange.status == NOT_FOUND or (left is not None and exchange.sent > left)
        return session not in given or gone

    def _too_early(self, exchange: Exchange) -> bool:
        """A request before the handshake: whether it does harm is another requirement's matter."""
        connection = exchange.connection
        first = connection.agreed is None or exchange.sent < connection.agreed
        unmet = connection.asked is None and connection.binding == "mcp"
        return unmet and first and exchange.method not in GREETINGS

    def is_probe(self, exchange: Exchange) -> bool:
        """The question which era a server speaks. One of the older era need not answer, and may end at it."""
        connection = exchange.connection
        if exchange.method != "server/discover" or stateless(connection.revision):
            return False
        return connection.id in self._shaken or connection.transport in self._older

    def _never_started(self, exchange: Exchange) -> bool:
        """A process that did not start in time, with its settings, or beside others, where others like it did."""
        connection: Connection = exchange.connection
        if exchange.method not in GREETINGS or connection.revision is not None or connection.transport != "stdio":
            return False
        lost = exchange.unanswered == "lost"
        elsewhere = lost and (connection.instance not in self._instances or self._crowds.crowded(connection))
        return (exchange.unanswered == "time" or elsewhere) and "stdio" in self._served


def _closed(exchange: Exchange) -> bool:
    """Whether the call was cancelled by closing its response: without a handshake, and over plain HTTP."""
    connection = exchange.connection
    if connection.transport != "http" or exchange.method != "tools/call":
        return False
    return connection.binding == "http" or stateless(connection.revision)

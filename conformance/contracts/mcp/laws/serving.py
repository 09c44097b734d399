"""MC-LIST-01: that there are tools to be judged at all. Part of every contract's foundation."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import put_off, well_asked
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.contracts.mcp.sessions import Sessions
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.model.ending import explained
from conformance.model.events import Json
from conformance.model.exchange import Connection, Exchange
from conformance.model.history import History
from conformance.model.revision import without_handshake
from conformance.model.verdict import Judgement

HANDSHAKE = ("server/discover", "initialize")
KNOWN = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that a handshake may agree on."""


@law("MC-LIST-01", absent=no_tools)
def tools_are_declared_and_listed(history: History, contract: Contract) -> Iterator[Judgement]:
    """A connection can be made, the server declares the tools capability, and it answers tools/list.

    A server that makes a handshake, though it needs none, declares it there too, where it then lists tools. HTTP 502 to
    504 in the middle of a run, while the server serves nobody, tell nothing of that, nor does a limit on requests, nor
    a session that is forgotten once another connection has begun one.
    """
    sessions = Sessions(history)
    of_a_contract = history.header is not None and history.header.contract != contract.name
    whole = history.footer is not None and history.footer.complete
    first: dict[str, list[Exchange]] = defaultdict(list)
    lists: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in history.exchanges:
        if exchange.method == "tools/list" and well_asked(exchange) and not sessions.replaced(exchange):
            lists[exchange.connection.id].append(exchange)
        elif exchange.method in HANDSHAKE:
            first[exchange.connection.id].append(exchange)
    for connection in history.connections.values():
        greeting, listed = first[connection.id], lists[connection.id]
        if connection.binding == "mcp" and connection.asked is not None:
            yield from _served(connection, greeting, listed, of_a_contract=of_a_contract, whole=whole)
        elif connection.agreed is not None and (found := [each for each in listed if _lists(each)]):
            # A connection that asked for no revision was opened for a question of its own, which may be refused.
            yield _declared(connection, greeting, found)


def _served(
    connection: Connection, greeting: list[Exchange], lists: list[Exchange], *, of_a_contract: bool, whole: bool
) -> Iterator[Judgement]:
    agreed = connection.agreed
    again = [e for e in greeting if e.method == "initialize" and agreed is not None and e.sent > agreed]
    if again and again[-1].refused and not put_off(again[-1]):
        yield breach(f"the session was gone, and a new handshake was answered: {explained(again[-1])}", again[-1])
    if connection.revision is None:
        if greeting and _turned_away(connection, greeting, whole=whole):
            how = ", ".join(f"{exchange.method}: {_told(exchange)}" for exchange in greeting)
            yield breach(f"no connection could be made ({how})", *greeting)
        return
    answered = [exchange for exchange in lists if exchange.received is not None and not put_off(exchange)]
    listed = [exchange for exchange in answered if _lists(exchange)]
    declared = _declares(connection)
    if declared or listed or of_a_contract:
        # A server that neither declares nor lists tools may well serve something else; a contract's own server may not.
        yield _declared(connection, greeting, listed)
    if answered and (declared or of_a_contract):
        refused = [exchange for exchange in answered if exchange not in listed and not _paged(exchange)]
        saw = f"tools/list: {explained(answered[-1])}, without a list of tools"
        yield holds(not refused or listed, saw, *refused[-1:])


def _declares(connection: Connection) -> bool:
    return isinstance(connection.capabilities.get("tools"), dict)


def _declared(connection: Connection, greeting: list[Exchange], listed: list[Exchange]) -> Judgement:
    return holds(_declares(connection), "the tools capability is not declared", *greeting, *listed[:1])


def _lists(exchange: Exchange) -> bool:
    return exchange.result is not None and isinstance(exchange.result.get("tools"), list)


def _turned_away(connection: Connection, greeting: list[Exchange], *, whole: bool) -> bool:
    """Whether the last word on a connection was that it cannot begin, rather than that we stopped waiting.

    A server that has no handshake, and says so, was asked in a revision that it does not speak.
    """
    last = greeting[-1]
    if connection.asked in KNOWN:
        if any(without_handshake(_names(exchange)) for exchange in greeting):
            return False
        last = next((exchange for exchange in reversed(greeting) if exchange.method == "initialize"), last)
    if last.received is None or put_off(last) or (last.method == "server/discover" and not whole):
        return False
    result = last.result or {}
    if last.method == "server/discover":
        return connection.asked not in _names(last)
    return result.get("protocolVersion") not in KNOWN


def _names(exchange: Exchange) -> list[Json]:
    """The revisions that a greeting's answer names as supported, whether it is a refusal or not."""
    data = (exchange.error or {}).get("data")
    told_so = data.get("supported") if isinstance(data, dict) else (exchange.result or {}).get("supportedVersions")
    return told_so if isinstance(told_so, list) else []


def _told(exchange: Exchange) -> str:
    """How a greeting was answered: with which revision, where it was."""
    given = (exchange.result or {}).get("protocolVersion")
    return explained(exchange) if exchange.result is None or given is None else f"the revision {given!r}"


def _paged(exchange: Exchange) -> bool:
    """Whether the call asks for a later page; how paging ends is another requirement's matter."""
    params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
    return isinstance(params, dict) and "cursor" in params

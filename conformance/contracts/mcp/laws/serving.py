"""MC-LIST-01: that there are tools to be judged at all. Part of every contract's foundation."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.model.exchange import Connection, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

HANDSHAKE = ("server/discover", "initialize")


@law("MC-LIST-01")
def tools_are_declared_and_listed(history: History, contract: Contract) -> Iterator[Judgement]:
    """A connection can be made, the server declares the tools capability, and it answers tools/list."""
    first: dict[str, list[Exchange]] = defaultdict(list)
    lists: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in history.exchanges:
        if exchange.method == "tools/list":
            lists[exchange.connection.id].append(exchange)
        elif exchange.method in HANDSHAKE:
            first[exchange.connection.id].append(exchange)
    for connection in history.connections.values():
        # A connection that asked for no revision was opened for a question of its own.
        if connection.binding == "mcp" and connection.asked is not None:
            yield from _served(connection, first[connection.id], lists[connection.id], contract)


def _served(
    connection: Connection, greeting: list[Exchange], lists: list[Exchange], contract: Contract
) -> Iterator[Judgement]:
    if connection.revision is None:
        if greeting and all(exchange.received is not None or exchange.unanswered for exchange in greeting):
            how = ", ".join(f"{exchange.method}: {told(exchange)}" for exchange in greeting)
            yield breach(f"no connection could be made ({how})", *greeting)
        return
    answered = [exchange for exchange in lists if exchange.received is not None]
    listed = [e for e in answered if e.result is not None and isinstance(e.result.get("tools"), list)]
    declared = isinstance(connection.capabilities.get("tools"), dict)
    if declared or listed or contract.marks:
        # A server that neither declares nor lists tools may well serve something else; a contract's own server may not.
        yield holds(declared, "the tools capability is not declared", *greeting, *listed[:1])
    if answered and (declared or contract.marks):
        refused = [exchange for exchange in answered if exchange not in listed and not _paged(exchange)]
        yield holds(not refused or listed, f"tools/list: {told(answered[-1])}, without a list of tools", *refused[-1:])


def _paged(exchange: Exchange) -> bool:
    """Whether the call asks for a later page; how paging ends is another requirement's matter."""
    params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
    return isinstance(params, dict) and "cursor" in params

"""MC-RPC-09 and -10: a server behind HTTP."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from conformance.contract.catalogue import Contract
from conformance.judge.alike import alike
from conformance.judge.judgements import holds, told
from conformance.judge.law import exchange_law, law
from conformance.judge.served import served
from conformance.judge.windows import alone, key_of, sequences
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.revision import stateless
from conformance.model.verdict import Judgement

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@exchange_law("MC-RPC-09")
def a_foreign_origin_is_refused(exchange: Exchange, _: Contract) -> Iterator[Judgement]:
    """A request whose Origin is a place other than this machine is refused."""
    if exchange.asked is None or exchange.connection.binding != "mcp" or exchange.received is None:
        return
    origin = exchange.asked.headers.get("origin")
    if origin is not None and urlsplit(origin).hostname not in LOOPBACK:
        yield holds(
            exchange.refused,
            f"a request of a page of {origin} was served",
            exchange,
            expected="HTTP 403",
            got=exchange.status,
        )


@law("MC-RPC-10")
def a_read_does_not_depend_on_its_connection(history: History, contract: Contract) -> Iterator[Judgement]:
    """Over HTTP, a read that gives the same before and after gives the same in between on another connection."""
    listed = served(history, contract)
    for calls in sequences(history):
        for index in range(len(calls) - 2):
            before, there, after = calls[index : index + 3]
            if not _elsewhere(before, there, after) or not alone(calls, index, index + 2):
                continue
            tool = listed.tool(there)
            if tool is not None and tool.reads_only and before.accepted and after.accepted and alike(before, after):
                yield holds(
                    there.accepted and alike(before, there),
                    f"{there.tool} on a new connection: {told(there)}, with another answer than on the first",
                    before,
                    there,
                    pointer="/result",
                )


def _elsewhere(before: Exchange, there: Exchange, after: Exchange) -> bool:
    """Whether these are one call, made on one connection, on another, and on the first again."""
    if there.connection.transport != "http" or not stateless(there.connection.revision) or there.received is None:
        return False
    same = before.connection is after.connection is not there.connection
    return same and key_of(before) == key_of(there) == key_of(after)

"""MC-LIST-10: cursors that were never given."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import out_of_reach
from conformance.contracts.mcp.laws.toolless import or_no_tools
from conformance.contracts.mcp.offered import KINDS
from conformance.judge.judgements import holds, told
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

LISTS = ("tools/list", *(kind.method for kind in KINDS))


def _served_whole(history: History, _: Contract) -> str:
    """Why nothing was judged: a server without pages need not look at a cursor."""
    lists = [e for e in history.exchanges if e.method in LISTS and e.accepted]
    return "the server gives its lists in one page each, and looks at no cursor" if lists and not _given(lists) else ""


@law("MC-LIST-10", absent=or_no_tools(_served_whole))
def an_unknown_cursor_is_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A cursor that the server never gave is refused with -32602, while the list without one is served.

    A server that gives a whole list in one page and ignores cursors is not judged.
    """
    for method in LISTS:
        yield from _of([e for e in history.exchanges if e.method == method])


def _of(lists: list[Exchange]) -> Iterator[Judgement]:
    """Of one kind of list."""
    whole = {e.instance for e in lists if e.accepted and _cursor(e) is None}
    given = _given(lists)
    for exchange in lists:
        cursor = _cursor(exchange)
        if cursor is None or cursor in given or exchange.instance not in whole or out_of_reach(exchange):
            continue
        if exchange.refused or given:
            yield holds(
                exchange.protocol_code == INVALID_PARAMS,
                f"{exchange.method} with the cursor {cursor!r}, which was never given: {told(exchange)}",
                exchange, pointer="/error/code", expected=INVALID_PARAMS, got=exchange.protocol_code,
            )  # fmt: skip


def _cursor(exchange: Exchange) -> Json:
    params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
    return params.get("cursor") if isinstance(params, dict) else None


def _given(lists: list[Exchange]) -> list[Json]:
    """The cursors that the server gave."""
    found = [(exchange.result or {}).get("nextCursor") for exchange in lists]
    return [cursor for cursor in found if cursor is not None]

"""MC-RES-02 and -03: resources that are read."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import out_of_reach, well_asked
from conformance.contracts.mcp.laws.content import contents_fault
from conformance.contracts.mcp.laws.going_on import FOR_A_TIME
from conformance.contracts.mcp.laws.offered import chains, items_of, names_of, no_resources, stirred
from conformance.contracts.mcp.laws.repeated import params_of
from conformance.contracts.mcp.offered import RESOURCES, TEMPLATES
from conformance.judge.faults import INTERNAL
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.model.ending import reason
from conformance.model.exchange import INVALID_PARAMS, METHOD_NOT_FOUND, Exchange
from conformance.model.history import History
from conformance.model.revision import stateless
from conformance.model.verdict import HELD, Judgement

NOT_FOUND = -32002
"""What a missing resource was refused with before 2026-07-28."""
TWICE = 2
ELSEWHERE = re.compile(f"{FOR_A_TIME.pattern}|denied|permission|access|EACCES|EPERM", re.IGNORECASE)
"""Words of an error whose cause is not the server's: what lies behind it, or who may see that."""


def _complete(exchange: Exchange) -> bool:
    return exchange.result is not None and exchange.result.get("resultType", "complete") == "complete"


def _naming(history: History, instance: str, uri: str) -> Iterator[Exchange]:
    """The pages that list a resource."""
    for pages in chains(history, RESOURCES):
        yield from (page for page in pages if page.instance == instance and uri in names_of(page, RESOURCES))


def _changed(history: History, contract: Contract, exchange: Exchange, uri: str) -> bool:
    """Whether a resource may be gone since it was listed: a call came between, and it is not listed later."""
    naming = list(_naming(history, exchange.instance, uri))
    later = any(page.sent > exchange.sent for page in naming)
    before = [page for page in naming if page.sent <= exchange.sent]
    return not later and bool(before) and stirred(history, contract, before[-1], exchange)


def _reads(history: History) -> Iterator[tuple[Exchange, str, bool]]:
    """Each request that reads, its uri, and whether that is listed."""
    listed = {(page.instance, name) for pages in chains(history, RESOURCES) for page in pages
              for name in names_of(page, RESOURCES)}  # fmt: skip
    for exchange in history.exchanges:
        uri = params_of(exchange).get("uri") if exchange.method == "resources/read" else None
        if isinstance(uri, str) and well_asked(exchange) and not out_of_reach(exchange):
            yield exchange, uri, (exchange.instance, uri) in listed


def _none_listed(history: History, contract: Contract) -> str:
    """Why nothing was read, an unknown resource beside a listed one either: there are none, or none is listed."""
    pages = [page for pages in chains(history, RESOURCES) for page in pages if page.result is not None]
    empty = bool(pages) and not any(names_of(page, RESOURCES) for page in pages)
    return no_resources(history, contract) or ("the server lists no resource" if empty else "")


@law("MC-RES-02", absent=_none_listed)
def listed_resources_are_read(history: History, contract: Contract) -> Iterator[Judgement]:
    """A resource that is listed is not refused as missing, and its contents have a uri, and a text or a blob.

    Nor is the method to read it unknown. Nor does reading it end in an internal error each time, where other resources
    of its scheme are read and the error names no cause outside the server.
    """
    yield from _broken(history)
    for exchange, uri, listed in _reads(history):
        if not listed:
            continue
        if exchange.protocol_code == METHOD_NOT_FOUND:
            yield breach(f"{uri} is listed, and reading it: {told(exchange)}", exchange, pointer="/error/code")
        elif exchange.protocol_code in (NOT_FOUND, INVALID_PARAMS):
            if not _changed(history, contract, exchange, uri):
                yield breach(f"{uri} is listed, and reading it: {told(exchange)}", exchange, pointer="/error/code")
        elif _complete(exchange):
            contents = (exchange.result or {}).get("contents")
            if not isinstance(contents, list):
                yield breach(f"reading {uri} gives no list of contents", exchange, pointer="/result/contents")
                continue
            if not contents:
                continue  # a resource may be empty: then nothing is seen of its contents
            wrong = next(filter(None, map(contents_fault, contents)), "")
            saw = f"a part of the contents of {uri} {wrong}"
            yield holds(not wrong, saw, exchange, pointer="/result/contents")


def _broken(history: History) -> Iterator[Judgement]:
    """Resources that are listed before and after, and give an internal error whenever they are read."""
    reads: dict[tuple[str, str], list[Exchange]] = {}
    for exchange, uri, listed in _reads(history):
        if listed:
            reads.setdefault((exchange.instance, uri), []).append(exchange)
    found = {(instance, _scheme(uri)) for (instance, uri), each in reads.items() if any(e.accepted for e in each)}
    for (instance, uri), each in reads.items():
        failed = [e for e in each if e.protocol_code == INTERNAL and not ELSEWHERE.search(reason(e))]
        if len(failed) < TWICE or len(failed) < len(each) or (instance, _scheme(uri)) not in found:
            continue
        if any(page.sent > failed[-1].sent for page in _naming(history, instance, uri)):
            yield breach(
                f"{uri} is listed, and reading it twice: {told(failed[0])}", *failed[:2], pointer="/error/code"
            )


def _scheme(uri: str) -> str:
    return uri.partition(":")[0]


@law("MC-RES-03", absent=_none_listed)
def an_unknown_resource_is_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A uri that is in no list and fits no template is refused as missing, while a listed resource is read.

    The code for that is -32602; before 2026-07-28 it is -32002 or -32602.
    """
    read = {exchange.instance for exchange, _, listed in _reads(history) if listed and exchange.accepted}
    if any(_opens_with_a_variable(page) for pages in chains(history, TEMPLATES) for page in pages):
        return
    for exchange, uri, listed in _reads(history):
        if listed or exchange.instance not in read:
            continue
        codes = (INVALID_PARAMS,) if stateless(exchange.connection.revision) else (NOT_FOUND, INVALID_PARAMS)
        if exchange.refused:
            yield holds(
                exchange.protocol_code in codes, f"{uri} does not exist, and reading it: {told(exchange)}", exchange,
                pointer="/error/code", expected=codes[0], got=exchange.protocol_code,
            )  # fmt: skip
        else:
            contents = (exchange.result or {}).get("contents")
            saw = f"{uri} does not exist, and reading it gives {'empty ' if contents == [] else ''}contents"
            yield breach(saw, exchange, pointer="/result/contents", got=contents) if _complete(exchange) else HELD


def _opens_with_a_variable(page: Exchange) -> bool:
    """Whether a template of a page fits any uri."""
    return any(name.startswith("{") for name in names_of(page, TEMPLATES)) and bool(items_of(page, TEMPLATES))

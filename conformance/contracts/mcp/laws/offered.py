"""MC-RES-01 and MC-PROMPT-01: what a server lists besides tools, page by page."""

from collections import Counter
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import out_of_reach, well_asked
from conformance.contracts.mcp.laws.repeated import params_of
from conformance.contracts.mcp.offered import KINDS, PAGES, PROMPTS, RESOURCES, TEMPLATES, Kind, declares, endless
from conformance.judge.judgements import breach, holds, unjudged
from conformance.judge.law import law
from conformance.judge.served import served
from conformance.judge.windows import end_of
from conformance.model.ending import explained
from conformance.model.events import Json
from conformance.model.exchange import METHOD_NOT_FOUND, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


def undeclared(capability: str, history: History) -> str:
    """That no connection declares a capability; empty where one does, or where there is none."""
    agreed = [c for c in history.connections.values() if c.revision is not None and c.binding == "mcp"]
    declared = any(declares(connection, capability) for connection in agreed)
    return f"the server does not declare {capability}" if agreed and not declared else ""


def not_offered(listed: Kind, history: History) -> str:
    """That a capability is not declared, or that its lists are all empty; empty where neither is known."""
    kinds = {kind.method: kind for kind in KINDS if kind.capability == listed.capability}
    pages = [page for page in history.exchanges if page.accepted and page.method in kinds]
    empty = [page for page in pages if (page.result or {}).get(kinds[page.method].key) == []]
    nothing = len(empty) == len(pages) and any(page.method == listed.method for page in pages)
    return undeclared(listed.capability, history) or (f"the server lists no {listed.capability}" if nothing else "")


def no_resources(history: History, _: Contract) -> str:
    """Why nothing is said of resources."""
    return undeclared("resources", history)


def no_prompts(history: History, _: Contract) -> str:
    """Why nothing is said of prompts."""
    return undeclared("prompts", history)


def items_of(exchange: Exchange, kind: Kind) -> list[Json]:
    """What a page lists."""
    found = (exchange.result or {}).get(kind.key)
    return found if isinstance(found, list) else []


def names_of(exchange: Exchange, kind: Kind) -> list[str]:
    """By what a page tells its items apart."""
    named = [item.get(kind.name) for item in items_of(exchange, kind) if isinstance(item, dict)]
    return [name for name in named if isinstance(name, str)]


def chains(history: History, kind: Kind) -> Iterator[list[Exchange]]:
    """The pages of each list, in order: from a request without a cursor on, each with the cursor of the one before."""
    open_: dict[tuple[str, str], list[Exchange]] = {}
    for exchange in history.exchanges:
        if exchange.method != kind.method or exchange.connection.binding != "mcp" or not well_asked(exchange):
            continue
        if not declares(exchange.connection, kind.capability):
            continue
        key, cursor = (exchange.connection.id, exchange.stimulus), params_of(exchange).get("cursor")
        if cursor is None:
            if key in open_:
                yield open_[key]
            open_[key] = [exchange]
        elif key in open_ and (open_[key][-1].result or {}).get("nextCursor") == cursor:
            open_[key].append(exchange)
    yield from open_.values()


def stirred(history: History, contract: Contract, first: Exchange, last: Exchange) -> bool:
    """Whether a call that may change what is listed was under way between two exchanges, or with them."""
    listed, until = served(history, contract), end_of(last)
    for call in history.calls():
        tool = listed.tool(call)
        if call.instance == first.instance and (tool is None or not tool.reads_only):
            end = end_of(call)
            if (until is None or call.sent < until) and (end is None or first.sent < end):
                return True
    return False


@law("MC-RES-01", absent=no_resources)
def resources_are_listed(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where resources are declared, their list and that of their templates are given, end, and name each one once.

    A server without templates does not need the second list. A name that comes twice because calls changed the list
    meanwhile is no breach.
    """
    yield from _listed(history, contract, RESOURCES)
    yield from _listed(history, contract, TEMPLATES)


def _quoted(names: list[str]) -> str:
    return ", ".join(map(repr, names[:3]))


@law("MC-PROMPT-01", absent=no_prompts)
def prompts_are_listed(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where prompts are declared, their list is given, ends, and has each name once."""
    yield from _listed(history, contract, PROMPTS)


def _lacking(item: Json, kind: Kind) -> str:
    """What an item lacks without which a client cannot read it; empty where it is whole."""
    if not isinstance(item, dict):
        return "that is no object"
    missing = next((name for name in kind.needed if not isinstance(item.get(name), str)), None)
    if missing is not None:
        return f"without a {missing}"
    arguments = item.get("arguments") if kind is PROMPTS else None
    nameless = isinstance(arguments, list) and any(
        not isinstance(each, dict) or not isinstance(each.get("name"), str) for each in arguments
    )
    return "with an argument without a name" if nameless else ""


def _listed(history: History, contract: Contract, kind: Kind) -> Iterator[Judgement]:
    for pages in chains(history, kind):
        last = pages[-1]
        if out_of_reach(last) or (kind is TEMPLATES and last.protocol_code == METHOD_NOT_FOUND):
            continue
        if not isinstance((last.result or {}).get(kind.key), list):
            yield breach(f"{kind.method}: {explained(last)}, without a list of {kind.key}", *pages[-2:])
            continue
        items = [item for page in pages for item in items_of(page, kind)]
        named = [name for page in pages for name in names_of(page, kind)]
        lacking = next(filter(None, (_lacking(item, kind) for item in items)), "")
        if lacking:
            yield breach(f"{kind.method} lists one {lacking}", *pages, pointer=f"/result/{kind.key}")
        twice = [name for name, count in Counter(named).items() if count > 1]
        if twice and len(pages) > 1 and stirred(history, contract, pages[0], last):
            twice = [name for page in pages for name, count in Counter(names_of(page, kind)).items() if count > 1]
        cursor = (last.result or {}).get("nextCursor")
        if cursor is not None:
            again = cursor in [(page.result or {}).get("nextCursor") for page in pages[:-1]]
            if why := endless([names_of(page, kind) for page in pages], again=again):
                yield breach(f"{kind.method} does not end: {why}", *pages[:3], pointer="/result/nextCursor")
            elif twice:
                yield breach(f"{kind.method} lists {_quoted(twice)} more than once", *pages[-2:], got=twice)
            elif len(pages) >= PAGES:
                yield unjudged(f"whether {kind.method} ends: it was followed for {len(pages)} pages")
        else:
            saw = f"{kind.method} lists {_quoted(twice)} more than once"
            yield holds(not twice, saw, *pages, pointer=f"/result/{kind.key}", got=twice)

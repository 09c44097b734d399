"""MC-LIST-02, -03, -07 to -09: the list of tools, its pages, and the list when asked for again."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from conformance.contract.catalogue import Contract
from conformance.contract.references import DATA, NAMED
from conformance.contracts.mcp.laws.asking import out_of_reach
from conformance.contracts.mcp.laws.caching import cached_wrongly
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.protocol import without_handshake
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.contracts.mcp.offered import PROMPTS, RESOURCES, TEMPLATES, endless
from conformance.contracts.mcp.sessions import NOT_FOUND
from conformance.judge.judgements import MISSING, breach, holds, told, unjudged
from conformance.judge.kinds import spelled
from conformance.judge.law import exchange_law, law
from conformance.judge.served import distinct
from conformance.model.events import Json, Listing, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

LISTS = {"tools/list", RESOURCES.method, TEMPLATES.method, PROMPTS.method}

SCHEMAS = ("inputSchema", "outputSchema")
REMARKS = ("title", "description", "examples", "$comment")
"""Keywords of a schema that a server may word otherwise each time."""
SETS = ("required", "enum", "type", "anyOf", "allOf", "oneOf")
"""Keywords whose lists say the same in any order."""
DEEPEST = 100
NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
CHANGED = "notifications/tools/list_changed"
SHOWN = 20
"""Pages that are shown as evidence."""


def pages_of(listing: Listing, history: History) -> list[Exchange]:
    """The calls that a listing was put together from."""
    found = (history.find(call) for call in listing.calls)
    return [exchange for exchange in found if exchange is not None]


def _names(tools: Json) -> list[str]:
    listed = tools if isinstance(tools, list) else []
    return [tool["name"] for tool in listed if isinstance(tool, dict) and isinstance(tool.get("name"), str)]


def _page(exchange: Exchange) -> list[str]:
    return _names((exchange.result or {}).get("tools"))


@law("MC-LIST-02", absent=no_tools)
def names_are_unique(history: History, _: Contract) -> Iterator[Judgement]:
    """No two tools of a list have one name."""
    for listing in distinct(history):
        pages = pages_of(listing, history)
        # Where paging goes wrong, the same page may come twice: each page is then looked at by itself.
        whole = [(_names(listing.tools), pages)] if listing.ended == "done" else [(_page(p), [p]) for p in pages]
        for names, evidence in whole:
            for name, count in Counter(names).items():
                yield holds(
                    count == 1,
                    f"{count} tools are named {name!r}",
                    *evidence,
                    pointer="/result/tools",
                    expected=1,
                    got=count,
                )


@law("MC-LIST-03", absent=no_tools)
def names_are_plain(history: History, _: Contract) -> Iterator[Judgement]:
    """A tool's name is a string of 1 to 128 letters A-Z a-z, digits, underscores, hyphens and dots."""
    for listing in distinct(history):
        for tool in listing.tools:
            name = tool.get("name", MISSING) if isinstance(tool, dict) else MISSING
            yield holds(
                isinstance(name, str) and NAME.fullmatch(name),
                "a tool has no name" if name is MISSING else f"a tool is named {name!r}",
                *pages_of(listing, history),
                pointer="/result/tools",
                got=name,
            )


@law("MC-LIST-07", absent=no_tools)
def a_list_is_the_same_each_time(history: History, _: Contract) -> Iterator[Judgement]:
    """Every later list has the tools of the first one, in its order, unless the server announced a change.

    A list that was given before is not refused later.
    """
    announced = [
        m.t for m in _notifications(history) if isinstance(m.payload, dict) and m.payload.get("method") == CHANGED
    ]
    firsts: dict[tuple[str, str], tuple[Listing, list[Exchange]]] = {}
    for listing in history.listings:
        pages = pages_of(listing, history)
        if listing.ended == "failed" and len(pages) == 1 and (listing.instance, pages[0].credential.name) in firsts:
            last = pages[0]
            gone = out_of_reach(last) or last.status == NOT_FOUND or for_a_time(last)
            if not gone and last.result is None:
                yield breach(f"tools/list, which was answered before: {told(last)}", last, expected="the same list")
        if listing.ended != "done" or not pages:
            continue
        key = (listing.instance, pages[0].credential.name)
        first, evidence = firsts.setdefault(key, (listing, pages))
        if first is listing or any(first.t <= t <= listing.t for t in announced):
            continue
        expected, got = _shapes(first), _shapes(listing)
        what = _differing(expected, got)
        yield holds(
            expected == got, f"the {what} is another than in the first list", evidence[-1], *pages,
            pointer="/result/tools", expected=_names(first.tools), got=_names(listing.tools),
        )  # fmt: skip


def _shapes(listing: Listing) -> list[Any]:
    """What makes a tool the same tool: name and schemas. Descriptions may say what a server likes."""
    return [
        {"name": tool.get("name"), **{key: _bare(tool.get(key)) for key in SCHEMAS}} if isinstance(tool, dict) else tool
        for tool in listing.tools
    ]


def _bare(schema: Json, levels: int = DEEPEST) -> Json:
    """A schema without what only people read in it, and with its sets in one order."""
    if isinstance(schema, list) and levels:
        return [_bare(each, levels - 1) for each in schema]
    if not isinstance(schema, dict) or not levels:
        return schema
    found: dict[str, Json] = {}
    for key, value in schema.items():
        if key in NAMED and isinstance(value, dict):
            found[key] = {name: _bare(part, levels - 1) for name, part in value.items()}
        elif key not in REMARKS:
            found[key] = value if key in DATA else _bare(value, levels - 1)
            if key in SETS and isinstance(value, list):
                found[key] = sorted(found[key], key=spelled)
    return found


def _differing(expected: list[Any], got: list[Any]) -> str:
    """In what two lists differ."""
    if sorted(map(spelled, expected)) == sorted(map(spelled, got)):
        return "order of the tools"
    pairs = [(one, other) for one, other in zip(expected, got, strict=False) if one != other]
    one, other = pairs[0] if pairs and len(expected) == len(got) else (None, None)
    if not isinstance(one, dict) or not isinstance(other, dict) or one["name"] != other["name"]:
        return "list of tools"
    return f"{next(key for key in SCHEMAS if one[key] != other[key])} of {one['name']}"


def _notifications(history: History) -> Iterator[Message]:
    yield from history.strays
    for exchange in history.exchanges:
        yield from exchange.extras


@law("MC-LIST-08", absent=no_tools)
def paging_ends_and_repeats_nothing(history: History, _: Contract) -> Iterator[Judgement]:
    """Following the cursors of tools/list comes to an end, and no tool is on two pages.

    A list that is longer than the suite follows is not judged, as long as each page has a new tool.
    """
    for listing in history.listings:
        pages = pages_of(listing, history)
        if listing.ended == "failed":
            # The first page is another requirement's matter; a call without an answer is, too.
            if len(pages) > 1 and pages[-1].received is not None:
                yield breach(f"a cursor that the server gave led to: {told(pages[-1])}", *pages[-2:])
            continue
        over = listing.ended == "done"
        why = "" if over else endless([_page(page) for page in pages], again=listing.ended == "repeats")
        if why:
            yield breach(f"paging does not end: {why}", *pages[:3], pointer="/result/nextCursor")
        elif pages:
            on = Counter(name for page in pages for name in set(_page(page)))
            twice = [name for name, count in on.items() if count > 1]
            if not (twice or over):
                yield unjudged(f"whether tools/list ends: it was followed for {len(pages)} pages")
                continue
            shown = (
                pages if len(pages) <= SHOWN else [page for page in pages if set(twice).intersection(_page(page))][:2]
            )
            yield holds(not twice, f"{', '.join(twice)} came on more than one page", *shown, got=twice)


@exchange_law("MC-LIST-09")
def a_list_says_how_long_it_keeps(exchange: Exchange, _: Contract) -> Iterator[Judgement]:
    """Without handshake, each page of a list has a ttlMs of at least 0 and a cacheScope of public or private."""
    if exchange.method not in LISTS or exchange.result is None or not without_handshake(exchange):
        return
    pointer, saw = cached_wrongly(exchange.result)
    where, got = f"/result{pointer}", exchange.result.get(pointer[1:])
    yield breach(f"the answer to {exchange.method}: {saw}", exchange, pointer=where, got=got) if saw else HELD

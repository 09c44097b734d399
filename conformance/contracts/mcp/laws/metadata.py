"""MC-RPC-13, -15 and -19: what a request of a revision without handshake says of itself, and what a server does."""

import re
from collections.abc import Collection, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import (
    HEADER_MISMATCH,
    lacks,
    meta_of,
    out_of_reach,
    version_header,
    well_asked,
)
from conformance.contracts.mcp.laws.caching import cached_wrongly
from conformance.contracts.mcp.laws.mirrored import PARAM, misfit, repeats
from conformance.contracts.mcp.laws.protocol import claimed_version, without_handshake
from conformance.contracts.mcp.laws.repeated import METHOD, NAME, NAMED, decoded, misnamed, params_of
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.served import Served
from conformance.judge.served import served as listed_tools
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.measure import standing
from conformance.model.revision import DISCOVERY, HEADERLESS, VERSION_KEY, stateless
from conformance.model.verdict import HELD, Judgement

SURROGATE = re.compile("[\ud800-\udfff]")
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
BAD_REQUEST = 400
DISCOVERED = ("supportedVersions", "capabilities", "ttlMs", "cacheScope")
"""What a result of server/discover has of its own."""


def _candidates(history: History) -> Iterator[Exchange]:
    for exchange in history.exchanges:
        if exchange.connection.binding == "mcp" and stateless(exchange.connection.revision):
            yield exchange


@law("MC-RPC-13")
def a_request_without_its_metadata_is_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A request that lacks a required key of _meta gets -32602, HTTP 400, while the same with all of them is served.

    Where the version itself is missing, it is judged where a header names this one (HTTP) or the server makes no
    handshake: elsewhere it is perhaps a request of an older revision. server/discover is not judged: by it a client
    finds out which versions there are.
    """
    served = {(e.instance, e.method) for e in _candidates(history) if e.accepted and not lacks(e)}
    newer = _without_handshakes(history)
    for exchange in _candidates(history):
        missing = lacks(exchange) if exchange.method != DISCOVERY else ""
        if not missing or out_of_reach(exchange, gone=True) or (exchange.instance, exchange.method) not in served:
            continue
        if missing == VERSION_KEY and version_header(exchange) is None and exchange.connection.endpoint not in newer:
            continue
        codes = (INVALID_PARAMS, HEADER_MISMATCH) if missing == VERSION_KEY else (INVALID_PARAMS,)
        what = f"{exchange.method} without {f'{missing} in _meta' if meta_of(exchange) else '_meta'}"
        yield holds(
            exchange.protocol_code in codes, f"{what}: {told(exchange)}",
            exchange, pointer="/error/code", expected=INVALID_PARAMS, got=exchange.protocol_code,
        )  # fmt: skip
        if exchange.protocol_code in codes and exchange.status is not None:
            yield holds(
                exchange.status == BAD_REQUEST, f"{what}: HTTP {exchange.status}",
                exchange, expected="HTTP 400", got=exchange.status,
            )  # fmt: skip


@law("MC-RPC-15")
def headers_that_disagree_are_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A request whose Mcp-Method, Mcp-Name or Mcp-Param is missing or another than its body's gets HTTP 400 and -32020.

    Its like with the right headers is served. One whose header names another version than its body is not served: by
    which code it is refused depends on what is looked at first, the versions or that they are one. Nor is one whose
    header names no version, where the server refuses the handshake of the revisions that had no such header.

    Where other requests are served, none is refused with -32020 whose headers say what its body says. One with a value
    in base64 is judged so where the tool takes calls whose headers are plain.
    """
    listed = listed_tools(history, contract)
    candidates = [e for e in _candidates(history) if e.connection.transport == "http" and isinstance(e.request, dict)]
    served = {_like(e) for e in candidates if e.accepted and not _disagrees(e, listed) and _versioned(e)}
    newer = _newer_alone(history)
    heard = {(e.instance, tool) for e in candidates if e.accepted for tool in (None, e.tool)}
    for exchange in candidates:
        if out_of_reach(exchange, gone=True):
            continue
        if agreeing := _misread(exchange, listed, heard):
            saw = f"{exchange.method} with {agreeing}, as its body says: {told(exchange)}"
            yield breach(saw, exchange, expected="no refusal for its headers")
        if _like(exchange) not in served:
            continue
        if other := _other_version(exchange):
            saw = f"{exchange.method} with MCP-Protocol-Version: {other}: {told(exchange)}"
            yield holds(exchange.refused, saw, exchange, expected="a refusal", got=exchange.status)
        if exchange.connection.endpoint in newer and _unversioned(exchange):
            saw = f"{exchange.method} without MCP-Protocol-Version: {told(exchange)}"
            yield holds(exchange.refused, saw, exchange, expected="a refusal", got=exchange.status)
        if not (wrong := _disagrees(exchange, listed)):
            continue
        saw = f"{exchange.method} {wrong}: {told(exchange)}, HTTP {exchange.status}"
        right = exchange.protocol_code == HEADER_MISMATCH and exchange.status == BAD_REQUEST
        got = {"status": exchange.status, "code": exchange.protocol_code}
        yield holds(right, saw, exchange, expected={"status": BAD_REQUEST, "code": HEADER_MISMATCH}, got=got)


def _other_version(exchange: Exchange) -> str:
    """The version that a header names where the body names the connection's; empty where it is the same or none."""
    given, spoken = version_header(exchange), exchange.connection.revision
    return given if given is not None and claimed_version(exchange) == spoken != given else ""


def _unversioned(exchange: Exchange) -> bool:
    """Whether no header names the version that the body claims."""
    headers = exchange.asked.headers if exchange.asked is not None else {}
    claimed = claimed_version(exchange) == exchange.connection.revision
    return bool(headers) and "mcp-protocol-version" not in headers and claimed


def _versioned(exchange: Exchange) -> bool:
    return not _other_version(exchange) and not _unversioned(exchange)


def _without_handshakes(history: History) -> set[int]:
    """The endpoints that refuse every handshake that was tried."""
    made: dict[int, bool] = {}
    for exchange in history.exchanges:
        if exchange.method == "initialize" and not out_of_reach(exchange, gone=True):
            endpoint = exchange.connection.endpoint
            made[endpoint] = made.get(endpoint, False) or not exchange.refused
    return {endpoint for endpoint, found in made.items() if not found}


def _newer_alone(history: History) -> set[int]:
    """The endpoints that refuse the handshake of a revision which had no header for its version, or agree on another.

    One that serves such clients may take a request without the header for theirs.
    """
    agreed: dict[int, bool] = {}
    for exchange in history.exchanges:
        asked = params_of(exchange).get("protocolVersion") if exchange.method == "initialize" else None
        if asked in HEADERLESS and not out_of_reach(exchange, gone=True):
            given = (exchange.result or {}).get("protocolVersion")
            endpoint = exchange.connection.endpoint
            agreed[endpoint] = agreed.get(endpoint, False) or given in HEADERLESS
    return {endpoint for endpoint, found in agreed.items() if not found}


def _like(exchange: Exchange) -> tuple[str, ...]:
    kept = {key: value for key, value in params_of(exchange).items() if key != "_meta"}
    return exchange.instance, exchange.method, repr(sorted(kept.items(), key=lambda item: item[0]))


def _misread(exchange: Exchange, listed: Served, heard: Collection[tuple[str, str | None]]) -> str:
    """The headers for which a request was refused, though they say what its body says; empty where none is.

    `heard`: the instances that served a request, and the tools that served a call.
    """
    if exchange.protocol_code != HEADER_MISMATCH or not well_asked(exchange) or not _versioned(exchange):
        return ""
    headers = exchange.asked.headers if exchange.asked is not None else {}
    key = NAMED.get(exchange.method)
    if key is not None and not isinstance(params_of(exchange).get(key), str):
        return ""  # what names nothing has no header that could say so
    if exchange.tool is not None:
        tool = listed.tool(exchange)
        if tool is None or not repeats(tool.input_schema, exchange.arguments, headers):
            return ""
    said = {name: value for name, value in headers.items() if name.startswith((PARAM, METHOD, NAME))}
    coded = {name: value for name, value in said.items() if decoded(value) != value}
    # how a text that is empty, or no Unicode, is written is said nowhere
    clear = all(decoded(value) and not SURROGATE.search(decoded(value)) for value in coded.values())
    if not clear or (exchange.instance, exchange.tool if coded else None) not in heard:
        return ""
    return ", ".join(f"{name}: {value}" for name, value in (coded or said).items())


def _disagrees(exchange: Exchange, listed: Served) -> str:
    """In what the headers of a request disagree with its body; empty where they agree."""
    headers = exchange.asked.headers if exchange.asked is not None else {}
    if (wrong := misnamed(exchange)) or headers.get("mcp-protocol-version") != exchange.connection.revision:
        return wrong
    tool = listed.tool(exchange) if exchange.method == "tools/call" else None
    return misfit(tool.input_schema, exchange.arguments, headers) if tool is not None else ""


@law("MC-RPC-19")
def a_server_says_what_it_is(history: History, _: Contract) -> Iterator[Judgement]:
    """server/discover gives the versions, the agreed one among them, capabilities, and how long the answer keeps.

    Where it names the server, it gives a name and a version. Where a handshake was made after it, the versions alone
    are judged, of an answer that has members of this method's: without versions a client cannot choose.
    """
    for exchange in history.exchanges:
        spoken, result = exchange.connection.revision, exchange.result
        if exchange.method != DISCOVERY or out_of_reach(exchange) or spoken is None:
            continue
        if not stateless(spoken):
            if result is not None and not result.keys().isdisjoint(DISCOVERED):
                yield _judged(exchange, _versions(result))
        elif without_handshake(exchange) and well_asked(exchange):
            if result is None:
                yield breach(f"server/discover: {told(exchange)}", exchange, expected="success")
            else:
                yield _judged(exchange, _discovered(result, spoken) or cached_wrongly(result))


def _judged(exchange: Exchange, wrong: tuple[str, str]) -> Judgement:
    pointer, saw = wrong
    return breach(f"server/discover: {saw}", exchange, pointer=f"/result{pointer}") if saw else HELD


def _versions(result: dict[str, Json]) -> tuple[str, str]:
    """Where the versions are none, and what stands there; empty where they are."""
    versions = result.get("supportedVersions")
    if isinstance(versions, list) and versions and all(isinstance(each, str) for each in versions):
        return "", ""
    return "/supportedVersions", f"supportedVersions is {standing(result, 'supportedVersions')}, no list of versions"


def _discovered(result: dict[str, Json], revision: str) -> tuple[str, str] | None:
    pointer, saw = _versions(result)
    if saw:
        return pointer, saw
    versions, capabilities = result.get("supportedVersions"), result.get("capabilities")
    if isinstance(versions, list) and revision not in versions:
        return "/supportedVersions", f"supportedVersions lacks {revision}, which the server speaks"
    if not isinstance(capabilities, dict):
        return "/capabilities", f"capabilities is {standing(result, 'capabilities')}, no object"
    meta = result.get("_meta")
    if not isinstance(meta, dict) or SERVER_KEY not in meta:
        return None
    named = meta[SERVER_KEY]
    whole = isinstance(named, dict) and all(isinstance(named.get(key), str) for key in ("name", "version"))
    return None if whole else ("/_meta", f"{SERVER_KEY} is {named!r}, without name or version")

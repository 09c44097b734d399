"""MC-RPC-13, -15 and -19: what a request of a revision without handshake says of itself, and what a server does."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import HEADER_MISMATCH, lacks, out_of_reach
from conformance.contracts.mcp.laws.caching import cached_wrongly
from conformance.contracts.mcp.laws.mirrored import decoded, misfit
from conformance.contracts.mcp.laws.protocol import without_handshake
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.served import Served
from conformance.judge.served import served as listed_tools
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.measure import standing
from conformance.model.revision import VERSION_KEY, stateless
from conformance.model.verdict import HELD, Judgement

SERVER_KEY = "io.modelcontextprotocol/serverInfo"
BAD_REQUEST = 400
HEADERLESS = ("2024-11-05", "2025-03-26")
"""Revisions in which no header names the version."""
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose Mcp-Name header repeats a parameter."""


def _params(exchange: Exchange) -> dict[str, Json]:
    params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
    return params if isinstance(params, dict) else {}


def _candidates(history: History) -> Iterator[Exchange]:
    for exchange in history.exchanges:
        if exchange.connection.binding == "mcp" and stateless(exchange.connection.revision):
            yield exchange


@law("MC-RPC-13")
def a_request_without_its_metadata_is_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A request that lacks a required key of _meta gets -32602, HTTP 400, while the same with all of them is served.

    Where the version itself is missing, it is judged over HTTP alone: there the header says that the request is of this
    revision.
    """
    served = {(e.instance, e.method) for e in _candidates(history) if e.accepted and not lacks(e)}
    for exchange in _candidates(history):
        missing = lacks(exchange)
        if not missing or out_of_reach(exchange, gone=True) or (exchange.instance, exchange.method) not in served:
            continue
        codes = (INVALID_PARAMS, HEADER_MISMATCH) if missing == VERSION_KEY else (INVALID_PARAMS,)
        yield holds(
            exchange.protocol_code in codes, f"{exchange.method} without {missing} in _meta: {told(exchange)}",
            exchange, pointer="/error/code", expected=INVALID_PARAMS, got=exchange.protocol_code,
        )  # fmt: skip
        if exchange.protocol_code in codes and exchange.status is not None:
            yield holds(
                exchange.status == BAD_REQUEST, f"{exchange.method} without {missing} in _meta: HTTP {exchange.status}",
                exchange, expected="HTTP 400", got=exchange.status,
            )  # fmt: skip


@law("MC-RPC-15")
def headers_that_disagree_are_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A request whose Mcp-Method, Mcp-Name or Mcp-Param is missing or another than its body's gets HTTP 400 and -32020.

    Its like with the right headers is served. One whose header names another version than its body is not served: by
    which code it is refused depends on what is looked at first, the versions or that they are one. Nor is one whose
    header names no version, where the server refuses the handshake of the revisions that had no such header.
    """
    listed = listed_tools(history, contract)
    candidates = [e for e in _candidates(history) if e.connection.transport == "http" and isinstance(e.request, dict)]
    served = {_like(e) for e in candidates if e.accepted and not _disagrees(e, listed) and _versioned(e)}
    newer = _newer_alone(history)
    for exchange in candidates:
        if out_of_reach(exchange, gone=True) or _like(exchange) not in served:
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
    headers, spoken = exchange.asked.headers if exchange.asked is not None else {}, exchange.connection.revision
    given, meta = headers.get("mcp-protocol-version"), _params(exchange).get("_meta")
    claimed = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    return given if given is not None and claimed == spoken != given else ""


def _unversioned(exchange: Exchange) -> bool:
    """Whether no header names the version that the body claims."""
    headers, meta = exchange.asked.headers if exchange.asked is not None else {}, _params(exchange).get("_meta")
    claimed = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    return bool(headers) and "mcp-protocol-version" not in headers and claimed == exchange.connection.revision


def _versioned(exchange: Exchange) -> bool:
    return not _other_version(exchange) and not _unversioned(exchange)


def _newer_alone(history: History) -> set[int]:
    """The endpoints that refuse the handshake of a revision which had no header for its version, or agree on another.

    One that serves such clients may take a request without the header for theirs.
    """
    agreed: dict[int, bool] = {}
    for exchange in history.exchanges:
        asked = _params(exchange).get("protocolVersion") if exchange.method == "initialize" else None
        if asked in HEADERLESS and not out_of_reach(exchange, gone=True):
            given = (exchange.result or {}).get("protocolVersion")
            endpoint = exchange.connection.endpoint
            agreed[endpoint] = agreed.get(endpoint, False) or given in HEADERLESS
    return {endpoint for endpoint, found in agreed.items() if not found}


def _like(exchange: Exchange) -> tuple[str, ...]:
    kept = {key: value for key, value in _params(exchange).items() if key != "_meta"}
    return exchange.instance, exchange.method, repr(sorted(kept.items(), key=lambda item: item[0]))


def _disagrees(exchange: Exchange, listed: Served) -> str:
    """In what the headers of a request disagree with its body; empty where they agree."""
    headers = exchange.asked.headers if exchange.asked is not None else {}
    if headers.get("mcp-protocol-version") != exchange.connection.revision or not exchange.method:
        return ""  # another revision's rules may hold
    method = headers.get("mcp-method")
    if method != exchange.method:
        return "without Mcp-Method" if method is None else f"with Mcp-Method: {method}"
    key = NAMED.get(exchange.method)
    meant = _params(exchange).get(key) if key is not None else None
    if not isinstance(meant, str):
        return ""
    name = headers.get("mcp-name")
    if name is None:
        return "without Mcp-Name"
    if decoded(name) != meant:
        return f"with Mcp-Name: {name}"
    tool = listed.tool(exchange) if exchange.method == "tools/call" else None
    return misfit(tool.input_schema, exchange.arguments, headers) if tool is not None else ""


@law("MC-RPC-19")
def a_server_says_what_it_is(history: History, _: Contract) -> Iterator[Judgement]:
    """server/discover gives the versions, the agreed one among them, capabilities, and how long the answer keeps.

    Where it names the server, it gives a name and a version.
    """
    for exchange in history.exchanges:
        if exchange.method != "server/discover" or out_of_reach(exchange) or not without_handshake(exchange):
            continue
        if exchange.result is None:
            yield breach(f"server/discover: {told(exchange)}", exchange, expected="success")
            continue
        pointer, saw = _discovered(exchange.result, exchange.connection.revision) or cached_wrongly(exchange.result)
        yield breach(f"server/discover: {saw}", exchange, pointer=f"/result{pointer}") if saw else HELD


def _discovered(result: dict[str, Json], revision: str | None) -> tuple[str, str] | None:
    versions, capabilities = result.get("supportedVersions"), result.get("capabilities")
    if not isinstance(versions, list) or not all(isinstance(each, str) for each in versions):
        return (
            "/supportedVersions",
            f"supportedVersions is {standing(result, 'supportedVersions')}, no list of versions",
        )
    if revision not in versions:
        return "/supportedVersions", f"supportedVersions lacks {revision}, which the server speaks"
    if not isinstance(capabilities, dict):
        return "/capabilities", f"capabilities is {standing(result, 'capabilities')}, no object"
    meta = result.get("_meta")
    named = meta.get(SERVER_KEY) if isinstance(meta, dict) else None
    whole = isinstance(named, dict) and all(isinstance(named.get(key), str) for key in ("name", "version"))
    return None if named is None or whole else ("/_meta", f"{SERVER_KEY} is {named!r}, without name or version")

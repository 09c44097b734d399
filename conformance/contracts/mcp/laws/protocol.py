"""MC-RPC-02 to -06: errors, results, versions and methods."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import AT_THE_DOOR, AWAY, version_header
from conformance.contracts.mcp.laws.provoked import beside, provoked
from conformance.contracts.mcp.sessions import Sessions
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.model.ending import explained
from conformance.model.events import Json
from conformance.model.exchange import METHOD_NOT_FOUND, Connection, Exchange
from conformance.model.history import History
from conformance.model.measure import standing
from conformance.model.revision import DAY, DISCOVERY, HEADERLESS, VERSION_KEY, stateless, taken, versions_told
from conformance.model.verdict import HELD, Judgement

RESULT_TYPES = ("complete", "input_required", "task")
RETIRED = (-32002, -32042)
RESERVED = range(-32099, -32019)
DEFINED = (-32020, -32021, -32022)
METHODS = frozenset((
    "initialize", "ping", "server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get",
    "resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
    "completion/complete", "logging/setLevel", "subscriptions/listen", "tasks/get", "tasks/result", "tasks/list",
    "tasks/cancel", "tasks/update", "roots/list", "sampling/createMessage", "elicitation/create",
))  # fmt: skip
"""Those of all revisions of MCP and of its own extensions."""
FAMILIES = {method.partition("/")[0] for method in METHODS} | {"notifications"}
"""What they begin with; a method of no family is known to no server."""
BEYOND = ("extensions", "experimental")
"""Capabilities with which a server may have methods of its own."""
UNSUPPORTED = -32022
BAD_REQUEST, NOT_FOUND = 400, 404
UNFINISHED = ("draft", "rc")
"""Words in the names of revisions that are not finished yet."""


def without_handshake(exchange: Exchange) -> bool:
    """Whether an exchange is of a revision without handshake: by its connection, and by what it claims itself.

    A request whose header claims another is of none for certain, nor is one with headers of which none claims any, or
    one whose `_meta` claims none: a server of both eras may read it as one of an older revision.
    """
    spoken, headers = exchange.connection.revision, exchange.asked.headers if exchange.asked is not None else {}
    if exchange.connection.transport == "http" and headers and "mcp-protocol-version" not in headers:
        return False
    return stateless(spoken) and claimed_version(exchange) == spoken == headers.get("mcp-protocol-version", spoken)


def claimed_version(exchange: Exchange) -> str | None:
    """The revision that a request names in its _meta."""
    params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    claimed = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    return claimed if isinstance(claimed, str) else None


@law("MC-RPC-02")
def an_error_has_a_code_and_a_message(history: History, contract: Contract) -> Iterator[Judgement]:
    """Every JSON-RPC error has an integer code and a string message, as does one to a message that is no request."""
    for exchange in history.exchanges:
        if exchange.error is not None:
            yield _formed(exchange.error, exchange)
    found = provoked(history, contract)
    for aside in history.asides.values():
        for answer in found.by(aside):
            said = answer.payload if isinstance(answer.payload, dict) and answer.payload.get("jsonrpc") == "2.0" else {}
            if isinstance(error := said.get("error"), dict):
                yield _formed(error, *beside(aside, history))


def _formed(error: dict[str, Json], *exchanges: Exchange) -> Judgement:
    for member, kind in (("code", "an integer"), ("message", "a string")):
        given = error.get(member)
        if not (type(given) is int if member == "code" else isinstance(given, str)):
            saw = f"the error's {member} is {standing(error, member)}"
            return breach(saw, *exchanges, pointer=f"/error/{member}", expected=kind, got=given)
    return HELD


@exchange_law("MC-RPC-03")
def a_result_has_a_known_type(exchange: Exchange, _: Contract) -> Iterator[Judgement]:
    """Every result of a connection without handshake has a resultType that MCP or one of its extensions defines."""
    if exchange.result is None or exchange.method == "initialize" or not without_handshake(exchange):
        return
    given = exchange.result.get("resultType")
    yield (
        HELD
        if given in RESULT_TYPES
        else breach(
            f"the result of {exchange.method} has {f'resultType {given!r}' if given is not None else 'no resultType'}",
            exchange,
            pointer="/result/resultType",
            expected="complete",
            got=given,
        )
    )


@exchange_law("MC-RPC-04")
def an_error_uses_no_reserved_code(exchange: Exchange, _: Contract) -> Iterator[Judgement]:
    """No error of a connection without handshake has a retired code, or one that MCP reserves and has not defined."""
    code = exchange.protocol_code
    if code is None or not without_handshake(exchange):
        return
    wrong = code in RETIRED or (code in RESERVED and code not in DEFINED)
    kind = "retired" if code in RETIRED else "reserved for MCP and not defined"
    yield holds(not wrong, f"the error's code is {code}, which is {kind}", exchange, pointer="/error/code", got=code)


@law("MC-RPC-05", compares="call")
def an_unknown_version_is_not_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """No unknown version is agreed on: a request that claims one gets -32022 with those supported, HTTP 400.

    Among those is the one that the connection agreed on. server/discover is not judged: by it a client finds out which
    versions there are. A handshake that asks for an unknown version is refused, or answered with a version that there
    is. Where a server makes handshakes, a refusal for the version names one that it supports; what is no date can
    be refused for its form as well. After a handshake a header names the version, since 2025-06-18: a request whose
    header names an unknown one gets HTTP 400.
    """
    shaken = {e.connection.endpoint for e in history.exchanges if e.method == "initialize" and e.accepted}
    for exchange in _decided(history):
        params = exchange.request.get("params") if isinstance(exchange.request, dict) else None
        params = params if isinstance(params, dict) else {}
        claimed = claimed_version(exchange)
        asked = params.get("protocolVersion")
        refused = exchange.error or {} if exchange.method == "initialize" else {}
        if taken(refused):
            continue  # what it would have said of the version is not known
        named = versions_told(refused) if isinstance(asked, str) and DAY.fullmatch(asked) else None
        if named is not None and exchange.connection.endpoint in shaken:
            saw = f"initialize with version {asked!r} was {explained(exchange)}, and no supported version is named"
            yield holds(set(named) - {asked}, saw, exchange, pointer="/error", expected="a supported version")
        elif exchange.method == "initialize" and isinstance(asked, str) and asked not in contract.editions:
            yield _offered(exchange, asked, contract)
        elif claimed is not None and claimed not in contract.editions and exchange.method != DISCOVERY:
            yield _refused(exchange, claimed)
        elif (header := _after_a_handshake(exchange)) is not None and header not in contract.editions:
            saw = f"{exchange.method} with MCP-Protocol-Version: {header}: {told(exchange)}"
            saw += f", HTTP {exchange.status}" if exchange.refused else ""
            right = exchange.refused and exchange.status == BAD_REQUEST
            yield holds(right, saw, exchange, expected="HTTP 400", got=exchange.status)


def _offered(exchange: Exchange, asked: str, contract: Contract) -> Judgement:
    """Whether a handshake that asks for an unknown version is refused, or answered with a version that there is."""
    result = exchange.result
    if result is None:
        return HELD
    given = result.get("protocolVersion")
    saw = f"asked for version {asked!r}, the handshake's protocolVersion is {standing(result, 'protocolVersion')}"
    if given == asked:
        saw = f"the handshake agreed on {asked!r}"
    right = given != asked and _is_version(given, contract)
    return holds(right, saw, exchange, pointer="/result/protocolVersion", expected="a supported version", got=given)


def _is_version(given: Json, contract: Contract) -> bool:
    """A revision of MCP, a draft of one, or one of a day to come after those that are known."""
    if not isinstance(given, str):
        return False
    later = DAY.fullmatch(given) is not None and given > max(contract.editions)
    return given in contract.editions or later or any(word in given.casefold() for word in UNFINISHED)


def _after_a_handshake(exchange: Exchange) -> str | None:
    """The version that a header names in a session of a revision that has this header; None where there is none."""
    spoken = exchange.connection.revision
    has_none = spoken is None or stateless(spoken) or spoken in HEADERLESS or exchange.method == "initialize"
    return None if has_none else version_header(exchange)


def _refused(exchange: Exchange, claimed: str) -> Judgement:
    if exchange.result is not None:
        saw = f"{exchange.method} that claims version {claimed!r} was served"
        return breach(saw, exchange, expected="a refusal", got="a result")
    data = (exchange.error or {}).get("data")
    supported: Json = data.get("supported") if isinstance(data, dict) else None
    named = isinstance(supported, list) and supported and all(isinstance(v, str) and v != claimed for v in supported)
    what, spoken = f"the refusal of version {claimed!r}", exchange.connection.revision
    if not isinstance(supported, list) or not named:
        return breach(
            f"{what} does not name the supported ones", exchange,
            pointer="/error/data/supported", expected="a list of versions", got=supported,
        )  # fmt: skip
    if stateless(spoken) and spoken not in supported:
        saw = f"{what} does not name {spoken}, which the server speaks"
        return breach(saw, exchange, pointer="/error/data/supported", expected=spoken, got=supported)
    if exchange.protocol_code != UNSUPPORTED:
        saw = f"{what} has the code {exchange.protocol_code}"
        return breach(saw, exchange, pointer="/error/code", expected=UNSUPPORTED, got=exchange.protocol_code)
    return holds(
        exchange.status in (None, BAD_REQUEST), f"{what} came with HTTP {exchange.status}", exchange,
        expected="HTTP 400", got=exchange.status,
    )  # fmt: skip


def _decided(history: History) -> Iterator[Exchange]:
    """Requests that the server itself answered: not at its door, by a limit or for a session that it forgot."""
    sessions = Sessions(history)
    for exchange in history.exchanges:
        if exchange.connection.binding != "mcp" or exchange.received is None or exchange.misdirected:
            continue
        if exchange.status not in (*AT_THE_DOOR, *AWAY) and not exchange.limited and not sessions.forgot(exchange):
            yield exchange


@law("MC-RPC-06", compares="call")
def unknown_methods_are_not_found(history: History, _: Contract) -> Iterator[Judgement]:
    """A request for a method that MCP does not have gets the error -32601, without a handshake with HTTP 404.

    Where the server declares no extension, this includes methods whose names begin like those of MCP.
    """
    for exchange in _decided(history):
        if exchange.method and _is_unknown(exchange.method, exchange.connection):
            yield from _not_found(exchange)


def _not_found(exchange: Exchange) -> Iterator[Judgement]:
    saw = f"the unknown method {exchange.method}: {told(exchange)}"
    yield holds(
        exchange.protocol_code == METHOD_NOT_FOUND, saw, exchange,
        pointer="/error/code", expected=METHOD_NOT_FOUND, got=exchange.protocol_code,
    )  # fmt: skip
    if exchange.protocol_code == METHOD_NOT_FOUND and exchange.status is not None and without_handshake(exchange):
        yield holds(
            exchange.status == NOT_FOUND, f"the unknown method {exchange.method}: HTTP {exchange.status}", exchange,
            expected="HTTP 404", got=exchange.status,
        )  # fmt: skip


def _is_unknown(method: str, connection: Connection) -> bool:
    family = method.partition("/")[0]
    if family not in FAMILIES:
        return True
    if method in METHODS or family == "notifications" or connection.revision is None:
        return False
    return not any(connection.capabilities.get(key) for key in BEYOND)

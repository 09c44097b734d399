"""MC-CALL-14: answers that need input of the client before the request can be served."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.schema import satisfied, why
from conformance.contracts.mcp.laws.asking import CAPABILITIES_KEY, meta_of
from conformance.contracts.mcp.laws.toolless import or_no_tools
from conformance.judge.judgements import holds
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import CAPABILITY_MISSING, Exchange
from conformance.model.history import History
from conformance.model.revision import stateless
from conformance.model.verdict import Judgement

MAY_ASK = ("tools/call", "prompts/get", "resources/read")
NEEDS = {"sampling/createMessage": "sampling", "elicitation/create": "elicitation", "roots/list": "roots"}
"""What a client declares that lets itself be asked for it."""
_FORM: Json = {
    "required": ["requestedSchema"],
    "properties": {
        "mode": {"const": "form"},
        "requestedSchema": {
            "type": "object",
            "required": ["type", "properties"],
            "properties": {"type": {"const": "object"}, "properties": {"type": "object"}},
        },
    },
}
WHOLE: dict[str, Json] = {
    "elicitation/create": {
        "type": "object",
        "required": ["message"],
        "properties": {"message": {"type": "string"}},
        "if": {"required": ["mode"], "properties": {"mode": {"const": "url"}}},
        "then": {"required": ["url"], "properties": {"url": {"type": "string"}}},
        "else": _FORM,
    },
    "sampling/createMessage": {
        "type": "object",
        "required": ["messages", "maxTokens"],
        "properties": {"messages": {"type": "array"}, "maxTokens": {"type": "integer"}},
    },
}
"""What the params of a request for input have: without that nobody can answer it."""
BAD_REQUEST = 400


def _asking(history: History) -> Iterator[Exchange]:
    for exchange in history.exchanges:
        missing = exchange.protocol_code == CAPABILITY_MISSING and stateless(exchange.connection.revision)
        if exchange.asks_back or (missing and not exchange.misdirected):
            yield exchange


def _nothing_asked(history: History, _: Contract) -> str:
    calls = any(True for _ in history.accepted())
    return "nothing that was called asks the client for input" if calls and not any(_asking(history)) else ""


@law("MC-CALL-14", absent=or_no_tools(_nothing_asked))
def input_is_asked_for_rightly(history: History, _: Contract) -> Iterator[Judgement]:
    """An answer that needs input has inputRequests or a requestState, and asks only for what the client declared.

    Each of the inputRequests says what it asks for: a message, and a form's schema or a URL; or messages for a model.
    A refusal for what the client did not declare names that, and only then, and has HTTP 400.
    """
    for exchange in _asking(history):
        wrong = _wrong(exchange) if exchange.asks_back else _unnamed(exchange)
        saw = f"{exchange.tool or exchange.method} needs input, and its answer {wrong}"
        yield holds(not wrong, saw, exchange, pointer="/result" if exchange.asks_back else "/error")


def _unnamed(exchange: Exchange) -> str:
    data = (exchange.error or {}).get("data")
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if not isinstance(required, dict):
        return f"is the error {CAPABILITY_MISSING} without the requiredCapabilities in its data"
    if not _missing(required, _declared(exchange)):
        return (
            f"is the error {CAPABILITY_MISSING}, and its requiredCapabilities hold none that the client did not declare"
        )
    if exchange.status not in (None, BAD_REQUEST):
        return f"is the error {CAPABILITY_MISSING} with HTTP {exchange.status}"
    return ""


def _wrong(exchange: Exchange) -> str:
    if exchange.method not in MAY_ASK:
        return f"is one to {exchange.method}, which is not to be answered so"
    result = exchange.result or {}
    requests, state = result.get("inputRequests"), result.get("requestState")
    if not requests and state is None:
        return "has neither inputRequests nor a requestState"
    if not isinstance(state, str | None) or not isinstance(requests, dict | None):
        return "has inputRequests that are no object, or a requestState that is no text"
    declared, asked = _declared(exchange), (requests or {}).values()
    return next(filter(None, (_undeclared(each, declared) or _vague(each) for each in asked)), "")


def _declared(exchange: Exchange) -> dict[str, Json]:
    """The capabilities that a request says its client has."""
    declared = meta_of(exchange).get(CAPABILITIES_KEY)
    return declared if isinstance(declared, dict) else {}


def _missing(required: dict[str, Json], declared: dict[str, Json]) -> bool:
    """Whether one of these capabilities, or a part of one, is not declared."""
    for name, part in required.items():
        given = declared.get(name)
        if name not in declared or (isinstance(part, dict) and isinstance(given, dict) and _missing(part, given)):
            return True
    return False


def _vague(asked: Json) -> str:
    """In what a request for input does not say what it asks for; empty where it does."""
    method, params = (asked.get("method"), asked.get("params")) if isinstance(asked, dict) else (None, None)
    schema = WHOLE.get(method) if isinstance(method, str) else None
    if schema is None or satisfied(schema, params) is not False:
        return ""
    return f"asks for {method}, and its params do not say what for: {why(schema, params)}"


def _undeclared(asked: Json, declared: dict[str, Json]) -> str:
    method = asked.get("method") if isinstance(asked, dict) else None
    need = NEEDS.get(method) if isinstance(method, str) else None
    if need is None:
        return f"asks for {method!r}, which is no request that a client answers"
    if need not in declared:
        return f"asks for {method}, and the client did not declare {need}"
    params, said = asked.get("params") if isinstance(asked, dict) else None, declared[need]
    url = need == "elicitation" and isinstance(params, dict) and params.get("mode") == "url"
    undeclared = url and not (isinstance(said, dict) and "url" in said)
    return f"asks for {method} by a URL, and the client did not declare that" if undeclared else ""

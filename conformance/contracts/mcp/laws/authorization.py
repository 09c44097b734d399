"""MC-AUTH: a server behind HTTP that asks for a token itself."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import FAULTY
from conformance.contracts.mcp.laws.provoked import beside
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.tokens import proof
from conformance.model.events import Json
from conformance.model.exchange import Aside, Exchange
from conformance.model.history import History
from conformance.model.measure import brief
from conformance.model.verdict import Judgement

UNAUTHORIZED, FORBIDDEN, BAD_REQUEST, TOO_MANY, OK = 401, 403, 400, 429, 200
FOREIGN = {"missing", "garbage", "expired", "not_yet", "signature", "alg_none", "algorithm", "issuer"}
MALFORMED = ("garbage", "signature:empty", "alg_none:NONE", "alg_none:None")
"""What a parser may refuse before anything is verified: the algorithms of the last two are none that there is."""
SCOPES = ("scope", "scp")
WELL_KNOWN = "/.well-known/oauth-protected-resource"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
IN_QUERY = re.compile(r"[?&]access_token=")
SCHEME = re.compile(r"(?:^|,)\s*(?:bearer|dpop)\b", re.IGNORECASE)
"""A challenge for a token, its own or bound to a key."""
NAMED = re.compile(r'resource_metadata\s*=\s*"?([^",\s]+)', re.IGNORECASE)


def _auth(history: History) -> dict[str, Json]:
    stated = history.header.statement.get("auth") if history.header is not None else None
    return stated if isinstance(stated, dict) else {}


def _unasked(history: History, _: Contract) -> str:
    """That the statement does not speak of a server that asks for a token; empty where it does."""
    if _auth(history).get("challenges") is True:
        return ""
    return "the statement does not say that the server itself asks for a token over HTTP: [auth] challenges = true"


def _tried(history: History) -> Iterator[Exchange]:
    """Requests over HTTP to a server that asks for tokens, each beside its like that was served with a good one."""
    if _auth(history).get("challenges") is not True:
        return
    mine = [e for e in history.exchanges if e.connection.transport == "http" and e.connection.binding == "mcp"]
    served = {(e.connection.endpoint, e.method) for e in mine if e.accepted and _good(e, history)}
    for exchange in mine:
        away = exchange.status == TOO_MANY or (exchange.status or 0) >= FAULTY
        answered = exchange.received is not None and not exchange.misdirected
        if answered and not away and (exchange.connection.endpoint, exchange.method) in served:
            yield exchange


def _good(exchange: Exchange, history: History) -> bool:
    """Whether a request brings a good token, in its header, with the scope of the statement's tokens."""
    return exchange.credential.defect is None and not _lacks_scope(exchange, history) and not _in_query(exchange)


def _in_query(exchange: Exchange) -> bool:
    asked = exchange.asked
    return asked is not None and "authorization" not in asked.headers and bool(IN_QUERY.search(asked.path or ""))


def _lacks_scope(exchange: Exchange, history: History) -> bool:
    fixed = _auth(history).get("fixed")
    given = fixed if isinstance(fixed, dict) else {}
    return any(name in given and exchange.credential.claims.get(name, given[name]) != given[name] for name in SCOPES)


def _challenge(exchange: Exchange) -> str:
    return exchange.answered.headers.get("www-authenticate", "") if exchange.answered is not None else ""


@law("MC-AUTH-01", absent=_unasked)
def only_good_tokens_are_let_in(history: History, _: Contract) -> Iterator[Judgement]:
    """A request without a good token gets HTTP 401 and a challenge for one; the same request with one is served.

    Where what is sent is no whole token, HTTP 400 for a malformed request is accepted as well.
    """
    for exchange in _tried(history):
        defect = (exchange.credential.defect or "").partition(":")[0]
        if defect not in FOREIGN:
            continue
        what = f"{exchange.method} {proof(exchange)}"
        allowed = (UNAUTHORIZED, BAD_REQUEST) if exchange.credential.defect in MALFORMED else (UNAUTHORIZED,)
        if exchange.accepted or exchange.status not in allowed:
            how = told(exchange) if exchange.accepted else f"HTTP {exchange.status}"
            yield breach(f"{what}: {how}", exchange, expected="HTTP 401", got=exchange.status)
        else:
            challenge = _challenge(exchange)
            named = exchange.status == BAD_REQUEST or SCHEME.search(challenge) is not None
            lacking = f"WWW-Authenticate: {challenge}" if challenge else "no WWW-Authenticate"
            saw = f"{what}: HTTP 401 with {lacking}"
            yield holds(named, saw, exchange, expected="WWW-Authenticate: Bearer …", got=challenge)


@law("MC-AUTH-02", absent=_unasked)
def the_metadata_say_where_tokens_are(history: History, _: Contract) -> Iterator[Judgement]:
    """The metadata that a refusal names, or at the well-known path, have a resource and an authorization server.

    What a refusal names on another machine is not fetched.
    """
    if _auth(history).get("challenges") is not True:
        return
    named = {found[1] for e in history.exchanges if (found := NAMED.search(_challenge(e))) is not None}
    paths = {urlsplit(url).path: url for url in named}
    visited = [aside for aside in history.asides.values() if _of_metadata(aside, paths)]
    documents = {_path(aside): answer for aside in visited for answer in aside.answers if _status(answer) is not None}
    if not documents:
        return
    for path, url in paths.items():
        answer = documents.get(path)
        if answer is None:
            continue
        wrong = "" if _status(answer) == OK else f"HTTP {_status(answer)}"
        if wrong and urlsplit(url).hostname not in LOOPBACK:
            return  # it may well be found where it is said to be
        wrong = wrong or _metadata_fault(answer.payload)
        asked = next((aside for aside in visited if _path(aside) == path), None)
        evidence = beside(asked, history) if asked is not None else []
        saw = f"the metadata that WWW-Authenticate names, {path}: {wrong}"
        yield holds(not wrong, saw, *evidence, got=answer.payload)
    if not paths:
        there = [answer.payload for answer in documents.values() if _status(answer) == OK]
        wrong = min(map(_metadata_fault, there), key=len, default="it is not there, and no refusal names another")
        yield holds(not wrong, f"the metadata at the well-known path: {wrong}", got=there[0] if there else None)


def _of_metadata(aside: Aside, paths: dict[str, str]) -> bool:
    http = aside.sent.http
    path = _path(aside)
    return http is not None and http.method == "GET" and (path.startswith(WELL_KNOWN) or path in paths)


def _path(aside: Aside) -> str:
    return (aside.sent.http.path or "") if aside.sent.http is not None else ""


def _status(answer: Json) -> int | None:
    return answer.http.status if answer.http is not None else None


def _metadata_fault(document: Json) -> str:
    if not isinstance(document, dict):
        return "no JSON object"
    servers = document.get("authorization_servers")
    if not document.get("resource"):
        return "resource is missing"
    if not _is_address(document["resource"]):
        return f"resource is {brief(document['resource'])}, no URL"
    if not isinstance(servers, list) or not servers:
        return "authorization_servers is missing or empty"
    wrong = [brief(each) for each in servers if not _is_address(each)]
    return f"{wrong[0]} in authorization_servers is no URL" if wrong else ""


def _is_address(value: Json) -> bool:
    """Whether a value is the URL of something: with a scheme and a host."""
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
        return parts is not None and bool(parts.scheme and parts.hostname)
    except ValueError:
        return False


@law("MC-AUTH-03", absent=_unasked)
def tokens_for_others_are_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A token that was issued for another audience is refused, while one for this server is served."""
    for exchange in _tried(history):
        if exchange.credential.defect == "audience":
            yield holds(
                exchange.refused, f"{exchange.method} with a token for another audience was served", exchange,
                expected="HTTP 401", got=exchange.status,
            )  # fmt: skip


@law("MC-AUTH-04", absent=_unasked)
def too_little_scope_is_told(history: History, _: Contract) -> Iterator[Judgement]:
    """A token with another scope, where it is refused, gets HTTP 403 with insufficient_scope and the scope wanted."""
    for exchange in _tried(history):
        if not _lacks_scope(exchange, history) or exchange.credential.defect is not None or exchange.accepted:
            continue
        challenge = _challenge(exchange)
        if exchange.status != FORBIDDEN:
            wrong = f"HTTP {exchange.status}"
        elif "insufficient_scope" not in challenge:
            wrong = "WWW-Authenticate without insufficient_scope"
        else:
            named = re.search(r'\bscope\s*=\s*"?[^",\s]', challenge)
            wrong = "" if named else "WWW-Authenticate that does not say which scope is wanted"
        saw = f"{exchange.method} with too little scope: {wrong}"
        yield holds(not wrong, saw, exchange, expected="HTTP 403, insufficient_scope and scope", got=challenge)


@law("MC-AUTH-05", absent=_unasked)
def a_token_in_the_url_gives_no_access(history: History, _: Contract) -> Iterator[Judgement]:
    """A request whose token is in the query of the URL is refused, while the same request with a header is served."""
    for exchange in _tried(history):
        if _in_query(exchange):
            yield holds(
                exchange.refused, f"{exchange.method} with its token in the URL was served", exchange,
                expected="HTTP 401", got=exchange.status,
            )  # fmt: skip

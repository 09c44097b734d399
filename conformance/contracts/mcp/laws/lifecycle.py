"""MC-RPC-11, -17 and -21: connections that begin with a handshake, and the sessions that it may give out."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.crowds import crowds
from conformance.contracts.mcp.laws.asking import out_of_reach
from conformance.contracts.mcp.sessions import NOT_FOUND, Sessions, session_of
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.model.exchange import Connection, Exchange
from conformance.model.history import History
from conformance.model.revision import stateless, taken
from conformance.model.verdict import Judgement

BESIDE = ("_meta", "resultType")
"""What a result may hold beside its content."""


def by_handshake(connection: Connection) -> bool:
    """Whether both sides agreed on a revision by a handshake."""
    return connection.revision is not None and not stateless(connection.revision)


@law("MC-RPC-11", compares="call")
def a_ping_is_answered(history: History, _: Contract) -> Iterator[Judgement]:
    """After a handshake each ping that gets an answer gets an empty result."""
    for exchange in history.exchanges:
        agreed = exchange.connection.agreed
        if exchange.method != "ping" or not by_handshake(exchange.connection) or out_of_reach(exchange):
            continue
        if agreed is not None and exchange.sent > agreed:
            held = sorted((exchange.result or {}).keys() - set(BESIDE))
            saw = f"the result of ping holds {', '.join(held)}" if exchange.result is not None else told(exchange)
            yield holds(
                exchange.result is not None and not held, f"ping: {saw}", exchange, pointer="/result", expected={}
            )


@law("MC-RPC-21")
def what_comes_before_the_handshake_does_no_harm(history: History, contract: Contract) -> Iterator[Judgement]:
    """After requests that came too early a connection makes its handshake and serves the next request.

    It is judged where the server makes a handshake on another connection, and serves there what is asked next. A
    process that ended while others of the server were starting shows nothing. Nor does a session that the server forgot
    at once, unless it forgets each of them; nor one that it forgot once another connection had begun one.
    """
    beside = crowds(history, contract)
    able = {_server(connection) for connection in history.connections.values() if by_handshake(connection)}
    serves: dict[tuple[int, str], set[str]] = defaultdict(set)
    by_connection: dict[str, list[Exchange]] = {}
    for exchange in history.exchanges:
        if exchange.accepted and not stateless(exchange.connection.revision):
            # a server of both eras may serve nothing of what is asked after a handshake
            serves[_server(exchange.connection)].add(exchange.method)
        by_connection.setdefault(exchange.connection.id, []).append(exchange)
    # one that lived through it shows that another may have ended for its neighbour
    lived = {_server(exchanges[0].connection) for exchanges in by_connection.values() if _lived(exchanges)}
    sessions, served = Sessions(history), set[tuple[int, str]]()
    forgotten: dict[tuple[int, str], list[tuple[Exchange, Exchange]]] = defaultdict(list)
    for exchanges in by_connection.values():
        connection, server = exchanges[0].connection, _server(exchanges[0].connection)
        place = next((n for n, each in enumerate(exchanges) if each.method == "initialize"), len(exchanges))
        early = [each for each in exchanges[:place] if each.method != "server/discover"]
        unmet = connection.asked is None and not stateless(connection.revision)
        may = beside.alone(connection) or (beside.crowded(connection) and server in lived)
        if not early or (early[-1].unanswered == "lost" and may):
            continue
        rest = exchanges[place:]
        if not unmet or server not in able or any(map(sessions.replaced, rest[1:2])):
            continue
        if len(rest) > 1 and sessions.forgot(rest[1]):
            forgotten[server].append((early[-1], rest[1]))
        else:
            served |= {server} if len(rest) > 1 and rest[1].accepted else set()
            yield from _began(early, rest, serves[server])
    for server, pairs in forgotten.items():
        for last, later in pairs[1:] if server not in served else ():
            if later.method in serves[server]:
                yield breach(_after(last.method, later), last, later, expected="success")


def _server(connection: Connection) -> tuple[int, str]:
    """What is started or reached, and how: another one's deeds tell nothing of it."""
    return connection.endpoint, connection.transport


def _lived(exchanges: list[Exchange]) -> bool:
    """Whether a connection began with something else than a greeting, and made its handshake all the same."""
    greeted = next((each for each in exchanges if each.method == "initialize"), None)
    first = exchanges[0]
    return greeted is not None and greeted.result is not None and first.method not in {"initialize", "server/discover"}


def _began(early: list[Exchange], rest: list[Exchange], serves: set[str]) -> Iterator[Judgement]:
    lost = next((each for each in early if each.unanswered == "lost"), None)
    before = ", ".join(dict.fromkeys(each.method for each in early))
    if lost is not None:
        yield breach(f"the connection was lost at {lost.method}, which came before the handshake", lost)
    elif rest and rest[0].result is None and not out_of_reach(rest[0]) and not _elsewhere(rest[0]):
        yield breach(f"after {before} the handshake: {told(rest[0])}", early[-1], rest[0], expected="success")
    elif len(rest) > 1 and rest[0].result is not None and rest[1].method in serves:
        yield holds(rest[1].accepted, _after(before, rest[1]), early[-1], rest[1], expected="success")


def _elsewhere(hello: Exchange) -> bool:
    """Whether a handshake was refused as another connection has the one session: only over HTTP is there another."""
    return hello.connection.transport == "http" and taken(hello.error or {})


def _after(before: str, later: Exchange) -> str:
    return f"{before} came before the handshake, and {later.method} after it: {told(later)}"


def _none_given(history: History, _: Contract) -> str:
    """That no handshake over HTTP was answered with a session; empty where one was, or where there was none."""
    greetings = (e for e in history.exchanges if e.method == "initialize" and e.result is not None)
    greeted = [greeting for greeting in greetings if greeting.connection.transport == "http"]
    given = any(session_of(greeting, answered=True) is not None for greeting in greeted)
    return "the server gives no session out" if greeted and not given else ""


@law("MC-RPC-17", absent=_none_given)
def a_session_that_is_over_is_not_served(history: History, _: Contract) -> Iterator[Judgement]:
    """A request in a session that was ended gets HTTP 404; one in a session that the server never assigned is refused.

    After a session was ended, a new handshake is served. A session id that is assigned is visible ASCII.
    """
    sessions = Sessions(history)
    if not sessions.given:
        return
    for exchange in history.exchanges:
        given = session_of(exchange, answered=True)
        odd = next((each for each in given or "" if not "!" <= each <= "~"), "")
        if odd and by_handshake(exchange.connection):
            yield breach(f"the session id that {exchange.method} gives out holds {odd!r}", exchange, got=given)
    served_in_one = {e.method for e in history.exchanges if e.accepted and session_of(e) in sessions.given}
    for exchange in history.exchanges:
        session = session_of(exchange)
        if session is None or exchange.method not in served_in_one or out_of_reach(exchange, gone=True):
            continue
        if session not in sessions.given:
            yield holds(exchange.refused, f"{exchange.method} of a session that was never given was served", exchange)
        elif session in sessions.ended and exchange.sent > sessions.ended[session]:
            yield holds(
                exchange.status == NOT_FOUND, f"{exchange.method} of a session that was ended: {_how(exchange)}",
                exchange, expected="HTTP 404", got=exchange.status,
            )  # fmt: skip
            yield from _anew(exchange, history)


def _anew(over: Exchange, history: History) -> Iterator[Judgement]:
    """Whether the handshake that the same stimulus made next was served."""
    later = (e for e in history.exchanges if e.method == "initialize" and e.sent > over.sent)
    hello = next((e for e in later if e.stimulus == over.stimulus), None)
    if hello is not None and not out_of_reach(hello):
        yield holds(hello.result is not None, f"a new handshake after a session was ended: {told(hello)}", over, hello)


def _how(exchange: Exchange) -> str:
    return f"HTTP {exchange.status}" if exchange.refused else told(exchange)

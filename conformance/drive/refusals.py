"""Why a connection cannot begin, in words that say what came and what to look at."""

from conformance.drive import revisions as rev
from conformance.drive.connection import Connection
from conformance.drive.errors import RefusedError, StartError
from conformance.drive.frames import EMPTY, encoded
from conformance.drive.words import line
from conformance.model.exchange import Exchange

SHOWN = 200
"""Characters of a body's first line that are shown."""
BY_HAND = "run its command in a shell and look at what it prints"
REDIRECT, REFUSED = 300, 400
NO_ENTRANCE = (401, 403, 407)
"""Statuses that let nobody in, whatever the body says."""
NO_ENTRY = (
    'give a token that it accepts: export NAME="Bearer TOKEN" and --header "Authorization: env:NAME", '
    "or [auth] in conformance.toml"
)
NOT_ALLOWED = 405
OLDER = "an address that ends in /sse is of HTTP+SSE, an older transport: give the one of streamable HTTP, mostly /mcp"
NO_SERVER = "is this the address of an MCP server? most serve it at /mcp"
TODO = {
    (401, 407): NO_ENTRY,
    (403, 421): "is the address one that the server lets in (Host, Origin), is a token missing?",
    (404, 405): "is the address whole? most servers serve MCP at /mcp",
    (429,): "the server takes no more requests for now: run again later",
    (502, 503, 504): "the server behind the proxy does not answer: is it started?",
}
"""What to look at, by HTTP statuses."""


def no_answer(connection: Connection, answer: Exchange) -> StartError | RefusedError:
    """Nothing was answered at all in the time that a server has to start.

    One that says too much instead is there: what it does is judged.
    """
    if answer.unanswered == "excess":
        return RefusedError(answer.detail)
    fate, wrote = connection.wire.fate, _wrote(connection)
    if answer.unanswered == "time" and (foreign := _to_another(connection)):
        return RefusedError(f"{answer.method} got no answer; {foreign}")
    if "has ended" in fate:
        why = "; ".join(filter(None, (fate, wrote.replace("it wrote", "to stdout it wrote", 1))))
        return StartError("the server ended before it answered anything", why=why, todo=BY_HAND)
    how = f"{answer.method} got no answer"
    if answer.unanswered != "time":
        detail = line(answer.detail, SHOWN) or f"beyond the limit: {answer.unanswered}"
        todo = "is the address right, and is it served by http or by https?" if answer.asked is not None else BY_HAND
        return StartError(
            "the server ended the connection before it answered anything", why=f"{how}: {detail}", todo=todo
        )
    return StartError(
        f"the server {'gave no answer of MCP' if wrote else 'did not start'} within {connection.start_s:g} s",
        why="; ".join(filter(None, (how, wrote, fate))),
        todo=f"[limits] start_timeout_s gives it more time; {BY_HAND}",
    )


def _wrote(connection: Connection) -> str:
    """What came that answers nothing; empty where nothing did."""
    for message in connection.strays:
        if message.raw is not None:
            return f"it wrote {line(message.raw, SHOWN)!r} ({message.fault})"
        if isinstance(message.payload, dict) and "method" not in message.payload:
            return f"it wrote {line(encoded(message.payload).decode(), SHOWN)!r}"
    return ""


def _to_another(connection: Connection) -> str:
    """An answer under an id that no request had: a server of JSON-RPC is there. Empty where none came."""
    for message in connection.strays:
        payload = message.payload
        if isinstance(payload, dict) and payload.get("id") is not None and payload.keys() & {"result", "error"}:
            return f"it wrote an answer to id {payload['id']!r}, which no request had"
    return ""


def incompatible(supported: list[str]) -> StartError:
    """The server speaks no revision that this suite knows."""
    return StartError(
        f"the server speaks {line(', '.join(supported), SHOWN)}, and this version of the suite does not",
        why=f"it knows {', '.join((*rev.STATELESS, *rev.HANDSHAKE))}",
        todo="look for a newer version of the suite",
    )


def refusal(answer: Exchange) -> StartError | None:
    """What an answer says that is none of MCP: no server of MCP is there, or it lets nobody in. None: it is one."""
    status = answer.status
    if _spoken(answer) and status not in NO_ENTRANCE:
        return None
    place = answer.asked.path if answer.asked is not None else None
    said = _first_line(answer)
    if status is None:
        return StartError(
            "the server does not speak MCP", why=f"to {answer.method} it answered: {said}", todo="check the command"
        )
    headers = answer.answered.headers if answer.answered is not None else {}
    extra = next((f"; {name}: {line(headers[key], SHOWN)}" for key, name in _TOLD if key in headers), "")
    return StartError(f"HTTP {status} at {place}: {said}{extra}", todo=_todo(status, place or ""))


def _spoken(answer: Exchange) -> bool:
    """Whether a message of JSON-RPC came, well made or not: several in an array, or after a byte order mark, are."""
    heard = answer.raw.payload if answer.raw is not None else answer.response
    several = heard if isinstance(heard, list) else [heard]
    text = answer.raw.raw if answer.raw is not None else None
    return any(isinstance(each, dict) and each.keys() & {"jsonrpc", "result", "error"} for each in several) or (
        text is not None and text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") and '"jsonrpc"' in text
    )


_TOLD = (("www-authenticate", "WWW-Authenticate"), ("location", "Location"), ("allow", "Allow"))


def _first_line(answer: Exchange) -> str:
    if answer.raw is not None and answer.raw.raw is not None:
        lines = answer.raw.raw.strip().splitlines()
        fault = f" ({answer.raw.fault})" if answer.raw.fault not in (None, EMPTY) else ""
        return line(lines[0][:SHOWN], SHOWN) if lines else f"no body{fault}"
    said = (answer.error or {}).get("message")
    came = answer.response if answer.raw is None else answer.raw.payload
    return line((said if isinstance(said, str) else encoded(came).decode())[:SHOWN], SHOWN)


def _todo(status: int, place: str) -> str:
    if status == NOT_ALLOWED and place.rstrip("/").endswith("/sse"):
        return OLDER
    if REDIRECT <= status < REFUSED:
        return "redirects are not followed: give the address that it names"
    return next((todo for statuses, todo in TODO.items() if status in statuses), NO_SERVER)

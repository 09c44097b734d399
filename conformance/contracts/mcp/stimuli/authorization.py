"""Requests over HTTP with tokens that are not good, and the document that says where good ones are to be had."""

import re
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from conformance.contracts.mcp.apart import visit
from conformance.contracts.mcp.bench import DEFAULT_ROLE, McpBench
from conformance.contracts.mcp.stimuli.requests import Request, a_call, lists, offered
from conformance.drive.errors import SkipError
from conformance.drive.signing import FORGED, OTHERWISE
from conformance.drive.stimulus import stimulus
from conformance.model.events import Http

BRIEFLY_S = 1_200
"""How long a token has been over that was good a while ago: more than clocks are apart."""
DEFECTS = (
    "missing", "garbage", "expired", f"expired:{BRIEFLY_S}", "signature", "alg_none", "algorithm", "issuer", "audience",
    *FORGED, *OTHERWISE,
)  # fmt: skip
"""What is wrong with a token: `credentials` says of each how it is made."""
NO_SCOPE = "conformance:nothing"
SCOPES = ("scope", "scp")
WELL_KNOWN = "/.well-known/oauth-protected-resource"
NAMED = re.compile(r'resource_metadata\s*=\s*"?([^",\s]+)', re.IGNORECASE)


def _asks(bench: McpBench) -> None:
    """SkipError where the statement does not say that the server asks for a token."""
    if not bench.session.statement.auth.challenges:
        raise SkipError(
            "the statement does not say that the server itself asks for a token over HTTP: [auth] challenges = true"
        )


@stimulus("mcp", exercises=("MC-AUTH-01", "MC-AUTH-03"), transports=("http",), bindings=("mcp",), good_calls=True)
async def tokens_are_not_good(bench: McpBench) -> None:
    """Each list of what there is, and a call that works, without a token, and with tokens of which one thing is wrong.

    As far as such tokens can be made.
    """
    _asks(bench)
    for request in [*await lists(bench), *await a_call(bench)]:
        await _made_with_each(bench, request)


@stimulus("mcp", exercises=("MC-AUTH-01", "MC-AUTH-03"), transports=("http",), bindings=("mcp",), last=True)
async def a_resource_or_prompt_is_asked_for_without_a_good_token(bench: McpBench) -> None:
    """A resource that is read and a prompt that is given, so too. Alone: a call may remove the resource in between."""
    _asks(bench)
    for request in await offered(bench):
        await _made_with_each(bench, request)


async def _made_with_each(bench: McpBench, request: Request) -> None:
    for defect in DEFECTS:
        with suppress(SkipError):
            await request.made(bench, credential=bench.credential(DEFAULT_ROLE, defect=defect))


@stimulus("mcp", exercises=("MC-AUTH-02",), transports=("http",), bindings=("mcp",))
async def the_metadata_are_looked_for(bench: McpBench) -> None:
    """Where a refusal says that they are, if that is a path of this server, and at the well-known paths."""
    _asks(bench)
    own = await bench.reconnected()
    await own.request("tools/list")
    refused = await own.request("tools/list", credential=own.credential(DEFAULT_ROLE, defect="missing"))
    headers = refused.answered.headers if refused.answered is not None else {}
    named = NAMED.search(headers.get("www-authenticate", ""))
    path = ((await own.connected()).headed("", {}, None).path or "/").partition("?")[0]
    wanted = [urlsplit(named[1]).path] if named else []
    for place in dict.fromkeys([*wanted, f"{WELL_KNOWN}{path.rstrip('/')}", WELL_KNOWN]):
        await visit(own, "GET", place)


@stimulus("mcp", exercises=("MC-AUTH-04",), transports=("http",), bindings=("mcp",), good_calls=True)
async def a_token_has_too_little_scope(bench: McpBench) -> None:
    """Each list, and a call that works, with a token whose scope is another than all tokens of the statement have."""
    _asks(bench)
    name = next((name for name in SCOPES if name in bench.session.statement.auth.fixed), None)
    if name is None:
        raise SkipError("the statement gives tokens no scope: [auth] fixed has neither scope nor scp")
    given = bench.session.statement.auth.fixed[name]
    other: Any = [NO_SCOPE] if isinstance(given, list) else NO_SCOPE
    for request in [*await lists(bench), *await a_call(bench)]:
        await request.made(bench, credential=bench.credential(DEFAULT_ROLE, **{name: other}))


@stimulus("mcp", exercises=("MC-AUTH-05",), transports=("http",), bindings=("mcp",), good_calls=True)
async def a_token_stands_in_the_url(bench: McpBench) -> None:
    """Each list, and a call that works, with a good token in the query of the URL, and none in a header."""
    _asks(bench)
    if bench.session.wallet.default_token is None:
        raise SkipError("the statement gives no token that could be sent so")
    for request in [*await lists(bench), *await a_call(bench)]:
        await request.made(bench, _in_the_query)


def _in_the_query(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
    token = http.headers.get("authorization", "").partition(" ")[2]
    headers = {name: value for name, value in http.headers.items() if name != "authorization"}
    path = f"{http.path}{'&' if '?' in (http.path or '') else '?'}access_token={token}"
    return message, Http(method=http.method, path=path, headers=headers)

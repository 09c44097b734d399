"""Requests to X in X's own terms, for administrators. They ask no gate (Architecture decisions, AD-04)."""

from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.toolkit import requests
from reference_server.tuitbot.tools.definition import Arguments, Call, ToolDefinition
from reference_server.tuitbot.tools.parameters import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_ENTRIES,
    Parameter,
    count,
    flag,
    text,
)
from reference_server.tuitbot.tools.writes import SHOW_POSTS
from reference_server.tuitbot.x.protocol import HttpRequest


def _pairs(parameter: str, description: str) -> Parameter:
    short = {"type": "string", "maxLength": LONGEST_NAME}
    pair = {
        "type": "object",
        "properties": {"key": {**short, "minLength": 1}, "value": short},
        "required": ["key", "value"],
        "additionalProperties": False,
    }
    schema = {"type": "array", "items": pair, "maxItems": MOST_ENTRIES}
    return Parameter(parameter, schema, required=False, description=description)


PATH: Final = text("path", "of the endpoint, such as /2/users/me; it has no query")
HOST: Final = text("host", f"one of {', '.join(requests.HOSTS)}", required=False)
QUERY: Final = _pairs("query", "parameters of the query")
HEADERS: Final = _pairs("headers", "further headers; those on the connection and on who calls are not the caller's")
BODY: Final = Parameter("body", {"type": "string", "maxLength": LONGEST_TEXT}, required=False, description="JSON text")


def _request(method: str, given: Arguments) -> HttpRequest:
    query, headers = ([(pair["key"], pair["value"]) for pair in given[part] or ()] for part in ("query", "headers"))
    host = given["host"] or requests.HOSTS[0]
    return HttpRequest(method, given["path"], host, tuple(query), given.get("body"), tuple(headers))


def _get(call: Call) -> Json:
    request = _request("GET", call.arguments)
    if not call["auto_paginate"]:
        return requests.request_x(call.ctx.x_client, request)
    most = requests.MOST_PAGES if call["max_pages"] is None else call["max_pages"]
    return requests.request_pages(call.ctx.x_client, request, most)


def _universal(method: str, description: str, *parameters: Parameter) -> ToolDefinition:
    reads = method == "GET"

    def act(call: Call) -> Json:
        return _get(call) if reads else requests.request_x(call.ctx.x_client, _request(method, call.arguments))

    blocked = () if reads else (ErrorCode.SCRAPER_MUTATION_BLOCKED,)
    return ToolDefinition(
        f"x_{method.lower()}",
        description,
        "read" if reads else "write",
        act,
        parameters,
        lambda given: requests.check_request(_request(method, given)),
        ("admin",),
        mutation=not reads,
        requires_x_client=True,
        calls_x=True,
        codes=(ErrorCode.INVALID_INPUT, ErrorCode.NOT_FOUND, *blocked),
        shown_by=() if reads else SHOW_POSTS,
        # what a path leads to may change with the time
        state=not reads,
        destructive=method in ("DELETE", "PUT"),
    )


DEFINITIONS: Final = (
    _universal("DELETE", "Makes a DELETE request to X.", PATH, HOST, QUERY, HEADERS),
    _universal(
        "GET",
        "Makes a GET request to X.",
        PATH,
        HOST,
        QUERY,
        HEADERS,
        flag("auto_paginate", "read the following pages too"),
        count("max_pages", None, 2**31 - 1, "pages to read with auto_paginate, ten at most"),
    ),
    _universal("POST", "Makes a POST request to X.", PATH, HOST, QUERY, BODY, HEADERS),
    _universal("PUT", "Makes a PUT request to X.", PATH, HOST, QUERY, BODY, HEADERS),
)

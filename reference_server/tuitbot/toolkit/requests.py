"""Requests to X in X's own terms, raw: which of them may be made, and making them. All raise `ToolkitError`."""

import json
import re
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.x.protocol import HttpRequest, XClient

HOSTS: Final = ("api.x.com", "upload.x.com", "upload.twitter.com")
"""Where requests may go; the first is meant where none is named."""
OWN_HEADERS: Final = frozenset(
    {
        "authorization",
        "host",
        "cookie",
        "set-cookie",
        "transfer-encoding",
        "proxy-authorization",
        "proxy-connection",
    }
)
"""Headers that the client alone sets."""
HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
MOST_PAGES: Final = 10


def check_request(request: HttpRequest) -> None:
    """InvalidInputError: a path, a host or a header that no request may have."""
    path = request.path
    if not path.startswith("/") or ".." in path or CONTROL.search(path) or "?" in path or "#" in path:
        raise InvalidInputError("path begins with a slash and has no .., no ?, no # and no control character")
    if request.host not in HOSTS:
        raise InvalidInputError(f"host is one of {', '.join(HOSTS)}")
    for name, value in request.headers:
        if name.strip().lower() in OWN_HEADERS or not HEADER.fullmatch(name) or CONTROL.search(value):
            raise InvalidInputError(f"the header {name!r} is not the caller's to set, or no header")


def request_x(client: XClient, request: HttpRequest) -> dict[str, Json]:
    """Makes a request; `{status, headers, json, body_text}`."""
    check_request(request)
    with asking_x():
        return client.request(request)


def request_pages(client: XClient, request: HttpRequest, most: int) -> dict[str, Json]:
    """Reads a list page by page, ten pages at most; the entries of all of them stand in the last page's answer."""
    entries: list[Json] = []
    query = dict(request.query)
    for _ in range(min(max(most, 1), MOST_PAGES)):
        answer = request_x(client, _with_query(request, query))
        page = answer["json"]
        if not isinstance(page.get("data"), list):
            return answer
        entries += page["data"]
        token = page.get("meta", {}).get("next_token")
        if token is None:
            break
        query["pagination_token"] = token
    whole = {**page, "data": entries}
    return {**answer, "json": whole, "body_text": json.dumps(whole, ensure_ascii=False, separators=(",", ":"))}


def _with_query(request: HttpRequest, query: dict[str, str]) -> HttpRequest:
    return HttpRequest(request.method, request.path, request.host, tuple(query.items()), request.body, request.headers)

"""What streamable HTTP mirrors into headers, and how a value that no header can carry is written."""

import base64
import re
from collections.abc import Iterator, Sequence

from conformance.drive import revisions as rev
from conformance.drive.frames import encoded
from conformance.model.arguments import properties
from conformance.model.events import Http, Json, Listing
from conformance.model.listed import tools_of

_PLAIN = re.compile(r"[\x21-\x7e]+(?:[\x20\t]+[\x21-\x7e]+)*")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_EVENT_ID = re.compile(rb"[\x20-\x7e\x80-\xff]+")
_WRITTEN = ("=?base64?", "?=")
_SAFE = 2**53
MARK = b'"x-mcp-header"'
ACCEPTED = "application/json, text/event-stream"
DEEPEST = 16
"""Levels of `properties` in which x-mcp-header is looked for."""


def written(value: str) -> str:
    """A value as a header carries it: as it is, or in base64 where it is not plain ASCII or looks like base64."""
    marked = value.startswith(_WRITTEN[0]) and value.endswith(_WRITTEN[1])
    if _PLAIN.fullmatch(value) and not marked:
        return value
    octets = value.encode("utf-8", "surrogatepass")
    return base64.b64encode(octets).decode().join(_WRITTEN)


def named(method: str, params: dict[str, Json]) -> dict[str, str]:
    """Mcp-Method, and Mcp-Name where the method has one."""
    name = params.get("uri") if method == "resources/read" else params.get("name")
    found = {"mcp-method": written(method)}
    if method in rev.NAMED and isinstance(name, str):
        found["mcp-name"] = written(name)
    return found


def mirrored(schema: Json, arguments: Json) -> dict[str, str]:
    """The Mcp-Param- headers of a call: what the tool's inputSchema marks with x-mcp-header, as far as it is given."""
    return {f"mcp-param-{name.lower()}": value for name, value in _marked(schema, arguments, DEEPEST)}


class Marks:
    """The tools of a server of which a schema marks what is mirrored, as they were last listed."""

    def __init__(self, listings: Sequence[Listing]) -> None:
        self._listings = listings
        self._read = 0
        self._schemas: dict[str, Json] = {}

    def of(self, tool: Json) -> Json:
        """The inputSchema of such a tool; None where it marks nothing."""
        if self._read != len(self._listings):
            self._read = len(self._listings)
            listed = {each.name: each.input_schema for each in tools_of(self._listings[-1])}
            self._schemas = {name: schema for name, schema in listed.items() if MARK in encoded(schema)}
        return self._schemas.get(tool) if isinstance(tool, str) else None


def _marked(schema: Json, value: Json, depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict) or not depth:
        return
    for key, inner in properties(schema).items():
        if key not in value or not isinstance(inner, dict):
            continue
        name, shown = inner.get("x-mcp-header"), _spelled(value[key])
        if isinstance(name, str) and _TOKEN.fullmatch(name) and shown is not None:
            yield name, written(shown)
        yield from _marked(inner, value[key], depth - 1)


def _spelled(value: Json) -> str | None:
    """A primitive as a header's text; None where there is none for it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case int() if abs(value) < _SAFE:
            return str(value)
        case _:
            return None


def resumed(asked: Http, last_id: bytes) -> Http | None:
    """The GET that resumes the stream of a request; None where it has no id, or its revision no resuming."""
    if not _EVENT_ID.fullmatch(last_id) or asked.headers.get("mcp-protocol-version", "") in rev.STATELESS:
        return None
    return listening(asked, {"last-event-id": last_id.decode("latin-1")})


def listening(asked: Http, extra: dict[str, str] | None = None) -> Http:
    """The GET that opens a stream where a POST was made."""
    kept = {name: value for name, value in asked.headers.items() if name not in ("content-type", "accept")}
    return Http(method="GET", path=asked.path, headers={**kept, "accept": "text/event-stream", **(extra or {})})

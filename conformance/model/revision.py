"""The two eras of MCP, told apart by the revision's name."""

import re
from collections.abc import Iterable, Mapping

import msgspec

from conformance.model.events import Json

FIRST_STATELESS = "2026-07-28"
"""From here on there is no handshake: every request names its revision."""
TOOL_ERRORS_SINCE = "2025-11-25"
"""From here on arguments that break the schema are a tool's error, not the protocol's."""
HEADERLESS = ("2025-03-26", "2024-11-05")
"""The revisions in which no header names the version, newest first."""
BATCHING = "2025-03-26"
"""The only revision in which several messages may come as one array."""

DISCOVERY = "server/discover"
"""The request by which a client finds out which revisions a server speaks."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
"""Where in `_meta` a request without handshake names its revision."""
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
"""Where in `_meta` it asks for log messages, and from which level on."""
SET_LEVEL = "logging/setLevel"
"""By which a client says so for all that comes, where there is a handshake."""
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""Of log messages, the gravest last."""

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
"""The form of a revision's name, but for drafts."""
_OF_VERSION = re.compile(
    r"protocol[ _]?version|(?:un|not )supported[^.;]{0,20} version|version[^.;]{0,40} (?:un|not )supported",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    r"already (?:been )?(?:initiali[sz]ed|connected|in use|active)"
    r"|\b(?:only|just) one (?:session|client|connection)|\b(?:another|existing) (?:session|client|connection)",
    re.IGNORECASE,
)
_WITHIN = 1_000
"""Characters of an error in which it is looked for what it is of."""


def stateless(revision: str | None) -> bool:
    """Whether a revision is of the newer era; names are dates, or drafts of what comes."""
    return revision is not None and revision >= FIRST_STATELESS


def versions_told(error: Mapping[str, Json]) -> list[str] | None:
    """The revisions that an error of JSON-RPC names, in its words or its data; None where it is of no version."""
    said = f"{error.get('message')} {msgspec.json.encode(error.get('data')).decode()}"[:_WITHIN]
    return DAY.findall(said) if _OF_VERSION.search(said) else None


def taken(error: Mapping[str, Json]) -> bool:
    """Whether a handshake is refused because another one was made: the server has one session for all."""
    message = error.get("message")
    return isinstance(message, str) and _TAKEN.search(message, 0, _WITHIN) is not None


def without_handshake(names: Iterable[Json]) -> bool:
    """Whether what a server names as supported is of the newer era alone."""
    days = [name for name in names if isinstance(name, str) and DAY.fullmatch(name)]
    return bool(days) and all(stateless(day) for day in days)

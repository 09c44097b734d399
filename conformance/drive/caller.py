"""Who makes a request, and in what it differs from that of an ordinary client."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from conformance import __version__
from conformance.model.events import Http, Json

CLIENT = {"name": "mcp-contract-conformance", "version": __version__}
Alter = Callable[[dict[str, Any], Http], tuple[dict[str, Any], Http]]
"""Makes of a message and its HTTP side, as an ordinary client sends them, what leaves instead."""


class Caller(Struct, frozen=True):
    """In whose name and under what a request is made."""

    stimulus: str
    instance: str = "main"
    token: str | None = None
    credential: str | None = None
    conditions: dict[str, Json] = {}
    """What is written down: all that holds for this call."""
    carried: dict[str, Json] = {}
    """Those of them that the request itself brings about."""
    addressed: bool = False
    """Whether the request names its instance."""
    as_found: bool = True
    """Whether the target is as it was found: no condition and no setting was brought about."""
    label: str = ""


class How(Struct, frozen=True):
    """In what a request differs from that of an ordinary client."""

    headers: Mapping[str, str] = {}
    """Sent over HTTP besides the others."""
    revision: str | None = None
    """Claimed instead of the one that was agreed on."""
    limit_s: float | None = None
    ends: str = "time"
    """Why no answer is waited for when the limit is over; `cancelled`: the caller has told the server so before."""
    altered: Alter | None = None
    instead_of: int | None = None
    """The call that a limit turned away, and that is made again by this one."""

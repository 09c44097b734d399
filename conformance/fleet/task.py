"""One target or transcript of a fleet: what to do, and what came of it."""

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from conformance.model.events import Json
from conformance.model.requirement import Level


class Task(Struct, frozen=True, kw_only=True):
    """What one process of a fleet does. It holds all that it needs, so that another machine can do it."""

    name: str
    """Its own within the fleet; also of its files."""
    kind: Literal["run", "judge"]
    contract: str
    """Its name, or the path of its folder; empty: the one that a transcript names."""
    statement: dict[str, Json] = {}
    """run: the target's statement, whole."""
    base: str = "."
    """run: where its relative paths begin."""
    transcript: str = ""
    """judge: path or URL of the file."""
    seed: int | None = None
    strict: bool = False
    edition: str | None = None
    """judge: of the contract, where neither it nor the transcript says."""
    only: tuple[str, ...] = ()
    level: Level | None = None
    stimuli: tuple[str, ...] = ()
    protocol: bool = True
    judging_s: float | None = None
    """judge: how long judging may take; None: as long as its size needs."""
    timeout_s: float = 900.0
    """After which the process is asked to end, and a little later killed."""
    memory_bytes: int = 4_000_000_000
    """Of the suite's own process for it, not of the servers that it starts."""

    @property
    def key(self) -> str:
        """Digest of what is asked."""
        asked = msgspec.structs.replace(self, name="")
        return hashlib.sha256(msgspec.json.encode(asked, order="deterministic")).hexdigest()[:16]


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of a task: a report, or why there is none."""

    report: bytes = b""
    """The report's JSON; empty where there is none."""
    error: str = ""

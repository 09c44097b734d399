"""The records: what was executed, what happened, the spans, and the audit. Only what is redacted gets here."""

from collections import deque
from typing import Final
from uuid import uuid4

from reference_server.application import Json

MOST_RECORDS: Final = 100_000
"""Of each kind; beyond this the oldest go."""


class Ledger:
    """Kept in memory, each kind in the order in which it happened."""

    def __init__(self) -> None:
        self.records: dict[str, deque[dict[str, Json]]] = {}
        self.written: dict[str, int] = {}

    def write(self, kind: str, common: dict[str, Json], content: dict[str, Json]) -> dict[str, Json]:
        """Adds a record, and gives it: what is known later is filled in by whoever wrote it."""
        self.written[kind] = self.written.get(kind, 0) + 1
        record = {"kind": kind, "id": uuid4().hex, "sequence": self.written[kind], **common, **content}
        self.records.setdefault(kind, deque(maxlen=MOST_RECORDS)).append(record)
        return record

    def read(self, kind: str, correlation_id: str | None = None, tool: str | None = None) -> list[dict[str, Json]]:
        """Copies of the records of a kind, of one correlation and of one tool where these are given."""
        return [
            dict(record)
            for record in self.records.get(kind, ())
            if correlation_id in (None, record["correlationId"]) and tool in (None, record["tool"])
        ]

"""The plan or task that writes fall back to when they name none."""

from dataclasses import dataclass

from reference_server.application import Json


@dataclass(slots=True)
class Focus:
    """One a workspace; not set at first."""

    item_id: str | None = None
    revision: int = 0

    def as_json(self) -> dict[str, Json]:
        """Shape: focus (an id or null), revision."""
        return {"focus": self.item_id, "revision": self.revision}

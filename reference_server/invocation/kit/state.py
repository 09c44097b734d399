"""What the tools of the kit keep: values, lists, deliveries, jobs. All of it is the server's, whoever the tenant is."""

from collections import Counter
from dataclasses import dataclass

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class Job:
    """A long operation."""

    started: float
    """By the stopwatch."""
    ms: int
    fails: bool


class State:
    """Of one instance."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.writes: Counter[str] = Counter()
        self.lists: dict[str, list[str]] = {}
        self.put_attempts: Counter[str] = Counter()
        self.append_attempts: Counter[str] = Counter()
        self.delivered: Counter[str] = Counter()
        self.jobs: dict[str, Job] = {}

    def put(self, key: str, value: str) -> Json:
        """Writes a value."""
        self.values[key] = value
        self.writes[key] += 1
        return {"key": key, "value": value, "writes": self.writes[key]}

    def append(self, name: str, item: str) -> Json:
        """Appends to a list."""
        items = self.lists.setdefault(name, [])
        items.append(item)
        return {"items": list(items)}

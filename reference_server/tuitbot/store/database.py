"""The database as workflow functions see it, the one in memory, and one that is down."""
# ruff: noqa: D102 - properties are the tables of the same name

from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from reference_server.tuitbot.store.activity import Activity
from reference_server.tuitbot.store.approvals import Approvals
from reference_server.tuitbot.store.content import Content
from reference_server.tuitbot.store.counters import Counters
from reference_server.tuitbot.store.discovery import Discovery
from reference_server.tuitbot.store.mutations import Mutations
from reference_server.tuitbot.store.telemetry import Telemetry


class DatabaseFailureError(Exception):
    """A database operation failed."""


class Database(Protocol):
    """Tables by name. Reaching for any of them raises `DatabaseFailureError` while the database is down."""

    @property
    def approvals(self) -> Approvals: ...
    @property
    def activity(self) -> Activity: ...
    @property
    def discovery(self) -> Discovery: ...
    @property
    def content(self) -> Content: ...
    @property
    def counters(self) -> Counters: ...
    @property
    def telemetry(self) -> Telemetry: ...
    @property
    def mutations(self) -> Mutations: ...
    def ping(self) -> None:
        """Does nothing, if the database answers."""


@dataclass(slots=True)
class MemoryDatabase:
    """Tables of one instance."""

    approvals: Approvals = field(default_factory=Approvals)
    activity: Activity = field(default_factory=Activity)
    discovery: Discovery = field(default_factory=Discovery)
    content: Content = field(default_factory=Content)
    counters: Counters = field(default_factory=Counters)
    telemetry: Telemetry = field(default_factory=Telemetry)
    mutations: Mutations = field(default_factory=Mutations)

    def ping(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class DownDatabase:
    """Answers nothing, and says why."""

    why: str

    @property
    def approvals(self) -> Approvals:
        self._fail()

    @property
    def activity(self) -> Activity:
        self._fail()

    @property
    def discovery(self) -> Discovery:
        self._fail()

    @property
    def content(self) -> Content:
        self._fail()

    @property
    def counters(self) -> Counters:
        self._fail()

    @property
    def telemetry(self) -> Telemetry:
        self._fail()

    @property
    def mutations(self) -> Mutations:
        self._fail()

    def ping(self) -> None:
        self._fail()

    def _fail(self) -> NoReturn:
        raise DatabaseFailureError(self.why)

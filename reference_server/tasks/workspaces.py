"""The store of one instance: workspaces, each a namespace of its own (Common types, WorkspaceId)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from reference_server.application import Json
from reference_server.tasks.branches import Branch
from reference_server.tasks.conflicts import Conflict
from reference_server.tasks.documents import Document
from reference_server.tasks.events import Event
from reference_server.tasks.focus import Focus
from reference_server.tasks.graph import Key, Version
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal, Suggestion

SCHEMA_VERSION: Final = "v0"
STORAGE_NAME: Final = "memory"
"""A name, not a path of the machine."""
FIRST_BRANCH: Final = "main"


@dataclass(slots=True)
class Workspace:
    """Everything that one workspace holds. Ids and sequence numbers are counted here, so they never repeat."""

    name: str
    branches: dict[str, Branch]
    checkout: str = FIRST_BRANCH
    items: dict[str, Item] = field(default_factory=dict)
    documents: dict[tuple[str, str], Document] = field(default_factory=dict)
    """By branch and document name."""
    agreed: dict[tuple[str, str, str, Key], Version] = field(default_factory=dict)
    """By source, target, document and key: the version that both sides last agreed on, the next merge's base."""
    conflicts: dict[str, Conflict] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    focus: Focus = field(default_factory=Focus)
    counts: Counter[str] = field(default_factory=Counter)

    def count(self, what: str) -> int:
        """The next number, from 1."""
        self.counts[what] += 1
        return self.counts[what]

    @property
    def seq(self) -> int:
        """The last sequence number given; 0 before the first."""
        return self.counts["seq"]

    def document(self, branch: str, doc: str) -> Document:
        """The document as it is in this branch; a fresh one, not kept, where it is not yet written."""
        return self.documents.get((branch, doc)) or Document(branch, doc)


class Store:
    """The workspaces, and whether there is a store at all."""

    def __init__(self, *, initialised: bool = False) -> None:
        self.initialised = initialised
        self.workspaces: dict[str, Workspace] = {}

    def init(self, name: str, now: float) -> Workspace:
        """Makes the store and the workspace where they are missing."""
        self.initialised = True
        if name not in self.workspaces:
            self.workspaces[name] = Workspace(name, {FIRST_BRANCH: Branch(FIRST_BRANCH, None, None, now)})
        return self.workspaces[name]

    def known(self, arguments: Json) -> str | None:
        """The workspace that arguments name, however broken they are otherwise; None where it does not exist."""
        name = arguments.get("workspace") if isinstance(arguments, dict) else None
        return name if isinstance(name, str) and name in self.workspaces else None

    def require(self, name: str) -> Workspace:
        """Raises NOT_INITIALIZED before the first init, UNKNOWN_WORKSPACE after it."""
        if name in self.workspaces:
            return self.workspaces[name]
        help_ = [Suggestion("branchmind_init", {"workspace": name}, "make the workspace")]
        if not self.initialised:
            message, recovery = "the store is not initialised", "call branchmind_init first"
            raise Refusal("NOT_INITIALIZED", message, recovery=recovery, suggestions=help_)
        message, recovery = f"no workspace {name!r}", "initialise it with branchmind_init, or name another"
        raise Refusal("UNKNOWN_WORKSPACE", message, recovery=recovery, suggestions=help_)

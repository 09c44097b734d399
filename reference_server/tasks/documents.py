"""Documents: entries and a graph, in a branch, seen through what its bases held (facts of the originating project)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.tasks.branches import EVER, Branch, lineage
from reference_server.tasks.graph import Content, Key, Version

if TYPE_CHECKING:
    from reference_server.tasks.call import Call
    from reference_server.tasks.workspaces import Workspace


@dataclass(frozen=True, slots=True)
class Entry:
    """A note, event or card; never changed once written."""

    seq: int
    at: float
    branch: str
    doc: str
    kind: str
    content: str
    title: str | None = None
    format: str | None = None
    meta: dict[str, Json] | None = None
    merged_from: tuple[str, int] | None = None
    """Branch and sequence number of the entry that this one is a copy of."""

    @property
    def origin(self) -> tuple[str, int]:
        """What it is, however often it was merged."""
        return self.merged_from or (self.branch, self.seq)

    def as_json(self, clock: Clock) -> dict[str, Json]:
        """Shape: seq, ts, ts_ms, branch, doc, kind, title, format, meta, content, and merged_from of a copy."""
        shown: dict[str, Json] = {
            "seq": self.seq,
            "ts": clock.instant(self.at),
            "ts_ms": int(self.at * 1000),
            "branch": self.branch,
            "doc": self.doc,
            "kind": self.kind,
            "title": self.title,
            "format": self.format,
            "meta": self.meta,
            "content": self.content,
        }
        if self.merged_from is not None:
            shown["merged_from"] = {"branch": self.merged_from[0], "seq": self.merged_from[1]}
        return shown

    @property
    def bytes(self) -> int:
        """What max_bytes counts: the content's UTF-8."""
        return len(self.content.encode())

    @property
    def lines(self) -> int:
        """What max_lines counts."""
        return self.content.count("\n") + 1


@dataclass(slots=True)
class Document:
    """What was written to one document in one branch; its bases' part is elsewhere."""

    branch: str
    name: str
    revision: int = 0
    entries: list[Entry] = field(default_factory=list)
    graph: dict[Key, list[Version]] = field(default_factory=dict)

    def named(self) -> dict[str, Json]:
        """How an answer names it: branch, doc, revision."""
        return {"branch": self.branch, "doc": self.name, "revision": self.revision}


class Documents:
    """Reads documents through their branches, and writes them."""

    def entries(self, workspace: "Workspace", branch: Branch, doc: str) -> list[Entry]:
        """All that the branch sees, oldest first."""
        seen: list[Entry] = []
        for here, cutoff in reversed(list(lineage(workspace, branch))):
            seen += [entry for entry in workspace.document(here.name, doc).entries if entry.seq <= cutoff]
        return seen

    def graph(self, workspace: "Workspace", branch: Branch, doc: str, cutoff: int = EVER) -> dict[Key, Version]:
        """The newest version of every key that the branch sees, tombstones among them."""
        seen: dict[Key, Version] = {}
        for here, limit in lineage(workspace, branch, cutoff):
            for key, versions in workspace.document(here.name, doc).graph.items():
                if key not in seen and (newest := next((v for v in reversed(versions) if v.seq <= limit), None)):
                    seen[key] = newest
        return seen

    def append(  # noqa: PLR0913 - an entry has as many fields
        self,
        call: "Call",
        branch: Branch,
        doc: str,
        *,
        kind: str,
        content: str,
        title: str | None = None,
        format: str | None = None,  # noqa: A002 - the contract's own name of the field
        meta: dict[str, Json] | None = None,
        merged_from: tuple[str, int] | None = None,
    ) -> Entry:
        """Writes one entry; the document's and the branch's revisions rise."""
        seq = call.workspace.count("seq")
        entry = Entry(seq, call.now, branch.name, doc, kind, content, title, format, meta, merged_from)
        self.touched(call, branch, doc).entries.append(entry)
        return entry

    def write_graph(self, call: "Call", branch: Branch, doc: str, changes: Mapping[Key, Content | None]) -> None:
        """Writes the new content of each key, None for its deletion. Nothing to write changes nothing."""
        if not changes:
            return
        before = self.graph(call.workspace, branch, doc)
        document = self.touched(call, branch, doc)
        for key, content in changes.items():
            old = before.get(key)
            version = Version(key, call.workspace.count("seq"), 0 if old is None else old.revision + 1, content)
            document.graph.setdefault(key, []).append(version)

    def touched(self, call: "Call", branch: Branch, doc: str) -> Document:
        """The document, kept from now on, with its revision and its branch's raised."""
        document = call.workspace.documents.setdefault((branch.name, doc), Document(branch.name, doc))
        call.parts.revisions.rise(call, document, branch)
        return document

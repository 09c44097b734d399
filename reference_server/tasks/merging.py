"""Merging a branch into its base: notes by origin, graphs key by key against what both once shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reference_server.tasks.branches import Branch
from reference_server.tasks.conflicts import Conflict
from reference_server.tasks.documents import Entry
from reference_server.tasks.graph import Key, Version, content_of, same

if TYPE_CHECKING:
    from reference_server.tasks.call import Call

Outcome = Literal["merged", "skipped", "conflict"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one key."""

    key: Key
    outcome: Outcome
    base: Version | None
    theirs: Version | None
    ours: Version | None
    conflict_id: str = ""


class NotesMerge:
    """Copies notes that the target does not hold; other entries stay where they are."""

    def candidates(self, call: "Call", source: Branch, into: Branch, doc: str) -> list[tuple[Entry, bool]]:
        """The source's own entries, oldest first, each with whether it would be copied."""
        held = {entry.origin for entry in call.parts.documents.entries(call.workspace, into, doc)}
        own = call.workspace.document(source.name, doc).entries
        return [(entry, entry.kind == "note" and entry.origin not in held) for entry in own]

    def commit(self, call: "Call", into: Branch, doc: str, entries: Sequence[Entry]) -> None:
        """Writes the copies."""
        for entry in entries:
            call.parts.documents.append(
                call,
                into,
                doc,
                kind=entry.kind,
                content=entry.content,
                title=entry.title,
                format=entry.format,
                meta=entry.meta,
                merged_from=entry.origin,
            )


class GraphMerge:
    """Three-way, per key: what only the source changed is merged, what both changed is a conflict."""

    def decide(self, call: "Call", source: Branch, into: Branch, doc: str) -> list[Decision]:
        """One decision for each key that the source wrote, in the order of the keys."""
        documents, workspace = call.parts.documents, call.workspace
        shared = documents.graph(workspace, into, doc, source.base_seq or 0)
        shared |= {
            key: version
            for (*sides, key), version in workspace.agreed.items()
            if sides == [source.name, into.name, doc]
        }
        theirs = documents.graph(workspace, source, doc)
        ours = documents.graph(workspace, into, doc)
        written = sorted(workspace.document(source.name, doc).graph, key=lambda key: (key.kind == "edge", key.name))
        return [
            self.decision(call, (source.name, into.name, doc), key, (shared.get(key), theirs.get(key), ours.get(key)))
            for key in written
        ]

    def decision(
        self,
        call: "Call",
        where: tuple[str, str, str],
        key: Key,
        sides: tuple[Version | None, Version | None, Version | None],
    ) -> Decision:
        """`where` is source, into and document; `sides` are base, theirs and ours."""
        base, theirs, ours = sides
        if same(theirs, base) or same(theirs, ours):
            return Decision(key, "skipped", base, theirs, ours)
        if same(ours, base):
            return Decision(key, "merged", base, theirs, ours)
        versions = (None if side is None else side.revision for side in sides)
        conflict_id = call.parts.identifiers.conflict(call.workspace.name, *where, *key, *versions)
        return Decision(key, "conflict", base, theirs, ours, conflict_id)

    def commit(self, call: "Call", source: Branch, into: Branch, doc: str, decisions: Sequence[Decision]) -> None:
        """Writes what merges and keeps the conflicts that are new; a conflicting key stays as the target has it."""
        merged = {each.key: content_of(each.theirs) for each in decisions if each.outcome == "merged"}
        call.parts.documents.write_graph(call, into, doc, merged)
        for each in decisions:
            if each.outcome != "conflict" and each.theirs is not None:
                call.workspace.agreed[source.name, into.name, doc, each.key] = each.theirs
            elif each.conflict_id not in call.workspace.conflicts:
                call.workspace.conflicts[each.conflict_id] = Conflict(
                    each.conflict_id,
                    each.key,
                    source.name,
                    into.name,
                    doc,
                    each.base,
                    each.theirs,
                    each.ours,
                    call.now,
                )

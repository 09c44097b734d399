"""Conflicts of graph merges: entities with ids that follow from what collides (Common types, ConflictId)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.tasks.graph import Key, Version
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call


@dataclass(slots=True)
class Conflict:
    """One key that both sides changed, differently, since the source branched off."""

    conflict_id: str
    key: Key
    source: str
    into: str
    doc: str
    base: Version | None
    theirs: Version | None
    ours: Version | None
    created_at: float
    revision: int = 0
    status: Literal["open", "resolved"] = "open"
    resolution: str | None = None
    resolved_at: float | None = None

    def listed(self, clock: Clock) -> dict[str, Json]:
        """Shape: conflict_id, revision, kind, key, status, created_at."""
        return {
            "conflict_id": self.conflict_id,
            "revision": self.revision,
            "kind": self.key.kind,
            "key": self.key.name,
            "status": self.status,
            "created_at": clock.instant(self.created_at),
        }

    def as_json(self, clock: Clock) -> dict[str, Json]:
        """All of it; base, theirs and ours as they were when it was found, null where there was nothing."""
        return self.listed(clock) | {
            "from": self.source,
            "into": self.into,
            "doc": self.doc,
            "resolution": self.resolution,
            "resolved_at": None if self.resolved_at is None else clock.instant(self.resolved_at),
            "base": _shown(self.base),
            "theirs": _shown(self.theirs),
            "ours": _shown(self.ours),
        }


def _shown(version: Version | None) -> dict[str, Json] | None:
    return None if version is None else version.as_json()


class Conflicts:
    """Finds and resolves them."""

    def find(self, call: "Call", conflict_id: str) -> Conflict:
        """Raises UNKNOWN_ID."""
        found = call.workspace.conflicts.get(conflict_id)
        if found is None:
            raise Refusal(
                "UNKNOWN_ID",
                f"no conflict {conflict_id}",
                recovery="take an id from branchmind_graph_conflicts",
                suggestions=[
                    Suggestion(
                        "branchmind_branch_list",
                        {"workspace": call.workspace.name},
                        "see the branches whose conflicts can be listed",
                    )
                ],
            )
        return found

    def read(self, call: "Call", conflict: Conflict) -> Suggestion:
        """The read that shows it."""
        params = {"workspace": call.workspace.name, "conflict_id": conflict.conflict_id}
        return Suggestion("branchmind_graph_conflict_show", params, "read the conflict's revision and both sides")

    def resolve(self, call: "Call", conflict: Conflict, resolution: str) -> bool:
        """Whether the source's side was written into the target. Raises CONFLICT for one resolved before."""
        if conflict.status == "resolved":
            raise Refusal(
                "CONFLICT",
                f"{conflict.conflict_id} is resolved already ({conflict.resolution})",
                recovery="write the key itself to change it again",
                suggestions=[self.read(call, conflict)],
            )
        applied = resolution == "use_from"
        if applied:
            content = None if conflict.theirs is None else conflict.theirs.content
            into = call.workspace.branches[conflict.into]
            call.parts.documents.write_graph(call, into, conflict.doc, {conflict.key: content})
        if conflict.theirs is not None:
            call.workspace.agreed[conflict.source, conflict.into, conflict.doc, conflict.key] = conflict.theirs
        conflict.status, conflict.resolution, conflict.resolved_at = "resolved", resolution, call.now
        call.parts.revisions.rise(call, conflict)
        return applied

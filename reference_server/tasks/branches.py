"""Branches: each sees what its base held when it was made, and what was written to it since."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call
    from reference_server.tasks.workspaces import Workspace

DEEPEST: Final = 32
"""Branches from a root to a leaf, both counted."""
EVER: Final = 2**62
"""A cutoff that no sequence number reaches."""


@dataclass(slots=True)
class Branch:
    """A line of documents. Base and base_seq are None for a root."""

    name: str
    base_branch: str | None
    base_seq: int | None
    """The last sequence number of the base that this branch sees."""
    created_at: float
    revision: int = 0

    def as_json(self, clock: Clock) -> dict[str, Json]:
        """Shape: name, revision, base_branch, base_seq, created_at."""
        return {
            "name": self.name,
            "revision": self.revision,
            "base_branch": self.base_branch,
            "base_seq": self.base_seq,
            "created_at": clock.instant(self.created_at),
        }


def lineage(workspace: "Workspace", branch: Branch, cutoff: int = EVER) -> Iterator[tuple[Branch, int]]:
    """The branch and its bases, nearest first, each with the last sequence number that is seen of it."""
    here: Branch | None = branch
    while here is not None:
        yield here, cutoff
        if here.base_branch is None or here.base_seq is None:
            return
        cutoff = min(cutoff, here.base_seq)
        here = workspace.branches[here.base_branch]


class Branches:
    """Finds and makes branches."""

    def find(self, call: "Call", name: str) -> Branch:
        """Raises INVALID_NAME, UNKNOWN_ID."""
        call.parts.identifiers.name(name, "branch")
        found = call.workspace.branches.get(name)
        if found is None:
            raise Refusal(
                "UNKNOWN_ID",
                f"no branch {name!r}",
                recovery="take a name from branchmind_branch_list",
                suggestions=[self.listing(call)],
            )
        return found

    def make(self, call: "Call", name: str, base: Branch) -> Branch:
        """A branch that sees `base` as it is now. Raises INVALID_NAME, CONFLICT, INVALID_INPUT."""
        workspace = call.workspace
        call.parts.identifiers.free_name(name)
        if name in workspace.branches:
            raise Refusal(
                "CONFLICT",
                f"branch {name!r} exists",
                recovery="choose another name, or check the branch out",
                suggestions=[
                    Suggestion(
                        "branchmind_checkout", {"workspace": workspace.name, "ref": name}, "work on the branch there is"
                    )
                ],
            )
        if sum(1 for _ in lineage(workspace, base)) >= DEEPEST:
            raise Refusal("INVALID_INPUT", f"{base.name!r} is {DEEPEST} branches deep: no branch goes below it")
        made = Branch(name, base.name, workspace.seq, call.now)
        workspace.branches[name] = made
        return made

    def require_base(self, call: "Call", source: Branch, into: Branch) -> None:
        """A merge goes into the branch that the source came from. Raises INVALID_INPUT."""
        if source.base_branch != into.name:
            base = source.base_branch
            better = [
                Suggestion(call.spec.name, {**call.given, "into": base}, "merge into the branch that it came from")
            ]
            raise Refusal(
                "INVALID_INPUT",
                f"{source.name!r} did not branch off {into.name!r}",
                recovery=f"merge into {base!r}" if base else "merge from a branch that has a base",
                suggestions=better if base else [self.listing(call)],
            )

    def listing(self, call: "Call") -> Suggestion:
        """The read that shows every branch."""
        return Suggestion("branchmind_branch_list", {"workspace": call.workspace.name}, "see the branches there are")

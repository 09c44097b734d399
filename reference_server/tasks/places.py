"""Where a document tool works: a branch and a document, by name or by the plan or task that they belong to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference_server.tasks.branches import Branch
from reference_server.tasks.documents import Document
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call


@dataclass(frozen=True, slots=True)
class Place:
    """A document of a branch, written or not yet."""

    branch: Branch
    doc: str


class Places:
    """Resolves `target`, or `branch` (by default the one checked out) and `doc` (by default the tool's own)."""

    def resolve(self, call: "Call", default: str, of_item: Callable[[Item], str], named: str = "doc") -> Place:
        """Raises INVALID_INPUT where target meets a document's name, INVALID_NAME, UNKNOWN_ID."""
        arguments = call.arguments
        target = arguments.get("target")
        if target is None:
            branch = call.parts.branches.find(call, arguments.get("branch", call.workspace.checkout))
            return Place(branch, call.parts.identifiers.name(arguments.get(named, default), "document"))
        if named in arguments or ("branch" in arguments and named == "doc"):
            raise Refusal(
                "INVALID_INPUT",
                f"target names the branch and the document: branch and {named} do not go with it",
                recovery="give either the target or the names",
            )
        item = call.parts.items.find(call, target)
        branch = call.parts.branches.find(call, arguments.get("branch", item.branch))
        return Place(branch, of_item(item))

    def document(self, call: "Call", place: Place) -> Document:
        """The document as it is in its branch."""
        return call.workspace.document(place.branch.name, place.doc)

    def guard(self, call: "Call", place: Place, read: str) -> None:
        """Raises REVISION_MISMATCH; `read` is the tool that shows the document's revision."""
        params = {"workspace": call.workspace.name, "branch": place.branch.name, "doc": place.doc, "limit": 1}
        suggestion = Suggestion(read, params, "read the document's revision")
        what = f"document {place.branch.name}:{place.doc}"
        call.parts.revisions.guard(call, self.document(call, place), what, suggestion)

"""Breaks merges and their conflicts: what is merged, what collides, what a conflict is called and shows."""

from typing import Any

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.tasks.handling import Result, handle
from reference_server.tasks import Tasks
from reference_server.tasks.branches import Branch
from reference_server.tasks.call import Call
from reference_server.tasks.conflicts import Conflict
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.spec import Handler


@deviation("TK-SRV-02", variant="tried")
def a_tried_merge_leaves_its_conflicts(tasks: Tasks) -> None:
    """A merge that is only to say what would happen keeps the conflicts that it finds."""

    @handle(tasks, "branchmind_graph_merge")
    def merge(call: Call, original: Handler) -> Result:
        result = original(call)
        if call.arguments["dry_run"]:
            parts, given = call.parts, call.arguments
            source, into = (parts.branches.find(call, given[name]) for name in ("from", "into"))
            decided = parts.graph_merge.decide(call, source, into, given["doc"])
            clashes = [each for each in decided if each.outcome == "conflict"]
            parts.graph_merge.commit(call, source, into, given["doc"], clashes)
        return result


@deviation("TK-SRV-02", variant="merged")
def merged_notes_lose_their_titles(tasks: Tasks) -> None:
    """The copies that branchmind_merge makes of notes have no title."""
    original = tasks.parts.documents.append

    @instead(tasks.parts.documents, "append")
    def append(call: Call, branch: Branch, doc: str, **fields: Any) -> Any:
        lost = {"title": None} if fields.get("merged_from") else {}
        return original(call, branch, doc, **fields | lost)


@deviation("TK-SRV-02", variant="edges")
def the_source_s_edges_are_not_resolved(tasks: Tasks) -> None:
    """A conflict about an edge is resolved in name alone: use_from leaves the target's edge."""
    original = tasks.parts.conflicts.resolve

    @instead(tasks.parts.conflicts, "resolve")
    def resolve(call: Call, conflict: Conflict, resolution: str) -> bool:
        return original(call, conflict, "use_into" if conflict.key.kind == "edge" else resolution)


@deviation("TK-SRV-02", variant="in common")
def a_conflict_shows_a_side_as_what_was_in_common(tasks: Tasks) -> None:
    """branchmind_graph_conflict_show has the target's side as base as well."""

    @handle(tasks, "branchmind_graph_conflict_show")
    def show(call: Call, original: Handler) -> Result:
        result = original(call)
        conflict = result["conflict"]
        return result | {"conflict": conflict | {"base": conflict.get("ours")}}


@deviation("TK-SRV-02", variant="everywhere")
def conflicts_of_all_documents_are_listed(tasks: Tasks) -> None:
    """branchmind_graph_conflicts lists those of the whole branch, whichever document is asked for."""

    @handle(tasks, "branchmind_graph_conflicts")
    def listing(call: Call, original: Handler) -> Result:
        conflicts = call.workspace.conflicts
        kept = {name: each.doc for name, each in conflicts.items()}
        try:
            for each in conflicts.values():
                each.doc = call.arguments["doc"]
            return original(call)
        finally:
            for name, doc in kept.items():
                conflicts[name].doc = doc


@deviation("TK-ID-11", variant="conflict")
def conflicts_of_two_documents_have_one_id(tasks: Tasks) -> None:
    """A conflict's id says nothing of the document: that of another one with equal keys and revisions is the same."""
    original = tasks.parts.identifiers.conflict

    @instead(tasks.parts.identifiers, "conflict")
    def conflict(workspace: str, source: str, into: str, doc: str, *rest: Json) -> str:
        del doc
        return original(workspace, source, into, "", *rest)


@deviation("TK-ID-11", variant="conflict-of-two-branches")
def conflicts_of_two_branches_have_one_id(tasks: Tasks) -> None:
    """A conflict's id says where it is, and not which branch brought it."""
    original = tasks.parts.identifiers.conflict

    @instead(tasks.parts.identifiers, "conflict")
    def conflict(workspace: str, source: str, into: str, doc: str, kind: str, *about: Json) -> str:
        del source
        *key, _base, _theirs, _ours = about
        return original(workspace, into, doc, kind, *key)


@deviation("TK-FLOW-02", variant="capped")
def a_merge_that_fits_no_cap_is_made(tasks: Tasks) -> None:
    """A merge whose answer is refused for its budget has written by then."""

    def late(tool: str) -> None:
        @handle(tasks, tool)
        def merge(call: Call, original: Handler) -> Result:
            cap = call.arguments.pop("max_chars", None)
            result = original(call)
            if cap is not None and call.parts.budgets.size(result) > cap:
                raise Refusal("BUDGET_EXCEEDED", f"no answer fits {cap} bytes", recovery="allow more")
            return result

    late("branchmind_merge")
    late("branchmind_graph_merge")

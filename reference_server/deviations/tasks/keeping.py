"""Breaks what is left of accepted calls when the process has ended."""

import dataclasses
from typing import Any

from reference_server.deviations.keeping import one_behind
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.keeping import Kept
from reference_server.tasks import Tasks
from reference_server.tasks.steps import walk


@deviation("TK-SRV-04", store=True)
def the_last_write_is_lost(kept: Kept[Tasks]) -> None:
    """What a call wrote reaches the disk with the next call that writes."""
    one_behind(kept)


@deviation("TK-SRV-04", store=True, variant="twice")
def the_last_entry_is_there_twice(kept: Kept[Tasks]) -> None:
    """A server that starts on its store adds the last entry of each document once more."""
    for workspace in kept.application.parts.store.workspaces.values():
        for document in workspace.documents.values():
            document.entries.extend(document.entries[-1:])


@deviation("TK-SRV-04", store=True, variant="revisions")
def revisions_begin_anew(kept: Kept[Tasks]) -> None:
    """A server that starts on its store counts the revisions of plans and tasks from the beginning."""
    for workspace in kept.application.parts.store.workspaces.values():
        for item in workspace.items.values():
            item.revision = 0


@deviation("TK-SRV-04", store=True, variant="ids")
def ids_begin_anew(kept: Kept[Tasks]) -> None:
    """A server that starts on its store counts ids from the beginning."""
    for workspace in kept.application.parts.store.workspaces.values():
        workspace.counts.clear()


@deviation("TK-SRV-04", store=True, variant="closed")
def steps_are_open_again(kept: Kept[Tasks]) -> None:
    """A server that starts on its store has every step open."""
    for workspace in kept.application.parts.store.workspaces.values():
        for item in workspace.items.values():
            for _, step in walk(item.steps):
                step.body = dataclasses.replace(step.body, completed=False)


@deviation("TK-SRV-04", store=True, variant="base")
def branches_go_on_with_their_bases(kept: Kept[Tasks]) -> None:
    """A server that starts on its store takes each branch for one that was made just now."""
    for workspace in kept.application.parts.store.workspaces.values():
        for branch in workspace.branches.values():
            if branch.base_seq is not None:
                branch.base_seq = workspace.seq


@deviation("TK-SRV-04", store=True, variant="checkout")
def the_first_branch_is_checked_out(kept: Kept[Tasks]) -> None:
    """A server that starts on its store has forgotten which branch was checked out."""
    for workspace in kept.application.parts.store.workspaces.values():
        workspace.checkout = "main"


@deviation("TK-SRV-04", store=True, variant="event")
def the_last_event_is_there_twice(kept: Kept[Tasks]) -> None:
    """A server that starts on its store lists the last event once more."""
    for workspace in kept.application.parts.store.workspaces.values():
        workspace.events.extend(workspace.events[-1:])


@deviation("TK-SRV-04", store=True, variant="focus")
def what_was_in_focus_is_so_again(kept: Kept[Tasks]) -> None:
    """A server that starts on its store has forgotten that nothing was in focus any more."""
    for workspace in kept.application.parts.store.workspaces.values():
        if workspace.focus.item_id is None and workspace.focus.revision:
            workspace.focus.item_id = next(iter(workspace.items), None)


@deviation("TK-SRV-04", store=True, variant="described")
def descriptions_are_gone(kept: Kept[Tasks]) -> None:
    """A server that starts on its store has lost the descriptions of tasks."""
    for workspace in kept.application.parts.store.workspaces.values():
        for item in workspace.items.values():
            item.body = dataclasses.replace(item.body, description=None)


@deviation("TK-SRV-04", store=True, variant="traces")
def cards_leave_no_trace(kept: Kept[Tasks]) -> None:
    """A server that starts on its store has lost what cards left in their documents."""
    for workspace in kept.application.parts.store.workspaces.values():
        for document in workspace.documents.values():
            document.entries = [entry for entry in document.entries if entry.kind != "card"]


@deviation("TK-SRV-04", store=True, variant="conflicts")
def conflicts_have_other_ids(kept: Kept[Tasks]) -> None:
    """A server that starts on its store does not know the conflicts that its merges had met by their keys."""
    identifiers = kept.application.parts.identifiers
    if not kept.application.parts.store.workspaces:
        return
    original = identifiers.conflict

    @instead(identifiers, "conflict")
    def conflict(*parts: Any) -> str:
        return original("started again", *parts)


@deviation("TK-SRV-04", store=True, variant="deleted")
def what_was_deleted_is_back(kept: Kept[Tasks]) -> None:
    """A server that starts on its store has forgotten which nodes and edges were deleted."""
    for workspace in kept.application.parts.store.workspaces.values():
        for document in workspace.documents.values():
            document.graph = {
                key: live
                for key, versions in document.graph.items()
                if (live := [version for version in versions if version.content is not None])
            }

"""Breaks what is left of accepted calls when the process has ended."""

from reference_server.deviations.keeping import one_behind
from reference_server.deviations.registry import deviation
from reference_server.keeping import Kept
from reference_server.tasks import Tasks


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

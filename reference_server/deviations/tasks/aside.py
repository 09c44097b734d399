"""Breaks what holds beside something else: one changed field, a note on what is closed, a strict call at a revision."""

from collections.abc import Callable, Sequence
from typing import Any

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.deviations.tasks.handling import Result, handle
from reference_server.tasks import Tasks
from reference_server.tasks.call import Call
from reference_server.tasks.graph import Key, Version
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal
from reference_server.tasks.spec import Handler
from reference_server.tasks.steps import Step

HUNDRED = 100


@deviation("TK-SRV-02", variant="compared")
def branches_differ_in_titles(tasks: Tasks) -> None:
    """branchmind_graph_diff leaves out nodes that have the title which they had before."""

    def shown(key: Key, old: Version | None, new: Version | None) -> bool:
        titles = [(each.content or {}).get("title") for each in (old, new) if each is not None]
        return key.kind == "edge" or len(titles) == 1 or titles[0] != titles[1]

    _compare(tasks, shown)


@deviation("TK-SRV-02", variant="edges compared")
def branches_differ_in_new_edges(tasks: Tasks) -> None:
    """branchmind_graph_diff shows edges that are new, and none that changed."""
    _compare(tasks, lambda key, old, _: key.kind == "node" or old is None)


def _compare(tasks: Tasks, shown: Callable[[Key, Version | None, Version | None], bool]) -> None:
    """Leaves out of graph comparisons what is not shown by the versions of both sides."""
    original = tasks.parts.budgets.page

    @instead(tasks.parts.budgets, "page")
    def page(call: Call, items: Sequence[Any], *more: Any, **named: Any) -> Any:
        if call.spec.name == "branchmind_graph_diff":
            parts, given = call.parts, call.arguments
            branches = (parts.branches.find(call, given[name]) for name in ("from", "to"))
            old, new = (parts.documents.graph(call.workspace, branch, given["doc"]) for branch in branches)
            items = [key for key in items if shown(key, old.get(key), new.get(key))]
        return original(call, items, *more, **named)


@deviation("TK-SRV-02", variant="inherited")
def a_branch_differs_in_its_own_entries(tasks: Tasks) -> None:
    """branchmind_diff leaves out what the second branch has of a third one."""
    original = tasks.parts.budgets.page

    @instead(tasks.parts.budgets, "page")
    def page(call: Call, items: Sequence[Any], *more: Any, **named: Any) -> Any:
        if call.spec.name == "branchmind_diff":
            items = [entry for entry in items if entry.branch == call.arguments["to"]]
        return original(call, items, *more, **named)


@deviation("TK-BUD-04", variant="hundred")
def a_page_has_a_hundred_entries(tasks: Tasks) -> None:
    """branchmind_graph_query shows a hundred nodes at most, and says of none that it left them out."""
    original = tasks.parts.budgets.page

    @instead(tasks.parts.budgets, "page")
    def page(call: Call, items: Sequence[Any], *more: Any, **named: Any) -> Any:
        if call.spec.name == "branchmind_graph_query" and call.arguments["limit"] > HUNDRED:
            items = items[:HUNDRED]
        return original(call, items, *more, **named)


@deviation("TK-REV-01", variant="cards")
def cards_are_shown_at_the_revision_before(tasks: Tasks) -> None:
    """branchmind_think_context shows the document at the revision that it had before the last write."""

    @handle(tasks, "branchmind_think_context")
    def context(call: Call, original: Handler) -> Result:
        result = original(call)
        result["document"] |= {"revision": max(result["document"]["revision"] - 1, 0)}
        return result


@deviation("TK-REV-01", variant="radar")
def the_radar_is_behind_its_focus(tasks: Tasks) -> None:
    """tasks_radar without a task shows what is in focus at the revision that it had before the last write."""

    @handle(tasks, "tasks_radar")
    def radar(call: Call, original: Handler) -> Result:
        result = original(call)
        if call.arguments.get("task") is None:
            result["target"] |= {"revision": max(result["target"]["revision"] - 1, 0)}
        return result


@deviation("TK-REV-01", variant="closed")
def a_note_on_a_closed_step_is_not_counted(tasks: Tasks) -> None:
    """tasks_note on a step that is closed leaves the revision of its task as it is."""
    original = tasks.parts.journal.changed

    @instead(tasks.parts.journal, "changed")
    def changed(call: Call, kind: str, item: Item, payload: dict[str, Json], step: Step | None = None) -> Result:
        shown: Result = original(call, kind, item, payload, step)
        item.revision -= call.spec.name == "tasks_note" and step is not None and step.body.completed
        return shown


@deviation("TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID", variant="revision")
def a_revision_is_strict_enough(tasks: Tasks) -> None:
    """A strict write to what is in focus goes through where it expects a revision."""
    original = tasks.parts.targeting.guard

    @instead(tasks.parts.targeting, "guard")
    def guard(call: Call, item: Item, source: str) -> None:
        original(call, item, "explicit" if call.arguments.get("expected_revision") is not None else source)


@deviation("TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID", variant="done")
def closing_is_not_strict(tasks: Tasks) -> None:
    """tasks_done does not look at strict_targeting."""
    original = tasks.parts.targeting.guard

    @instead(tasks.parts.targeting, "guard")
    def guard(call: Call, item: Item, source: str) -> None:
        original(call, item, "explicit" if call.spec.name == "tasks_done" else source)


@deviation("TK-FLOW-04", variant="event")
def an_unexpected_target_is_an_event(tasks: Tasks) -> None:
    """A write that is refused for another target than the expected one is listed among the events."""
    _tell(tasks, "EXPECTED_TARGET_MISMATCH")


@deviation("TK-FLOW-02", variant="strict")
def a_strict_refusal_is_an_event(tasks: Tasks) -> None:
    """A write that is refused for want of an expected target is listed among the events."""
    _tell(tasks, "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID")


def _tell(tasks: Tasks, code: str) -> None:
    """Records an event where a guard refuses with a code."""
    original = tasks.parts.targeting.guard

    @instead(tasks.parts.targeting, "guard")
    def guard(call: Call, item: Item, source: str) -> None:
        try:
            original(call, item, source)
        except Refusal as refusal:
            if refusal.code == code:
                call.parts.journal.record(call, "write_refused", item, {})
            raise

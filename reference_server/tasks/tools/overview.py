"""Tools that show plans and tasks, and what happened to them."""

from collections.abc import Sequence

from reference_server.application import Json
from reference_server.tasks.budgets import Cap
from reference_server.tasks.call import Call
from reference_server.tasks.events import Event
from reference_server.tasks.items import Item
from reference_server.tasks.refusal import Refusal, Suggestion
from reference_server.tasks.schema import EVENT_ID, ITEM_ID, MAX_CHARS, MAX_LINES, WORKSPACE, limit
from reference_server.tasks.spec import Spec


def context(call: Call) -> dict[str, Json]:
    """Plans, then tasks, each in the order in which they were made."""
    items = sorted(call.workspace.items.values(), key=lambda item: item.kind != "plan")

    def render(page: Sequence[Item]) -> dict[str, Json]:
        shown = [call.parts.items.listed(call, item) for item in page]
        return {
            "workspace": call.workspace.name,
            "plans": [each for each in shown if each["kind"] == "plan"],
            "tasks": [each for each in shown if each["kind"] == "task"],
        }

    return call.parts.budgets.page(call, items, render)[0]


def delta(call: Call) -> dict[str, Json]:
    """Events, oldest first; only those after `since`."""
    events = call.workspace.events
    since = call.arguments.get("since")
    if since is not None:
        after = next((index for index, event in enumerate(events, 1) if event.event_id == since), None)
        if after is None:
            raise Refusal(
                "UNKNOWN_ID",
                f"no event {since}",
                recovery="take an event_id from tasks_delta",
                suggestions=[
                    Suggestion("tasks_delta", {"workspace": call.workspace.name}, "see the events from the beginning")
                ],
            )
        events = events[after:]

    def render(page: Sequence[Event]) -> dict[str, Json]:
        return {"workspace": call.workspace.name, "events": [event.as_json(call.parts.clock) for event in page]}

    def caps(page: Sequence[Event]) -> list[Cap]:
        most = call.arguments.get("max_lines")
        return [] if most is None else [Cap("max_lines", "lines", most, [1] * len(page))]

    return call.parts.budgets.page(call, events, render, caps=caps)[0]


def radar(call: Call) -> dict[str, Json]:
    """One plan or task at a glance."""
    item, source = call.parts.targeting.find(call, ("plan", "task"))
    requested = {"requested": {"task": item.id if source == "explicit" else None}}
    return call.parts.budgets.ladder(call, (form | requested for form in call.parts.radar.forms(call, item)))


SPECS = (
    Spec(
        "tasks_context",
        "context",
        "Lists plans, then tasks with their steps.",
        context,
        WORKSPACE | limit(50) | MAX_CHARS,
    ),
    Spec(
        "tasks_delta",
        "delta",
        "Lists what happened to plans and tasks, oldest first.",
        delta,
        WORKSPACE
        | {"since": EVENT_ID | {"description": "Only events after this one."}}
        | limit(50)
        | MAX_LINES
        | MAX_CHARS,
    ),
    Spec(
        "tasks_radar",
        "radar",
        "Shows what is now, why, what to verify, what is next and what is in the way of a plan or task.",
        radar,
        WORKSPACE | {"task": ITEM_ID | {"description": "Left out: the focus."}} | MAX_CHARS,
    ),
)

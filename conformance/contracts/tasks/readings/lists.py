"""Lists and counts of a workspace: branches, conflicts, events, steps."""

from collections import Counter
from collections.abc import Iterator

from conformance.contracts.tasks.lists import cut, listed, whole
from conformance.contracts.tasks.state import State
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import integer, spelled, text
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import Judgement

SIDES = ("theirs", "ours", "base")
ABOUT = ("task", "path", "type")
"""Of an event: the plan or task, the step, and what happened."""
TARGETS = {"tasks_radar": "task", "branchmind_export": "target"}
"""Reads that show one plan or task under `target`, with the parameter that names it."""


def _objects(read: Exchange, name: str) -> list[dict[str, Json]]:
    return [each for each in listed(read.given, name) if isinstance(each, dict)]


def _names(read: Exchange, name: str, key: str) -> list[Json]:
    return [each.get(key) for each in _objects(read, name)]


def of_branches(read: Exchange, state: State) -> Iterator[Judgement]:
    """Every branch that was made is listed."""
    if whole(read):
        shown = _names(read, "branches", "name")
        for name, maker in state.made.items():
            saw = f"the branch {name} was made and is not listed"
            yield holds(name in shown, saw, maker, read, pointer="/result/branches", expected=name)


def of_items(read: Exchange, state: State) -> Iterator[Judgement]:
    """Every plan and task that was made is listed, where the answer has a list of its kind."""
    if whole(read):
        for name, maker in state.makers.items():
            kind = "plans" if name.startswith("PLAN-") else "tasks"
            if isinstance(read.given.get(kind), list):
                saw = f"{read.tool} does not list {name}, which was made"
                shown = _names(read, kind, "id")
                yield holds(name in shown, saw, maker, read, pointer=f"/result/{kind}", expected=name)


def of_conflicts(read: Exchange, state: State) -> Iterator[Judgement]:
    """Conflicts that a merge reported are open until they are resolved, then they are not.

    No other branch has them, nor another document. Where nothing was ever merged there are none.
    """
    asked = read.argument("status")
    if not whole(read, "status") or asked not in (None, "open", "resolved"):
        return
    shown = _names(read, "conflicts", "conflict_id")
    place = read.argument("into"), read.given.get("doc", read.argument("doc"))
    tried = state.tried.get(spelled(place))
    if tried is not None and spelled(place) not in state.merged and not state.blind:
        saw = f"{read.tool} shows a conflict of {_of(place)}, where a merge was only tried"
        yield holds(not shown, saw, tried, read, pointer="/result/conflicts", expected=[], got=shown)
    for name, (where, maker) in state.conflicts.items():
        if where == place:
            done = name in state.settled
            said = _said_of(read, name) if done and asked is None else []
            if said and "open" not in said:
                # whether a list that nobody filtered holds what is resolved is the server's
                continue
            wanted = done is (asked == "resolved")
            how = "resolved" if done else "open"
            saw = f"{name} is {how}, and {'not ' if wanted else ''}among those that are {asked or 'open'}"
            yield holds((name in shown) is wanted, saw, maker, read, pointer="/result/conflicts", got=shown)
        elif place[0] is not None and (where[0] != place[0] or None not in (where[1], place[1])):
            saw = f"{name} came of a merge into {_of(where)}, and is among those of {_of(place)}"
            yield holds(name not in shown, saw, maker, read, pointer="/result/conflicts", got=name)


def _said_of(read: Exchange, conflict: str) -> list[Json]:
    """What a list says of a conflict: open or resolved; nothing where it does not have it."""
    return [each.get("status") for each in _objects(read, "conflicts") if each.get("conflict_id") == conflict]


def _of(place: tuple[Json, Json]) -> str:
    """A branch and a document in words."""
    branch, doc = place
    return f"{branch}" if doc is None else f"{doc} of {branch}"


def of_conflict(read: Exchange, state: State) -> Iterator[Judgement]:
    """Both sides of the conflict that was asked for, and what they had in common, as they were written."""
    conflict = read.given.get("conflict")
    clash = state.documents.clashes.get(str(read.argument("conflict_id")))
    if not isinstance(conflict, dict) or clash is None or cut(read):
        return
    told, wanted = text(conflict.get("conflict_id")), read.argument("conflict_id")
    if told is not None and told != wanted:
        saw, pointer = "another conflict is shown than was asked for", "/result/conflict/conflict_id"
        yield breach(saw, read, pointer=pointer, expected=wanted, got=told)
        return
    for name, cell in zip(SIDES, (clash.theirs, clash.ours, clash.base), strict=True):
        shown = conflict.get(name)
        fields = cell.fields if cell is not None and cell.sure else None
        if isinstance(shown, dict) and cell is not None and fields is not None:
            for field in ("title", "text"):
                if field in fields and field in shown:
                    saw = f"{name} of a conflict has another {field} than was written"
                    ok, pointer = shown[field] == fields[field], f"/result/conflict/{name}/{field}"
                    yield holds(ok, saw, cell.call, read, pointer=pointer, expected=fields[field], got=shown[field])


def of_events(read: Exchange, state: State) -> Iterator[Judgement]:
    """Every event that a write told of is listed, and with `since` those alone that came after that one."""
    since, shown = read.argument("since"), _names(read, "events", "event_id")
    for name, times in Counter(spelled(each) for each in shown).items():
        if times > 1:
            yield breach(f"{read.tool} shows the event {name} {times} times", read, pointer="/result/events", got=times)
    yield from _as_told(read, state)
    known = list(state.events)
    begin = known.index(since) + 1 if since in known else 0
    if since is not None and (since not in known or state.blind):
        return
    for place, name in enumerate(known):
        writer = state.events[name]
        if place < begin:
            saw = f"{read.tool} shows {name}, which is not after {since}"
            yield holds(name not in shown, saw, writer, read, pointer="/result/events", got=name)
        elif whole(read, "since"):
            saw = f"{read.tool} does not show {name}, of which {writer.tool} told"
            yield holds(name in shown, saw, writer, read, pointer="/result/events", expected=name)


def _as_told(read: Exchange, state: State) -> Iterator[Judgement]:
    """An event is about what its write said that it is about."""
    for place, each in enumerate(listed(read.given, "events")):
        shown = each if isinstance(each, dict) else {}
        writer = state.events.get(str(shown.get("event_id")))
        told = writer.given.get("event") if writer is not None else None
        if writer is None or not isinstance(told, dict):
            continue
        for name in ABOUT:
            if isinstance(told.get(name), str) and isinstance(shown.get(name), str):
                saw = f"{read.tool} shows {name} of {shown['event_id']} otherwise than {writer.tool} told it"
                pointer = f"/result/events/{place}/{name}"
                ok = shown[name] == told[name]
                yield holds(ok, saw, writer, read, pointer=pointer, expected=told[name], got=shown[name])


def of_status(read: Exchange, state: State) -> Iterator[Judgement]:
    """The last event is the last that a write told of."""
    told = read.given.get("last_event")
    name = told.get("event_id") if isinstance(told, dict) else None
    if isinstance(name, str) and state.events and not state.blind and not state.untold:
        last = list(state.events)[-1]
        saw = f"the last event is {last}, {read.tool} says {name}"
        yield holds(name == last, saw, state.events[last], read, pointer="/result/last_event", expected=last, got=name)


def of_radar(read: Exchange, state: State) -> Iterator[Judgement]:
    """How many steps a task has, and how many of them are closed; steps below others are counted by nobody's rule."""
    target, counts = read.given.get("target"), read.given.get("steps")
    tree = state.trees.get(str(target.get("id"))) if isinstance(target, dict) else None
    if tree is None or not tree.whole or not isinstance(counts, dict) or any("." in path for path in tree.by_path):
        return
    there, steps = {"total": len(tree.by_id)}, list(tree.by_id.values())
    closed = sum(step.closed is True for step in steps)
    if all(step.closed is not None for step in steps):
        there |= {"completed": closed, "open": len(steps) - closed}
    for name, wanted in there.items():
        told = integer(counts.get(name))
        if told is not None:
            saw = f"{there['total']} steps were made and {closed} closed, {read.tool} counts {told} as {name}"
            yield holds(told == wanted, saw, read, pointer=f"/result/steps/{name}", expected=wanted, got=told)


def of_target(read: Exchange, state: State) -> Iterator[Judgement]:
    """It is about the plan or task that it names; the radar without one is about what is in focus."""
    target, named = read.given.get("target"), read.argument(TARGETS[read.tool or ""])
    wanted = state.focus if named is None else named
    shown = text(target.get("id")) if isinstance(target, dict) else None
    if shown is not None and text(wanted) in state.items and shown != wanted:
        saw = f"{wanted} is {'in focus' if named is None else 'asked for'}, {read.tool} shows {shown}"
        yield breach(saw, read, pointer="/result/target/id", expected=wanted, got=shown)

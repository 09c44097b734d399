"""Recognises the states of an entity by the tools that bring it there and back: archive_note, restore_note."""

from collections.abc import Container, Iterator, Mapping, Sequence

from msgspec import structs

from conformance.contract.making import Call, Make, State
from conformance.contract.templates import place_of
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.reach.words import singular, words
from conformance.judge.kinds import spelled
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at
from conformance.propose.looking import Seen

STATES: Mapping[str, tuple[str, ...]] = {
    "archived": ("archive",),
    "trashed": ("trash",),
    "closed": ("close",),
    "locked": ("lock",),
    "paused": ("pause",),
    "disabled": ("disable", "deactivate"),
    "suspended": ("suspend",),
    "frozen": ("freeze",),
    "blocked": ("block",),
    "banned": ("ban",),
    "revoked": ("revoke",),
    "published": ("publish",),
    "resolved": ("resolve",),
    "completed": ("complete", "finish"),
    "cancelled": ("cancel",),
}
LEAVING: Mapping[str, tuple[str, ...]] = {
    "archived": ("unarchive", "restore"),
    "trashed": ("untrash", "restore"),
    "closed": ("reopen", "open"),
    "locked": ("unlock",),
    "paused": ("resume", "unpause", "continue"),
    "disabled": ("enable", "activate"),
    "suspended": ("resume", "unsuspend"),
    "frozen": ("unfreeze", "thaw"),
    "blocked": ("unblock",),
    "banned": ("unban",),
    "published": ("unpublish",),
    "resolved": ("reopen", "unresolve"),
    "completed": ("reopen", "uncomplete"),
}


def states(tools: Sequence[Seen], kind: str, argument: str) -> tuple[State, ...]:
    """Those of a kind of entity, which tools name by this argument. Tools that were not called are left out."""
    called = [seen for seen in tools if seen.calls]
    return tuple(_found(called, kind, argument))


def with_state(make: Make, histories: Sequence[Sequence[Exchange]]) -> Make:
    """The kind, where it is removed in a state alone: every removal outside was refused, and every one inside accepted.

    The histories are those of different processes.
    """
    place = place_of(make.remove, "id") if make.remove is not None else ""
    if make.remove is None or not place:
        return make
    for state in make.states:
        inside, outside = list[bool](), list[bool]()
        for calls in histories:
            made = {spelled(at(each.payload, make.make.at + make.id)) for each in _accepted(calls, make.make)}
            moved, gone = list(_moved(calls, state)), set[str]()
            for call in calls:
                name = at(call.arguments, place) if call.tool == make.remove.tool else ABSENT
                if name is ABSENT or spelled(name) not in made - gone:
                    continue
                gone |= {spelled(name)} if call.accepted else set()
                before = [there for each, found, there in moved if found == name and each.before(call)]
                (inside if before[-1:] == [True] else outside).append(call.accepted)
        if inside and outside and all(inside) and not any(outside):
            return structs.replace(make, remove=structs.replace(make.remove, state=state.name))
    return make


def untried_removal(tools: Sequence[Seen], kind: str, argument: str, moves: Container[str]) -> Call | None:
    """A call that may remove an entity in one of its states alone: all that were made were refused."""
    for seen in tools:
        refused = bool(seen.calls) and not any(call.accepted for call in seen.calls)
        if refused and deed(seen.tool) == "remove" and seen.tool.name not in moves and _about(seen, kind, argument):
            return _call(seen, argument)
    return None


def _moved(calls: Sequence[Exchange], state: State) -> Iterator[tuple[Exchange, Json, bool]]:
    """The accepted calls that brought an entity into a state, or out of it: the call, the id, whether it went in."""
    ways = [(state.enter, True)] + ([(state.leave, False)] if state.leave is not None else [])
    for call in calls:
        for template, there in ways:
            if call.accepted and call.tool == template.tool:
                yield call, at(call.arguments, place_of(template, "id")), there


def _accepted(calls: Sequence[Exchange], template: Call) -> Iterator[Exchange]:
    return (call for call in calls if call.tool == template.tool and call.accepted)


def _found(tools: Sequence[Seen], kind: str, argument: str) -> Iterator[State]:
    for name, verbs in STATES.items():
        enter = next((seen for seen in tools if _moves(seen, verbs, kind, argument)), None)
        if enter is None:
            continue
        leave = next((seen for seen in tools if _moves(seen, LEAVING.get(name, ()), kind, argument)), None)
        yield State(name, _call(enter, argument), _call(leave, argument) if leave is not None else None)


def _moves(seen: Seen, verbs: Sequence[str], kind: str, argument: str) -> bool:
    """Whether a tool is named by one of these verbs, and is about the kind alone."""
    return bool({*words(seen.tool.name)} & {*verbs}) and _about(seen, kind, argument)


def _about(seen: Seen, kind: str, argument: str) -> bool:
    """Whether a tool is named for the kind, or for none, takes what names one, and asks for nothing else."""
    said, schema = words(seen.tool.name), seen.tool.input_schema
    about = kind in map(singular, said) or len(said) == 1
    return about and argument in properties(schema) and {*required(schema)} <= {argument}


def _call(seen: Seen, argument: str) -> Call:
    return Call(seen.tool.name, {argument: "{{id}}"})

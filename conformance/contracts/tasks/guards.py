"""Writes that say which revision they expect: of which entity, under which name, and what the revision surely was."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.entities import Key, Seen, entities
from conformance.judge.epochs import epochs
from conformance.judge.kinds import integer, spelled
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

ITEMS = ("PLAN-", "TASK-")
TRACE = "branchmind_think_card"
MERGES = ("branchmind_merge", "branchmind_graph_merge")


class Sighting(NamedTuple):
    """An entity in an accepted answer, with the answer."""

    call: Exchange
    seen: Seen
    revision: int | None
    """Its revision there, where that is an integer."""


class Expectation(NamedTuple):
    """A write that expects a revision."""

    call: Exchange
    key: Key
    """The entity whose revision is compared."""
    expected: int
    names: tuple[str, ...]
    """The arguments that say so: the guard, its alias, or both alike."""
    known: Sighting | None
    """The answer that shows the revision which the entity surely had; None where nobody can tell."""
    torn: bool = False
    """Whether the two names say different revisions, neither of which is the current one: `expected` is the guard's."""

    @property
    def current(self) -> int | None:
        """That revision."""
        return self.known.revision if self.known is not None else None

    @property
    def met(self) -> bool:
        """Whether it is surely the current one."""
        return self.current is not None and self.current == self.expected and not self.torn

    @property
    def missed(self) -> bool:
        """Whether it is surely another, by the one name or by both alike."""
        return self.current is not None and self.current != self.expected and not self.torn


class Ledger:
    """Every sighting of every entity, and every expectation, in the order sent."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._epochs = epochs(history, contract)
        self._contract = contract
        self.sightings: dict[Hashable, list[Sighting]] = defaultdict(list)
        """By instance, workspace and key."""
        self._shown: dict[Hashable, list[Sighting]] = defaultdict(list)
        for call in history.calls():
            epoch = self._epochs.shown(call) if call.accepted else None
            for seen in entities(call):
                sighting = Sighting(call, seen, integer(seen.revision))
                name = self.name(call, seen.key)
                self.sightings[name].append(sighting)
                if epoch is not None and sighting.revision is not None:
                    self._shown[name, epoch].append(sighting)
        self.expectations = [each for call in history.calls() for each in self._expectations(call)]
        self._unguarded: dict[Hashable, list[Exchange]] = defaultdict(list)
        for call in history.calls():
            if self.guard_names(call) and call.accepted:
                self._unguarded[self._likeness(call, ())].append(call)

    def name(self, call: Exchange, key: Key) -> Hashable:
        """An entity's name over all workspaces."""
        return self._epochs.scope(call), key

    def guard_names(self, call: Exchange) -> tuple[str, ...]:
        """The guard's argument and its alias; none for a tool that takes neither."""
        tool = self._contract.tools.get(call.tool or "")
        guard = tool.writes.guard if tool is not None and tool.writes is not None else None
        return (guard.argument, guard.alias) if guard is not None else ()

    def before(self, call: Exchange, key: Key) -> Sighting | None:
        """The answer that shows which revision an entity surely had when a call was served."""
        epoch = self._epochs.met(call)
        shown = self._shown.get((self.name(call, key), epoch), ())
        return next((one for one in reversed(shown) if one.call.before(call)), None)

    def unguarded(self, guarded: Expectation) -> Exchange | None:
        """An accepted call that is the same but expects nothing, made after this one with no write between them.

        An alias that is null stays: it may be what the call is refused for.
        """
        call = guarded.call
        likes = self._unguarded.get(self._likeness(call, guarded.names), ())
        epoch = self._epochs.met(call)
        return next((like for like in likes if call.before(like) and self._epochs.met(like) == epoch), None)

    def _likeness(self, call: Exchange, without: tuple[str, ...]) -> Hashable:
        given = call.arguments if isinstance(call.arguments, dict) else {}
        rest = {name: value for name, value in given.items() if name not in without}
        return call.instance, call.tool, spelled(rest)

    def _expectations(self, call: Exchange) -> Iterator[Expectation]:
        given = {name: call.argument(name) for name in self.guard_names(call) if call.argument(name) is not None}
        values = [integer(value) for value in given.values()]
        key = compared(call)
        if not values or None in values or key is None or call.argument("dry_run") is True:
            return
        known = self.before(call, key)
        # of two that differ nobody knows which one counts, unless neither is current
        torn = len(set(values)) > 1
        if not torn or (known is not None and known.revision not in values):
            yield Expectation(call, key, values[0] or 0, tuple(given), known, torn)


ledger = once(Ledger)


def compared(call: Exchange) -> Key | None:
    """The entity whose revision a guarded write is compared with.

    None where its arguments leave that to the server, and no answer says which it was.
    """
    key = _named(call)
    if key is None and call.accepted and not (call.tool or "").startswith("tasks_"):
        return next((seen.key for seen in entities(call) if seen.key[0] == "document"), None)
    return key


def _named(call: Exchange) -> Key | None:
    tool = call.tool or ""
    if tool.startswith("tasks_focus_"):
        return ("focus",)
    if tool.startswith("tasks_"):
        target = call.argument("target")
        named = target if isinstance(target, str) and target.startswith(ITEMS) else call.argument("task")
        if named is None and call.accepted:
            # one from the focus, or that of a step: the answer says which it was
            named = call.given.get("task", call.given.get("id"))
        return _key("task", named)
    if tool == "branchmind_graph_conflict_resolve":
        return _key("conflict", call.argument("conflict_id"))
    if tool in MERGES:
        return _key("document", call.argument("into"), call.argument("doc"))
    doc = call.argument("trace_doc" if tool == TRACE else "doc")
    return _key("document", call.argument("branch"), doc)


def _key(kind: str, *names: Json) -> Key | None:
    return (kind, *names) if all(isinstance(name, str) for name in names) else None

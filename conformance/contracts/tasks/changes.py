"""Accepted writes that surely changed something: others may have found what they ask for done already."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.entities import Key, entities
from conformance.contracts.tasks.guards import ledger
from conformance.contracts.tasks.walk import walk
from conformance.contracts.tasks.writing import NODE_FIELDS, key_of
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.judge.texts import texts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

CONTENT = ("title", "description", "contract", "contract_data", "success_criteria", "tests", "blockers", "ops")
"""Arguments that hold what a write writes."""
_OWN = ("task", "conflict", "focus")
"""Kinds of which an accepted write changed each that its answer shows."""
_STEP = "/step"
"""Where an answer has the step that was written; steps elsewhere in it may be all that the task has."""


class Changes:
    """The writes of a history that surely changed an entity, each with the keys of those that it changed."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._ledger = ledger(history, contract)
        self._words: dict[Hashable, set[str]] = defaultdict(set)
        self.of: dict[int, tuple[Key, ...]] = {}
        """By the number of the call."""
        self._surely = set(_of_steps(history, contract))
        for call in history.calls():
            tool = contract.tools.get(call.tool or "")
            if tool is not None and tool.writes is not None:
                changed = tuple(dict.fromkeys(self._changed(call)))
                if changed and call.accepted:
                    self.of[call.call] = changed
                self._learn(call)

    def _changed(self, call: Exchange) -> Iterator[Key]:
        sure = _SURE.get(call.tool or "")
        if not call.accepted or call.argument("dry_run") is True:
            return
        if call.tool == "branchmind_graph_apply":
            yield from self._parts(call)
        elif call.call in self._surely or (sure(call) if sure is not None else self._fresh(call, _content(call))):
            shown = entities(call)
            documents = [seen.key for seen in shown if seen.key[0] == "document"]
            yield from (seen.key for seen in shown if seen.key[0] in _OWN or seen.pointer == _STEP)
            if documents and call.tool != "branchmind_graph_conflict_resolve":
                yield documents[0]

    def _parts(self, call: Exchange) -> Iterator[Key]:
        """The document that an operation on its graph surely changed, and the node or the edge."""
        document = next((seen.key for seen in entities(call) if seen.key[0] == "document"), None)
        ops = call.argument("ops")
        for op in ops if document is not None and isinstance(ops, list) else ():
            fresh = isinstance(op, dict) and self._fresh(call, [op.get(name) for name in NODE_FIELDS])
            key = key_of(op) if isinstance(op, dict) and fresh else None
            if document is not None and key is not None and str(op.get("op")).endswith("_upsert"):
                yield document
                yield (key[0], *document[1:], *key[1:])

    def _fresh(self, call: Exchange, content: Json) -> bool:
        """Whether a string in it was never sent to the workspace before."""
        known = self._words[self._scope(call)]
        return any(word not in known for word in texts(content))

    def _learn(self, call: Exchange) -> None:
        self._words[self._scope(call)].update(texts(call.arguments))

    def _scope(self, call: Exchange) -> Hashable:
        return call.instance, spelled(call.argument("workspace"))


changes = once(Changes)


def _of_steps(history: History, contract: Contract) -> Iterator[int]:
    """Accepted writes to the checkpoints of a step that had been otherwise, and those that close one and tell of it."""
    for call, state, alone in walk(history, contract):
        tree = state.tree(call) if call.tool in ("tasks_verify", "tasks_done") and call.accepted else None
        step = tree.named(call) if tree is not None else None
        if step is None or not alone or state.blind:
            continue
        if call.tool == "tasks_done":
            # one that closes a step once all is confirmed may have closed it then
            sure = step.closed is False and isinstance(call.given.get("event"), dict)
        else:
            sure = step.otherwise(call.argument("checkpoints"))
        if sure:
            yield call.call


def _content(call: Exchange) -> list[Json]:
    return [call.argument(name) for name in CONTENT]


def _always(call: Exchange) -> bool:
    return call.accepted


def _merged(call: Exchange) -> bool:
    count = call.given.get("merged")
    return isinstance(count, int) and count > 0


def _inserted(call: Exchange) -> bool:
    return call.given.get("inserted") is True


def _pointed(call: Exchange) -> bool:
    wanted = call.argument("task") if call.tool == "tasks_focus_set" else None
    return "previous" in call.given and call.given["previous"] != wanted


def _never(call: Exchange) -> bool:
    """A checkpoint or a step may be so already."""
    del call
    return False


_SURE: dict[str, Callable[[Exchange], bool]] = {
    "tasks_decompose": _always,
    "tasks_note": _always,
    "tasks_verify": _never,
    "tasks_done": _never,
    "tasks_focus_set": _pointed,
    "tasks_focus_clear": _pointed,
    "branchmind_notes_commit": _always,
    "branchmind_merge": _merged,
    "branchmind_graph_merge": _merged,
    "branchmind_think_card": _inserted,
    "branchmind_graph_conflict_resolve": _always,
}
"""How an accepted write of a tool is known to have changed something; others by words never sent before."""
